/* What a label means on an axis, and whether a cell has it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_SELECT_LABEL_H
#define XTA_SELECT_LABEL_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/calendar.h>
#include <xta/coordinates.h>

#include "select/label_text.h"

/* An axis, as labels see it. */
typedef struct xta__axis_reader {
    const char *path; /* of the array, for errors */
    const char *name; /* of the axis, for errors */
    xta_coordinates *coordinates;
    bool has_coordinates; /* else these are cell numbers */
    bool is_time;         /* the unit is a time since a date that can be read */
    xta_time_unit time;
    xta_error no_time; /* why not; "" if the unit is no such */
} xta__axis_reader;

typedef enum xta__label_kind {
    XTA__LABEL_WHOLE,  /* an integer, on integers */
    XTA__LABEL_REAL,   /* an interval of binary64, both ends included */
    XTA__LABEL_PERIOD, /* instants, the end not included */
    XTA__LABEL_NAME
} xta__label_kind;

typedef struct xta__label {
    xta__label_kind kind;
    xta__piece piece; /* its text */
    int64_t whole;
    double value, least, most;
    xta_period period;
    char *name; /* owned */
} xta__label;

/* Read labels of an axis whose coordinates are given; they stay the caller's. */
void xta__axis_reader_init(xta__axis_reader *reader, const char *path, const char *name,
                           xta_coordinates *coordinates, bool has_coordinates);

/* What a label means. XTA_EARG: it is not of the coordinates' kind, or its unit cannot be
 * converted; XTA_ENOMEM. Freed by xta__label_clear, also after a failure. */
xta_status xta__label_read(const xta__axis_reader *reader, xta__piece piece, xta__label *label,
                           xta_error *err);
void xta__label_clear(xta__label *label);

/* Make a label its middle, or of a period its first instant: what is nearest is nearest to that. */
void xta__label_narrow(xta__label *label);

/* Whether `a` lies above `b`, where they can be compared. */
bool xta__label_above(const xta__label *a, const xta__label *b);

/* -1, 0, 1: the coordinate of a cell lies below, in, above a label. Names: 0 or 1. A number that is
 * not one (NaN) lies above. */
int xta__label_compare(const xta__axis_reader *reader, int64_t cell, const xta__label *label);

/* How far a cell is from a narrow label, in the unit of the coordinates (of time: microseconds).
 * Not for names. */
double xta__label_distance(const xta__axis_reader *reader, int64_t cell, const xta__label *label);

/* Whether the cell `below`, which lies below a narrow label, is nearer than `above`, which does
 * not: negative, 0 (equally near) or positive. Exact. */
int xta__label_compare_distance(const xta__axis_reader *reader, int64_t below, int64_t above,
                                const xta__label *label);

/* A tolerance, in the unit of distances. XTA_EARG */
xta_status xta__tolerance_read(const xta__axis_reader *reader, xta__piece piece, double *tolerance,
                               xta_error *err);

/* The coordinate of a cell as a label that selects it, for errors. */
enum { XTA__CELL_TEXT_BYTES = 80 };
const char *xta__cell_text(const xta__axis_reader *reader, int64_t cell,
                           char text[XTA__CELL_TEXT_BYTES]);

#endif
