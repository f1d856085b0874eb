/* Rows of a PNG picture, decoded one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_LABELS_PNG_ROWS_H
#define XTA_FORMATS_LABELS_PNG_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/status.h>

#include "labels/class_colours.h"

typedef enum labels_kind { LABELS_PALETTE, LABELS_GREY, LABELS_GREY16, LABELS_COLOUR } labels_kind;

typedef struct labels_source {
    char *path;
    struct labels_decoder *decoder; /* NULL: not started */
    labels_kind kind;
    int64_t rows;
    int64_t columns;
    size_t pixel_bytes; /* of a decoded pixel */
    unsigned char *row; /* the row decoded last */
    int64_t next;       /* number of the next row */
    int n_palette;
    unsigned char palette[3 * 256];
    char *texts; /* names of classes stored in the picture; NULL: none */
    uint32_t of_index[256];
    class_list list;
    bool wide; /* cells have two bytes */
} labels_source;

static inline uint32_t labels_rgb(const unsigned char *rgb)
{
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/* Open the picture and read everything before its rows. */
xta_status xta__labels_start(labels_source *source, xta_error *err);
/* Decode row `row`: continue, or start again from the first row. */
xta_status xta__labels_row(labels_source *source, int64_t row, xta_error *err);
void xta__labels_stop(labels_source *source);

#endif
