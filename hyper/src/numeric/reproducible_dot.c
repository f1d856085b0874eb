/* Sums of products with the same bits everywhere; reproducible_dot.h says how.
 *
 * Each function is compiled for several widths of registers. All of them do the same additions in
 * the same order; only the number of instructions differs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "numeric/reproducible_dot.h"

#include <string.h>

#include "util/clones.h"

XTA__CLONES double xta__dot(size_t n, const double *a, const double *b)
{
    dot_vector sum = {0};
    size_t k = 0;

    for (; k + DOT_WIDTH <= n; k += DOT_WIDTH) {
        sum += *(const dot_vector *)(a + k) * *(const dot_vector *)(b + k);
    }
    for (size_t l = 0; k + l < n; l++) {
        sum[l] += a[k + l] * b[k + l];
    }
    return DOT_SUM(sum);
}

/* Four sums at once share each load of `a` and do not wait for each other. */
XTA__CLONES void xta__dots(size_t n, const double *a, const double *const b[], size_t m,
                           double out[])
{
    const double *b0 = b[0], *b1 = b[m > 1 ? 1 : 0], *b2 = b[m > 2 ? 2 : 0], *b3 = b[m > 3 ? 3 : 0];
    dot_vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    size_t k = 0;

    for (; k + DOT_WIDTH <= n; k += DOT_WIDTH) {
        dot_vector x = *(const dot_vector *)(a + k);
        s0 += x * *(const dot_vector *)(b0 + k);
        s1 += x * *(const dot_vector *)(b1 + k);
        s2 += x * *(const dot_vector *)(b2 + k);
        s3 += x * *(const dot_vector *)(b3 + k);
    }
    for (size_t l = 0; k + l < n; l++) {
        s0[l] += a[k + l] * b0[k + l];
        s1[l] += a[k + l] * b1[k + l];
        s2[l] += a[k + l] * b2[k + l];
        s3[l] += a[k + l] * b3[k + l];
    }
    double sums[4] = {DOT_SUM(s0), DOT_SUM(s1), DOT_SUM(s2), DOT_SUM(s3)};
    memcpy(out, sums, m * sizeof *out);
}

/* Two sums at a time, so that neither waits for the other. */
XTA__CLONES void xta__apply_map(size_t n, size_t width, const double *map, const double *y,
                                double *out)
{
    size_t at = 0;

    for (; at + 2 * DOT_WIDTH <= width; at += 2 * DOT_WIDTH) {
        const double *column = map + at;
        dot_vector s0 = *(const dot_vector *)(column + n * width);
        dot_vector s1 = *(const dot_vector *)(column + n * width + DOT_WIDTH);
        for (size_t k = 0; k < n; k++, column += width) {
            s0 += y[k] * *(const dot_vector *)column;
            s1 += y[k] * *(const dot_vector *)(column + DOT_WIDTH);
        }
        *(dot_vector *)(out + at) = s0;
        *(dot_vector *)(out + at + DOT_WIDTH) = s1;
    }
    if (at < width) {
        dot_vector sum = *(const dot_vector *)(map + n * width + at);
        for (size_t k = 0; k < n; k++) {
            sum += y[k] * *(const dot_vector *)(map + k * width + at);
        }
        *(dot_vector *)(out + at) = sum;
    }
}
