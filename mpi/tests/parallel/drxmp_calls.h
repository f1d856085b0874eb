/* Shared by the tests of the calls of [DRX] IV.C: checks of results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PARALLEL_DRXMP_CALLS_H
#define XTA_TESTS_PARALLEL_DRXMP_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <xta/drxmp.h>

#include "mpi_test.h"

/* A call of one rank returns `want`, and there is a reason exactly if it fails. */
#define ALONE(call, want)                                                                   \
    do {                                                                                    \
        int drx_got = (call);                                                               \
        const char *drx_text = DRXMP_Last_error();                                          \
        XTA_CHECK(drx_got == (int)(want), "status %d, wanted %d: %s", drx_got, (int)(want), \
                  drx_text);                                                                \
        XTA_CHECK((drx_text[0] == '\0') == (drx_got == 0), "text '%s'", drx_text);          \
    } while (0)

/* The same on all ranks, with one text. */
#define ALL(call, want)                                                               \
    do {                                                                              \
        ALONE(call, want);                                                            \
        XTA_CHECK(same_on_all(DRXMP_Last_error()), "the ranks have different texts"); \
    } while (0)

/* The same, and the text names `part`. */
#define ALL_SAY(call, want, part)                                                        \
    do {                                                                                 \
        ALL(call, want);                                                                 \
        XTA_CHECK(strstr(DRXMP_Last_error(), (part)) != NULL, "no '%s' in '%s'", (part), \
                  DRXMP_Last_error());                                                   \
    } while (0)

enum { ROWS = 10, COLUMNS = 12, CELLS = ROWS * COLUMNS, CHUNKS = 20 };

static DRXMPStatus stat;

/* Whether all ranks have the same text. */
static inline bool same_on_all(const char *text)
{
    unsigned hash = 1, both[2];

    for (; *text != '\0'; text++) {
        hash = hash * 31 + (unsigned char)*text;
    }
    both[0] = hash;
    both[1] = ~hash;
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    return both[0] == ~both[1];
}

static inline bool is_last(void)
{
    return xta_test_rank == xta_test_ranks - 1;
}

/* The calls take names and modes that are not const: a writable copy, valid until the eighth call
 * after it. */
static inline char *text_of(const char *text)
{
    static char texts[8][1024];
    static int turn;
    char *copy = texts[turn++ % 8];

    snprintf(copy, sizeof texts[0], "%s", text);
    return copy;
}

static inline char *path_of(const char *name)
{
    return text_of(xta_test_path(name));
}

/* The paper's array: 10 x 12 cells in chunks of 2 x 3, grown chunk by chunk. */
static inline DRXMDHdl paper_array(const char *name)
{
    static const int axes[] = {1, 0, 0, 1, 0, 1, 0};
    size_t size[2] = {2, 3};
    int shape[2] = {2, 3};
    DRXMDHdl array = DRXMD_NULL;

    ALL(DRXMP_Init(&array, 2, size, shape, MPI_DOUBLE, MPI_COMM_WORLD), XTA_OK);
    ALL(DRXMP_Create(array, path_of(name)), XTA_OK);
    for (size_t k = 0; k < sizeof axes / sizeof axes[0]; k++) {
        ALL(DRXMP_Extend(array, axes[k], size[axes[k]]), XTA_OK);
    }
    return array;
}

#endif
