/* What the parts of the NIfTI bridge share. nifti.c is the bridge, nifti_header.c the header and
 * its attributes, blocks_nifti.c the grid of blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_NIFTI_H
#define XTA_BRIDGE_NIFTI_H

#include <nifti/nifti1.h>

#include "bridge.h"

#define NIFTI_OWN        "nifti/" /* prefix of the header's fields */
#define NIFTI_EXTENSIONS "nifti/extensions"
#define NIFTI_LEAST_HEAD 352 /* header and four bytes that tell of extensions */
#define NIFTI_MOST_HEAD  ((size_t)16 << 20)
#define NIFTI_MOST_NDIM  7

extern const bridge_format xta__bridge_nifti;

/* Whether a path ends in .gz. */
bool xta__nifti_is_packed(const char *path);

/* Names, units and attributes from a header (of this machine's byte order) and what lies between it
 * and the cells. */
xta_status xta__nifti_describe(const nifti_1_header *header, const unsigned char *extensions,
                               size_t n_extensions, const char *path, bridge_description *what,
                               xta_error *err);
/* Header and extensions for these cells: `*n` bytes, to be freed. */
xta_status xta__nifti_head(const bridge_description *what, const char *path, unsigned char **head,
                           size_t *n, xta_error *err);
/* NIfTI's number for a type; 0: none. */
int xta__nifti_from_xta(xta_type type, size_t cell_bytes);
/* Compress the file `from` into `to`. */
xta_status xta__nifti_pack(const char *from, const char *to, xta_error *err);

#endif
