/* Names and fill values of arrays that Fortran creates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "glue/fill.h"

#include <string.h>

xta_status xta__fortran_names(char *text, int ndim, const char *names[], xta_error *err)
{
    int n = 0;

    for (; text != NULL && n < ndim; n++) {
        char *end = strchr(text, '\n');
        names[ndim - 1 - n] = text;
        if (end != NULL) {
            *end++ = '\0';
        }
        text = end;
    }
    return n == ndim && text == NULL
               ? XTA_OK
               : xta_error_set(err, XTA_EARG, 0,
                               "the names of axes: want one, without ends of lines, for each of %d",
                               ndim);
}

/* Characters are the bytes of one cell. */
static xta_status check_characters(const CFI_cdesc_t *fill, xta_type type, int cell_bytes,
                                   xta_error *err)
{
    return type == XTA_BYTES && cell_bytes >= 0 && fill->elem_len == (size_t)cell_bytes
               ? XTA_OK
               : xta_error_set(err, XTA_ETYPE, 0,
                               "the fill value: characters of length %zu for a cell of type %s "
                               "with %d bytes; the lengths must be the same",
                               fill->elem_len, xta_type_name(type), cell_bytes);
}

xta_status xta__fortran_fill(const CFI_cdesc_t *fill, xta_type type, int cell_bytes,
                             uint8_t cell[16], const void **out, xta_error *err)
{
    size_t bytes = 0;
    xta_type from = XTA_TYPE_SAME;
    xta_status status = xta__fortran_type(fill, &bytes, &from, err);

    *out = cell;
    for (int k = 0; k < fill->rank && status == XTA_OK; k++) {
        if (fill->dim[k].extent != 1) {
            status = xta_error_set(err, XTA_EARG, 0, "the fill value: want one, not %lld",
                                   (long long)fill->dim[k].extent);
        }
    }
    if (status == XTA_OK && from == XTA_BYTES) {
        status = check_characters(fill, type, cell_bytes, err);
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
