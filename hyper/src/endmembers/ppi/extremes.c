/* The extremes of each skewer, and the pixels near them: merged and stored.
 *
 * Extremes only ever move outwards, so pixels only ever leave the list of those near them. Keeping
 * that list is as good as reading the whole scene again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/ppi/extremes.h"

#include <stdlib.h>
#include <string.h>

#include "util/vector.h"

xta_status xta__extremes_init(ppi_extremes *known, size_t n_skewers, bool near, xta_error *err)
{
    *known = (ppi_extremes){.n_skewers = n_skewers};
    known->extremes = calloc(2 * n_skewers, sizeof *known->extremes);
    known->near = near ? calloc(2 * n_skewers, sizeof *known->near) : NULL;
    if (known->extremes == NULL || (near && known->near == NULL)) {
        xta__extremes_clear(known);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for the extremes of %zu skewers",
                             n_skewers);
    }
    return XTA_OK;
}

void xta__extremes_clear(ppi_extremes *known)
{
    for (size_t k = 0; known->near != NULL && k < 2 * known->n_skewers; k++) {
        free(known->near[k].pixels);
    }
    free(known->extremes);
    free(known->near);
    *known = (ppi_extremes){0};
}

bool xta__near_add(near_list *list, const winner *w)
{
    if (!XTA__RESERVE(list->pixels, list->capacity, list->n + 1)) {
        return false;
    }
    list->pixels[list->n++] = *w;
    return true;
}

void xta__near_sweep(near_list *list, double least)
{
    size_t kept = 0;

    for (size_t k = 0; k < list->n; k++) {
        if (list->pixels[k].value >= least) {
            list->pixels[kept++] = list->pixels[k];
        }
    }
    list->n = list->swept = kept;
}

xta_status xta__extremes_copy(ppi_extremes *into, const ppi_extremes *from, xta_error *err)
{
    xta_status status = xta__extremes_init(into, from->n_skewers, from->near != NULL, err);

    if (status == XTA_OK) {
        status = xta__extremes_merge(into, from, NULL, err);
    }
    if (status != XTA_OK) {
        xta__extremes_clear(into);
    }
    return status;
}

xta_status xta__extremes_merge(ppi_extremes *into, const ppi_extremes *from, const double *margin,
                               xta_error *err)
{
    for (size_t k = 0; k < 2 * into->n_skewers; k++) {
        if (xta__winner_beats(&from->extremes[k], &into->extremes[k])) {
            into->extremes[k] = from->extremes[k];
        }
        if (into->near == NULL) {
            continue;
        }
        double least = into->extremes[k].value - (margin != NULL ? margin[k / 2] : 0);
        for (size_t i = 0; i < from->near[k].n; i++) {
            const winner *w = &from->near[k].pixels[i];
            if ((margin == NULL || w->value >= least) && !xta__near_add(&into->near[k], w)) {
                return xta_error_set(err, XTA_ENOMEM, 0, "no memory for pixels near extremes");
            }
        }
    }
    return XTA_OK;
}

static int by_place(const void *a, const void *b)
{
    const winner *p = a, *q = b;

    if (p->line != q->line) {
        return p->line < q->line ? -1 : 1;
    }
    return (p->sample > q->sample) - (p->sample < q->sample);
}

void xta__extremes_tidy(ppi_extremes *known, const double *margin)
{
    for (size_t k = 0; known->near != NULL && k < 2 * known->n_skewers; k++) {
        near_list *list = &known->near[k];
        size_t kept = 0;
        xta__near_sweep(list, known->extremes[k].value - margin[k / 2]);
        if (list->n > 0) {
            qsort(list->pixels, list->n, sizeof *list->pixels, by_place);
        }
        for (size_t i = 0; i < list->n; i++) {
            if (kept == 0 || by_place(&list->pixels[kept - 1], &list->pixels[i]) != 0) {
                list->pixels[kept++] = list->pixels[i];
            }
        }
        list->n = list->swept = kept;
    }
}

/* ---- bytes ---- */

static void put_winner(const winner *w, blob *b)
{
    xta__blob_f64s(b, &w->value, 1);
    xta__blob_i64(b, w->line);
    xta__blob_i64(b, w->sample);
    xta__blob_u64(b, w->found);
}

static void get_winner(winner *w, blob_reader *r)
{
    xta__blob_get_f64s(r, &w->value, 1);
    w->line = xta__blob_get_i64(r);
    w->sample = xta__blob_get_i64(r);
    w->found = xta__blob_get_u64(r);
}

void xta__extremes_put(const ppi_extremes *known, blob *b)
{
    for (size_t k = 0; k < 2 * known->n_skewers; k++) {
        put_winner(&known->extremes[k], b);
    }
    for (size_t k = 0; known->near != NULL && k < 2 * known->n_skewers; k++) {
        xta__blob_u64(b, known->near[k].n);
        for (size_t i = 0; i < known->near[k].n; i++) {
            put_winner(&known->near[k].pixels[i], b);
        }
    }
}

static bool get_list(near_list *list, blob_reader *r)
{
    uint64_t n = xta__blob_get_u64(r);

    if (r->failed || n > (r->n - r->at) / sizeof(winner)) {
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        winner w = {0};
        get_winner(&w, r);
        if (!xta__near_add(list, &w)) {
            return false;
        }
    }
    list->swept = list->n;
    return !r->failed;
}

bool xta__extremes_get(ppi_extremes *known, size_t n_skewers, bool near, blob_reader *r)
{
    bool good = (r->n - r->at) / (2 * sizeof(winner)) >= n_skewers &&
                xta__extremes_init(known, n_skewers, near, NULL) == XTA_OK;

    for (size_t k = 0; good && k < 2 * n_skewers; k++) {
        get_winner(&known->extremes[k], r);
    }
    for (size_t k = 0; good && near && k < 2 * n_skewers; k++) {
        good = get_list(&known->near[k], r);
    }
    if (!good || r->failed) {
        xta__extremes_clear(known);
        return false;
    }
    return true;
}
