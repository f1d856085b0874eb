/* The header of a NIfTI file: converting it to attributes, and attributes to a header.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NIFTI_HEADER_H
#define XTA_FORMATS_NIFTI_HEADER_H

#include <stddef.h>

#include "description/description.h"
#include "nifti/fields.h"

#define NIFTI_EXTENSIONS "nifti/extensions"
#define NIFTI_MOST_HEAD  ((size_t)16 << 20)
#define NIFTI_MOST_NDIM  7

/* Read names, units and attributes from a header (in this machine's byte order) and from the
 * extensions between it and the cells. */
xta_status xta__nifti_read_header(const nifti_head *head, const unsigned char *extensions,
                                  size_t n_extensions, const char *path, bridge_description *what,
                                  xta_error *err);
/* Make header and extensions for these cells: `*n` bytes, which the caller frees. `version` 0: the
 * source's, or the one that the bounds require. */
xta_status xta__nifti_make_header(const bridge_description *what, const char *path, int version,
                                  unsigned char **bytes, size_t *n, xta_error *err);

#endif
