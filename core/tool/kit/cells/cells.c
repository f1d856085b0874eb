/* Forms, orders and boxes on the command lines of read and write.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/cells/cells.h"

#include <inttypes.h>
#include <string.h>

#include "util/text.h"

xta_status cli_parse_form(const char *as, const char *path, cli_form *form, cli_error *err)
{
    static const char *const names[] = {[CLI_TEXT] = "text", [CLI_NPY] = "npy", [CLI_RAW] = "raw"};

    if (as == NULL) {
        bool raw = path != NULL && (xta__ends_with(path, ".raw") || xta__ends_with(path, ".bin") ||
                                    xta__ends_with(path, ".dat"));
        bool npy = path != NULL && xta__ends_with(path, ".npy");
        *form = raw ? CLI_RAW : npy ? CLI_NPY : CLI_TEXT;
        return XTA_OK;
    }
    for (size_t k = 0; k < CLI_COUNT(names); k++) {
        if (strcmp(as, names[k]) == 0) {
            *form = (cli_form)k;
            return XTA_OK;
        }
    }
    return cli_usage(err, "--as: \"%s\" is no form; want text, npy or raw", as);
}

xta_status cli_parse_memory_order_value(const char *text, const char *what, void *value,
                                        cli_error *err)
{
    if (strcmp(text, "row") != 0 && strcmp(text, "column") != 0) {
        return cli_usage(err, "%s: \"%s\" is no order of a file; want row or column", what, text);
    }
    *(xta_order *)value = text[0] == 'r' ? XTA_ROW : XTA_COLUMN;
    return XTA_OK;
}

xta_status cli_parse_cell_type_value(const char *text, const char *what, void *value,
                                     cli_error *err)
{
    cli_cell_type *cell = value;
    xta_status status = cli_parse_type(text, &cell->type, &cell->cell_bytes, err);

    if (status == XTA_OK && cell->type == XTA_TEXT) {
        return cli_usage(err, "%s: text is for attributes; cells of text are bytes:N", what);
    }
    if (status == XTA_OK && cell->cell_bytes == 0) {
        return cli_usage(err, "%s: say how many bytes a cell has, as in bytes:8", what);
    }
    return status;
}

xta_status cli_check_box(const char *path, const xta_box *bounds, const xta_box *box,
                         cli_error *err)
{
    if (xta_box_empty(box)) {
        return XTA_OK;
    }
    for (int axis = 0; axis < box->ndim; axis++) {
        if (box->lo[axis] < bounds->lo[axis] || box->hi[axis] > bounds->hi[axis]) {
            return cli_fail(err, XTA_EBOX, 0,
                            "%s: axis %d: box %" PRId64 ":%" PRId64 " leaves the bounds %" PRId64
                            ":%" PRId64 "; grow the array first or take a smaller box",
                            path, axis, box->lo[axis], box->hi[axis], bounds->lo[axis],
                            bounds->hi[axis]);
        }
    }
    return XTA_OK;
}
