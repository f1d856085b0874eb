/* The header of a NIfTI file: attributes from it, and one from attributes.
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

/* Names, units and attributes from a header (of this machine's byte order) and what lies between it
 * and the cells. */
xta_status xta__nifti_read_header(const nifti_head *head, const unsigned char *extensions,
                                  size_t n_extensions, const char *path, bridge_description *what,
                                  xta_error *err);
/* Header and extensions for these cells: `*n` bytes, to be freed. `version` 0: that of the source,
 * or the one that the bounds need. */
xta_status xta__nifti_make_header(const bridge_description *what, const char *path, int version,
                                  unsigned char **bytes, size_t *n, xta_error *err);

#endif
