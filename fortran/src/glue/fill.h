/* Names and fill values of arrays that Fortran creates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORTRAN_GLUE_FILL_H
#define XTA_FORTRAN_GLUE_FILL_H

#include "glue/memory.h"

/* Split lines into names of axes, the last line first; those that are missing are NULL. `text` is
 * changed, and the names point into it. */
void xta__fortran_names(char *text, int ndim, const char *names[]);

/* The fill value as a cell of a type: in `cell`, or where it is. */
xta_status xta__fortran_fill(const CFI_cdesc_t *fill, xta_type type, uint8_t cell[16],
                             const void **out, xta_error *err);

#endif
