/* Otsu's threshold, in a fixed order of plain operations and so the same everywhere.
 *
 * With w values in the bins up to k, of n, whose bin numbers add up to m of s in all, the variance
 * between the classes is, but for a constant factor, (n m - w s)^2 / (w (n - w)).
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
