/* Copying boxes of cells between dense buffers.
 *
 * Definition, and naive version: one copy for every cell of the box. First improvement: cells that
 * are contiguous on both sides are one row, and axes that continue each other on both sides are one
 * axis. Second: blocks that are not aligned leave millions of rows of some tens of bytes, so rows
 * up to 128 bytes are copied without a call, by a few fixed moves that overlap in the middle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "executor/copy_box.h"

#include <string.h>

/* Rows of `row_bytes`, counted by `n` axes, the last one fastest. */
typedef struct rows {
    size_t row_bytes;
    int n;
    size_t count[XTA_MAX_NDIM];
    size_t to[XTA_MAX_NDIM];   /* bytes from one row to the next */
    size_t from[XTA_MAX_NDIM]; /* the same on the other side */
    size_t to_begin, from_begin;
} rows;

static size_t length_of(const xta_box *box, int axis)
{
    return (size_t)(box->hi[axis] - box->lo[axis]);
}

/* Starting at the innermost axis, the row grows as long as it is contiguous on both sides. */
static void plan_rows(rows *r, const xta_box *box, size_t cell_bytes, const xta_box *to_box,
                      const xta_box *from_box)
{
    size_t to = cell_bytes, from = cell_bytes;
    size_t count[XTA_MAX_NDIM], to_step[XTA_MAX_NDIM], from_step[XTA_MAX_NDIM];
    int n = 0;

    r->row_bytes = cell_bytes;
    r->to_begin = r->from_begin = 0;
    for (int a = box->ndim - 1; a >= 0; a--) {
        size_t k = length_of(box, a);
        r->to_begin += (size_t)(box->lo[a] - to_box->lo[a]) * to;
        r->from_begin += (size_t)(box->lo[a] - from_box->lo[a]) * from;
        if (n == 0 && to == r->row_bytes && from == r->row_bytes) {
            r->row_bytes *= k;
        } else if (n > 0 && to == to_step[n - 1] * count[n - 1] &&
                   from == from_step[n - 1] * count[n - 1]) {
            count[n - 1] *= k;
        } else if (k > 1) {
            count[n] = k;
            to_step[n] = to;
            from_step[n++] = from;
        }
        to *= length_of(to_box, a);
        from *= length_of(from_box, a);
    }
    r->n = n;
    for (int k = 0; k < n; k++) {
        r->count[k] = count[n - 1 - k];
        r->to[k] = to_step[n - 1 - k];
        r->from[k] = from_step[n - 1 - k];
    }
}

typedef struct sixteen {
    uint64_t half[2];
} sixteen;

static inline void copy_16(uint8_t *to, const uint8_t *from)
{
    sixteen word;

    memcpy(&word, from, sizeof word);
    memcpy(to, &word, sizeof word);
}

static inline void copy_8(uint8_t *to, const uint8_t *from)
{
    uint64_t word;

    memcpy(&word, from, sizeof word);
    memcpy(to, &word, sizeof word);
}

/* Copy a row of 8 to 128 bytes: pieces whose sizes are powers of two, from both ends, overlapping
 * in the middle. */
static inline void copy_short(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n <= 16) {
        copy_8(to, from);
        copy_8(to + n - 8, from + n - 8);
        return;
    }
    for (size_t k = 0; k + 16 < n; k += 16) {
        copy_16(to + k, from + k);
    }
    copy_16(to + n - 16, from + n - 16);
}

/* Copy the rows of the innermost axis. */
static void copy_line(uint8_t *to, size_t to_step, const uint8_t *from, size_t from_step,
                      size_t count, size_t n)
{
    if (n == 2) {
        for (size_t i = 0; i < count; i++) {
            memcpy(to + i * to_step, from + i * from_step, 2);
        }
    } else if (n == 4) {
        for (size_t i = 0; i < count; i++) {
            memcpy(to + i * to_step, from + i * from_step, 4);
        }
    } else if (n >= 8 && n <= 128) {
        for (size_t i = 0; i < count; i++) {
            copy_short(to + i * to_step, from + i * from_step, n);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            memcpy(to + i * to_step, from + i * from_step, n);
        }
    }
}

/* Step along the axes outside the innermost; false after the last position. */
static bool next_line(const rows *r, size_t index[], size_t *to, size_t *from)
{
    for (int k = r->n - 2; k >= 0; k--) {
        *to += r->to[k];
        *from += r->from[k];
        if (++index[k] < r->count[k]) {
            return true;
        }
        *to -= r->count[k] * r->to[k];
        *from -= r->count[k] * r->from[k];
        index[k] = 0;
    }
    return false;
}

