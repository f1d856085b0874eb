/* Values of options: numbers, coordinates, boxes, sizes, names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_PARSE_H
#define XTA_TOOL_KIT_PARSE_H

#include "kit/command.h"

/* `what` names the option or argument in errors. */
xta_status cli_parse_int(const char *text, const char *what, int64_t *value, cli_error *err);
xta_status cli_parse_real(const char *text, const char *what, double *value, cli_error *err);

/* "a,b,c": at most XTA_MAX_NDIM coordinates. */
xta_status cli_parse_coords(const char *text, const char *what, int64_t coord[], int *n,
                            cli_error *err);

/* Like cli_parse_coords, but exactly `ndim` coordinates are required. */
xta_status cli_parse_coords_of(const char *text, const char *what, int ndim, int64_t coord[],
                               cli_error *err);

/* "4096", "64KiB", "1.5GiB", "4.3GB": binary units and decimal ones, with up to six digits after
 * the point. */
xta_status cli_parse_bytes(const char *text, const char *what, uint64_t *bytes, cli_error *err);

/* "lo:hi,...", one for each axis of `bounds`: an omitted limit is that of the bounds, ":" the whole
 * axis, "3" one coordinate. The library checks limits outside the bounds. */
xta_status cli_parse_box(const char *text, const xta_box *bounds, xta_box *box, cli_error *err);

/* The type of the option --type, with a usage error for an unknown one. */
xta_status cli_parse_type(const char *text, xta_type *type, size_t *cell_bytes, cli_error *err);

/* Values that the parsers of options write. */
typedef struct cli_cell_type {
    xta_type type;
    size_t cell_bytes;
} cli_cell_type;
typedef struct cli_coords {
    int n;
    int64_t at[XTA_MAX_NDIM];
} cli_coords;
typedef struct cli_growth_policy {
    xta_policy policy;
    uint32_t amount;
} cli_growth_policy;
cli_parser cli_parse_order_value;  // xta_order
cli_parser cli_parse_type_value;   // cli_cell_type: any type
cli_parser cli_parse_coords_value; // cli_coords
cli_parser cli_parse_policy_value; // cli_growth_policy

const char *cli_order_name(xta_order order);
const char *cli_policy_name(xta_policy policy);

#endif
