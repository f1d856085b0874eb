/* Flat files of one array without attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "flat/dense.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "util/checked.h"
#include "util/json.h"
#include "util/npy_header.h"
#include "util/text.h"
#include "util/try.h"

static xta_status too_many(const xta_flat *flat, xta_error *err)
{
    return xta__fail(err, XTA_EOVERFLOW, 0,
                     "%s: it has more than 2^62 bytes; read a box of it with xta export",
                     flat->path);
}

/* Add all cells at the end. */
static xta_status add_cells(xta_flat *flat, xta_error *err)
{
    flat_source cells = xta__flat_cells(flat->array, false);

    if (xta_box_cells(&cells.box, &cells.n_bytes) != XTA_OK ||
        !xta__mul_u64(cells.n_bytes, cells.cell_bytes, &cells.n_bytes) ||
        cells.n_bytes >= XTA__OFFSET_LIMIT) {
        return too_many(flat, err);
    }
    cells.offset = flat->n_bytes;
    flat->n_bytes += cells.n_bytes;
    return xta__flat_add(flat, &cells) ? XTA_OK : xta__flat_no_memory(flat->path, err);
}

/* Add bytes at the beginning; they are the flat file's from now on. */
static xta_status add_head(xta_flat *flat, void *bytes, size_t n_bytes, xta_error *err)
{
    flat_source head = {.n_bytes = n_bytes, .bytes = bytes};

    if (!xta__flat_own(flat, bytes) || !xta__flat_add(flat, &head)) {
        return xta__flat_no_memory(flat->path, err);
    }
    flat->n_bytes = n_bytes;
    return XTA_OK;
}

static xta__npy_header header_of(xta_array *array)
{
    xta__npy_header header = {.ndim = xta_array_ndim(array)};
    const xta_box bounds = xta_array_bounds(array);

    xta__npy_set_type(&header, xta_array_type(array), xta_array_cell_bytes(array));
    for (int axis = 0; axis < header.ndim; axis++) {
        header.shape[axis] = bounds.hi[axis] - bounds.lo[axis];
    }
    return header;
}

xta_status xta__flat_describe_npy(xta_flat *flat, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__npy_header header = header_of(flat->array);
    unsigned char *bytes = malloc(XTA__NPY_HEADER_CAPACITY);

    if (bytes == NULL) {
        return xta__flat_no_memory(flat->path, err);
    }
    size_t n = xta__npy_format(&header, bytes, XTA__NPY_HEADER_CAPACITY);
    XTA_TRY(add_head(flat, bytes, n, err));
    XTA_TRY(add_cells(flat, err));

done:
    return status;
}

xta_status xta__flat_describe_raw(xta_flat *flat, xta_error *err)
{
    return add_cells(flat, err);
}

static void add_integers(xta__text *text, const char *name, const int64_t values[], int n)
{
    xta__text_printf(text, ", \"%s\": [", name);
    for (int k = 0; k < n; k++) {
        xta__text_printf(text, "%s%" PRId64, k > 0 ? ", " : "", values[k]);
    }
    xta__text_add_string(text, "]");
}

xta_status xta__flat_describe_json(xta_flat *flat, xta_error *err)
{
    xta__text text = {0};
    xta__npy_header header = header_of(flat->array);
    const xta_box bounds = xta_array_bounds(flat->array);

    xta__text_printf(&text, "{\"dtype\": \"%s%s\", \"type\": \"%s\"",
                     header.unit_bytes > 1 ? "<" : "|", header.descr,
                     xta_type_name(xta_array_type(flat->array)));
    add_integers(&text, "shape", header.shape, header.ndim);
    add_integers(&text, "first_cell", bounds.lo, bounds.ndim);
    xta__text_add_string(&text, ", \"order\": \"C\", \"dimensions\": [");
    for (int axis = 0; axis < bounds.ndim; axis++) {
        xta__text_add_string(&text, axis > 0 ? ", " : "");
        xta__json_add_string(&text, xta_axis_name(flat->array, axis));
    }
    xta__text_add_string(&text, "]}\n");
    size_t n = text.n;
    return add_head(flat, xta__text_detach(&text), n, err);
}
