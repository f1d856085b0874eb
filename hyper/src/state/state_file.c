/* The state file of a follower, and bases in the same form; state_file.h has the layout.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "state/state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state/replace_file.h"
#include "util/bytes.h"
#include "util/crc32c.h"

enum { HEAD_BYTES = 32, CHECKED_BYTES = 28 };

static const char magic[] = "XTAHYPER";

/* ---- writing ---- */

void xta__state_file_pack(const state_section *sections, size_t n_sections, blob *file)
{
    unsigned char head[HEAD_BYTES] = {0};
    uint64_t total = HEAD_BYTES;

    for (size_t k = 0; k < n_sections; k++) {
        total += HEAD_BYTES + sections[k].n;
    }
    memcpy(head, magic, 8);
    xta__put_u32(head + 8, STATE_VERSION);
    xta__put_u32(head + 12, n_sections);
    xta__put_u64(head + 16, total);
    xta__put_u32(head + CHECKED_BYTES, xta__crc32c(0, head, CHECKED_BYTES));
    xta__blob_put(file, head, HEAD_BYTES);
    for (size_t k = 0; k < n_sections; k++) {
        uint32_t crc;
        memset(head, 0, HEAD_BYTES);
        memcpy(head, sections[k].name, strlen(sections[k].name));
        xta__put_u64(head + STATE_NAME_BYTES, sections[k].n);
        crc = xta__crc32c(0, head, CHECKED_BYTES);
        xta__put_u32(head + CHECKED_BYTES, xta__crc32c(crc, sections[k].bytes, sections[k].n));
        xta__blob_put(file, head, HEAD_BYTES);
        xta__blob_put(file, sections[k].bytes, sections[k].n);
    }
}

/* ---- reading ---- */

static xta_status damaged(const char *path, uint64_t offset, const char *what, xta_error *err)
{
    return xta_error_set(err, XTA_ECORRUPT, 0,
                         "%s: byte %llu: %s, so the file is damaged; put back a copy of it", path,
                         (unsigned long long)offset, what);
}

/* Parse the sections of a file whose header is valid. */
static xta_status parse_sections(const char *path, size_t n, state_file *state, xta_error *err)
{
    uint64_t at = HEAD_BYTES;

    for (size_t k = 0; k < state->n_sections; k++) {
        const unsigned char *head = state->bytes + at;
        uint64_t length;
        uint32_t crc;
        if (n - at < HEAD_BYTES) {
            return damaged(path, n, "the file ends within a section's header", err);
        }
        length = xta__get_u64(head + STATE_NAME_BYTES);
        if (length > n - at - HEAD_BYTES) {
            return damaged(path, n, "the file ends within a section", err);
        }
        crc = xta__crc32c(xta__crc32c(0, head, CHECKED_BYTES), head + HEAD_BYTES, (size_t)length);
        if (crc != xta__get_u32(head + CHECKED_BYTES)) {
            return damaged(path, at, "the checksum of the section differs", err);
        }
        memcpy(state->names[k], head, STATE_NAME_BYTES);
        state->section[k] = (state_section){state->names[k], head + HEAD_BYTES, (size_t)length};
        at += HEAD_BYTES + length;
    }
    return at == n ? XTA_OK : damaged(path, at, "there are bytes behind the last section", err);
}

static xta_status parse_file(const char *path, size_t n, state_file *state, xta_error *err)
{
    const unsigned char *head = state->bytes;

    if (n < HEAD_BYTES) {
        return damaged(path, n, "the file ends within its header", err);
    }
    if (memcmp(head, magic, 8) != 0) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: this is no file of states and bases, which begins with %s", path,
                             magic);
    }
    if (xta__crc32c(0, head, CHECKED_BYTES) != xta__get_u32(head + CHECKED_BYTES)) {
        return damaged(path, 0, "the checksum of the header differs", err);
    }
    if (xta__get_u32(head + 8) != STATE_VERSION) {
        return xta_error_set(
            err, XTA_EFORMAT, 0,
            "%s: version %u, and this library knows %d; use the library that wrote "
            "it, or make it again",
            path, (unsigned)xta__get_u32(head + 8), STATE_VERSION);
    }
    state->n_sections = (size_t)xta__get_u32(head + 12);
    if (state->n_sections > STATE_SECTIONS || xta__get_u64(head + 16) != n) {
        return damaged(path, n, "the length differs from what the header says", err);
    }
    return parse_sections(path, n, state, err);
}

/* Read all bytes of an open file. */
static xta_status read_all(int fd, const char *path, unsigned char **bytes, size_t *n,
                           xta_error *err)
{
    struct stat about;
    size_t capacity;

    *n = 0;
    if (fstat(fd, &about) != 0) {
        return xta__file_error(path, "cannot be read", errno, err);
    }
    capacity = (size_t)about.st_size;
    *bytes = malloc(capacity + 1);
    if (*bytes == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %zu bytes", path, capacity);
    }
    while (*n < capacity) {
        ssize_t got = read(fd, *bytes + *n, capacity - *n);
        if (got < 0 && errno != EINTR) {
            return xta__file_error(path, "cannot be read", errno, err);
        }
        if (got == 0) {
            break;
        }
        *n += got > 0 ? (size_t)got : 0;
    }
    return XTA_OK;
}

xta_status xta__state_file_parse(const char *path, unsigned char *bytes, size_t n,
                                 state_file *state, xta_error *err)
{
    xta_status status;

    *state = (state_file){.bytes = bytes, .n_bytes = n};
    status = parse_file(path, n, state, err);
    if (status != XTA_OK) {
        xta__state_file_clear(state);
    }
    return status;
}

xta_status xta__state_file_load(const char *path, state_file *state, bool *there, xta_error *err)
{
    xta_status status;
    unsigned char *bytes = NULL;
    size_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    *state = (state_file){0};
    *there = fd >= 0;
    if (fd < 0) {
        return errno == ENOENT ? XTA_OK : xta__file_error(path, "cannot be opened", errno, err);
    }
    status = read_all(fd, path, &bytes, &n, err);
    close(fd);
    if (status != XTA_OK) {
        free(bytes);
        return status;
    }
    return xta__state_file_parse(path, bytes, n, state, err);
}

void xta__state_file_clear(state_file *state)
{
    free(state->bytes);
    *state = (state_file){0};
}

blob_reader xta__state_file_find(const state_file *state, const char *name)
{
    for (size_t k = 0; k < state->n_sections; k++) {
        if (strcmp(state->names[k], name) == 0) {
            return (blob_reader){.bytes = state->section[k].bytes, .n = state->section[k].n};
        }
    }
    return (blob_reader){0};
}
