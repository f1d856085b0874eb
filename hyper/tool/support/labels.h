/* Maps of classes on a command line: labels and truth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_LABELS_H
#define XTA_CLI_HYPER_LABELS_H

#include <xta/classify.h>

#include "support/options.h"

/* The entry of --truth-at; `type` has a member `const char *truth_at`. */
#define CLI_TRUTH_AT(type)                                                               \
    CLI_STRING(type, truth_at, "truth-at", "LINE,SAMPLE|scene",                          \
               "where the first cell of the truth lies, which must be said if it is of " \
               "another size; scene: in the first corner, both must be of one size")

/* Open an array; or import a file that the bridges can read, such as FILE.mat:VARIABLE, into
 * memory. Not collective. */
xta_status cli_open_any(const char *text, xta_array **array, cli_error *err);

/* The area that a map covers: [lo, hi) of lines and samples in the coordinates of the scene. */
typedef struct cli_area {
    int64_t lines[2], samples[2];
} cli_area;

/* Open or import a map of classes; a .png is read as a map in colours. The shifts of the map are
 * zero. */
xta_status cli_labels_open(const char *text, xta_label_map *map, cli_area *area, cli_error *err);

/* Open or import the truth, and place it where --truth-at says. Refuses a truth that has no pixel
 * in common with the area of the scene or of the labels. Not collective. */
xta_status cli_truth_open(const cli_args *args, const char *text, const cli_area *scene,
                          xta_label_map *map, cli_error *err);

/* XTA_EBOX unless a map has the size of the map below it and, if it was imported and so has no
 * coordinates, covers the same lines and samples. */
xta_status cli_same_area(xta_array *map, const char *name, const cli_area *own, const char *under,
                         const cli_area *area, cli_error *err);

/* The names of the classes, one line for each from class 0, if the map has them; else NULL. Valid
 * until its array is closed. */
const char *cli_class_names(xta_array *array);

/* Name number `k` of a list of class names; NULL if there is none. Writes it into `name`. */
const char *cli_class_name(const char *names, int32_t k, char name[64]);

/* Count the labels of an area against the truth, a few lines at a time. */
xta_status cli_labels_count(const xta_label_map *labels, const xta_label_map *truth,
                            const cli_area *area, xta_confusion *confusion, cli_error *err);

cli_area cli_scene_area(const cli_scene *scene);

#endif
