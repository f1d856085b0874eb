/* Answers as responses of libmicrohttpd.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "serve/respond.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/byte_range.h"

enum { PIECE_BYTES = 1 << 16 };

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    // It fails only without memory; the answer then lacks the header.
    (void)MHD_add_response_header(response, name, value);
}

static void add_common_headers(const serve_style *style, struct MHD_Response *response)
{
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, "Content-Security-Policy",
               "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'");
    if (style->origin != NULL) {
        add_header(response, "Access-Control-Allow-Origin", style->origin);
        add_header(response, "Access-Control-Expose-Headers",
                   "ETag, Content-Range, Accept-Ranges, Location");
        add_header(response, "Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
        add_header(response, "Access-Control-Allow-Headers", "Range, If-None-Match, If-Range");
    }
}

static enum MHD_Result send_response(const serve_style *style, struct MHD_Connection *connection,
                                     unsigned status, struct MHD_Response *response)
{
    if (response == NULL) {
        return MHD_NO; // out of memory: the connection is closed
    }
    add_common_headers(style, response);
    if (style->closes) {
        add_header(response, "Connection", "close");
    }
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static struct MHD_Response *empty_response(void)
{
    return MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
}

/* A body whose length is not told. */
typedef struct streamed_body {
    unsigned char *bytes;
    size_t n;
} streamed_body;

static ssize_t read_streamed(void *user, uint64_t at, char *bytes, size_t n)
{
    const streamed_body *body = user;

    if (at >= body->n) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    n = body->n - at < n ? body->n - (size_t)at : n;
    memcpy(bytes, body->bytes + at, n);
    return (ssize_t)n;
}

static void free_streamed(void *user)
{
    streamed_body *body = user;

    free(body->bytes);
    free(body);
}

/* The answer, which is used up, in pieces. libmicrohttpd 0.9.75 ends such an answer to HEAD with
 * bytes that belong to no answer, so the connection is not used again. */
static struct MHD_Response *response_in_pieces(serve_answer *answer)
{
    streamed_body *body = calloc(1, sizeof *body);

    if (body == NULL) {
        return NULL;
    }
    *body = (streamed_body){answer->bytes, answer->n};
    struct MHD_Response *response = MHD_create_response_from_callback(
        MHD_SIZE_UNKNOWN, PIECE_BYTES, read_streamed, body, free_streamed);
    if (response == NULL) {
        free(body);
        return NULL;
    }
    answer->bytes = NULL;
    add_header(response, "Connection", "close");
    return response;
}

/* The bytes [from, from + n) of an answer, which is used up. */
static struct MHD_Response *response_of(serve_answer *answer, uint64_t from, uint64_t n)
{
    struct MHD_Response *response = NULL;

    if (answer->file >= 0) {
        response = MHD_create_response_from_fd_at_offset64(n, answer->file, from);
        answer->file = response != NULL ? -1 : answer->file;
    } else if (answer->bytes != NULL) {
        response = MHD_create_response_from_buffer_with_free_callback_cls(
            (size_t)n, answer->bytes + from, free, answer->bytes);
        answer->bytes = response != NULL ? NULL : answer->bytes;
    }
    return response;
}

/* Whether a list of entity tags has this one, or is "*". */
static bool has_etag(const char *list, const char *etag)
{
    return list != NULL && etag[0] != '\0' &&
           (strcmp(list, "*") == 0 || strstr(list, etag) != NULL);
}

const char *xta__request_header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* A range is only meant if the client has what the answer is a part of. */
static const char *range_of(const serve_style *style, struct MHD_Connection *connection,
                            const serve_answer *answer)
{
    const char *condition = xta__request_header(connection, "If-Range");
    bool meant =
        condition == NULL || (answer->etag[0] != '\0' && strcmp(condition, answer->etag) == 0);

    return meant && !style->head && answer->ranges && answer->status == 200
               ? xta__request_header(connection, "Range")
               : NULL;
}

static enum MHD_Result send_unsatisfiable(const serve_style *style,
                                          struct MHD_Connection *connection, uint64_t size)
{
    struct MHD_Response *response = empty_response();
    char text[40];

    snprintf(text, sizeof text, "bytes */%llu", (unsigned long long)size);
    if (response != NULL) {
        add_header(response, "Content-Range", text);
    }
    return send_response(style, connection, 416, response);
}

static void add_answer_headers(struct MHD_Response *response, const serve_answer *answer)
{
    add_header(response, "Content-Type", answer->type);
    add_header(response, "Cache-Control", "no-cache");
    if (answer->status == 200) {
        add_header(response, "Accept-Ranges", answer->ranges ? "bytes" : "none");
    }
    if (answer->etag[0] != '\0') {
        add_header(response, "ETag", answer->etag);
    }
    if (answer->location != NULL) {
        add_header(response, "Location", answer->location);
    }
}

enum MHD_Result xta__send_answer(const serve_style *style, struct MHD_Connection *connection,
                                 serve_answer *answer)
{
    uint64_t size = answer->file >= 0 ? answer->file_bytes : answer->n, from = 0, n = size;
    char text[80];

    if (answer->status == 200 &&
        has_etag(xta__request_header(connection, "If-None-Match"), answer->etag)) {
        struct MHD_Response *same = empty_response();
        if (same != NULL) {
            add_header(same, "ETag", answer->etag);
        }
        return send_response(style, connection, 304, same);
    }
    byte_range range = xta__byte_range(range_of(style, connection, answer), size, &from, &n);
    if (range == BYTES_NONE) {
        return send_unsatisfiable(style, connection, size);
    }
    struct MHD_Response *response =
        answer->without_length ? response_in_pieces(answer) : response_of(answer, from, n);
    if (response == NULL) {
        return MHD_NO;
    }
    add_answer_headers(response, answer);
    if (range == BYTES_PART) {
        snprintf(text, sizeof text, "bytes %llu-%llu/%llu", (unsigned long long)from,
                 (unsigned long long)(from + n - 1), (unsigned long long)size);
        add_header(response, "Content-Range", text);
    }
    return send_response(style, connection, range == BYTES_PART ? 206 : (unsigned)answer->status,
                         response);
}

enum MHD_Result xta__send_error(const serve_style *style, struct MHD_Connection *connection,
                                int status, const char *text)
{
    serve_answer answer = {.file = -1};

    xta__answer_error(status, text, &answer);
    enum MHD_Result result = xta__send_answer(style, connection, &answer);
    xta__answer_clear(&answer);
    return result;
}

enum MHD_Result xta__send_options(const serve_style *style, struct MHD_Connection *connection)
{
    struct MHD_Response *response = empty_response();

    if (response != NULL) {
        add_header(response, "Allow", "GET, HEAD, OPTIONS");
    }
    return send_response(style, connection, 204, response);
}
