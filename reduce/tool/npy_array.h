/* Labels from .npy files, for masks and groups.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_NPY_ARRAY_H
#define XTA_CLI_NPY_ARRAY_H

#include "kit/cli.h"

/* Read a .npy file of at least one axis into a new array in memory; `what` it is, for messages. */
xta_status cli_npy_load(const char *path, const char *what, xta_array **array, cli_error *err);

#endif
