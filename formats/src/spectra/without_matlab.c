/* Spectral libraries in MATLAB's files, in a build without that format: refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "spectra/formats.h"

#include "common/missing_formats.h"

static xta_status refuse_matlab(const char *path, xta_error *err)
{
    char absent[XTA__MISSING_FORMAT_BYTES];
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: this build has no bridge for MATLAB's files; use .csv or .sli%s",
                         path, xta__missing_format_text("matlab", "", absent, sizeof absent));
}

xta_status xta__spectra_read_matlab(const char *path, const xta_spectra_options *options,
                                    xta_spectra *out, xta_error *err)
{
    (void)options;
    (void)out;
    return refuse_matlab(path, err);
}

xta_status xta__spectra_write_matlab(const char *path, const xta_spectra *s, xta_error *err)
{
    (void)s;
    return refuse_matlab(path, err);
}
