/* How good endmembers and abundances are: angles between spectra, endmembers matched with
 * references, root mean squares.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/score.h>

#include <math.h>
#include <stdlib.h>

double xta_spectral_angle(const double *a, const double *b, size_t n_bands)
{
    double aa = 0, bb = 0, ab = 0;
    for (size_t k = 0; k < n_bands; k++) {
        aa += a[k] * a[k];
        bb += b[k] * b[k];
        ab += a[k] * b[k];
    }
    if (!(aa > 0) || !(bb > 0)) {
        return NAN;
    }
    double cosine = ab / (sqrt(aa) * sqrt(bb));
    if (cosine > 1) {
        cosine = 1;
    }
    if (cosine < -1) {
        cosine = -1;
    }
    return acos(cosine);
}

static xta_status measure_angles(size_t n_endmembers, const double *endmembers, size_t n_references,
                                 const double *references, size_t n_bands, double *angles,
                                 xta_error *err)
{
    for (size_t r = 0; r < n_references; r++) {
        for (size_t e = 0; e < n_endmembers; e++) {
            double angle =
                xta_spectral_angle(references + r * n_bands, endmembers + e * n_bands, n_bands);
            if (isnan(angle)) {
                return xta_error_set(err, XTA_EARG, 0,
                                     "endmember %zu or reference %zu is zero or not finite: there "
                                     "is no angle between them; leave it out",
                                     e + 1, r + 1);
            }
            angles[r * n_endmembers + e] = angle;
        }
    }
    return XTA_OK;
}

/* The chosen angles, their mean and their largest. */
static void read_matches(size_t n_endmembers, const double *angles, xta_endmember_score *score)
{
    double sum = 0;
    size_t n = 0;
    score->max = NAN;
    for (size_t r = 0; r < score->n_references; r++) {
        int64_t e = score->endmember_of[r];
        score->angle[r] = e >= 0 ? angles[r * n_endmembers + (size_t)e] : NAN;
        if (e >= 0) {
            sum += score->angle[r];
            n++;
            score->max = fmax(score->max, score->angle[r]);
        }
    }
    score->mean = sum / (double)n;
}

xta_status xta_score_endmembers(size_t n_endmembers, const double *endmembers, size_t n_references,
                                const double *references, size_t n_bands,
                                xta_endmember_score *score, xta_error *err)
{
    *score = (xta_endmember_score){0};
    if (n_endmembers == 0 || n_references == 0 || n_bands == 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%zu endmembers, %zu references, %zu bands: none of them may be 0",
                             n_endmembers, n_references, n_bands);
    }
    xta_status status = XTA_OK;
    double *angles = calloc(n_endmembers * n_references, sizeof *angles);
    score->endmember_of = calloc(n_references, sizeof *score->endmember_of);
    score->angle = calloc(n_references, sizeof *score->angle);
    score->n_references = n_references;
    if (angles == NULL || score->endmember_of == NULL || score->angle == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu x %zu angles", n_endmembers,
                               n_references);
    }
    if (status == XTA_OK) {
        status = measure_angles(n_endmembers, endmembers, n_references, references, n_bands, angles,
                                err);
    }
    if (status == XTA_OK) {
        status = xta_assign(n_references, n_endmembers, angles, score->endmember_of, err);
    }
    if (status == XTA_OK) {
        read_matches(n_endmembers, angles, score);
    } else {
        xta_endmember_score_clear(score);
    }
    free(angles);
    return status;
}

void xta_endmember_score_clear(xta_endmember_score *score)
{
    free(score->endmember_of);
    free(score->angle);
    *score = (xta_endmember_score){0};
}

void xta_rms_add(xta_rms *rms, const double *a, const double *b, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double difference = a[k] - b[k];
        if (!isnan(difference)) {
            rms->sum += difference * difference;
            rms->n++;
        }
    }
}

double xta_rms_value(const xta_rms *rms)
{
    return rms->n > 0 ? sqrt(rms->sum / (double)rms->n) : NAN;
}

double xta_class_size_score(size_t n_classes, const int64_t *found, const int64_t *truth,
                            int64_t total)
{
    double off = 0, sum = 0;
    for (size_t c = 0; c < n_classes; c++) {
        off += fabs((double)found[c] - (double)truth[c]);
        sum += (double)truth[c];
    }
    double by = total != 0 ? (double)total : sum;
    return by != 0 ? 1 - off / by : NAN;
}

const char *xta_class_size_caveat(void)
{
    return "The class-size score compares how many pixels each class has and ignores where the "
           "pixels are: the right numbers placed at random score 1.";
}
