/* An array of the library and the oracle of addresses, grown together. A question is put to both,
 * and their answers must agree: what they say is what a printed formula should have given.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PAPERS_PAIR_H
#define XTA_TESTS_PAPERS_PAIR_H

#include <stdint.h>

#include <xta/array.h>

#include "oracle/address.h"

typedef struct pair {
    xta_array *array; /* in memory */
    oracle_address oracle;
} pair;

/* `bounds` and `chunk` in cells; a chunk of NULL is one cell, as in [CXA] 3. At most 4 axes. */
void pair_begin(pair *both, int ndim, const int64_t bounds[], const int64_t chunk[],
                xta_policy policy);
void pair_end(pair *both);

/* Growth at the back, in cells. */
void pair_grow(pair *both, int axis, int64_t by);

/* The address of a chunk that exists. */
uint64_t pair_address(pair *both, const int64_t chunk[]);

/* The chunk at an address that exists. */
void pair_chunk(pair *both, uint64_t address, int64_t chunk[]);

uint64_t pair_n_chunks(pair *both);

/* Axial records of the library: the first block and one for each uninterrupted growth. */
uint64_t pair_n_segments(pair *both);

/* The arrays of [CXA] Fig. 3.3.1 and [DRX] Fig. 3, grown as the text says. */
void pair_begin_cxa(pair *both);
void pair_begin_drx(pair *both);

#endif
