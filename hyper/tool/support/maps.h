/* The arrays that subcommands of `xta hyper` make: a number, or one for each endmember, for every
 * pixel of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_MAPS_H
#define XTA_CLI_HYPER_MAPS_H

#include <xta/scene_map.h>

#include "support/options.h"

/* An array that is being made. Start from zeros. */
typedef struct cli_map {
    xta_array *array; // NULL: not wanted
    const char *path;
    bool made; // created here, so it is deleted after a failure
} cli_map;

/* Collective. Create an array for the pixels of a scene; options->path names it, NULL: no array. It
 * is an error if it already exists. */
xta_status cli_map_begin(cli_scene *scene, xta_scene_map_options *options, cli_map *map,
                         cli_error *err);

/* Collective. Close the array on all processes, so that everything written is in the file, and open
 * it again on the leading process: the others then have no array. If files cannot be mapped, a
 * process does not otherwise see the cells that others wrote. */
xta_status cli_map_settle(cli_map *map, cli_error *err);

/* Collective. Close the array; unless `status` is XTA_OK, it is deleted. Returns `status`, or the
 * error that occurred here. */
xta_status cli_map_end(cli_map *map, xta_status status, cli_error *err);

/* The smallest type that holds all labels. */
xta_type cli_label_type(size_t n_classes);

/* Name the classes of labels 1 to n, and 0 "unclassified", and give them colours: attributes
 * class_names and class_colours. Names may be NULL. Called on the leading process only. */
xta_status cli_map_classes(xta_array *labels, size_t n, const char *const names[], cli_error *err);

/* Mean of each layer of a map over the pixels that have a value, and the number of these pixels;
 * for a map without layers, `mean` is one number. Not collective. */
xta_status cli_map_means(xta_array *map, uint64_t memory_bytes, size_t n_layers, double mean[],
                         uint64_t n_pixels[], cli_error *err);

#endif
