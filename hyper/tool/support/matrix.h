/* A matrix on a command line, such as skewers: rows of numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_MATRIX_H
#define XTA_CLI_HYPER_MATRIX_H

#include "kit/cli.h"

/* Read a .csv or .txt (rows of numbers with commas or blanks between them; lines that begin with #
 * are skipped), an array with two axes, or a file that the bridges import as one. The caller frees
 * `*values`. Not collective. */
xta_status cli_matrix_read(const char *path, double **values, size_t *n_rows, size_t *n_columns,
                           cli_error *err);

#endif
