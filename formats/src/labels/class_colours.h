/* Colours of classes, and their names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_LABELS_CLASS_COLOURS_H
#define XTA_FORMATS_LABELS_CLASS_COLOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

#define LABELS_MOST 65536 /* classes */

/* Colours of classes, from class 0 on, and a table to find them by. */
typedef struct class_list {
    uint32_t *rgb; /* 0xrrggbb */
    size_t n;
    uint32_t *table; /* number + 1 of the class, by a hash of its colour */
    char *names;     /* a line each */
    size_t n_names;  /* bytes */
    size_t names_capacity;
    bool named; /* at least one has a name */
} class_list;

void xta__class_list_clear(class_list *list);
/* Add a class with this colour; `name` may be NULL. False: out of memory, or LABELS_MOST are
 * there. */
bool xta__class_add(class_list *list, uint32_t rgb, const char *name, size_t n_bytes);
bool xta__class_find(const class_list *list, uint32_t rgb, uint32_t *number);
/* "#rrggbb,#rrggbb,...", or a file with "#rrggbb name" in each line. Unless black is the first, it
 * is put before them. `path` is that of the picture, for messages. */
xta_status xta__class_list_parse(const char *colours, const char *path, class_list *list,
                                 xta_error *err);

#endif
