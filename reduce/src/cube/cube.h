/* Cubes are opened and read: combinations of levels, their names and arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_CUBE_H
#define XTA_CUBE_CUBE_H

#include "cube/state.h"

/* Open a cube; for an update its data set is writable. The bounds that it holds are read before
 * those of the base. */
xta_status xta__cube_open(const char *path, bool writable, xta_cube **out, xta_error *err);

/* Whether a combination is kept: every level is listed, and not all are the cells. */
bool xta__cube_is_kept(const xta_cube *cube, const int level[]);

/* The combination after `level` in the order in which sources come first; false: none. Begin with
 * all 0. */
bool xta__cube_next(const xta_cube *cube, int level[]);

/* Names, for the caller to free; NULL: out of memory. */
char *xta__cube_dimension_name(const xta_cube *cube, int axis, int level);
char *xta__cube_member_name(const xta_cube *cube, const int level[], xta_cube_measure measure);

/* The array of a measure at a combination. */
xta_status xta__cube_member(xta_cube *cube, const int level[], xta_cube_measure measure,
                            xta_array **array, xta_error *err);

/* The groups of the bounds of the base. */
xta_box xta__cube_groups(const xta_cube *cube, const int level[]);

/* Read aggregates of a box of groups into planes made by the caller: of the cube, or, where all
 * levels are 0, of cells of the base. */
xta_status xta__cube_read(xta_cube *cube, const int level[], const xta_box *box,
                          xta__planes *planes, xta_error *err);

#endif
