/* The arrays of a follower.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_FOLLOW_MAPS_H
#define XTA_HYPER_FOLLOW_MAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "follow/follow_private.h"

const char *xta__follow_map_name(int map);
/* Collective. Open or create an array and bring it to the bounds of the scene. */
xta_status xta__follow_map(xta_follow *f, int map, size_t n_layers, xta_error *err);
void xta__follow_close_maps(xta_follow *f);
/* Collective. Close an array and delete it. It is no error if it does not exist. */
xta_status xta__follow_delete_map(xta_follow *f, int map, xta_error *err);
/* Collective. Make durable what was written to all open arrays. */
xta_status xta__follow_sync_maps(xta_follow *f, xta_error *err);
/* Collective. Whether all existing arrays lie within the scene; if not, the scene has become
 * smaller since they were written. */
xta_status xta__follow_maps_fit(xta_follow *f, bool *fit, xta_error *err);
/* Collective. Whether the array of abundances, if it exists, has a layer for each endmember. */
xta_status xta__follow_layers_fit(xta_follow *f, bool *fit, xta_error *err);

#endif
