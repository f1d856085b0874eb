/* The arrays of a follower.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_MAPS_H
#define XTA_HYPER_FOLLOW_MAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "follow/follow_private.h"

const char *xta__follow_map_name(int map);
/* Collective. Open or make an array, or bring it to the bounds of the scene. */
xta_status xta__follow_map(xta_follow *f, int map, size_t n_layers, xta_error *err);
void xta__follow_close_maps(xta_follow *f);
/* Collective. Close an array and delete it. Missing ones are as good as deleted. */
xta_status xta__follow_delete_map(xta_follow *f, int map, xta_error *err);
/* Collective. Make what was written to all open ones durable. */
xta_status xta__follow_sync_maps(xta_follow *f, xta_error *err);
/* Collective. Whether an array that is there lies outside the scene: then the scene has become
 * smaller since it was written. */
xta_status xta__follow_maps_fit(xta_follow *f, bool *fit, xta_error *err);
/* Collective. Whether the array of abundances, if it is there, has a layer for each endmember. */
xta_status xta__follow_layers_fit(xta_follow *f, bool *fit, xta_error *err);

#endif
