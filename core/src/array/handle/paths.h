/* From the name of an array to its two files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_HANDLE_PATHS_H
#define XTA_ARRAY_HANDLE_PATHS_H

#include "array/state/open_array.h"

/* The two files of an array: their names as the caller gave them (*_path), and where they really
 * are (*_file). */
typedef struct xta__pair {
    char *base; /* the name without the suffix */
    char *journal_path, *data_path;
    char *journal_file, *data_file;
} xta__pair;

/* The pair that `path` names, whether it exists or not. */
xta_status xta__pair_find(const char *path, xta__pair *pair, xta_error *err);
void xta__pair_clear(xta__pair *pair);

/* Whether the two files lie in different folders or have different names, which links can cause. */
XTA_PRIVATE_API bool xta__pair_is_split(const char *journal_file, const char *data_file);

/* Find the pair and keep it in the handle. */
xta_status xta__array_find(xta_array *array, const char *path, xta_error *err);

#endif
