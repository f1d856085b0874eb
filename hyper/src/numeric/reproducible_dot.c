/* Sums of products with the same bits everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "numeric/reproducible_dot.h"

#include <string.h>

/* The end of every sum: the lanes in pairs, and the pairs in pairs. */
#define LANES_SUM(v) \
    ((((v)[0] + (v)[4]) + ((v)[2] + (v)[6])) + (((v)[1] + (v)[5]) + ((v)[3] + (v)[7])))

LANES_CLONES double xta__dot(size_t n, const double *a, const double *b)
{
    lanes sum = {0};
    size_t k = 0;

    for (; k + LANES <= n; k += LANES) {
        sum += *(const lanes *)(a + k) * *(const lanes *)(b + k);
    }
    for (size_t l = 0; k + l < n; l++) {
        sum[l] += a[k + l] * b[k + l];
    }
    return LANES_SUM(sum);
}

/* Four sums at once need one load of `a` for all and do not wait for each other. */
LANES_CLONES void xta__dots(size_t n, const double *a, const double *const b[], size_t m,
                            double out[])
{
    const double *b0 = b[0], *b1 = b[m > 1 ? 1 : 0], *b2 = b[m > 2 ? 2 : 0], *b3 = b[m > 3 ? 3 : 0];
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
    size_t k = 0;

    for (; k + LANES <= n; k += LANES) {
        lanes x = *(const lanes *)(a + k);
        s0 += x * *(const lanes *)(b0 + k);
        s1 += x * *(const lanes *)(b1 + k);
        s2 += x * *(const lanes *)(b2 + k);
        s3 += x * *(const lanes *)(b3 + k);
    }
    for (size_t l = 0; k + l < n; l++) {
        s0[l] += a[k + l] * b0[k + l];
        s1[l] += a[k + l] * b1[k + l];
        s2[l] += a[k + l] * b2[k + l];
        s3[l] += a[k + l] * b3[k + l];
    }
    double sums[4] = {LANES_SUM(s0), LANES_SUM(s1), LANES_SUM(s2), LANES_SUM(s3)};
    memcpy(out, sums, m * sizeof *out);
}

/* Two sums at a time, so that one need not wait for the other. */
LANES_CLONES void xta__apply_map(size_t n, size_t width, const double *map, const double *y,
                                 double *out)
{
    size_t at = 0;

    for (; at + 2 * LANES <= width; at += 2 * LANES) {
        const double *column = map + at;
        lanes s0 = *(const lanes *)(column + n * width);
        lanes s1 = *(const lanes *)(column + n * width + LANES);
        for (size_t k = 0; k < n; k++, column += width) {
            s0 += y[k] * *(const lanes *)column;
            s1 += y[k] * *(const lanes *)(column + LANES);
        }
        *(lanes *)(out + at) = s0;
        *(lanes *)(out + at + LANES) = s1;
    }
    if (at < width) {
        lanes sum = *(const lanes *)(map + n * width + at);
        for (size_t k = 0; k < n; k++) {
            sum += y[k] * *(const lanes *)(map + k * width + at);
        }
        *(lanes *)(out + at) = sum;
    }
}
