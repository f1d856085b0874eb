/* Gaussian discriminants [FISHER36].
 *
 * Definition: a class with mean m, covariance S and prior p scores a pixel f with
 *
 *     ln p - ln det S / 2 - (f - m)' S^-1 (f - m) / 2
 *
 * and the best score names the class of the pixel. Naively S^-1 is applied to each pixel and class.
 *
 * With S = L L' the last term is |W f - W m|^2 / 2 for W = L^-1, a triangular product. If all
 * classes share one S, what is the same for all of them cancels, and the score is linear in f: ln p
 * - m' S^-1 m / 2 + (S^-1 m)' f. A class with too few training pixels for a covariance of its own
 * uses the common one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "classification/discriminant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cblas.h>
#include <lapacke.h>

#include "numeric/eigen.h"

/* The fraction of the mean variance that is added to each variance, so that constant components do
 * no harm.
 */
#define RIDGE 1e-9

typedef struct learning {
    const training *t;
    size_t *count;   /* n_classes */
    double *mean;    /* n_classes x d */
    double *scatter; /* d x d: common, or of one class */
    double *common;  /* d x d: W of the common covariance, and its half log-determinant */
    double half_log_det;
} learning;

static void learn_means(learning *l)
{
    size_t d = l->t->d;
    for (size_t k = 0; k < l->t->n; k++) {
        size_t c = l->t->class_of[k];
        l->count[c]++;
        for (size_t j = 0; j < d; j++) {
            l->mean[c * d + j] += l->t->features[k * d + j];
        }
    }
    for (size_t c = 0; c < l->t->n_classes; c++) {
        for (size_t j = 0; j < d; j++) {
            l->mean[c * d + j] /= (double)l->count[c];
        }
    }
}

/* Sum the products of the pixels of a class (or of all classes), each minus the mean of its
 * class. */
static void learn_scatter(learning *l, size_t only)
{
    size_t d = l->t->d;
    memset(l->scatter, 0, d * d * sizeof *l->scatter);
    for (size_t k = 0; k < l->t->n; k++) {
        size_t c = l->t->class_of[k];
        if (only != SIZE_MAX && c != only) {
            continue;
        }
        const double *f = l->t->features + k * d, *m = l->mean + c * d;
        for (size_t i = 0; i < d; i++) {
            double left = f[i] - m[i];
            for (size_t j = 0; j <= i; j++) {
                l->scatter[i * d + j] += left * (f[j] - m[j]);
            }
        }
    }
}

/* Compute W = L^-1 of the covariance, which is l->scatter divided by `by`, into `whiten`. */
static xta_status whiten_scatter(learning *l, double by, double *whiten, double *half_log_det,
                                 xta_error *err)
{
    size_t d = l->t->d;
    double trace = 0;
    for (size_t i = 0; i < d; i++) {
        trace += l->scatter[i * d + i] / by;
    }
    double ridge = trace > 0 ? RIDGE * trace / (double)d : 1;
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++) {
            whiten[i * d + j] = j <= i ? l->scatter[i * d + j] / by : 0;
        }
        whiten[i * d + i] += ridge;
    }
    lapack_int n = (lapack_int)d;
    if (LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, whiten, n) != 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "the covariance of the training pixels is not positive definite in "
                             "%zu components; use fewer",
                             d);
    }
    *half_log_det = 0;
    for (size_t i = 0; i < d; i++) {
        *half_log_det += log(whiten[i * d + i]);
    }
    LAPACKE_dtrtri(LAPACK_ROW_MAJOR, 'L', 'N', n, whiten, n);
    return XTA_OK;
}

/* y = W x for a lower triangle. */
static void apply_lower(size_t d, const double *w, const double *x, double *y)
{
    for (size_t i = 0; i < d; i++) {
        y[i] = 0;
        for (size_t j = 0; j <= i; j++) {
            y[i] += w[i * d + j] * x[j];
        }
    }
}

static double log_prior(const learning *l, size_t c, bool equal)
{
    return equal ? 0 : log((double)l->count[c] / (double)l->t->n);
}

/* The linear discriminants of a common covariance: S^-1 m = W' (W m). */
static void set_linear(const learning *l, bool equal_priors, discriminant *out)
{
    size_t d = l->t->d;
    for (size_t c = 0; c < out->n_classes; c++) {
        double *centre = out->centre + c * d, *linear = out->linear + c * d;
        double square = 0;
        apply_lower(d, l->common, l->mean + c * d, centre);
        for (size_t i = 0; i < d; i++) {
            square += centre[i] * centre[i];
            for (size_t j = 0; j <= i; j++) {
                linear[j] += l->common[i * d + j] * centre[i];
            }
        }
        out->constant[c] = log_prior(l, c, equal_priors) - square / 2;
    }
}

