/* Drawing the operations of a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_MAPS_PLAN_DRAW_H
#define XTA_PICTURE_MAPS_PLAN_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/picture.h>

#include "drawing/number_text.h"

/* One operation of a plan, as far as it is drawn. */
typedef struct picture_plan_op {
    bool write;
    bool shown;           /* its piece is on the front face, at this position: */
    int64_t lo[2], hi[2]; /* rows, columns */
    uint64_t number;      /* number among the reads, or among the writes, from 1 */
    double moved;         /* bytes moved by all operations before it */
    double end;
    double live; /* bytes in use after a read, or just before a write releases them */
    double allocated;
} picture_plan_op;

typedef struct picture_plan {
    const xta_rechunk_problem *problem;
    const xta_rechunk_plan *plan;
    const xta_rechunk_facts *facts;
    const char *path;
    int rows, columns;    /* numbers of the axes; rows is -1 for an array of one axis */
    picture_plan_op *ops; /* operations that are shown */
    size_t n_ops;
    uint64_t n_all;        /* operations of the whole plan */
    uint64_t n_components; /* components shown in part or whole */
    double moved;          /* bytes moved by all operations shown */
    char title[PICTURE_TEXT_BYTES];
} picture_plan;

xta_status xta__picture_plan_draw(const picture_plan *plan, xta_error *err);

#endif
