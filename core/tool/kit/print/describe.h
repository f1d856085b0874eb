/* Printing attributes and numbers, for info and attr.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_DESCRIBE_H
#define XTA_CLI_DESCRIBE_H

#include "kit/cli.h"
#include "kit/escape.h"
#include "kit/print/json.h"

/* Number of values of an attribute that a list shows. */
#define CLI_VALUES_LISTED 8
#define CLI_BYTES_LISTED  240

/* Print all values of an attribute: text, or numbers separated by commas. */
xta_status cli_print_values(FILE *out, const xta_attribute *attribute, cli_error *err);

/* Print what a list shows of an attribute: its beginning, and its length if it is longer. */
xta_status cli_print_beginning(FILE *out, const xta_attribute *attribute, cli_error *err);

/* Print every attribute of an axis (or XTA_ON_ARRAY): "PREFIX NAME TAB TYPE TAB VALUES", long ones
 * truncated. */
xta_status cli_print_attributes(FILE *out, xta_array *array, int axis, const char *prefix,
                                cli_error *err);

/* The label of an axis in output: its name, or its number, which is written to `number`. */
const char *cli_axis_label(xta_array *array, int axis, char number[16]);

/* Print the bounds that arrays have now, a line for each, with its name if there are several; or as
 * JSON. */
void cli_print_bounds(FILE *out, bool json, int n, const char *const paths[],
                      const xta_box bounds[]);

const char *cli_step_name(xta_step_kind kind);

#endif
