/* Choosing a process grid.
 *
 * Definition: of all grids of n processes the one whose largest zone, ceil(chunks / rows) on each
 * axis, is as square as the lengths allow: the sum of its lengths is smallest; among those, the one
 * whose largest zone has the fewest chunks; among those, the one with the most rows on the first
 * axis, then on the second, and so on. (Fewest chunks first would cut the 5x4 chunks of [DRX] IV.C
 * for 4 processes into columns of 5, not into the squares of its figure.)
 *
 * Naive version: try every way to write n as a product of ndim factors; kept in the tests. 2^19
 * processes on 32 axes have 3 * 10^13 of them.
 *
 * Improvement: what is best for the axes from k on depends only on how many processes are left for
 * them, which is a divisor of n, and an int has at most 1600 divisors. Sum and product are
 * monotonic in each part, so the optimum of the whole consists of optima of its parts: a table over
 * axes and divisors, filled from the last axis on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/grid/process_grid.h"

#include <stdlib.h>

#define MAX_DIVISORS 1600

/* The best for some number of processes on the axes from one on. */
typedef struct choice {
    uint64_t sum;    /* of the largest zone's lengths */
    uint64_t chunks; /* of the largest zone; 0: impossible */
    int rows;        /* on the first of these axes */
} choice;

/* All divisors of n, ascending. */
static int divisors_of(int n, int divisors[])
{
    int n_small = 0, n_all;

    for (int d = 1; d <= n / d; d++) {
        if (n % d == 0) {
            divisors[n_small++] = d;
        }
    }
    n_all = n_small;
    for (int k = n_small - 1; k >= 0; k--) {
        int other = n / divisors[k];
        if (other != divisors[k]) {
            divisors[n_all++] = other;
        }
    }
    return n_all;
}

/* The index of `d`, which is among them. */
static int index_of(int d, const int divisors[], int n_divisors)
{
    int from = 0, to = n_divisors - 1;

    while (from < to) {
        int middle = (from + to) / 2;
        if (divisors[middle] < d) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* The best rows for one axis of `length` chunks and divisor number `k` of processes, `rest` being
 * the best for the axes after it. */
static choice choose_rows(uint64_t length, const int divisors[], int n_divisors, int k,
                          const choice rest[])
{
    choice best = {0};

    // From many rows to few: among equals the first one is kept.
    for (int j = k; j >= 0; j--) {
        if (divisors[k] % divisors[j] != 0) {
            continue;
        }
        const choice *left = &rest[index_of(divisors[k] / divisors[j], divisors, n_divisors)];
        if (left->chunks == 0) {
            continue;
        }
        uint64_t zone = (length - 1) / (uint64_t)divisors[j] + 1;
        choice now = {left->sum + zone, left->chunks * zone, divisors[j]};
        if (best.chunks == 0 || now.sum < best.sum ||
            (now.sum == best.sum && now.chunks < best.chunks)) {
            best = now;
        }
    }
    return best;
}

xta_status xta__process_grid(int n_ranks, const xta_box *chunks, int grid[])
{
    int divisors[MAX_DIVISORS];
    int ndim = chunks->ndim;
    int n = divisors_of(n_ranks, divisors);
    bool empty = xta_box_empty(chunks);
    choice *table = xta__calloc((size_t)(ndim + 1) * (size_t)n, sizeof table[0]);

    if (table == NULL) {
        return XTA_ENOMEM;
    }
    // After the last axis only one process can be left.
    table[(size_t)ndim * (size_t)n] = (choice){.chunks = 1};
    for (int axis = ndim - 1; axis >= 0; axis--) {
        choice *row = table + (size_t)axis * (size_t)n;
        uint64_t length = empty ? 1 : (uint64_t)(chunks->hi[axis] - chunks->lo[axis]);
        for (int k = 0; k < n; k++) {
            row[k] = choose_rows(length, divisors, n, k, row + n);
        }
    }
    for (int axis = 0, left = n_ranks; axis < ndim; axis++) {
        int rows = table[(size_t)axis * (size_t)n + (size_t)index_of(left, divisors, n)].rows;
        grid[axis] = rows > 0 ? rows : 1;
        left /= grid[axis];
    }
    free(table);
    return XTA_OK;
}
