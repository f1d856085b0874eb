/* The best pixels by a score, found by several threads and members.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PIXELS_WINNER_H
#define XTA_HYPER_ENDMEMBERS_PIXELS_WINNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/scene.h>

/* A pixel with its score. It has only numbers of eight bytes, since it is sent to other members. */
typedef struct winner {
    double value; // while no pixel is found: the bound that one must exceed
    int64_t line, sample;
    uint64_t found;
} winner;

/* A pixel beats another by its score; of equal scores the lower (line, sample) wins. */
static inline bool xta__winner_beats(const winner *a, const winner *b)
{
    if (!a->found || !b->found || a->value != b->value) {
        return a->found && (!b->found || a->value > b->value);
    }
    return a->line != b->line ? a->line < b->line : a->sample < b->sample;
}

/* Collective. Merge the winners of all members, in place. */
xta_status xta__winners_gather(const xta_communicator *communicator, winner *winners, size_t n,
                               xta_error *err);

#endif
