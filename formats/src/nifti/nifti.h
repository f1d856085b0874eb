/* What the parts of the NIfTI bridge share. nifti.c is the bridge, nifti_header.c the header,
 * nifti_fields.c its fields as attributes, blocks_nifti.c the grid of blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_NIFTI_H
#define XTA_BRIDGE_NIFTI_H

#include <nifti/nifti1.h>
#include <nifti/nifti2.h>

#include "description/format.h"

#define NIFTI_OWN        "nifti/" /* prefix of the header's fields */
#define NIFTI_EXTENSIONS "nifti/extensions"
#define NIFTI_MORE_BYTES 4 /* behind a header, which tell of extensions */
#define NIFTI_MOST_HEAD  ((size_t)16 << 20)
#define NIFTI_MOST_NDIM  7

extern const bridge_format xta__bridge_nifti;

/* Whether a path ends in .gz. */
bool xta__nifti_is_packed(const char *path);

/* A header of either version. Of the first one, `one` has the fields as they are in the file, `two`
 * the same in wider types. */
typedef struct nifti_head {
    int version; /* 1, 2 */
    nifti_1_header one;
    nifti_2_header two;
} nifti_head;

/* ---- nifti_header.c ---- */

/* Names, units and attributes from a header (of this machine's byte order) and what lies between it
 * and the cells. */
xta_status xta__nifti_describe(const nifti_head *head, const unsigned char *extensions,
                               size_t n_extensions, const char *path, bridge_description *what,
                               xta_error *err);
/* Header and extensions for these cells: `*n` bytes, to be freed. `version` 0: that of the source,
 * or the one that the bounds need. */
xta_status xta__nifti_head(const bridge_description *what, const char *path, int version,
                           unsigned char **bytes, size_t *n, xta_error *err);
/* NIfTI's number for a type; 0: none. */
int xta__nifti_from_xta(xta_type type, size_t cell_bytes);
/* ---- nifti_fields.c ---- */

/* Bring a NIfTI-2 header from the other byte order. */
void xta__nifti_swap_second(nifti_2_header *header);
/* Make the second header of the first. */
void xta__nifti_widen(nifti_head *head);
/* Finish the second header and, in version 1, make the first of it. */
void xta__nifti_narrow(nifti_head *head);
/* False: no memory. */
bool xta__nifti_add_fields(const nifti_head *head, bridge_description *what);
/* What attributes say, into the second header, and into the first what only that one has. */
void xta__nifti_get_fields(const bridge_description *what, nifti_head *head);

/* ---- nifti.c ---- */

/* Compress the file `from` into `to`. */
xta_status xta__nifti_pack(const char *from, const char *to, xta_error *err);

#endif
