/* Axial vectors as the papers print them, and the parts of F* about which there is no doubt.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PAPERS_PRINTED_H
#define XTA_TESTS_PAPERS_PRINTED_H

#include <stdint.h>

#define PRINTED_AXES    3
#define PRINTED_RECORDS 3

/* "starting index; starting address; multiplying coefficients". */
typedef struct printed_record {
    int64_t index;
    int64_t address;
    int64_t c[PRINTED_AXES];
} printed_record;

typedef struct printed_vectors {
    int n[PRINTED_AXES];
    printed_record at[PRINTED_AXES][PRINTED_RECORDS];
} printed_vectors;

/* [CXA] Fig. 3.3.2 and [DRX] Fig. 3b. */
extern const printed_vectors printed_cxa;
extern const printed_vectors printed_drx;

/* The number of the last record of an axis that begins at or before `index`. */
int printed_floor(const printed_vectors *vectors, int axis, int64_t index);

/* Eq. 3.3.1 with record `record` of axis `l`. */
int64_t printed_apply(const printed_vectors *vectors, int l, int record, const int64_t index[]);

/* Of the candidates of `index`, the one with the greatest starting address, the first where there
 * are several: its axis, and its number in *record. */
int printed_owner(const printed_vectors *vectors, const int64_t index[], int *record);

/* F* without a slip. */
int64_t printed_address(const printed_vectors *vectors, const int64_t index[]);

#endif
