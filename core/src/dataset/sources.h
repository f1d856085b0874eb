/* Notes of a data set: which source the cells of a growth came from.
 *
 * Successive states of a data set share one list, of which each has the first `n`. Only the newest
 * state adds to it; what a state that was given up has added behind its end is overwritten.
 *
 *   note in the journal    i64 lo, i64 hi, i64 time, u16 bytes that the source shares with the one
 *                          before it, u16 bytes of its rest, the rest, padding to 8
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DATASET_SOURCES_H
#define XTA_DATASET_SOURCES_H

#include <xta/provenance.h>

#include "store/store.h"

struct xta__source_list;

typedef struct xta__sources {
    struct xta__source_list *list; /* NULL: there is no note */
    size_t n;
} xta__sources;

/* Begin a second state with the same notes. */
void xta__sources_share(const xta__sources *from, xta__sources *out);
void xta__sources_clear(xta__sources *sources);

/* Note number `k` < n. Borrowed until the list is changed. */
const xta_dataset_source *xta__sources_at(const xta__sources *sources, size_t k);

/* Dimensions that have had notes. */
size_t xta__sources_dimension_count(const xta__sources *sources);
const char *xta__sources_dimension(const xta__sources *sources, size_t k);

/* Append a note to a payload; `before`: the source of the note before it in the same item. */
void xta__source_encode(xta__bytes *out, const xta_dataset_source *note, const char *before);

/* Add the notes of a dimension in the `n` bytes of an item. XTA_ECORRUPT with a constant text,
 * XTA_ENOMEM. */
xta_status xta__sources_decode(xta__sources *sources, const char *dimension, const uint8_t *bytes,
                               size_t n, const char **why);

/* Remove the notes of a dimension. XTA_ENOMEM. */
xta_status xta__sources_remove(xta__sources *sources, const char *dimension);

#endif
