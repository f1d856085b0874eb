/* How often each pixel was an extreme.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/ppi/counts.h"

#include <stdlib.h>
#include <string.h>

#include "endmembers/pixels/winner.h"

static int by_place(const void *a, const void *b)
{
    const xta_ppi_pixel *p = a, *q = b;

    if (p->line != q->line) {
        return p->line < q->line ? -1 : 1;
    }
    return (p->sample > q->sample) - (p->sample < q->sample);
}

static int by_count(const void *a, const void *b)
{
    const xta_ppi_pixel *p = a, *q = b;

    if (p->count != q->count) {
        return p->count > q->count ? -1 : 1;
    }
    return by_place(a, b);
}

static size_t n_of(const ppi_extremes *known, size_t k)
{
    return known->near != NULL ? known->near[k].n : known->extremes[k].found != 0;
}

xta_status xta__ppi_count(const ppi_extremes *known, xta_ppi_pixel **pixels, size_t *n,
                          xta_error *err)
{
    size_t total = 0, at = 0, kept = 0;

    for (size_t k = 0; k < 2 * known->n_skewers; k++) {
        total += n_of(known, k);
    }
    xta_ppi_pixel *all = malloc((total + 1) * sizeof *all);
    if (all == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory to count %zu extremes", total);
    }
    for (size_t k = 0; k < 2 * known->n_skewers; k++) {
        const winner *w = known->near != NULL ? known->near[k].pixels : &known->extremes[k];
        for (size_t i = 0; i < n_of(known, k); i++) {
            all[at++] = (xta_ppi_pixel){w[i].line, w[i].sample, 1};
        }
    }
    qsort(all, total, sizeof *all, by_place);
    for (size_t k = 0; k < total; k++) {
        if (kept > 0 && by_place(&all[kept - 1], &all[k]) == 0) {
            all[kept - 1].count++;
        } else {
            all[kept++] = all[k];
        }
    }
    qsort(all, kept, sizeof *all, by_count);
    *pixels = all;
    *n = kept;
    return XTA_OK;
}
