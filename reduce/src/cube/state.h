/* An open cube: its definition, its data set, its base.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_STATE_H
#define XTA_CUBE_STATE_H

#include <xta/cube.h>
#include <xta/dataset.h>

#include "cube/levels.h"
#include "cube/planes.h"

/* Attributes of the data set. */
#define XTA__CUBE_DEFINITION "cube"
#define XTA__CUBE_BOUNDS     "cube_bounds"

struct xta_cube {
    char *path;
    char *definition; // its text
    xta_dataset *set;
    xta_array *base;
    int ndim;
    xta_type type;
    uint8_t uuid[16]; // of the base
    xta__cube_axis axes[XTA_MAX_NDIM];
    xta__cube_arithmetic arithmetic;
    xta_box bounds;        // of the base
    uint64_t n_steps;      // of its history, at these bounds
    xta_box covered;       // cells of the base that the cube has; empty: none
    bool failed;           // a refresh failed: the parts may not fit each other
    xta_array **members;   // of each combination and measure, once they are used; borrowed
    size_t n_combinations; // of levels, level 0 of all axes included
};

#endif
