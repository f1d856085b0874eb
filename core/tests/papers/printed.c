/* The axial vectors of the figures.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "papers/printed.h"

const printed_vectors printed_cxa = {
    .n = {2, 2, 2},
    .at = {{{0, 0, {6, 2, 1}}, {3, 30, {10, 2, 1}}},
           {{0, 0, {-1, -1, -1}}, {3, 18, {2, 6, 1}}},
           {{0, 0, {-1, -1, -1}}, {2, 50, {5, 1, 25}}}},
};

const printed_vectors printed_drx = {
    .n = {2, 2, 3},
    .at = {{{0, 0, {3, 1, 1}}, {4, 48, {12, 3, 1}}},
           {{0, -1, {0, 0, 0}}, {3, 36, {3, 12, 1}}},
           {{0, -1, {0, 0, 0}}, {1, 12, {3, 1, 12}}, {3, 72, {4, 1, 24}}}},
};

int printed_floor(const printed_vectors *vectors, int axis, int64_t index)
{
    int record = 0;

    while (record + 1 < vectors->n[axis] && vectors->at[axis][record + 1].index <= index) {
        record++;
    }
    return record;
}

int64_t printed_apply(const printed_vectors *vectors, int l, int record, const int64_t index[])
{
    const printed_record *r = &vectors->at[l][record];
    int64_t address = r->address;

    for (int j = 0; j < PRINTED_AXES; j++) {
        address += (j == l ? index[j] - r->index : index[j]) * r->c[j];
    }
    return address;
}

int printed_owner(const printed_vectors *vectors, const int64_t index[], int *record)
{
    int l = 0;

    *record = printed_floor(vectors, 0, index[0]);
    for (int j = 1; j < PRINTED_AXES; j++) {
        int candidate = printed_floor(vectors, j, index[j]);
        if (vectors->at[j][candidate].address > vectors->at[l][*record].address) {
            l = j;
            *record = candidate;
        }
    }
    return l;
}

int64_t printed_address(const printed_vectors *vectors, const int64_t index[])
{
    int record;
    int l = printed_owner(vectors, index, &record);

    return printed_apply(vectors, l, record, index);
}
