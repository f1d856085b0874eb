/* Lists of class colours: parsing them, and finding a class by its colour.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "labels/class_colours.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "util/try.h"
#include "util/vector.h"

#define TABLE_BITS 18 /* four times as many slots as there can be classes */

void xta__class_list_clear(class_list *list)
{
    free(list->rgb);
    free(list->table);
    free(list->names);
    memset(list, 0, sizeof *list);
}

/* The slot of a colour in the table, or the free slot where it would go. */
static size_t slot_of(const class_list *list, uint32_t rgb)
{
    size_t mask = ((size_t)1 << TABLE_BITS) - 1;
    size_t at = (size_t)((rgb * 2654435769u) >> (32 - TABLE_BITS));
    while (list->table[at] != 0 && list->rgb[list->table[at] - 1] != rgb) {
        at = (at + 1) & mask;
    }
    return at;
}

bool xta__class_find(const class_list *list, uint32_t rgb, uint32_t *number)
{
    size_t at = list->n > 0 ? slot_of(list, rgb) : 0;
    bool found = list->n > 0 && list->table[at] != 0;
    if (found) {
        *number = list->table[at] - 1;
    }
    return found;
}

/* Append a line to the names. */
static bool add_name(class_list *list, const char *name, size_t n_bytes)
{
    if (!XTA__RESERVE(list->names, list->names_capacity, list->n_names + n_bytes + 2)) {
        return false;
    }
    if (n_bytes > 0) {
        memcpy(list->names + list->n_names, name, n_bytes);
    }
    list->n_names += n_bytes;
    list->names[list->n_names++] = '\n';
    list->names[list->n_names] = '\0';
    list->named = list->named || n_bytes > 0;
    return true;
}

bool xta__class_add(class_list *list, uint32_t rgb, const char *name, size_t n_bytes)
{
    if (list->rgb == NULL) {
        list->rgb = malloc(LABELS_MOST * sizeof *list->rgb);
        list->table = calloc((size_t)1 << TABLE_BITS, sizeof *list->table);
    }
    if (list->rgb == NULL || list->table == NULL || list->n == LABELS_MOST ||
        !add_name(list, name, n_bytes)) {
        return false;
    }
    size_t at = slot_of(list, rgb);
    list->rgb[list->n++] = rgb;
    if (list->table[at] == 0) {
        list->table[at] = (uint32_t)list->n;
    }
    return true;
}

/* Parse "#rrggbb"; false if the text does not begin with that. */
static bool parse_one(const char *text, uint32_t *rgb)
{
    *rgb = 0;
    for (int k = 1; k <= 6 && text[0] == '#'; k++) {
        int c = tolower((unsigned char)text[k]);
        if (!isxdigit(c)) {
            return false;
        }
        *rgb = *rgb * 16 + (uint32_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
    }
    return text[0] == '#' && !isxdigit((unsigned char)text[7]);
}

/* Parse an entry of `n` bytes: a colour, optionally followed by a name. */
static xta_status parse_entry(const char *entry, size_t n, const char *path, class_list *list,
                              xta_error *err)
{
    uint32_t rgb = 0;
    uint32_t there = 0;
    while (n > 0 && isspace((unsigned char)entry[n - 1])) {
        n--;
    }
    if (n < 7 || !parse_one(entry, &rgb)) {
        return xta_error_set(err, XTA_EARG, 0, "%s: the colour '%.*s' is not #rrggbb", path,
                             (int)(n < 40 ? n : 40), entry);
    }
    const char *name = entry + 7;
    const char *end = entry + n;
    while (name < end && (isspace((unsigned char)*name) || *name == ',')) {
        name++;
    }
    if (list->n == 0 && rgb != 0 && !xta__class_add(list, 0, NULL, 0)) {
        return xta__bridge_no_memory(path, err);
    }
    if (xta__class_find(list, rgb, &there)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: the colour #%06x is there twice, for class %u and class %zu",
                             path, (unsigned)rgb, (unsigned)there, list->n);
    }
    return xta__class_add(list, rgb, name, (size_t)(end - name))
               ? XTA_OK
               : xta_error_set(err, XTA_EARG, 0, "%s: more than %d colours", path, LABELS_MOST);
}

/* Read a small file as text; NULL if it cannot be read. */
static char *text_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file != NULL ? calloc(1, (size_t)LABELS_MOST * 80 + 1) : NULL;
    if (text != NULL) {
        size_t n = fread(text, 1, (size_t)LABELS_MOST * 80, file);
        text[n] = '\0';
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

xta_status xta__class_list_parse(const char *colours, const char *path, class_list *list,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    bool given = colours[strspn(colours, " ")] == '#';
    char *text = given ? xta__bridge_copy(colours) : text_of(colours);
    const char *ends = given ? "," : "\n";
    if (text == NULL) {
        return xta_error_set(err, given ? XTA_ENOMEM : XTA_ENOENT, 0,
                             "%s: its list of colours, %s, is neither #rrggbb,... nor a file that "
                             "can be read",
                             path, colours);
    }
    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, ends);
        size_t blank = strspn(at, " \t\r");
        if (blank < n) {
            XTA_TRY(parse_entry(at + blank, n - blank, path, list, err));
        }
        at += n + (at[n] != '\0');
    }
    if (list->n == 0) {
        status = xta_error_set(err, XTA_EARG, 0, "%s: the list of colours is empty", path);
    }
done:
    free(text);
    return status;
}
