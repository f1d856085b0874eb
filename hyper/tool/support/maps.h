/* The arrays that commands behind `xta hyper` make: a number, or one for each endmember, for every
 * pixel of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_MAPS_H
#define XTA_CLI_HYPER_MAPS_H

#include <xta/scene_map.h>

#include "support/options.h"

/* An array that is being made. Begin with zeros. */
typedef struct cli_map {
    xta_array *array; // NULL: not wanted
    const char *path;
    bool made; // so it goes if all was for nothing
} cli_map;

/* Collective. Make an array for the pixels of a scene; options->path names it, NULL: none is
 * wanted. What is there already is an error. */
xta_status cli_map_begin(cli_scene *scene, xta_scene_map_options *options, cli_map *map,
                         cli_error *err);

/* Collective. Close it everywhere, so that what all processes wrote is in the file, and open it
 * again in the one that leads: elsewhere there is no array then. Where files cannot be mapped,
 * nobody sees the cells of others otherwise. */
xta_status cli_map_settle(cli_map *map, cli_error *err);

/* Collective. Close it; unless `status` is XTA_OK, it is deleted. Gives back `status`, or what went
 * wrong here. */
xta_status cli_map_end(cli_map *map, xta_status status, cli_error *err);

/* How wide labels have to be. */
xta_type cli_label_type(size_t n_classes);

/* Name the classes of labels 1 to n, and 0 "unclassified", and give them colours: attributes
 * class_names and class_colours. Names may be NULL. For the process that leads. */
xta_status cli_map_classes(xta_array *labels, size_t n, const char *const names[], cli_error *err);

/* Mean of each layer of a map over the pixels that have one, and how many have; for a map without
 * layers, `mean` is one number. Not collective. */
xta_status cli_map_means(xta_array *map, uint64_t memory_bytes, size_t n_layers, double mean[],
                         uint64_t n_pixels[], cli_error *err);

#endif
