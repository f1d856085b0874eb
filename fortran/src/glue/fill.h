/* Names and fill values of arrays that Fortran creates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORTRAN_GLUE_FILL_H
#define XTA_FORTRAN_GLUE_FILL_H

#include "glue/memory.h"

/* Split lines into names of axes, the last line first. `text` is changed, and the names point into
 * it. XTA_EARG: there are not `ndim` lines; a name with an end of a line in it makes two. */
xta_status xta__fortran_names(char *text, int ndim, const char *names[], xta_error *err);

/* The fill value as a cell of a type, of `cell_bytes` if that is XTA_BYTES: in `cell`, or where it
 * is. XTA_ETYPE: characters for numbers, or of another length. XTA_EARG: not one value. */
xta_status xta__fortran_fill(const CFI_cdesc_t *fill, xta_type type, int cell_bytes,
                             uint8_t cell[16], const void **out, xta_error *err);

#endif
