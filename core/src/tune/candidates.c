/* Which chunk lengths of an axis can belong to an optimal shape.
 *
 * A length c leaves floor(cells / c) cells for the other axes. Of all lengths that leave the same
 * number, only those matter that no other of them equals or beats in every query; usually this is
 * only the longest. A length that costs no query less than a shorter one is also left out. Little
 * more than 2 * sqrt(cells) lengths remain.
 *
 * A longer chunk does not always cost less: chunks are cut at multiples of their length, and a
 * query of 3 cells at 3 touches one chunk of length 3 but two of length 4. So every length is
 * tried, unless there are too many; then only the longest of each kind are tried, and if these are
 * still too many, a selection of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tune/candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EVALUATIONS    ((int64_t)20 << 20) /* of queries with lengths, for each axis */
#define SHORTER_TESTED 16                  /* how many shorter lengths a new one is compared with */
#define FEWEST         16                  /* lengths at least, however many queries there are */

static xta_status reserve(xta__search *search, xta__candidates *c)
{
    if (c->n < c->capacity) {
        return XTA_OK;
    }
    size_t capacity = c->capacity > 0 ? 2 * c->capacity : 256;
    int64_t *length = xta__realloc_array(c->length, capacity, sizeof *length);
    if (length == NULL) {
        return XTA_ENOMEM;
    }
    c->length = length;
    double *cost = xta__realloc_array(c->cost, capacity * search->n_queries, sizeof *cost);
    if (cost == NULL) {
        return XTA_ENOMEM;
    }
    c->cost = cost;
    c->capacity = capacity;
    return XTA_OK;
}

static bool no_worse(size_t n, const double a[], const double b[])
{
    for (size_t k = 0; k < n; k++) {
        if (a[k] > b[k]) {
            return false;
        }
    }
    return true;
}

/* Append `length` unless one of those from `from` on, or one of the last before them, is as good in
 * every query. */
static xta_status offer(xta__search *search, int axis, size_t from, int64_t length)
{
    xta__candidates *c = &search->axis[axis];
    size_t n = search->n_queries;
    size_t back = from > SHORTER_TESTED ? from - SHORTER_TESTED : 0;
    xta_status status = reserve(search, c);

    if (status != XTA_OK) {
        return status;
    }
    double *cost = c->cost + c->n * n;
    for (size_t k = 0; k < n; k++) {
        cost[k] = xta__axis_cost(&search->query[axis][k], length);
    }
    for (size_t k = c->n; k > back; k--) {
        if (no_worse(n, c->cost + (k - 1) * n, cost)) {
            return XTA_OK;
        }
    }
    c->length[c->n++] = length;
    return XTA_OK;
}

/* Reverse the candidates from `from` on, which were offered longest first. */
static void turn_around(xta__search *search, xta__candidates *c, size_t from)
{
    size_t n = search->n_queries;

    for (size_t i = from, j = c->n; i + 1 < j; i++) {
        j--;
        int64_t length = c->length[i];
        c->length[i] = c->length[j];
        c->length[j] = length;
        for (size_t k = 0; k < n; k++) {
            double cost = c->cost[i * n + k];
            c->cost[i * n + k] = c->cost[j * n + k];
            c->cost[j * n + k] = cost;
        }
    }
}

xta_status xta__candidates_find(xta__search *search, int axis)
{
    xta__candidates *c = &search->axis[axis];
    int64_t most = c->limit < search->cells ? c->limit : search->cells;
    int64_t most_points = EVALUATIONS / (int64_t)search->n_queries;
    bool all = most <= most_points;
    // The smallest ratio between consecutive lengths with which there are not too many.
    double ratio = pow((double)most, 1.0 / (double)(most_points > FEWEST ? most_points : FEWEST));
    xta_status status = XTA_OK;

    for (int64_t length = 1; search->powers_of_two && length <= most; length *= 2) {
        XTA_TRY(offer(search, axis, c->n, length));
    }
    for (int64_t first = 1; !search->powers_of_two && first <= most;) {
        int64_t last = search->cells / (search->cells / first);
        last = last < most ? last : most;
        size_t from = c->n;
        int64_t end = all ? first : last;
        for (int64_t length = last; length >= end; length--) {
            XTA_TRY(offer(search, axis, from, length));
        }
        search->complete = search->complete && all;
        turn_around(search, c, from);
        first = last + 1;
        if (!all && (double)first < (double)last * ratio) {
            first = (int64_t)((double)last * ratio) + 1;
        }
    }
done:
    return status;
}
