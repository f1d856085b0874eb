/* The second process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "support/peer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/attribute.h>

bool test_read_all(int fd, void *bytes, size_t n)
{
    uint8_t *at = bytes;
    while (n > 0) {
        ssize_t got = read(fd, at, n);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            return false;
        }
        if (got > 0) {
            at += got;
            n -= (size_t)got;
        }
    }
    return true;
}

bool test_write_all(int fd, const void *bytes, size_t n)
{
    const uint8_t *at = bytes;
    while (n > 0) {
        ssize_t put = write(fd, at, n);
        if (put < 0 && errno != EINTR) {
            return false;
        }
        if (put > 0) {
            at += put;
            n -= (size_t)put;
        }
    }
    return true;
}

static xta_status open_one(const peer_request *request, xta_array **array, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.writable = request->writable;
    options.access = request->access;
    options.cache_bytes = request->cache_bytes;
    return xta_array_open(request->path, &options, array, err);
}

static xta_status close_one(xta_array **array, xta_error *err)
{
    xta_status status = xta_array_close(*array, err);
    *array = NULL;
    return status;
}

static xta_status read_one(xta_array *array, const peer_request *request, uint8_t **bytes,
                           uint64_t *n_bytes, xta_error *err)
{
    uint64_t n = 0;
    xta_status status = xta_box_cells(&request->box, &n);
    if (status == XTA_OK) {
        *n_bytes = n * xta_array_cell_bytes(array);
        *bytes = calloc(1, (size_t)*n_bytes + 1);
        status = xta_array_read(array, &request->box, NULL, *bytes, err);
    }
    return status;
}

static xta_status carry_out(xta_array **array, const peer_request *request, uint8_t **bytes,
                            uint64_t *n_bytes, xta_error *err)
{
    xta_status status = XTA_OK;

    switch (request->verb) {
    case PEER_OPEN:
        return open_one(request, array, err);
    case PEER_CLOSE:
        return close_one(array, err);
    case PEER_REFRESH:
        return xta_array_refresh(*array, NULL, err);
    case PEER_READ:
        return read_one(*array, request, bytes, n_bytes, err);
    case PEER_FILL:
        status = xta_array_fill(*array, &request->box, request->cell, err);
        return status != XTA_OK ? status : xta_array_sync(*array, err);
    case PEER_EXTEND:
        return xta_array_extend(*array, &request->growth, 1, NULL, err);
    case PEER_SHRINK:
        return xta_array_shrink(*array, &request->growth, 1, NULL, err);
    case PEER_NOTE:
        return xta_attribute_set_text(*array, XTA_ON_ARRAY, "peer", request->path, err);
    default:
        return XTA_OK;
    }
}

static void serve(int from, int to)
{
    xta_array *array = NULL;
    peer_request request;

    while (test_read_all(from, &request, sizeof(request)) && request.verb != PEER_END) {
        peer_answer answer;
        uint8_t *bytes = NULL;
        memset(&answer, 0, sizeof(answer));
        answer.status = carry_out(&array, &request, &bytes, &answer.n_bytes, &answer.err);
        answer.n_bytes = answer.status == XTA_OK ? answer.n_bytes : 0;
        if (array != NULL) {
            answer.bounds = xta_array_bounds(array);
        }
        if (!test_write_all(to, &answer, sizeof(answer)) ||
            !test_write_all(to, bytes, (size_t)answer.n_bytes)) {
            break;
        }
        free(bytes);
    }
    xta_array_close(array, NULL);
}

void peer_start(peer *p)
{
    int there[2];
    int back[2];

    fflush(NULL);
    if (pipe(there) != 0 || pipe(back) != 0 || (p->pid = fork()) < 0) {
        perror("peer");
        abort();
    }
    if (p->pid == 0) {
        close(there[1]);
        close(back[0]);
        serve(there[0], back[1]);
        _exit(0);
    }
    close(there[0]);
    close(back[1]);
    p->to = there[1];
    p->from = back[0];
}

peer_answer peer_ask(peer *p, const peer_request *request, uint8_t **bytes)
{
    peer_answer answer;
    uint8_t *more = NULL;

    if (!test_write_all(p->to, request, sizeof(*request)) ||
        !test_read_all(p->from, &answer, sizeof(answer)) ||
        (more = malloc((size_t)answer.n_bytes + 1)) == NULL ||
        !test_read_all(p->from, more, (size_t)answer.n_bytes)) {
        memset(&answer, 0, sizeof(answer));
        answer.status = XTA_ESTATE;
        snprintf(answer.err.text, sizeof(answer.err.text), "the second process died");
    }
    if (bytes != NULL) {
        *bytes = more;
    } else {
        free(more);
    }
    return answer;
}

void peer_stop(peer *p)
{
    close(p->to);
    close(p->from);
    waitpid(p->pid, NULL, 0);
}
