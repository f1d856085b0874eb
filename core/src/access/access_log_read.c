/* Reading an access log, line by line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/access.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/errors.h"

#define COORD_LIMIT ((int64_t)1 << 62)
#define LINE_BYTES  8192 /* an access of 32 axes with steps takes a third of it */

/* Parse the integer at *at and move *at past it. */
static bool parse_number(const char **at, int64_t *value)
{
    char *end;

    if ((**at < '0' || **at > '9') && **at != '-') {
        return false;
    }
    errno = 0;
    long long parsed = strtoll(*at, &end, 10);
    if (end == *at || errno != 0 || parsed <= -COORD_LIMIT || parsed >= COORD_LIMIT) {
        return false;
    }
    *at = end;
    *value = parsed;
    return true;
}

static bool parse_letter(const char **at, char letter)
{
    if (**at != letter) {
        return false;
    }
    ++*at;
    return true;
}

/* "lo:hi,lo:hi" */
static bool parse_box(const char **at, xta_box *box)
{
    box->ndim = 0;
    do {
        int axis = box->ndim;
        if (axis == XTA_MAX_NDIM || !parse_number(at, &box->lo[axis]) || !parse_letter(at, ':') ||
            !parse_number(at, &box->hi[axis]) || box->hi[axis] < box->lo[axis]) {
            return false;
        }
        box->ndim++;
    } while (parse_letter(at, ','));
    return true;
}

static bool parse_entry(const char *at, xta_access_entry *entry)
{
    entry->write = *at == 'w';
    if ((*at != 'r' && *at != 'w') || at[1] != ' ') {
        return false;
    }
    at += 2;
    if (!parse_box(&at, &entry->box)) {
        return false;
    }
    for (int axis = 0; axis < entry->box.ndim; axis++) {
        entry->step[axis] = 1;
    }
    if (strncmp(at, " step ", 6) == 0) {
        at += 6;
        for (int axis = 0; axis < entry->box.ndim; axis++) {
            if ((axis > 0 && !parse_letter(&at, ',')) || !parse_number(&at, &entry->step[axis]) ||
                entry->step[axis] < 1) {
                return false;
            }
        }
    }
    return *at == '\0';
}

/* Cut off the line end, Unix or Windows. False: there is none, so the line is longer than any
 * access, or the last one. */
static bool cut_line_end(char *line)
{
    size_t length = strlen(line);
    bool ended = length > 0 && line[length - 1] == '\n';

    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) {
        line[--length] = '\0';
    }
    return ended;
}

static xta_status read_lines(FILE *file, const char *path,
                             int (*each)(void *user, const xta_access_entry *entry), void *user,
                             xta_error *err)
{
    xta_access_entry entry = {0};
    char line[LINE_BYTES];
    xta_status status = XTA_OK;

    while (status == XTA_OK && fgets(line, sizeof line, file) != NULL) {
        bool whole = cut_line_end(line) || feof(file);
        entry.line++;
        if (whole && (line[0] == '#' || line[0] == '\0')) {
            continue;
        }
        if (!whole || !parse_entry(line, &entry)) {
            status =
                xta_error_set(err, XTA_EFORMAT, 0,
                              "%s: line %" PRIu64
                              ": \"%.60s\" is no access; want r or w and a box, as in r 0:2,5:6",
                              path, entry.line, line);
        } else if (each(user, &entry) != 0) {
            status = xta_error_set(err, XTA_ECANCELLED, 0,
                                   "%s: line %" PRIu64 ": the walk over the log was ended", path,
                                   entry.line);
        }
    }
    if (status == XTA_OK && ferror(file)) {
        status =
            xta_error_set(err, XTA_EIO, errno, "%s: cannot be read: %s", path, strerror(errno));
    }
    return status;
}

xta_status xta_access_log_read(const char *path,
                               int (*each)(void *user, const xta_access_entry *entry), void *user,
                               xta_error *err)
{
    FILE *file = fopen(path, "re");

    if (file == NULL) {
        return xta_error_set(err, xta__status_of_errno(errno), errno,
                             "%s: the access log cannot be read: %s", path, strerror(errno));
    }
    xta_status status = read_lines(file, path, each, user, err);
    fclose(file);
    return status;
}
