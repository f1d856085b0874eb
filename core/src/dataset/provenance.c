/* Where cells came from, and `history`: lines of text with the time of now.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "dataset/provenance.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dataset/change.h"
#include "dataset/dimensions.h"
#include "dataset/listing.h"
#include "util/os.h"
#include "util/text.h"

#define HISTORY "history"
#define OF_FILE "global/" /* before attributes of the file that an array came from */

/* The time of now, or that which the environment gives. */
static bool is_given_time(int64_t *now)
{
    const char *text = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;

    if (text == NULL || text[0] < '0' || text[0] > '9') {
        *now = xta__now();
        return false;
    }
    *now = (int64_t)strtoll(text, &end, 10);
    return true;
}

/* A copy of a line without control characters; NULL: no memory. */
static char *clean_line(const char *text)
{
    char *line = xta__strdup(text);

    for (char *c = line; c != NULL && *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
    return line;
}

/* ---- sources ---- */

/* The end of a text that is too long, from the beginning of a character on. */
static char *fit_source(const char *text)
{
    size_t n = strlen(text);
    const char *at = n > XTA__MAX_NAME_BYTES ? text + n - (XTA__MAX_NAME_BYTES - 3) : text;

    while (at != text && ((unsigned char)*at & 0xc0) == 0x80) {
        at++;
    }
    char *line = xta__string("%s%s", at != text ? "..." : "", at);
    char *clean = line != NULL ? clean_line(line) : NULL;
    free(line);
    return clean;
}

static xta_status check_cells(xta_dataset *set, const xta_dataset_source *note, xta_error *err)
{
    xta_status status = XTA_OK;
    const xta_dimension *d = NULL;

    XTA_TRY(xta__dataset_find_dimension(set, note->dimension, &d, err));
    if (note->lo >= note->hi || note->lo < d->lo || note->hi > d->hi) {
        XTA_TRY(xta__fail(err, XTA_EBOX, 0,
                          "%s: dimension %s: the source of cells [%" PRId64 ", %" PRId64
                          "): give cells within its bounds [%" PRId64 ", %" PRId64 ")",
                          set->path, note->dimension, note->lo, note->hi, d->lo, d->hi));
    }

done:
    return status;
}

xta_status xta_dataset_note_source(xta_dataset *set, const char *dimension, int64_t lo, int64_t hi,
                                   const char *source, xta_error *err)
{
    xta__bytes change = {0};
    char *text = NULL;
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    if (source[0] == '\0') {
        XTA_TRY(xta__fail(err, XTA_EARG, 0, "%s: dimension %s: the source is an empty text",
                          set->path, dimension));
    }
    text = fit_source(source);
    if (text == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    xta_dataset_source note = {.dimension = dimension, .lo = lo, .hi = hi, .source = text};
    is_given_time(&note.time);
    // The members that are open may have been grown through another handle.
    XTA_TRY(xta__dataset_refresh_members(set, err));
    XTA_TRY(check_cells(set, &note, err));
    xta__change_start(&change);
    xta__change_add_source(&change, &note);
    XTA_TRY(xta__dataset_commit(set, &change, err));

done:
    free(text);
    xta__dataset_change_end(set);
    return status;
}

size_t xta_dataset_source_count(xta_dataset *set)
{
    pthread_mutex_lock(&set->lock);
    size_t n = set->entries.sources.n;
    pthread_mutex_unlock(&set->lock);
    return n;
}

xta_status xta_dataset_source_at(xta_dataset *set, size_t k, xta_dataset_source *source,
                                 xta_error *err)
{
    xta_status status = XTA_OK;

    xta__clear(err);
    pthread_mutex_lock(&set->lock);
    if (k < set->entries.sources.n) {
        *source = *xta__sources_at(&set->entries.sources, k);
    } else {
        status = xta__fail(err, XTA_ENOENT, 0, "%s: source %zu: there are %zu", set->path, k,
                           set->entries.sources.n);
    }
    pthread_mutex_unlock(&set->lock);
    return status;
}

/* ---- history ---- */

char *xta_history_prepend(const char *command, const char *before)
{
    // The names of ctime, whatever the locale.
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int64_t now = 0;
    bool given = is_given_time(&now);
    time_t seconds = (time_t)now;
    struct tm t = {0};
    bool first = before == NULL || before[0] == '\0';
    char *line = clean_line(command), *text = NULL;

    if (line != NULL && (given ? gmtime_r(&seconds, &t) : localtime_r(&seconds, &t)) != NULL) {
        text = xta__string("%s %s %2d %02d:%02d:%02d %d: %s%s%s", days[t.tm_wday], months[t.tm_mon],
                           t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, t.tm_year + 1900, line,
                           first ? "" : "\n", first ? "" : before);
    }
    free(line);
    return text;
}

static xta_status not_text(const char *path, xta_error *err)
{
    return xta__fail(err, XTA_EARG, 0,
                     "%s: its attribute %s is no text, so no line can be added; rename it", path,
                     HISTORY);
}

xta_status xta_dataset_add_history(xta_dataset *set, const char *command, xta_error *err)
{
    xta__bytes change = {0};
    char *text = NULL;
    xta_status status = xta__dataset_change_begin(set, err);

    if (status != XTA_OK) {
        return status;
    }
    const xta__entry *old = xta__entries_find(&set->entries, XTA__ENTRY_ATTRIBUTE, "", HISTORY);
    if (old != NULL && old->attribute.type != XTA_TEXT) {
        XTA_TRY(not_text(set->path, err));
    }
    text = xta_history_prepend(command, old != NULL ? old->attribute.values : NULL);
    if (text == NULL) {
        XTA_TRY(xta__dataset_no_memory(set, err));
    }
    const xta_attribute attribute = {
        .name = HISTORY, .type = XTA_TEXT, .cell_bytes = 1, .count = strlen(text), .values = text};
    xta__change_start(&change);
    xta__change_put_attribute(&change, "", &attribute);
    XTA_TRY(xta__dataset_commit(set, &change, err));

done:
    free(text);
    xta__dataset_change_end(set);
    return status;
}

/* Whether the array has attributes of the file that it came from. */
static bool has_file_attributes(xta_array *array)
{
    xta_attribute attribute;

    for (size_t k = 0; xta_attribute_at(array, XTA_ON_ARRAY, k, &attribute, NULL) == XTA_OK; k++) {
        if (strncmp(attribute.name, OF_FILE, strlen(OF_FILE)) == 0) {
            return true;
        }
    }
    return false;
}

xta_status xta_array_add_history(xta_array *array, const char *command, xta_error *err)
{
    xta_attribute old;
    const char *name = has_file_attributes(array) ? OF_FILE HISTORY : HISTORY;
    bool there = xta_attribute_get(array, XTA_ON_ARRAY, name, &old, NULL) == XTA_OK;
    xta_status status = XTA_OK;

    if (there && old.type != XTA_TEXT) {
        return not_text(xta_array_path(array), err);
    }
    char *text = xta_history_prepend(command, there ? old.values : NULL);
    if (text == NULL) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its history",
                         xta_array_path(array));
    }
    status = xta_attribute_set_text(array, XTA_ON_ARRAY, name, text, err);
    free(text);
    return status;
}
