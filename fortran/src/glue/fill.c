/* Names and fill values of arrays that Fortran creates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "glue/fill.h"

#include <string.h>

void xta__fortran_names(char *text, int ndim, const char *names[])
{
    for (int k = 0; k < ndim; k++) {
        char *end = text != NULL ? strchr(text, '\n') : NULL;
        names[ndim - 1 - k] = text;
        if (end != NULL) {
            *end++ = '\0';
        }
        text = end;
    }
}

xta_status xta__fortran_fill(const CFI_cdesc_t *fill, xta_type type, uint8_t cell[16],
                             const void **out, xta_error *err)
{
    size_t bytes = 0;
    xta_type from = XTA_TYPE_SAME;
    xta_status status = xta__fortran_type(fill, &bytes, &from, err);

    *out = cell;
    if (status == XTA_OK && from == XTA_BYTES) {
        *out = fill->base_addr;
    } else if (status == XTA_OK) {
        status = xta_type_convert(from, fill->base_addr, type, cell, 1, NULL);
        status = status == XTA_OK
                     ? status
                     : xta_error_set(err, status, 0, "the fill value cannot be a cell of type %s",
                                     xta_type_name(type));
    }
    return status;
}
