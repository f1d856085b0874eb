/* What a request is answered with.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "serve/answer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/page.h"
#include "serve/picture_bytes.h"
#include "util/bus_guard.h"
#include "util/text.h"
#include "util/try.h"
#include "zarr/data_length.h"

#define TRUNCATED \
    "a data file was truncated while it was read; restore it, and start the server again"

void xta__answer_clear(serve_answer *answer)
{
    free(answer->bytes);
    free(answer->location);
    if (answer->file >= 0) {
        close(answer->file);
    }
    *answer = (serve_answer){.file = -1};
}

static void set_text(xta__text *text, const char *type, serve_answer *out)
{
    out->n = text->n;
    out->type = type;
    out->bytes = (unsigned char *)xta__text_detach(text);
    out->status = 200;
    if (out->bytes == NULL) {
        xta__answer_error(503, "no memory for the answer", out);
    }
}

void xta__answer_error(int status, const char *text, serve_answer *out)
{
    xta__answer_clear(out);
    out->status = status;
    out->type = "text/plain; charset=utf-8";
    out->bytes = (unsigned char *)xta__string("%s\n", text);
    out->n = out->bytes != NULL ? strlen((char *)out->bytes) : 0;
}

/* A failure of the library. `missing`: what HTTP says if something is not there. */
static void fail(xta_status status, const xta_error *err, int missing, serve_answer *out)
{
    int code = status == XTA_ENOENT    ? missing
               : status == XTA_EARG    ? 404
               : status == XTA_ETYPE   ? 404
               : status == XTA_EACCESS ? 403
               : status == XTA_ENOMEM  ? 503
                                       : 500;

    xta__answer_error(code, err->text[0] != '\0' ? err->text : xta_status_name(status), out);
}

/* Strong: it changes with every bit of the answer, also where cells are written without a step. */
static void set_etag(const char *pin, serve_answer *out)
{
    uint64_t hash = out->n;

    for (size_t at = 0; at < out->n; at += 8) {
        uint64_t word = 0;
        memcpy(&word, out->bytes + at, out->n - at < 8 ? out->n - at : 8);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    uint64_t of_pin = 0;
    for (const char *at = pin; *at != '\0'; at++) {
        of_pin = (of_pin ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    }
    snprintf(out->etag, sizeof out->etag, "\"%" PRIx64 "-%016" PRIx64 "\"", of_pin, hash);
}

/* ---- sources ---- */

static source *find_source(const catalogue *all, const char *name)
{
    for (size_t k = 0; k < all->n; k++) {
        if (strcmp(all->sources[k]->name, name) == 0) {
            return all->sources[k];
        }
    }
    return NULL;
}

static bool is_chunk(const request_path *path, const snapshot *s)
{
    return xta_zarr_view_chunk_bytes(s->view, path->version, path->key) > 0;
}

/* Whether a key is one of metadata, by which a client begins. */
static bool begins(const char *key)
{
    const char *slash = strrchr(key, '/');
    const char *name = slash != NULL ? slash + 1 : key;

    return name[0] == '.' || name[0] == '\0' || strcmp(name, "zarr.json") == 0;
}

static xta_status get_snapshot(source *from, const request_path *path, snapshot **out,
                               xta_error *err)
{
    if (path->pinned) {
        return xta__source_get_pinned(from, path->pin, out, err);
    }
    if (path->kind == REQUEST_ZARR) {
        return xta__source_get_plain(from, begins(path->key), out, err);
    }
    return xta__source_get_newest(from, out, err);
}

/* ---- kinds ---- */

static void answer_zarr(source *from, const request_path *path, serve_answer *out)
{
    xta_error err = {0};
    snapshot *s = NULL;
    const char *key = path->key;
    xta_status status = get_snapshot(from, path, &s, &err);

    if (status != XTA_OK) {
        // A snapshot that is gone is no missing chunk, which readers take for fill values.
        fail(status, &err, 410, out);
        return;
    }
    if (key[0] == '\0') {
        key = path->version == 2 ? ".zmetadata" : "zarr.json";
    }
    out->status = 200;
    out->ranges = is_chunk(path, s);
    out->type = out->ranges ? "application/octet-stream" : "application/json";
    status = xta_zarr_view_get(s->view, path->version, key, &out->bytes, &out->n, &err);
    if (status != XTA_OK) {
        fail(status, &err, 404, out);
    } else {
        set_etag(xta_zarr_view_pin(s->view), out);
    }
    xta__source_release(from, s);
}

typedef struct text_limit {
    xta__text text;
    uint64_t most;
} text_limit;

static xta_status add_limited(void *user, const char *bytes, size_t n, xta_error *err)
{
    text_limit *to = user;

    xta__text_add(&to->text, bytes, n);
    if (to->text.failed || to->text.n > to->most) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "there are more chunks than references fit into one answer; open the "
                             "Zarr store, or export references to a file with xta export");
    }
    return XTA_OK;
}

