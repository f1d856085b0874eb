/* The pixel purity index: what its files share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PPI_PPI_H
#define XTA_HYPER_ENDMEMBERS_PPI_PPI_H

#include "endmembers/simplex/simplex.h"
#include "endmembers/simplex/selection_trace.h"
#include "endmembers/ppi/integer_projection.h"

/* Skewers are projected on in blocks of this many, so that BLAS always sees the same shape. */
enum { PPI_BLOCK = 256 };

/* Pixels near an extreme. */
typedef struct near_list {
    winner *pixels;
    size_t n, room;
    size_t swept; // how many were left when it was last swept
} near_list;

/* What is known of each skewer: extremes 2 k (greatest) and 2 k + 1 (least, its sign turned, so
 * that larger is always more extreme). */
typedef struct ppi_facts {
    size_t n_skewers;
    winner *extremes; // 2 n_skewers
    near_list *near;  // 2 n_skewers; NULL without a threshold
} ppi_facts;

typedef struct ppi_wish {
    size_t n_skewers;
    uint64_t seed;
    double threshold;
    double *skewers; // given, n_skewers x n_dims; NULL: random
    size_t n_dims;   // of these
    frozen *basis;
} ppi_wish;

/* ---- ppi_near.c ---- */

xta_status xta__facts_make(ppi_facts *facts, size_t n_skewers, bool near, xta_error *err);
void xta__facts_clear(ppi_facts *facts);
xta_status xta__facts_copy(ppi_facts *into, const ppi_facts *from, xta_error *err);
/* Add a pixel to a list; false: no memory. */
bool xta__near_add(near_list *list, const winner *w);
/* Drop what is below `least`. */
void xta__near_sweep(near_list *list, double least);
/* Add what `from` knows, with `margin` (threshold times length) for each skewer. */
xta_status xta__facts_merge(ppi_facts *into, const ppi_facts *from, const double *margin,
                            xta_error *err);
/* Lists in order and without what is too far from the extremes, or repeated. */
void xta__facts_settle(ppi_facts *facts, const double *margin);
void xta__facts_put(const ppi_facts *facts, blob *b);
/* False: the bytes are no facts of so many skewers. */
bool xta__facts_get(ppi_facts *facts, size_t n_skewers, bool near, blob_reader *r);

/* ---- ppi_tile.c ---- */

/* What one thread of a scan works with. */
typedef struct ppi_part {
    ppi_facts facts;
    // Doubles, or (projections of whole numbers) 32-bit numbers: TILE_PIXELS x PPI_BLOCK.
    void *projections;
    bool whole;
    int16_t *pixels; // TILE_PIXELS x 2 n_pairs, for whole numbers
    double *points;  // TILE_PIXELS x n_dims, with a basis
    double *row;
    uint64_t near_bytes;
} ppi_part;

/* What all threads read. */
typedef struct ppi_job {
    size_t n_skewers, n_blocks, n_dims;
    const double *skewers; // n_blocks * PPI_BLOCK x n_dims
    const double *margin;  // n_skewers
    const frozen *basis;
    uint64_t most_near_bytes; // of a part
    const char *name;
    // Skewers of whole numbers, for whole_project; NULL: not so.
    const int16_t *whole; // groups, one after the other
    size_t n_pairs;
    int64_t most; // the greatest pixel for which no sum leaves 32 bits
    whole_project *project;
} ppi_job;

xta_status xta__ppi_tile(void *user, void *part, const hyper_tile *tile, xta_error *err);
/* Skewers as whole numbers of 16 bits: n_blocks * PPI_BLOCK * 2 n_pairs of them; and job->most.
 * False if they are none. */
bool xta__ppi_whole_skewers(ppi_job *job, int16_t *groups);

/* ---- ppi_counts.c ---- */

/* Count places; the list is by count downwards, then by place. */
xta_status xta__ppi_count(const ppi_facts *facts, xta_ppi_pixel **pixels, size_t *n,
                          xta_error *err);

#endif
