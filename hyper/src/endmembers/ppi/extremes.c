/* Extremes of skewers and the pixels near them, merged and stored.
 *
 * Extremes only ever move out, so a list of what is near them only loses old pixels: keeping the
 * list is as good as looking at the whole scene again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/ppi/ppi.h"

#include <stdlib.h>
#include <string.h>

xta_status xta__facts_make(ppi_facts *facts, size_t n_skewers, bool near, xta_error *err)
{
    *facts = (ppi_facts){.n_skewers = n_skewers};
    facts->extremes = calloc(2 * n_skewers, sizeof *facts->extremes);
    facts->near = near ? calloc(2 * n_skewers, sizeof *facts->near) : NULL;
    if (facts->extremes == NULL || (near && facts->near == NULL)) {
        xta__facts_clear(facts);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for the extremes of %zu skewers",
                             n_skewers);
    }
    return XTA_OK;
}

void xta__facts_clear(ppi_facts *facts)
{
    for (size_t k = 0; facts->near != NULL && k < 2 * facts->n_skewers; k++) {
        free(facts->near[k].pixels);
    }
    free(facts->extremes);
    free(facts->near);
    *facts = (ppi_facts){0};
}

bool xta__near_add(near_list *list, const winner *w)
{
    if (list->n == list->room) {
        size_t room = list->room < 8 ? 8 : 2 * list->room;
        winner *pixels = realloc(list->pixels, room * sizeof *pixels);
        if (pixels == NULL) {
            return false;
        }
        list->pixels = pixels;
        list->room = room;
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

xta_status xta__facts_copy(ppi_facts *into, const ppi_facts *from, xta_error *err)
{
    xta_status status = xta__facts_make(into, from->n_skewers, from->near != NULL, err);

    if (status == XTA_OK) {
        status = xta__facts_merge(into, from, NULL, err);
    }
    if (status != XTA_OK) {
        xta__facts_clear(into);
    }
    return status;
}

xta_status xta__facts_merge(ppi_facts *into, const ppi_facts *from, const double *margin,
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

void xta__facts_settle(ppi_facts *facts, const double *margin)
{
    for (size_t k = 0; facts->near != NULL && k < 2 * facts->n_skewers; k++) {
        near_list *list = &facts->near[k];
        size_t kept = 0;
        xta__near_sweep(list, facts->extremes[k].value - margin[k / 2]);
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

void xta__facts_put(const ppi_facts *facts, blob *b)
{
    for (size_t k = 0; k < 2 * facts->n_skewers; k++) {
        put_winner(&facts->extremes[k], b);
    }
    for (size_t k = 0; facts->near != NULL && k < 2 * facts->n_skewers; k++) {
        xta__blob_u64(b, facts->near[k].n);
        for (size_t i = 0; i < facts->near[k].n; i++) {
            put_winner(&facts->near[k].pixels[i], b);
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

bool xta__facts_get(ppi_facts *facts, size_t n_skewers, bool near, blob_reader *r)
{
    bool good = (r->n - r->at) / (2 * sizeof(winner)) >= n_skewers &&
                xta__facts_make(facts, n_skewers, near, NULL) == XTA_OK;

    for (size_t k = 0; good && k < 2 * n_skewers; k++) {
        get_winner(&facts->extremes[k], r);
    }
    for (size_t k = 0; good && near && k < 2 * n_skewers; k++) {
        good = get_list(&facts->near[k], r);
    }
    if (!good || r->failed) {
        xta__facts_clear(facts);
        return false;
    }
    return true;
}