static void answer_references(source *from, const request_path *path, const char *base,
                              uint64_t most, serve_answer *out)
{
    xta_error err = {0};
    snapshot *s = NULL;
    text_limit to = {.most = most};
    xta_references_options options = XTA_REFERENCES_OPTIONS_INIT;
    xta_status status = get_snapshot(from, path, &s, &err);

    if (status != XTA_OK) {
        fail(status, &err, 410, out);
        return;
    }
    char *store = xta__store_url(base, from->name, xta_zarr_view_pin(s->view), 2);
    char *url = store != NULL ? xta__string("%s/", store) : NULL;
    options.url = url;
    status = url != NULL ? xta_zarr_references(xta_zarr_view_hierarchy(s->view), &options,
                                               add_limited, &to, &err)
                         : XTA_ENOMEM;
    if (status == XTA_OK) {
        set_text(&to.text, "application/json", out);
        out->without_length = !path->pinned;
        set_etag(xta_zarr_view_pin(s->view), out);
    } else {
        fail(status, &err, 404, out);
    }
    xta__text_clear(&to.text);
    free(url);
    free(store);
    xta__source_release(from, s);
}

/* Where the newest snapshot is: a client follows, and stays there. */
static void answer_latest(source *from, const request_path *path, const char *base,
                          serve_answer *out)
{
    xta_error err = {0};
    snapshot *s = NULL;
    xta_status status = get_snapshot(from, path, &s, &err);

    if (status != XTA_OK) {
        fail(status, &err, 404, out);
        return;
    }
    out->location = xta__store_url(base, from->name, xta_zarr_view_pin(s->view), path->version);
    out->bytes = (unsigned char *)xta__string("%s\n", out->location != NULL ? out->location : "");
    out->n = out->bytes != NULL ? strlen((char *)out->bytes) : 0;
    out->type = "text/plain; charset=utf-8";
    out->status = 307;
    if (out->location == NULL || out->bytes == NULL) {
        xta__answer_error(503, "no memory for the answer", out);
    }
    xta__source_release(from, s);
}

static void answer_steps(source *from, const request_path *path, const char *base,
                         serve_answer *out)
{
    xta_error err = {0};
    snapshot *s = NULL;
    xta__text text = {0};
    xta_status status = get_snapshot(from, path, &s, &err);

    if (status == XTA_OK) {
        status = xta__page_steps(from, s->view, base, &text, &err);
    }
    if (status == XTA_OK) {
        set_text(&text, "application/json", out);
    } else {
        fail(status, &err, 404, out);
    }
    xta__text_clear(&text);
    xta__source_release(from, s);
}

/* The array that a request names: the member, or the one array of the source. NULL: none. */
static xta_array *find_array(const source *from, const request_path *path, const snapshot *s)
{
    const xta_zarr *zarr = xta_zarr_view_hierarchy(s->view);
    const xta_zarr_node *node = NULL;
    bool member = path->key[0] != '\0';

    if (member != (from->root != NULL)) {
        return NULL;
    }
    for (size_t k = 0; (node = xta_zarr_node_at(zarr, k)) != NULL; k++) {
        if (node->array != NULL && (!member || strcmp(node->path, path->key) == 0)) {
            return node->array;
        }
    }
    return NULL;
}

