/* Independent pieces of work on the threads of all members, for work that is not tiles: AMEE's
 * windows, output strip by strip.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_SCENE_PIECES_H
#define XTA_HYPER_SCENE_PIECES_H

#include <stddef.h>

#include <xta/scene.h>

/* Collective. Run pieces 0 to n - 1, which are distributed contiguously over the members like
 * strips and then go to the threads of each member as these become free. The status is agreed. */
typedef xta_status hyper_piece(void *user, size_t piece, xta_error *err);
xta_status xta__run_pieces(xta_scene *scene, const char *what, size_t n, hyper_piece *run,
                           void *user, xta_error *err);
/* The pieces of this member: [*first, *end). */
void xta__own_pieces(const xta_scene *scene, size_t n, size_t *first, size_t *end);

#endif
