/* Preparing endmembers: their span, and whether abundances in it are unique.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "unmixing/unmixer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include <xta/options.h>

#include "numeric/eigen.h"
#include "numeric/reproducible_dot.h"
#include "util/try.h"

/* Distances shorter than this fraction of the longest spectrum are rounding errors. */
#define NO_DISTANCE 1e-10

static const char *const method_names[] = {"fcls", "nnls", "scls", "ucls"};

const char *xta_unmix_method_name(xta_unmix_method method)
{
    return (int)method >= 0 && (int)method < 4 ? method_names[method] : "?";
}

xta_status xta_unmix_method_parse(const char *name, xta_unmix_method *method, xta_error *err)
{
    for (int k = 0; k < 4; k++) {
        if (strcmp(name, method_names[k]) == 0) {
            *method = (xta_unmix_method)k;
            return XTA_OK;
        }
    }
    return xta_error_set(err, XTA_EARG, 0, "no way to unmix is called %s: fcls, nnls, scls, ucls",
                         name);
}

/* "3 (tree)", or "3". Endmembers are counted from 1, as labels are. */
typedef struct endmember_name {
    char text[96];
} endmember_name;

static endmember_name name_of(const char *const *names, size_t i)
{
    endmember_name name;

    if (names != NULL && names[i] != NULL) {
        snprintf(name.text, sizeof name.text, "%zu (%.64s)", i + 1, names[i]);
    } else {
        snprintf(name.text, sizeof name.text, "%zu", i + 1);
    }
    return name;
}

/* Copy the spectra, normalised if asked for; *longest is the largest length. */
static xta_status copy_spectra(xta_unmixer *u, const double *from, const char *const *names,
                               double *longest, xta_error *err)
{
    size_t n = u->n_bands;

    *longest = 0;
    for (size_t i = 0; i < u->p; i++) {
        const double *e = from + i * n;
        double length = sqrt(xta__dot(n, e, e));
        bool needs_direction = u->normalise || !u->sum_is_one;
        if (!isfinite(length) || (needs_direction && length == 0)) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "endmember %s is %s: take it out of the endmembers",
                                 name_of(names, i).text, length == 0 ? "zero" : "not finite");
        }
        for (size_t b = 0; b < n; b++) {
            u->spectra[i * n + b] = u->normalise ? e[b] / length : e[b];
        }
        *longest = fmax(*longest, u->normalise ? 1 : length);
    }
    return XTA_OK;
}

static double distance(const xta_unmixer *u, size_t i, size_t j)
{
    double square = 0;

    for (size_t b = 0; b < u->n_bands; b++) {
        double d = u->spectra[i * u->n_bands + b] - u->spectra[j * u->n_bands + b];
        square += d * d;
    }
    return sqrt(square);
}

/* Report that abundances are not unique; `last` is the endmember nearest to the span of the others.
 */
static xta_status not_unique(const xta_unmixer *u, const char *const *names, double longest,
                             size_t need, size_t last, xta_error *err)
{
    for (size_t i = 0; i < u->p; i++) {
        for (size_t j = i + 1; j < u->p; j++) {
            if (distance(u, i, j) <= NO_DISTANCE * longest) {
                return xta_error_set(err, XTA_EARG, 0,
                                     "endmembers %s and %s are the same spectrum%s: leave one out",
                                     name_of(names, i).text, name_of(names, j).text,
                                     u->normalise ? " but for their brightness" : "");
            }
        }
    }
    if (need > u->n_bands) {
        return xta_error_set(
            err, XTA_EARG, 0,
            "%zu endmembers in %zu bands: their abundances are not unique; take at "
            "most %zu",
            u->p, u->n_bands, u->n_bands + (u->sum_is_one ? 1 : 0));
    }
    return xta_error_set(err, XTA_EARG, 0,
                         "endmember %s is a mixture of the others, so that abundances are not "
                         "unique: leave it out",
                         name_of(names, last).text);
}

/* Copy the spectra, minus their mean if abundances add up to one. */
static void centre_spectra(const xta_unmixer *u, double *mean, double *centred)
{
    size_t n = u->n_bands;

    memset(mean, 0, n * sizeof *mean);
    for (size_t i = 0; u->sum_is_one && i < u->p; i++) {
        for (size_t b = 0; b < n; b++) {
            mean[b] += u->spectra[i * n + b] / (double)u->p;
        }
    }
    for (size_t i = 0; i < u->p; i++) {
        for (size_t b = 0; b < n; b++) {
            centred[i * n + b] = u->spectra[i * n + b] - mean[b];
        }
    }
}

/* Make the basis and the coordinates from the orthonormal columns in `columns`. */
static void make_basis(xta_unmixer *u, const double *mean, const double *columns)
{
    size_t n = u->n_bands;

    for (size_t k = 0; k < u->q; k++) {
        const double *column = columns + k * n;
        for (size_t b = 0; b < n; b++) {
            u->basis[b * u->q + k] = column[b];
        }
        u->origin[k] = xta__dot(n, mean, column);
        for (size_t i = 0; i < u->p; i++) {
            u->corner[i * u->q + k] = xta__dot(n, u->spectra + i * n, column) - u->origin[k];
        }
    }
    for (size_t i = 0; i < u->p; i++) {
        const double *c = u->corner + i * u->q;
        for (size_t j = 0; j < u->p; j++) {
            u->gram[i * u->width + j] = xta__dot(u->q, c, u->corner + j * u->q);
        }
        for (size_t k = 0; k < u->q; k++) {
            u->across[k * u->width + i] = c[k];
        }
        u->square[i] = u->gram[i * u->width + i];
        u->reach = fmax(u->reach, sqrt(u->square[i]));
    }
}

