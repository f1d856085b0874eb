/* The state file of a follower, and bases in the same form, which stands in state.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/files.h"
#include "util/replace.h"

enum { HEAD_BYTES = 32, CHECKED_BYTES = 28 };

static const char magic[] = "XTAHYPER";

/* The polynomial is 0x82F63B78, least significant bit first. A table made on the spot costs less
 * than a look at the disk. */
uint32_t xta__checksum(uint32_t crc, const unsigned char *bytes, size_t n)
{
    uint32_t table[256];

    for (uint32_t k = 0; k < 256; k++) {
        uint32_t rest = k;
        for (int bit = 0; bit < 8; bit++) {
            rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0x82F63B78U : 0);
        }
        table[k] = rest;
    }
    crc = ~crc;
    for (size_t k = 0; k < n; k++) {
        crc = (crc >> 8) ^ table[(crc ^ bytes[k]) & 0xFF];
    }
    return ~crc;
}

static void put_number(unsigned char *at, uint64_t value, int n_bytes)
{
    for (int k = 0; k < n_bytes; k++) {
        at[k] = (unsigned char)(value >> (8 * k));
    }
}

static uint64_t get_number(const unsigned char *at, int n_bytes)
{
    uint64_t value = 0;

    for (int k = 0; k < n_bytes; k++) {
        value |= (uint64_t)at[k] << (8 * k);
    }
    return value;
}

/* ---- writing ---- */

void xta__state_pack(const state_section *sections, size_t n_sections, blob *file)
{
    unsigned char head[HEAD_BYTES] = {0};
    uint64_t total = HEAD_BYTES;

    for (size_t k = 0; k < n_sections; k++) {
        total += HEAD_BYTES + sections[k].n;
    }
    memcpy(head, magic, 8);
    put_number(head + 8, STATE_VERSION, 4);
    put_number(head + 12, n_sections, 4);
    put_number(head + 16, total, 8);
    put_number(head + CHECKED_BYTES, xta__checksum(0, head, CHECKED_BYTES), 4);
    xta__blob_put(file, head, HEAD_BYTES);
    for (size_t k = 0; k < n_sections; k++) {
        uint32_t crc;
        memset(head, 0, HEAD_BYTES);
        memcpy(head, sections[k].name, strlen(sections[k].name));
        put_number(head + STATE_NAME_BYTES, sections[k].n, 8);
        crc = xta__checksum(0, head, CHECKED_BYTES);
        put_number(head + CHECKED_BYTES, xta__checksum(crc, sections[k].bytes, sections[k].n), 4);
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

/* The sections of a file whose header is good. */
static xta_status split(const char *path, size_t n, state_file *state, xta_error *err)
{
    uint64_t at = HEAD_BYTES;

    for (size_t k = 0; k < state->n_sections; k++) {
        const unsigned char *head = state->bytes + at;
        uint64_t length;
        uint32_t crc;
        if (n - at < HEAD_BYTES) {
            return damaged(path, n, "the file ends within a section's header", err);
        }
        length = get_number(head + STATE_NAME_BYTES, 8);
        if (length > n - at - HEAD_BYTES) {
            return damaged(path, n, "the file ends within a section", err);
        }
        crc =
            xta__checksum(xta__checksum(0, head, CHECKED_BYTES), head + HEAD_BYTES, (size_t)length);
        if (crc != get_number(head + CHECKED_BYTES, 4)) {
            return damaged(path, at, "the checksum of the section differs", err);
        }
        memcpy(state->names[k], head, STATE_NAME_BYTES);
        state->section[k] = (state_section){state->names[k], head + HEAD_BYTES, (size_t)length};
        at += HEAD_BYTES + length;
    }
    return at == n ? XTA_OK : damaged(path, at, "there are bytes behind the last section", err);
}

static xta_status take_apart(const char *path, size_t n, state_file *state, xta_error *err)
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
    if (xta__checksum(0, head, CHECKED_BYTES) != get_number(head + CHECKED_BYTES, 4)) {
        return damaged(path, 0, "the checksum of the header differs", err);
    }
    if (get_number(head + 8, 4) != STATE_VERSION) {
        return xta_error_set(
            err, XTA_EFORMAT, 0,
            "%s: version %u, and this library knows %d; use the library that wrote "
            "it, or make it again",
            path, (unsigned)get_number(head + 8, 4), STATE_VERSION);
    }
    state->n_sections = (size_t)get_number(head + 12, 4);
    if (state->n_sections > STATE_SECTIONS || get_number(head + 16, 8) != n) {
        return damaged(path, n, "the length differs from what the header says", err);
    }
    return split(path, n, state, err);
}

/* All bytes of an open file. */
static xta_status read_all(int fd, const char *path, unsigned char **bytes, size_t *n,
                           xta_error *err)
{
    struct stat about;
    size_t room;

    *n = 0;
    if (fstat(fd, &about) != 0) {
        return xta__file_trouble(path, "cannot be read", errno, err);
    }
    room = (size_t)about.st_size;
    *bytes = malloc(room + 1);
    if (*bytes == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for %zu bytes", path, room);
    }
    while (*n < room) {
        ssize_t got = read(fd, *bytes + *n, room - *n);
        if (got < 0 && errno != EINTR) {
            return xta__file_trouble(path, "cannot be read", errno, err);
        }
        if (got == 0) {
            break;
        }
        *n += got > 0 ? (size_t)got : 0;
    }
    return XTA_OK;
}

xta_status xta__state_take(const char *path, unsigned char *bytes, size_t n, state_file *state,
                           xta_error *err)
{
    xta_status status;

    *state = (state_file){.bytes = bytes, .n_bytes = n};
    status = take_apart(path, n, state, err);
    if (status != XTA_OK) {
        xta__state_drop(state);
    }
    return status;
}

xta_status xta__state_load(const char *path, state_file *state, bool *there, xta_error *err)
{
    xta_status status;
    unsigned char *bytes = NULL;
    size_t n = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    *state = (state_file){0};
    *there = fd >= 0;
    if (fd < 0) {
        return errno == ENOENT ? XTA_OK : xta__file_trouble(path, "cannot be opened", errno, err);
    }
    status = read_all(fd, path, &bytes, &n, err);
    close(fd);
    if (status != XTA_OK) {
        free(bytes);
        return status;
    }
    return xta__state_take(path, bytes, n, state, err);
}

void xta__state_drop(state_file *state)
{
    free(state->bytes);
    *state = (state_file){0};
}

blob_reader xta__state_find(const state_file *state, const char *name)
{
    for (size_t k = 0; k < state->n_sections; k++) {
        if (strcmp(state->names[k], name) == 0) {
            return (blob_reader){.bytes = state->section[k].bytes, .n = state->section[k].n};
        }
    }
    return (blob_reader){0};
}

/* ---- files that are replaced as a whole ---- */

xta_status xta__file_trouble(const char *path, const char *what, int os_errno, xta_error *err)
{
    xta_status status = os_errno == ENOSPC || os_errno == EDQUOT                       ? XTA_ENOSPC
                        : os_errno == EACCES || os_errno == EPERM || os_errno == EROFS ? XTA_EACCESS
                        : os_errno == ENOENT || os_errno == ENOTDIR                    ? XTA_ENOENT
                        : os_errno == ENOMEM                                           ? XTA_ENOMEM
                                                                                       : XTA_EIO;

    return xta_error_set(err, status, os_errno, "%s: %s: %s", path, what, strerror(os_errno));
}

char *xta__file_path(const char *folder, const char *name)
{
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = malloc(room);

    if (path != NULL) {
        snprintf(path, room, "%s/%s", folder, name);
    }
    return path;
}

static bool write_all(int fd, const unsigned char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t wrote = write(fd, bytes, n);
        if (wrote < 0 && errno != EINTR) {
            return false;
        }
        bytes += wrote > 0 ? wrote : 0;
        n -= wrote > 0 ? (size_t)wrote : 0;
    }
    return true;
}

