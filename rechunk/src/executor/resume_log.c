/* The resume log.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "executor/resume_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/checked.h"
#include "util/crc32c.h"
#include "util/try.h"
#include "util/vector.h"

enum { LINE_BYTES = 96, READ_BYTES = 1 << 16 };

/* ---- lines ---- */

/* Append one line: the given words, and a checksum over them. */
static xta_status add_line(xta__resume_log *log, const char *words, xta_error *err)
{
    char line[LINE_BYTES];
    int n = snprintf(line, sizeof line, "%s %08" PRIx32 "\n", words,
                     xta__crc32c(0, words, strlen(words)));

    xta_status status = xta__file_write_at(&log->file, log->end, line, (size_t)n, err);
    if (status == XTA_OK) {
        log->end += (uint64_t)n;
    }
    return status;
}

static xta_status add_head(xta__resume_log *log, uint32_t fingerprint, xta_error *err)
{
    char words[LINE_BYTES];

    snprintf(words, sizeof words, "xta repartition 1 %08" PRIx32 " %08" PRIx32, fingerprint,
             xta__boot());
    return add_line(log, words, err);
}

/* Cut the checksum off a line and verify it. */
static bool whole_line(char *line)
{
    char *crc = strrchr(line, ' '), *end = NULL;

    if (crc == NULL || strlen(crc) != 9) {
        return false;
    }
    *crc = '\0';
    return strtoul(crc + 1, &end, 16) == xta__crc32c(0, line, strlen(line)) && *end == '\0';
}

/* State of the parser. */
typedef struct reading {
    xta__block_map *finished; /* known to be finished */
    uint64_t *pending;        /* recorded since the last `synced` */
    size_t n_pending, capacity;
    uint64_t n_blocks;
    uint32_t fingerprint;
    uint32_t boot; /* boot number of the run whose lines are being read */
    bool other;    /* the log belongs to another repartition */
    bool head;
} reading;

/* The pending blocks are now known to be finished. */
static bool settle(reading *r)
{
    for (size_t k = 0; k < r->n_pending; k++) {
        if (xta__block_map_at(r->finished, r->pending[k], true) == NULL) {
            return false;
        }
    }
    r->n_pending = 0;
    return true;
}

/* A run was resumed in boot `boot`: if the preceding lines are from another boot, blocks that were
 * not synced then may be lost. */
static void new_boot(reading *r, uint32_t boot)
{
    if (boot == 0 || boot != r->boot) {
        r->n_pending = 0;
    }
    r->boot = boot;
}

static bool add_pending_block(reading *r, uint64_t block)
{
    if (!XTA__RESERVE(r->pending, r->capacity, r->n_pending + 1)) {
        return false;
    }
    r->pending[r->n_pending++] = block;
    return true;
}

/* Parse one complete line. False if it is invalid, or out of memory. */
static bool parse_line(reading *r, const char *line)
{
    uint32_t fingerprint = 0, boot = 0;
    uint64_t block = 0;

    if (strcmp(line, "synced") == 0) {
        return r->head && settle(r);
    }
    if (sscanf(line, "block %" SCNu64, &block) == 1) {
        return r->head && block < r->n_blocks && add_pending_block(r, block);
    }
    if (sscanf(line, "xta repartition 1 %" SCNx32 " %" SCNx32, &fingerprint, &boot) != 2) {
        return false;
    }
    r->other = r->other || fingerprint != r->fingerprint;
    new_boot(r, boot);
    r->head = true;
    return !r->other;
}

/* Read lines up to the end or the first incomplete line; log->end is after the last complete
 * one. */
static xta_status read_lines(xta__resume_log *log, reading *r, xta_error *err)
{
    xta_status status = XTA_OK;
    char *text = malloc(READ_BYTES + 1);
    size_t got = 0;
    bool good = text != NULL;

    while (good && status == XTA_OK) {
        status = xta__file_read_at(&log->file, log->end, text, READ_BYTES, &got, err);
        text[status == XTA_OK ? got : 0] = '\0';
        char *line = text, *newline = strchr(text, '\n');
        good = newline != NULL;
        while (good && newline != NULL) {
            *newline = '\0';
            uint64_t bytes = (uint64_t)(newline + 1 - line);
            good = whole_line(line) && parse_line(r, line);
            log->end += good ? bytes : 0;
            line = newline + 1;
            newline = strchr(line, '\n');
        }
    }
    if (text == NULL) {
        status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to read it", log->file.path);
    }
    free(text);
    return status;
}

/* Continue an existing log. */
static xta_status go_on(xta__resume_log *log, const char *path, uint32_t fingerprint,
                        uint64_t n_blocks, xta__block_map *finished, xta_error *err)
{
    xta_status status = XTA_OK;
    reading r = {.finished = finished, .n_blocks = n_blocks, .fingerprint = fingerprint};

    XTA_TRY(xta__file_open(path, XTA__FILE_WRITE, &log->file, err));
    XTA_TRY(read_lines(log, &r, err));
    if (r.other) {
        XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                          "%s: it belongs to the repartition of another source or target; give "
                          "another resume file, or remove it to begin again",
                          log->file.path));
    }
    new_boot(&r, xta__boot());
    if (!settle(&r)) {
        XTA_TRY(xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for its blocks", log->file.path));
    }
    // An incomplete line is removed, so that the next line starts at the beginning of a line.
    XTA_TRY(xta__file_truncate(&log->file, log->end, err));

done:
    free(r.pending);
    return status;
}

xta_status xta__resume_log_open(xta__resume_log *log, const char *path, uint32_t fingerprint,
                                bool resume, uint64_t n_blocks, xta__block_map *finished,
                                xta_error *err)
{
    xta_status status = XTA_OK;

    *log = (xta__resume_log){.file = XTA__FILE_CLOSED};
    if (resume && xta__path_exists(path)) {
        XTA_TRY(go_on(log, path, fingerprint, n_blocks, finished, err));
    } else {
        status = xta__file_open(path, XTA__FILE_CREATE_NEW, &log->file, err);
        if (status == XTA_EEXIST && err != NULL) {
            xta_error_set(err, status, err->os_errno,
                          "%s: an earlier run left this resume file; go on with it (resume), or "
                          "remove it to begin again",
                          path);
        }
        XTA_TRY(status);
    }
    XTA_TRY(add_head(log, fingerprint, err));

done:
    if (status != XTA_OK) {
        xta__file_close(&log->file);
    }
    return status;
}

xta_status xta__resume_log_add(xta__resume_log *log, uint64_t block, xta_error *err)
{
    char words[LINE_BYTES];

    snprintf(words, sizeof words, "block %" PRIu64, block);
    log->dirty = true;
    return add_line(log, words, err);
}

xta_status xta__resume_log_synced(xta__resume_log *log, xta_error *err)
{
    xta_status status = XTA_OK;

    if (log->dirty) {
        status = add_line(log, "synced", err);
        log->dirty = false;
    }
    return status == XTA_OK ? xta__file_sync(&log->file, err) : status;
}

xta_status xta__resume_log_close(xta__resume_log *log, bool remove, xta_error *err)
{
    xta_status status = XTA_OK;

    if (log->file.path != NULL && remove) {
        status = xta__path_remove(log->file.path, err);
    }
    xta__file_close(&log->file);
    return status;
}
