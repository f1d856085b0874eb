/* The source of the cells that write stores: a file or standard input, as text, .npy or raw bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_SOURCE_H
#define XTA_CLI_SOURCE_H

#include "kit/cells/cells.h"
#include "kit/cells/npy.h"

typedef struct cli_source {
    FILE *file;
    const char *path; // name in errors
    cli_form form;
    cli_npy cells; // type, order and byte order of the cells; the shape only if form is CLI_NPY
    uint64_t line; // of text, from 1
    char *token;   // of text: the value being read
    size_t token_capacity;
} cli_source;

/* Open `path` ("-": standard input). `cells` says what text and raw hold; an .npy header overrides
 * it. */
xta_status cli_source_open(cli_source *source, const char *path, cli_form form,
                           const cli_npy *cells, cli_error *err);
void cli_source_close(cli_source *source);

/* Check before anything is written that the source has exactly `n` cells, as far as that can be
 * known: by the length of a regular file, or by reading all of the text once if it can be read
 * twice. */
xta_status cli_source_check(cli_source *source, uint64_t n, cli_error *err);

/* Read `n` cells. `done` and `total` are for the text of the error if there are too few. */
xta_status cli_source_read(cli_source *source, uint64_t n, void *cells, uint64_t done,
                           uint64_t total, cli_error *err);

/* Refuse anything after the last cell. */
xta_status cli_source_end(cli_source *source, uint64_t total, cli_error *err);

#endif
