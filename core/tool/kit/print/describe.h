/* Attributes and numbers in print, for info and attr.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_DESCRIBE_H
#define XTA_CLI_DESCRIBE_H

#include "kit/cli.h"
#include "kit/escape.h"
#include "kit/print/json.h"

/* How much of an attribute a list shows. */
#define CLI_VALUES_LISTED 8
#define CLI_BYTES_LISTED  240

/* Print all values of an attribute as they are: text, or numbers separated by commas. */
xta_status cli_print_values(FILE *out, const xta_attribute *attribute, cli_error *err);

/* Print every attribute of an axis (or XTA_ON_ARRAY): "PREFIX NAME TAB TYPE TAB VALUES", long
 * ones cut short. */
xta_status cli_print_attributes(FILE *out, xta_array *array, int axis, const char *prefix,
                                cli_error *err);

/* The name by which an axis is called in print: its own, or its number in `number`. */
const char *cli_axis_label(xta_array *array, int axis, char number[16]);

const char *cli_step_name(xta_step_kind kind);

#endif