static xta_status set_own(learning *l, bool equal_priors, discriminant *out, xta_error *err)
{
    size_t d = l->t->d;
    for (size_t c = 0; c < out->n_classes; c++) {
        double *whiten = out->whiten + c * d * d;
        double half_log_det = l->half_log_det;
        xta_status status = XTA_OK;
        if (l->count[c] > d + 1) {
            learn_scatter(l, c);
            status = whiten_scatter(l, (double)(l->count[c] - 1), whiten, &half_log_det, err);
        } else {
            memcpy(whiten, l->common, d * d * sizeof *whiten);
        }
        if (status != XTA_OK) {
            return status;
        }
        apply_lower(d, whiten, l->mean + c * d, out->centre + c * d);
        out->constant[c] = log_prior(l, c, equal_priors) - half_log_det;
    }
    return XTA_OK;
}

static bool discriminant_new(const training *t, xta_classifier_method method, discriminant *out)
{
    size_t n = t->n_classes, d = t->d;
    *out = (discriminant){.method = method, .d = d, .n_classes = n};
    out->constant = calloc(n, sizeof *out->constant);
    out->centre = calloc(n * d, sizeof *out->centre);
    if (method == XTA_LDA) {
        out->linear = calloc(n * d, sizeof *out->linear);
    } else {
        out->whiten = calloc(n * d * d, sizeof *out->whiten);
    }
    return out->constant != NULL && out->centre != NULL &&
           (out->linear != NULL || out->whiten != NULL);
}

void xta__discriminant_clear(discriminant *d)
{
    free(d->constant);
    free(d->linear);
    free(d->whiten);
    free(d->centre);
    *d = (discriminant){0};
}

xta_status xta__discriminant_train(const training *t, xta_classifier_method method,
                                   bool equal_priors, discriminant *out, xta_error *err)
{
    xta_status status = XTA_OK;
    learning l = {.t = t,
                  .count = calloc(t->n_classes, sizeof *l.count),
                  .mean = calloc(t->n_classes * t->d, sizeof *l.mean),
                  .scatter = calloc(t->d * t->d, sizeof *l.scatter),
                  .common = calloc(t->d * t->d, sizeof *l.common)};
    xta__blas_single();
    if (!discriminant_new(t, method, out) || l.count == NULL || l.mean == NULL ||
        l.scatter == NULL || l.common == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu classes in %zu components",
                               t->n_classes, t->d);
    }
    if (status == XTA_OK) {
        double freedom = t->n > t->n_classes ? (double)(t->n - t->n_classes) : 1;
        learn_means(&l);
        learn_scatter(&l, SIZE_MAX);
        status = whiten_scatter(&l, freedom, l.common, &l.half_log_det, err);
    }
    if (status == XTA_OK && method == XTA_LDA) {
        set_linear(&l, equal_priors, out);
    } else if (status == XTA_OK) {
        status = set_own(&l, equal_priors, out, err);
    }
    if (status != XTA_OK) {
        xta__discriminant_clear(out);
    }
    free(l.count);
    free(l.mean);
    free(l.scatter);
    free(l.common);
    return status;
}

/* The scores, n x n_classes: by one product for a common covariance, else by one for each class. */
static void score_rows(const discriminant *m, size_t n, const double *features, double *z,
                       double *scores)
{
    int rows = (int)n, d = (int)m->d, classes = (int)m->n_classes;
    if (m->method == XTA_LDA) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, classes, d, 1, features, d,
                    m->linear, d, 0, scores, classes);
        return;
    }
    for (size_t c = 0; c < m->n_classes; c++) {
        const double *centre = m->centre + c * m->d;
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, d, d, 1, features, d,
                    m->whiten + c * m->d * m->d, d, 0, z, d);
        for (size_t k = 0; k < n; k++) {
            double square = 0;
            for (size_t j = 0; j < m->d; j++) {
                double left = z[k * m->d + j] - centre[j];
                square += left * left;
            }
            scores[k * m->n_classes + c] = -square / 2;
        }
    }
}

void xta__discriminant_label(const discriminant *m, size_t n, const double *features,
                             double *scratch, size_t *label)
{
    double *scores = scratch + n * m->d;
    score_rows(m, n, features, scratch, scores);
    for (size_t k = 0; k < n; k++) {
        const double *row = scores + k * m->n_classes;
        size_t best = 0;
        for (size_t c = 1; c < m->n_classes; c++) {
            if (row[c] + m->constant[c] > row[best] + m->constant[best]) {
                best = c;
            }
        }
        label[k] = best;
    }
}
