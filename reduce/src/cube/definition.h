/* The definition of a cube as text: the attribute `cube` of its data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_DEFINITION_H
#define XTA_CUBE_DEFINITION_H

#include "cube/state.h"

/* The definition of a new cube; `cube` has base, axes and arithmetic. The caller frees *out. */
xta_status xta__definition_write(const xta_cube *cube, const char *base_path, char **out,
                                 xta_error *err);

/* Open the base that a definition names, and take everything else from it. */
xta_status xta__definition_read(xta_cube *cube, const char *text, xta_error *err);

/* Take names, bounds and types of the axes from the base, which is open. */
xta_status xta__definition_axes(xta_cube *cube, xta_error *err);

/* Parse "sum,min" into bits; the count is always one of them. */
xta_status xta__measures_parse(const char *text, uint32_t *measures, xta_error *err);

#endif