void xta__copy_box(const xta_box *box, size_t cell_bytes, uint8_t *to, const xta_box *to_box,
                   const uint8_t *from, const xta_box *from_box)
{
    size_t index[XTA_MAX_NDIM] = {0};
    rows r;

    plan_rows(&r, box, cell_bytes, to_box, from_box);
    size_t to_at = r.to_begin, from_at = r.from_begin;
    if (r.n == 0) {
        memcpy(to + to_at, from + from_at, r.row_bytes);
        return;
    }
    do {
        copy_line(to + to_at, r.to[r.n - 1], from + from_at, r.from[r.n - 1], r.count[r.n - 1],
                  r.row_bytes);
    } while (next_line(&r, index, &to_at, &from_at));
}

/* The address of the first cell of `box` in a buffer over `all`. */
static void cell_at(const xta_box *all, size_t cell_bytes, size_t at, int64_t coord[])
{
    at /= cell_bytes;
    for (int a = all->ndim - 1; a >= 0; a--) {
        coord[a] = all->lo[a] + (int64_t)(at % length_of(all, a));
        at /= length_of(all, a);
    }
}

bool xta__same_box(const xta_box *box, size_t cell_bytes, const uint8_t *one,
                   const xta_box *one_box, const uint8_t *other, const xta_box *other_box,
                   int64_t differs[])
{
    size_t index[XTA_MAX_NDIM] = {0};
    rows r;

    plan_rows(&r, box, cell_bytes, one_box, other_box);
    if (r.n == 0) {
        r.n = 1;
        r.count[0] = 1;
        r.to[0] = r.from[0] = 0;
    }
    size_t one_at = r.to_begin, other_at = r.from_begin;
    do {
        for (size_t i = 0; i < r.count[r.n - 1]; i++) {
            const uint8_t *a = one + one_at + i * r.to[r.n - 1];
            const uint8_t *b = other + other_at + i * r.from[r.n - 1];
            size_t k = 0;
            if (memcmp(a, b, r.row_bytes) == 0) {
                continue;
            }
            while (a[k] == b[k]) {
                k++;
            }
            cell_at(one_box, cell_bytes, (size_t)(a - one) + k, differs);
            return false;
        }
    } while (next_line(&r, index, &one_at, &other_at));
    return true;
}

size_t xta__offset_in(const xta_box *box, const xta_box *all, size_t cell_bytes, bool *together)
{
    size_t begin = 0, step = cell_bytes;
    bool cut = false; // a faster axis is not whole

    *together = true;
    for (int a = box->ndim - 1; a >= 0; a--) {
        begin += (size_t)(box->lo[a] - all->lo[a]) * step;
        step *= length_of(all, a);
        *together = *together && (!cut || length_of(box, a) == 1);
        cut = cut || length_of(box, a) < length_of(all, a);
    }
    return begin;
}

static int slow_axis(const xta__slices *slices, int number)
{
    return slices->column ? slices->all.ndim - 1 - number : number;
}

void xta__slices_begin(xta__slices *slices, const xta_box *box, size_t cell_bytes, bool column,
                       uint64_t most_bytes)
{
    uint64_t inner = cell_bytes;
    int cut = box->ndim - 1;

    *slices = (xta__slices){.all = *box, .column = column};
    while (cut > 0 && inner * length_of(box, slow_axis(slices, cut)) <= most_bytes) {
        inner *= length_of(box, slow_axis(slices, cut));
        cut--;
    }
    uint64_t thick = most_bytes / inner, all = length_of(box, slow_axis(slices, cut));
    thick = thick < 1 ? 1 : thick;
    slices->cut = cut;
    slices->thick = (int64_t)(thick < all ? thick : all);
}

bool xta__slices_next(xta__slices *slices)
{
    const xta_box *all = &slices->all;
    xta_box *now = &slices->now;

    if (!slices->begun) {
        slices->begun = true;
        *now = *all;
        for (int k = 0; k <= slices->cut; k++) {
            int a = slow_axis(slices, k);
            now->hi[a] = now->lo[a] + (k == slices->cut ? slices->thick : 1);
        }
        return true;
    }
    for (int k = slices->cut; k >= 0; k--) {
        int a = slow_axis(slices, k);
        int64_t step = k == slices->cut ? slices->thick : 1;
        now->lo[a] += step;
        if (now->lo[a] >= all->hi[a]) {
            now->lo[a] = all->lo[a];
            now->hi[a] = now->lo[a] + step;
            continue;
        }
        now->hi[a] = now->lo[a] + step < all->hi[a] ? now->lo[a] + step : all->hi[a];
        return true;
    }
    return false;
}
