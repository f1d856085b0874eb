/* Otsu's threshold on a histogram [OTSU79].
 *
 * Definition: the cut between two bins for which the variance between the two classes is largest.
 * The naive way computes the means of both classes for each cut, 256^2 steps.
 *
 * With w values in the bins up to the cut, of n in all, whose bin numbers add up to m, of s in all,
 * that variance is, up to a constant factor, (n m - w s)^2 / (w (n - w)). Running sums of w and m
 * make it one pass. The operations are plain and in a fixed order, so the result is the same
 * everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/amee.h>

double xta_otsu_threshold(const uint64_t counts[256], double max)
{
    uint64_t n = 0, s = 0, w = 0, m = 0;
    double best = -1;
    int cut = -1;

    for (uint64_t k = 0; k < 256; k++) {
        n += counts[k];
        s += k * counts[k];
    }
    for (uint64_t k = 0; k < 255; k++) {
        w += counts[k];
        m += k * counts[k];
        if (w == 0 || w == n) {
            continue;
        }
        double d = (double)n * (double)m - (double)w * (double)s;
        double variance = d * d / ((double)w * (double)(n - w));
        if (variance > best) {
            best = variance;
            cut = (int)k;
        }
    }
    return n == 0 ? 0 : cut < 0 ? max * 255 / 256 : max * (cut + 1) / 256;
}