/* The new bytes, durable, under the name `temporary`. Messages name the file that it will be. */
static xta_status write_file(const char *temporary, const char *path, const void *bytes, size_t n,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, xta__part_mode(path));

    if (fd < 0) {
        return xta__file_trouble(path, "cannot be made", errno, err);
    }
    if (!write_all(fd, bytes, n) || fsync(fd) != 0) {
        status = xta__file_trouble(path, "cannot be written", errno, err);
    }
    if (close(fd) != 0 && status == XTA_OK) {
        status = xta__file_trouble(path, "cannot be written", errno, err);
    }
    return status;
}

static xta_status sync_folder(const char *folder, xta_error *err)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    xta_status status = XTA_OK;

    // Some file systems cannot synchronise a folder and say so by EINVAL; there the rename is all.
    if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL)) {
        status = xta__file_trouble(folder, "cannot be made durable", errno, err);
    }
    if (fd >= 0) {
        close(fd);
    }
    return status;
}

xta_status xta__file_rename(const char *folder, const char *from, const char *to, xta_error *err)
{
    char *old = xta__file_path(folder, from), *path = xta__file_path(folder, to);
    xta_status status = XTA_OK;
    int number = 0;

    if (old == NULL || path == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s/%s: no memory for a name", folder, to);
    } else if ((number = xta__replace_file(old, path)) != 0) {
        status = xta__file_trouble(path, "cannot be replaced", number, err);
        unlink(old);
    } else {
        status = sync_folder(folder, err);
    }
    free(old);
    free(path);
    return status;
}

xta_status xta__file_write(const char *folder, const char *temporary, const char *name,
                           const void *bytes, size_t n, xta_error *err)
{
    char *first = xta__file_path(folder, temporary), *path = xta__file_path(folder, name);
    xta_status status;

    if (first == NULL || path == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "%s/%s: no memory for a name", folder, name);
    } else {
        status = write_file(first, path, bytes, n, err);
    }
    if (status != XTA_OK && first != NULL) {
        unlink(first);
    }
    free(first);
    free(path);
    return status;
}

xta_status xta__file_replace(const char *folder, const char *name, const void *bytes, size_t n,
                             xta_error *err)
{
    char *path = xta__file_path(folder, name), *real = NULL;
    int number = path != NULL ? xta__target_path(path, &real) : ENOMEM;
    char *slash = number == 0 ? strrchr(real, '/') : NULL;
    size_t capacity = strlen(name) + (real != NULL ? strlen(real) : 0) + sizeof ".new";
    char *temporary = malloc(capacity);
    xta_status status = XTA_OK;

    // A link is followed: the new file is made beside the real one, in whose place it comes.
    if (number != 0 || temporary == NULL) {
        status = xta__file_trouble(path != NULL ? path : name, "cannot be replaced",
                                   number != 0 ? number : ENOMEM, err);
    } else {
        const char *at = slash != NULL ? slash + 1 : name;
        if (slash != NULL) {
            *slash = '\0';
        }
        const char *in = slash == NULL ? folder : slash == real ? "/" : real;
        snprintf(temporary, capacity, "%s.new", at);
        status = xta__file_write(in, temporary, at, bytes, n, err);
        status = status == XTA_OK ? xta__file_rename(in, temporary, at, err) : status;
    }
    free(temporary);
    free(real);
    free(path);
    return status;
}
