/* An answer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CUBE_ANSWER_H
#define XTA_CUBE_ANSWER_H

#include "cube/runs.h"

struct xta_cube_answer {
    xta__answer_axis axes[XTA_MAX_NDIM]; // of the base
    int ndim;                            // of the base
    int shown[XTA_MAX_NDIM];             // those that remain
    int n_shown;
    xta__planes planes;
    xta__cube_arithmetic arithmetic;
    xta_cube_reading *readings; // of each combination, then of the base
    size_t n_readings;
};

#endif
