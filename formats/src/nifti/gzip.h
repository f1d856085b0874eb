/* Compressed NIfTI files, .nii.gz.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NIFTI_GZIP_H
#define XTA_FORMATS_NIFTI_GZIP_H

#include <stdbool.h>

#include <xta/status.h>

/* Whether a path ends in .gz. */
bool xta__nifti_is_gzip(const char *path);
/* Compress the file `from` into `to`. */
xta_status xta__nifti_gzip(const char *from, const char *to, xta_error *err);

#endif
