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

/* Parse an order that memory can have: row or column. */
xta_status cli_parse_memory_order(const char *text, xta_order *order, cli_error *err);

/* Parse a type that cells can have. */
xta_status cli_parse_cell_type(const char *text, xta_type *type, size_t *cell_bytes,
                               cli_error *err);

/* Parsers of memory orders and cell types with the signature of cli_parser. */
cli_parser cli_parse_memory_order_value; // xta_order
cli_parser cli_parse_cell_type_value;    // cli_cell_type

/* Refuse a box that leaves the bounds, before any of it is read or written. */
xta_status cli_check_box(const char *path, const xta_box *bounds, const xta_box *box,
                         cli_error *err);

#endif
