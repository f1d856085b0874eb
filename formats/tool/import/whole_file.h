/* xta import SRC... DIR/: whole files into a data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_IMPORT_WHOLE_FILE_H
#define XTA_TOOL_IMPORT_WHOLE_FILE_H

#include <xta/dataset_transfer.h>

#include "kit/cli.h"

typedef struct cli_whole_import {
    const char *const *sources;
    size_t n_sources;
    const char *folder;
    bool merge;         // into a data set that may exist
    const char *append; // along this dimension; NULL: by all coordinates
    bool front;
    xta_overlap overlap;
    bool strict, all_listed, trust;
    const char *select; // cells, as --sel has them; NULL: all
    bool json;
    uint64_t memory_bytes; // 0: the default
} cli_whole_import;

/* Whether a destination is the name of a folder, and so of a data set: it ends with a slash. */
bool cli_names_folder(const char *path);

xta_status cli_import_whole_file(const cli_whole_import *what, cli_error *err);

#endif