static xta_status open_data(const source *from, xta_array *array, serve_answer *out, xta_error *err)
{
    xta_status status = XTA_OK;
    struct stat st;
    char *path = NULL;

    XTA_TRY(xta__source_data_file(from, array, &path, err));
    out->file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (out->file < 0 || fstat(out->file, &st) != 0) {
        XTA_TRY(
            xta_error_set(err, XTA_EIO, errno, "%s: cannot open it: %s", path, strerror(errno)));
    }
    out->file_bytes = (uint64_t)st.st_size;
    out->ranges = true;
    out->type = "application/octet-stream";
    out->status = 200;

done:
    free(path);
    return status;
}

static void answer_array(source *from, const request_path *path, serve_answer *out)
{
    xta_error err = {0};
    snapshot *s = NULL;
    xta_status status = get_snapshot(from, path, &s, &err);
    xta_array *array = status == XTA_OK ? find_array(from, path, s) : NULL;

    if (status == XTA_OK && array == NULL) {
        xta__answer_error(404, "there is no such array", out);
    } else if (status == XTA_OK && path->kind == REQUEST_DATA) {
        status = open_data(from, array, out, &err);
    } else if (status == XTA_OK) {
        status = xta__check_data_length(array, &err);
        status = status == XTA_OK ? xta__picture_bytes(array, &out->bytes, &out->n, &err) : status;
        out->type = "image/png";
        out->status = 200;
    }
    if (status != XTA_OK) {
        fail(status, &err, 404, out);
    }
    xta__source_release(from, s);
}

static void answer_page(const catalogue *all, const char *base, serve_answer *out)
{
    xta__text text = {0};

    xta__page_begin(&text);
    for (size_t k = 0; k < all->n; k++) {
        xta_error err = {0};
        snapshot *s = NULL;
        xta__bus_guard_enter(&all->sources[k]->missing);
        xta_status status = xta__source_get_newest(all->sources[k], &s, &err);
        if (xta__bus_guard_leave()) {
            xta__page_failure(all->sources[k], TRUNCATED, &text);
        } else if (status != XTA_OK) {
            xta__page_failure(all->sources[k], err.text, &text);
        } else {
            xta__page_source(all->sources[k], s->view, base, &text);
        }
        xta__source_release(all->sources[k], s);
    }
    xta__page_end(&text);
    set_text(&text, "text/html; charset=utf-8", out);
}

static void answer_from(source *from, const request_path *path, const char *base, uint64_t most,
                        serve_answer *out)
{
    switch (path->kind) {
    case REQUEST_ZARR:
        answer_zarr(from, path, out);
        return;
    case REQUEST_REFERENCES:
        answer_references(from, path, base, most, out);
        return;
    case REQUEST_LATEST:
        answer_latest(from, path, base, out);
        return;
    case REQUEST_STEPS:
        answer_steps(from, path, base, out);
        return;
    default:
        answer_array(from, path, out);
        return;
    }
}

void xta__answer(const catalogue *all, const request_path *path, const char *base,
                 serve_answer *out)
{
    source *from = path->kind != REQUEST_PAGE ? find_source(all, path->name) : NULL;

    *out = (serve_answer){.file = -1};
    if (path->kind == REQUEST_PAGE) {
        answer_page(all, base, out);
        return;
    }
    if (from == NULL) {
        xta__answer_error(404, "there is no array or data set of this name; / lists them", out);
        return;
    }
    if (!atomic_load(&from->missing)) {
        xta__bus_guard_enter(&from->missing);
        answer_from(from, path, base, all->memory_bytes, out);
        if (!xta__bus_guard_leave()) {
            return;
        }
    }
    char *why = xta__string("%s: " TRUNCATED, from->path);
    xta__answer_error(500, why != NULL ? why : TRUNCATED, out);
    free(why);
}

uint64_t xta__answer_bytes(const catalogue *all, const request_path *path)
{
    source *from = path->kind == REQUEST_ZARR ? find_source(all, path->name) : NULL;
    snapshot *s = NULL;
    uint64_t bytes = 0;
    xta_status status = XTA_ENOENT;

    if (from != NULL && !begins(path->key)) {
        xta__bus_guard_enter(&from->missing);
        status = get_snapshot(from, path, &s, NULL);
        (void)xta__bus_guard_leave(); // the answer will say so
    }
    if (status == XTA_OK) {
        bytes = xta_zarr_view_chunk_bytes(s->view, path->version, path->key);
        xta__source_release(from, s);
    }
    return bytes;
}
