/* The fields of a NIfTI header of either version: as attributes, and swapped to the other byte
 * order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NIFTI_FIELDS_H
#define XTA_FORMATS_NIFTI_FIELDS_H

#include <nifti/nifti1.h>
#include <nifti/nifti2.h>
#include <stdbool.h>

#include "description/description.h"

#define NIFTI_OWN        "nifti/" /* prefix of the header's fields */
#define NIFTI_MORE_BYTES 4        /* bytes after a header that say whether there are extensions */

/* A header of either version. For version 1, `one` has the fields as in the file, and `two` the
 * same fields in wider types. */
typedef struct nifti_head {
    int version; /* 1, 2 */
    nifti_1_header one;
    nifti_2_header two;
} nifti_head;

/* Swap the bytes of a NIfTI-2 header. */
void xta__nifti_swap_bytes(nifti_2_header *header);
/* Fill the NIfTI-2 header from the NIfTI-1 header. */
void xta__nifti_widen(nifti_head *head);
/* Complete the NIfTI-2 header and, for version 1, fill the NIfTI-1 header from it. */
void xta__nifti_narrow(nifti_head *head);
/* Add the fields as attributes. False: out of memory. */
bool xta__nifti_add_fields(const nifti_head *head, bridge_description *what);
/* Set the fields of the NIfTI-2 header from attributes, and in the NIfTI-1 header those that only
 * version 1 has. */
void xta__nifti_get_fields(const bridge_description *what, nifti_head *head);

#endif
