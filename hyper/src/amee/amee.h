/* The internals of an AMEE object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_AMEE_AMEE_H
#define XTA_HYPER_AMEE_AMEE_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/amee.h>

#include "amee/plan.h"
#include "scene/coverage.h"

struct xta_amee {
    int radius, iterations, radius_last;
    amee_plan plan;
    xta_array *map;
    bool own_map;
    coverage have;
    int64_t n_lines_computed;
    bool restarted;
};

#endif
