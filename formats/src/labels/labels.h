/* What the parts of the bridge of class maps share: labels.c is the bridge, labels_png.c decodes
 * pictures, labels_colours.c keeps lists of colours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_LABELS_H
#define XTA_BRIDGE_LABELS_H

#include "description/format.h"

#define LABELS_MOST     65536 /* classes */
#define LABELS_NO_CLASS UINT32_MAX

/* Names of attributes; see docs/decisions/0010-bridges.md. */
#define LABELS_NAMES   "class_names"   /* a line for each class, from 0 */
#define LABELS_COLOURS "class_colours" /* u8: red, green, blue of each class, from 0 */

/* ---- labels_colours.c ---- */

/* Colours of classes, from class 0 on, and a table to find them by. */
typedef struct class_list {
    uint32_t *rgb; /* 0xrrggbb */
    size_t n;
    uint32_t *table; /* number + 1 of the class, by a hash of its colour */
    char *names;     /* a line each */
    size_t n_names;  /* bytes */
    bool named;      /* at least one has a name */
} class_list;

void xta__class_list_clear(class_list *list);
/* Add a class with this colour; `name` may be NULL. False: no memory, or LABELS_MOST are there. */
bool xta__class_add(class_list *list, uint32_t rgb, const char *name, size_t n_bytes);
bool xta__class_find(const class_list *list, uint32_t rgb, uint32_t *number);
/* "#rrggbb,#rrggbb,...", or a file with "#rrggbb name" in each line. Unless black is the first, it
 * is put before them. `path` is that of the picture, for messages. */
xta_status xta__class_list_parse(const char *colours, const char *path, class_list *list,
                                 xta_error *err);

/* ---- labels_png.c ---- */

typedef enum labels_kind { LABELS_PALETTE, LABELS_GREY, LABELS_GREY16, LABELS_COLOUR } labels_kind;

typedef struct labels_source {
    char *path;
    struct labels_decoder *decoder; /* NULL: not begun */
    labels_kind kind;
    int64_t rows;
    int64_t columns;
    size_t pixel_bytes; /* of a decoded pixel */
    unsigned char *row; /* the one decoded last */
    int64_t next;       /* number of the next one */
    int n_palette;
    unsigned char palette[3 * 256];
    char *texts; /* names of classes that the picture tells; NULL: none */
    uint32_t of_index[256];
    class_list list;
    bool wide; /* cells have two bytes */
} labels_source;

static inline uint32_t labels_rgb(const unsigned char *rgb)
{
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

/* Open the picture and read what stands before its rows. */
xta_status xta__labels_start(labels_source *source, xta_error *err);
/* Decode the row of that number, going on or beginning again. */
xta_status xta__labels_row(labels_source *source, int64_t row, xta_error *err);
void xta__labels_stop(labels_source *source);

#endif
