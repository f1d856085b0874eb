/* What read and write have in common: the form of cells outside arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_CELLS_H
#define XTA_CLI_CELLS_H

#include "kit/cli.h"

typedef enum cli_form { CLI_TEXT, CLI_NPY, CLI_RAW } cli_form;

/* Parse the value of --as; if it is NULL, the suffix of a file decides: .npy is npy, .raw, .bin and
 * .dat are raw, anything else is text. */
xta_status cli_parse_form(const char *as, const char *path, cli_form *form, cli_error *err);

/* Parsers of options. */
cli_parser cli_parse_memory_order_value; // xta_order: row or column
cli_parser cli_parse_cell_type_value;    // cli_cell_type: a type that cells can have

/* Refuse a box that leaves the bounds, before any of it is read or written. */
xta_status cli_check_box(const char *path, const xta_box *bounds, const xta_box *box,
                         cli_error *err);

#endif
