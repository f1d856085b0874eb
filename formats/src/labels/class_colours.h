/* Colours of classes, and their names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_LABELS_CLASS_COLOURS_H
#define XTA_FORMATS_LABELS_CLASS_COLOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

#define LABELS_MOST 65536 /* number of classes */

/* Colours of classes, from class 0 on, and a hash table to find a class by its colour. */
typedef struct class_list {
    uint32_t *rgb; /* 0xrrggbb */
    size_t n;
    uint32_t *table; /* class number + 1, by hash of the colour */
    char *names;     /* one line for each class */
    size_t n_names;  /* bytes */
    size_t names_capacity;
    bool named; /* at least one class has a name */
} class_list;

void xta__class_list_clear(class_list *list);
/* Add a class with this colour; `name` may be NULL. False: out of memory, or there are already
 * LABELS_MOST. */
bool xta__class_add(class_list *list, uint32_t rgb, const char *name, size_t n_bytes);
bool xta__class_find(const class_list *list, uint32_t rgb, uint32_t *number);
/* Parse "#rrggbb,#rrggbb,...", or a file with "#rrggbb name" on each line. Black is put in front
 * unless it is the first colour. `path` is the path of the picture, for messages. */
xta_status xta__class_list_parse(const char *colours, const char *path, class_list *list,
                                 xta_error *err);

#endif
