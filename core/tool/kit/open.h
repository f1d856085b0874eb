/* Opening and closing for the verbs, and the output and command line parsing that several of them
 * share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_OPEN_H
#define XTA_TOOL_KIT_OPEN_H

#include "kit/command.h"

/* The option of every reading verb; `type` has a member `int64_t as_of`. */
#define CLI_NO_STEP    "is no step; they are counted from 0"
#define CLI_AS_OF_TEXT "open the array as of this structural step (0 is its creation)"
#define CLI_AS_OF(type) \
    CLI_INT(type, as_of, "as-of", "STEP", 0, INT64_MAX, CLI_NO_STEP, CLI_AS_OF_TEXT)

/* Open for reading, as of the step of --as-of if the command line has it. */
xta_status cli_open_quiet(const cli_args *args, const char *path, xta_array **array,
                          cli_error *err);

/* Open for reading like cli_open_quiet, and log accesses if a log is requested (see kit/log.h). */
xta_status cli_open(const cli_args *args, const char *path, xta_array **array, cli_error *err);
xta_status cli_open_writable(const char *path, xta_array **array, cli_error *err);

/* Like cli_open, but not mapped: cells go through a cache of this many bytes. */
xta_status cli_open_cached(const cli_args *args, const char *path, uint64_t cache_bytes,
                           xta_array **array, cli_error *err);

/* Close, and return `status`, or the status of the close if there was no error before. */
xta_status cli_close(xta_array *array, xta_status status, cli_error *err);

/* Print a box as "lo:hi,lo:hi", coordinates as "a,b,c". */
void cli_print_box(FILE *out, const xta_box *box);
void cli_print_coords(FILE *out, const int64_t coord[], int n);

/* The growths of extend and shrink: --axis, --by and --front, which belongs to the pair before it.
 * */
xta_status cli_growths(const cli_args *args, xta_array *array, xta_growth growths[], int *n_growths,
                       cli_error *err);

/* Split FILE:VARIABLE at the last colon, unless a file with the complete name exists or the part
 * after the colon cannot be the name of a variable. The caller frees `*file`; `*variable` points
 * into it, or is NULL. */
xta_status cli_split_variable(const char *text, char **file, const char **variable, cli_error *err);

#endif
