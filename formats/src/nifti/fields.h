/* The fields of a NIfTI header of either version: as attributes, and in the other byte order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_NIFTI_FIELDS_H
#define XTA_FORMATS_NIFTI_FIELDS_H

#include <nifti/nifti1.h>
#include <nifti/nifti2.h>
#include <stdbool.h>

#include "description/description.h"

#define NIFTI_OWN        "nifti/" /* prefix of the header's fields */
#define NIFTI_MORE_BYTES 4        /* behind a header: whether there are extensions */

/* A header of either version. Of the first one, `one` has the fields as they are in the file, `two`
 * the same in wider types. */
typedef struct nifti_head {
    int version; /* 1, 2 */
    nifti_1_header one;
    nifti_2_header two;
} nifti_head;

/* Swap the bytes of a NIfTI-2 header. */
void xta__nifti_swap_bytes(nifti_2_header *header);
/* Make the second header from the first. */
void xta__nifti_widen(nifti_head *head);
/* Finish the second header and, in version 1, make the first from it. */
void xta__nifti_narrow(nifti_head *head);
/* False: out of memory. */
bool xta__nifti_add_fields(const nifti_head *head, bridge_description *what);
/* What attributes say, into the second header, and into the first what only that one has. */
void xta__nifti_get_fields(const bridge_description *what, nifti_head *head);

#endif
