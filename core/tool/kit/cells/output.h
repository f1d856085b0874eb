/* The output of read: standard output, or a file that appears only when it is complete.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_OUTPUT_H
#define XTA_CLI_OUTPUT_H

#include "kit/cli.h"
#include "util/replace.h"

typedef struct cli_output {
    FILE *file;
    const char *path; // NULL: standard output
    xta__new_file
        whole; // the file that replaces `path` at the end; none if `path` is written directly
} cli_output;

/* Begin an output. A `path` that exists and is not a regular file (a device, a pipe) is written
 * directly. */
xta_status cli_output_begin(cli_output *output, const char *path, cli_error *err);

/* Write bytes; the error says which file could not be written and why. */
xta_status cli_output_write(cli_output *output, const void *bytes, size_t n, cli_error *err);

/* Finish an output: the file gets its name if `status` is XTA_OK and is removed otherwise. Returns
 * `status`, or the error that occurred here. */
xta_status cli_output_end(cli_output *output, xta_status status, cli_error *err);

#endif
