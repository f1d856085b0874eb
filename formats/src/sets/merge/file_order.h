/* The order of files by their coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_FILE_ORDER_H
#define XTA_FORMATS_SETS_FILE_ORDER_H

#include "sets/tree/tree.h"

enum { FILE_ORDER_KEYS = 8 };

/* The first coordinates of a file along up to eight dimensions. Times are days and microseconds of
 * the day; other numbers are in `number`. */
typedef struct file_key {
    bool time;
    int64_t day, microsecond;
    double number;
} file_key;

typedef struct ordered_file {
    const char *path;
    /* The dimensions, and the variables that list their coordinates; NULL: of inner groups. */
    char *names[FILE_ORDER_KEYS], *labels[FILE_ORDER_KEYS];
    file_key keys[FILE_ORDER_KEYS];
    int n_keys;
    int direction;  /* -1: its first dimension with more than one cell descends */
    uint64_t bytes; /* of all cells */
    bool outside;   /* no cell is selected */
    set_dependence *dependences;
    size_t n_dependences;
} ordered_file;

/* Read the keys of a file, or of what is selected of it: those of the dimension to append along, or
 * of all dimensions with coordinates. A file of which nothing is selected is `outside`, and why is
 * in err. XTA_EARG: no group has the dimension; otherwise as xta__set_cut. */
xta_status xta__file_key_read(const char *path, const xta_dataset_files_options *options,
                              ordered_file *out, xta_error *err);

/* XTA_EARG if a dimension is selected by a list, a step or the nearest, and the files have other
 * coordinates there. */
xta_status xta__files_check(const ordered_file *files, size_t n, xta_error *err);

void xta__files_clear(ordered_file *files, size_t n);

/* Sort: ascending, or descending if the coordinates of the files descend. Returns 1 or -1. */
int xta__files_sort(ordered_file *files, size_t n);

/* How many of the sorted files come before the first cell of the data set. */
size_t xta__files_before(const ordered_file *files, size_t n, int direction, xta_dataset *set);

#endif