/* Find the span by QR with column pivoting: columns that add nothing come last. */
static xta_status find_span(xta_unmixer *u, const char *const *names, double longest,
                            xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n = u->n_bands, p = u->p;
    double *mean = malloc(n * sizeof *mean), *tau = malloc(p * sizeof *tau);
    double *columns = malloc(p * n * sizeof *columns);
    lapack_int *pivot = calloc(p, sizeof *pivot);
    lapack_int failed = 0;

    if (mean == NULL || tau == NULL || columns == NULL || pivot == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", p));
    }
    centre_spectra(u, mean, columns);
    failed = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)p, columns, (lapack_int)n,
                            pivot, tau);
    if (failed == 0 && u->q > 0) {
        bool enough = u->q <= n && fabs(columns[(u->q - 1) * n + u->q - 1]) > NO_DISTANCE * longest;
        size_t last = (size_t)pivot[p - 1] - 1;
        XTA_TRY(enough ? XTA_OK : not_unique(u, names, longest, u->q, last, err));
        failed = LAPACKE_dorgqr(LAPACK_COL_MAJOR, (lapack_int)n, (lapack_int)u->q, (lapack_int)u->q,
                                columns, (lapack_int)n, tau);
    }
    if (failed != 0) {
        XTA_TRY(xta_error_set(err, XTA_EFOREIGN, 0, "LAPACK: QR of %zu endmembers: %d", p,
                              (int)failed));
    }
    make_basis(u, mean, columns);
done:
    free(mean);
    free(tau);
    free(columns);
    free(pivot);
    return status;
}

static xta_status check_options(size_t p, size_t n_bands, const xta_unmix_options *o,
                                xta_error *err)
{
    if (p < 1 || p > XTA_UNMIX_MAX || n_bands < 1) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%zu endmembers of %zu bands: there must be 1 to %d, and a band", p,
                             n_bands, XTA_UNMIX_MAX);
    }
    if ((int)o->method < 0 || (int)o->method > 3) {
        return xta_error_set(err, XTA_EARG, 0, "no way to unmix has number %d: 0 to 3",
                             (int)o->method);
    }
    return XTA_OK;
}

/* Allocate an unmixer; NULL if out of memory. */
static xta_unmixer *allocate_unmixer(size_t p, size_t n_bands, const xta_unmix_options *o)
{
    xta_unmixer *u = calloc(1, sizeof *u);

    if (u == NULL) {
        return NULL;
    }
    u->p = p;
    u->n_bands = n_bands;
    u->sum_is_one = o->method == XTA_FCLS || o->method == XTA_SCLS;
    u->not_negative = o->method == XTA_FCLS || o->method == XTA_NNLS;
    u->normalise = o->normalise;
    u->q = p - (u->sum_is_one ? 1 : 0);
    u->width = (p + DOT_WIDTH - 1) / DOT_WIDTH * DOT_WIDTH;
    u->spectra = malloc(p * n_bands * sizeof(double));
    u->basis = malloc((n_bands * u->q + 1) * sizeof(double));
    u->origin = malloc((u->q + 1) * sizeof(double));
    u->corner = malloc((p * u->q + 1) * sizeof(double));
    u->across = calloc((u->q + 1) * u->width, sizeof(double));
    u->gram = calloc(p * u->width, sizeof(double));
    u->square = calloc(u->width, sizeof(double));
    if (u->spectra == NULL || u->basis == NULL || u->origin == NULL || u->corner == NULL ||
        u->across == NULL || u->gram == NULL || u->square == NULL) {
        xta_unmixer_free(u);
        return NULL;
    }
    return u;
}

xta_status xta_unmixer_new(size_t p, size_t n_bands, const double *endmembers,
                           const xta_unmix_options *options, xta_unmixer **unmixer, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_unmix_options o = XTA_UNMIX_OPTIONS_INIT;
    xta_unmixer *u = NULL;
    double longest = 0;

    XTA_TRY(xta_options_read(&o, sizeof o, options, "xta_unmix_options", err));
    XTA_TRY(check_options(p, n_bands, &o, err));
    xta__blas_single();
    u = allocate_unmixer(p, n_bands, &o);
    if (u == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu endmembers of %zu bands", p,
                              n_bands));
    }
    XTA_TRY(copy_spectra(u, endmembers, o.names, &longest, err));
    XTA_TRY(find_span(u, o.names, longest, err));
done:
    if (status != XTA_OK) {
        xta_unmixer_free(u);
        u = NULL;
    }
    *unmixer = u;
    return status;
}

void xta_unmixer_free(xta_unmixer *u)
{
    if (u == NULL) {
        return;
    }
    free(u->spectra);
    free(u->basis);
    free(u->origin);
    free(u->corner);
    free(u->across);
    free(u->gram);
    free(u->square);
    free(u);
}

size_t xta_unmixer_count(const xta_unmixer *unmixer)
{
    return unmixer->p;
}
