/* From the name of an array to its two files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_PATHS_H
#define XTA_ARRAY_HANDLE_PATHS_H

#include "array/state/open_array.h"

/* The two files of an array: their names as the caller gave them, and where they are. */
typedef struct xta__pair {
    char *base; /* the name without a suffix of ours */
    char *journal_path, *data_path;
    char *journal_file, *data_file;
} xta__pair;

/* The pair that `path` names, whether it exists or not. */
xta_status xta__pair_find(const char *path, xta__pair *pair, xta_error *err);
void xta__pair_clear(xta__pair *pair);

/* Whether the two files lie in different folders or have different names, as links allow. */
bool xta__pair_is_apart(const char *journal_file, const char *data_file);

/* The same for a handle, which keeps it. */
xta_status xta__array_find(xta_array *array, const char *path, xta_error *err);

#endif
