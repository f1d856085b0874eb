/* Opening and closing for the verbs, and the few lines of text and command line that several share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_OPEN_H
#define XTA_TOOL_KIT_OPEN_H

#include "kit/command.h"

/* What every reading verb takes; `type` has a member `int64_t as_of`. */
#define CLI_NO_STEP    "is no step; they are counted from 0"
#define CLI_AS_OF_TEXT "open the array as of this structural step (0 is its creation)"
#define CLI_AS_OF(type) \
    CLI_INT(type, as_of, "as-of", "STEP", 0, INT64_MAX, CLI_NO_STEP, CLI_AS_OF_TEXT)

/* Open for reading, as of the step of --as-of if the command line has it. */
xta_status cli_open_quiet(const cli_args *args, const char *path, xta_array **array,
                          cli_error *err);

/* The same, and have accesses noted where a log is wanted (see log.h). */
xta_status cli_open(const cli_args *args, const char *path, xta_array **array, cli_error *err);
xta_status cli_open_writable(const char *path, xta_array **array, cli_error *err);

/* As cli_open, but not mapped: cells go through a cache of so many bytes. */
xta_status cli_open_cached(const cli_args *args, const char *path, uint64_t cache_bytes,
                           xta_array **array, cli_error *err);

/* Close, and give back `status`, or what the close said if everything before went well. */
xta_status cli_close(xta_array *array, xta_status status, cli_error *err);

/* Print a box as "lo:hi,lo:hi", coordinates as "a,b,c". */
void cli_print_box(FILE *out, const xta_box *box);
void cli_print_coords(FILE *out, const int64_t coord[], int n);

/* The growths of extend and shrink: --axis, --by and --front, which belongs to the pair before it.
 * */
xta_status cli_growths(const cli_args *args, xta_array *array, xta_growth growths[], int *n_growths,
                       cli_error *err);

/* Split FILE:VARIABLE at the last colon, unless a file of the whole name exists or the part behind
 * the colon cannot be a name of a variable. `*file` is the caller's; `*variable` points into it,
 * or is NULL. */
xta_status cli_split_variable(const char *text, char **file, const char **variable, cli_error *err);

#endif
