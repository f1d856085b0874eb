/* How commands print unfinished work.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_UNFINISHED_H
#define XTA_CLI_UNFINISHED_H

#include "kit/cli.h"

#include <xta/work.h>

/* "import", "append", ...: what the work does. */
const char *cli_verb_name(xta_work_verb verb);

/* Print one line for each piece of unfinished work, each after `prefix`; *n: how many were
 * interrupted. */
xta_status cli_print_unfinished(FILE *out, xta_array *array, const char *prefix, size_t *n,
                                cli_error *err);

/* Print the unfinished work as a JSON array. */
xta_status cli_unfinished_json(FILE *out, xta_array *array, cli_error *err);

/* Find the piece of interrupted work that a command refers to: the one whose id begins with
 * `text`, or, if that is NULL, the only one of these verbs (a set of 1 << verb; 0: any) and this
 * source (NULL: any). Fails, listing them, if there is none or more than one. */
xta_status cli_find_unfinished(xta_array *array, const char *text, unsigned verbs,
                               const char *source, xta_unfinished *found, cli_error *err);

#endif
