/* Principal components [CXA] 9.3.1: the eigenvectors of the covariance, or of the correlation about
 * the origin. docs/ERRATA.md says what differs from Algorithm 8 there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/moments.h>

#include <stdlib.h>

#include <xta/options.h>

#include "numeric/eigen.h"
#include "statistics/basis.h"
#include "statistics/moments.h"
#include "util/try.h"

xta_status xta_pct(const xta_moments *moments, const xta_basis_options *options, xta_basis **basis,
                   xta_error *err)
{
    xta_basis_options own = XTA_BASIS_OPTIONS_INIT;
    size_t n = moments->n_bands;
    double *matrix = malloc((n * n + 1) * sizeof *matrix);
    double *vectors = malloc((n * n + 1) * sizeof *vectors);
    double *values = malloc((n + 1) * sizeof *values), *mean = malloc((n + 1) * sizeof *mean);
    xta_status status = XTA_OK;

    *basis = NULL;
    XTA_TRY(xta_options_read(&own, sizeof own, options, "xta_basis_options", err));
    options = &own;
    XTA_TRY(xta__basis_check(moments, options, err));
    if (matrix == NULL || vectors == NULL || values == NULL || mean == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for components of %zu bands", n);
        goto done;
    }
    if (options->uncentred) {
        XTA_TRY(xta_moments_correlation(moments, matrix, err));
    } else {
        XTA_TRY(xta_moments_covariance(moments, matrix, err));
        XTA_TRY(xta_moments_mean(moments, mean, err));
    }
    XTA_TRY(xta__eigen(n, matrix, values, vectors, err));
    XTA_TRY(xta__basis_of(moments, options, options->uncentred ? "pct-uncentred" : "pct",
                          options->uncentred ? NULL : mean, values, vectors, basis, err));
done:
    free(matrix);
    free(vectors);
    free(values);
    free(mean);
    return status;
}
