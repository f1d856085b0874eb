/* Notes of the sources of cells: one list, shared by successive states of a data set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/sources.h"

#include <stdlib.h>
#include <string.h>

#include "store/journal/fields.h"
#include "util/text.h"
#include "util/vector.h"

typedef struct xta__source_list {
    unsigned n_owners; /* states that have it */
    xta_dataset_source *notes;
    size_t n, capacity;
    char **dimensions; /* the notes point to these names */
    size_t n_dimensions, dimensions_capacity;
} xta__source_list;

/* Free the notes from number `k` on. */
static void truncate_list(xta__source_list *list, size_t k)
{
    while (list->n > k) {
        free((char *)(uintptr_t)list->notes[--list->n].source);
    }
}

static void release(xta__source_list *list)
{
    if (list == NULL || --list->n_owners > 0) {
        return;
    }
    truncate_list(list, 0);
    for (size_t k = 0; k < list->n_dimensions; k++) {
        free(list->dimensions[k]);
    }
    free(list->dimensions);
    free(list->notes);
    free(list);
}

void xta__sources_share(const xta__sources *from, xta__sources *out)
{
    *out = *from;
    if (out->list != NULL) {
        out->list->n_owners++;
    }
}

void xta__sources_clear(xta__sources *sources)
{
    release(sources->list);
    *sources = (xta__sources){0};
}

const xta_dataset_source *xta__sources_at(const xta__sources *sources, size_t k)
{
    return &sources->list->notes[k];
}

size_t xta__sources_dimension_count(const xta__sources *sources)
{
    return sources->list != NULL ? sources->list->n_dimensions : 0;
}

const char *xta__sources_dimension(const xta__sources *sources, size_t k)
{
    return sources->list->dimensions[k];
}

/* ---- changes ---- */

/* The list's own copy of a name; NULL: no memory. */
static const char *name_in(xta__source_list *list, const char *dimension)
{
    for (size_t k = 0; k < list->n_dimensions; k++) {
        if (strcmp(list->dimensions[k], dimension) == 0) {
            return list->dimensions[k];
        }
    }
    if (!XTA__RESERVE(list->dimensions, list->dimensions_capacity, list->n_dimensions + 1)) {
        return NULL;
    }
    list->dimensions[list->n_dimensions] = xta__strdup(dimension);
    return list->dimensions[list->n_dimensions] != NULL ? list->dimensions[list->n_dimensions++]
                                                        : NULL;
}

/* Add a note whose source the list takes over, whatever the result. */
static xta_status add(xta__sources *sources, const char *dimension, xta_dataset_source note,
                      char *source)
{
    if (sources->list == NULL) {
        sources->list = xta__calloc(1, sizeof *sources->list);
        if (sources->list != NULL) {
            sources->list->n_owners = 1;
        }
    }
    xta__source_list *list = sources->list;
    note.dimension = list != NULL ? name_in(list, dimension) : NULL;
    note.source = source;
    if (source == NULL || note.dimension == NULL) {
        free(source);
        return XTA_ENOMEM;
    }
    truncate_list(list, sources->n);
    if (!XTA__RESERVE(list->notes, list->capacity, list->n + 1)) {
        free(source);
        return XTA_ENOMEM;
    }
    list->notes[list->n++] = note;
    sources->n = list->n;
    return XTA_OK;
}

xta_status xta__sources_remove(xta__sources *sources, const char *dimension)
{
    xta_status status = XTA_OK;
    xta__sources kept = {0};

    for (size_t k = 0; k < sources->n; k++) {
        const xta_dataset_source *note = xta__sources_at(sources, k);
        if (strcmp(note->dimension, dimension) != 0) {
            XTA_TRY(add(&kept, note->dimension, *note, xta__strdup(note->source)));
        }
    }
    xta__sources_clear(sources);
    *sources = kept;
    kept = (xta__sources){0};

done:
    xta__sources_clear(&kept);
    return status;
}

/* ---- the journal ---- */

void xta__source_encode(xta__bytes *out, const xta_dataset_source *note, const char *before)
{
    size_t shared = 0;

    while (before[shared] != '\0' && before[shared] == note->source[shared]) {
        shared++;
    }
    add_u64(out, (uint64_t)note->lo);
    add_u64(out, (uint64_t)note->hi);
    add_u64(out, (uint64_t)note->time);
    add_u16(out, (unsigned)shared);
    add_u16(out, (unsigned)strlen(note->source + shared));
    xta__bytes_add(out, note->source + shared, strlen(note->source + shared));
    add_padding(out);
}

xta_status xta__sources_decode(xta__sources *sources, const char *dimension, const uint8_t *bytes,
                               size_t n, const char **why)
{
    reader in = {.at = bytes, .end = bytes + n};
    char source[XTA__MAX_NAME_BYTES + 1] = "";

    while (in.at != in.end) {
        xta_dataset_source note = {.lo = (int64_t)read_u64(&in)};
        note.hi = (int64_t)read_u64(&in);
        note.time = (int64_t)read_u64(&in);
        unsigned shared = read_u16(&in), rest = read_u16(&in);
        if (in.truncated || note.lo >= note.hi || note.lo <= -XTA__COORD_LIMIT ||
            note.hi >= XTA__COORD_LIMIT) {
            return corrupt(why, "the cells of a source are out of range");
        }
        if (shared > strlen(source) || shared + rest > XTA__MAX_NAME_BYTES || shared + rest == 0 ||
            !read_name(&in, rest, source + shared)) {
            return corrupt(why, "the text of a source is out of range");
        }
        skip_padding(&in, bytes);
        if (in.truncated) {
            return corrupt(why, "a note of a source is too short");
        }
        if (add(sources, dimension, note, xta__strdup(source)) != XTA_OK) {
            return XTA_ENOMEM;
        }
    }
    return XTA_OK;
}
