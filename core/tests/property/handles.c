/* Several handles of one array: carrying out requests. The checks are elsewhere.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/peer.h"

static xta_array *arrays[HANDLES_MAX];
static int to_peer = -1, from_peer = -1;
static pid_t peer_pid;

static xta_status open_one(const handle_request *r, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = true;
    options.access = r->access;
    options.cache_bytes = r->cache_bytes;
    options.exclusive_writer = r->exclusive;
    return xta_array_open(r->path, &options, &arrays[r->handle], err);
}

static xta_status extend_together(const handle_request *r, xta_error *err)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    const xta_growth other_growth = {0, XTA_BACK, 1};
    xta_array *other = NULL;

    options.writable = true;
    xta_status status = xta_array_open(r->other, &options, &other, err);
    if (status == XTA_OK) {
        const xta_array_growth growths[] = {{arrays[r->handle], &r->growth, 1},
                                            {other, &other_growth, 1}};
        status = xta_arrays_extend(growths, 2, NULL, err);
    }
    if (other != NULL) {
        xta_error ignored;
        xta_status closed = xta_array_close(other, &ignored);
        status = status == XTA_OK ? closed : status;
    }
    return status;
}

static xta_status write_rows(const handle_request *r, const uint16_t cells[], xta_error *err)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    const int64_t step[XTA_MAX_NDIM] = {r->step, 1, 1};

    options.step = step;
    return xta_array_write(arrays[r->handle], &r->box, &options, cells, err);
}

static xta_status act(const handle_request *r, uint16_t cells[], xta_error *err)
{
    xta_array *array = arrays[r->handle];

    switch (r->verb) {
    case HANDLE_OPEN:
        return open_one(r, err);
    case HANDLE_CLOSE:
        arrays[r->handle] = NULL;
        return xta_array_close(array, err);
    case HANDLE_REFRESH:
        return xta_array_refresh(array, NULL, err);
    case HANDLE_SYNC:
        return xta_array_sync(array, err);
    case HANDLE_READ:
        return xta_array_read(array, &r->box, NULL, cells, err);
    case HANDLE_WRITE:
        return write_rows(r, cells, err);
    case HANDLE_FILL:
        return xta_array_fill(array, &r->box, cells, err);
    case HANDLE_EXTEND:
        return xta_array_extend(array, &r->growth, 1, NULL, err);
    case HANDLE_TOGETHER:
        return extend_together(r, err);
    case HANDLE_SHRINK:
        return xta_array_shrink(array, &r->growth, 1, NULL, err);
    case HANDLE_APPEND:
        return xta_array_append(array, &r->growth, NULL, cells, NULL, err);
    case HANDLE_ADD_AXIS:
        return xta_array_add_axis(array, xta_array_ndim(array), NULL, err);
    case HANDLE_COMPACT:
        return xta_compact(r->path, NULL, NULL, err);
    default:
        return XTA_OK;
    }
}

void handle_do(const handle_request *request, uint16_t cells[], handle_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    answer->status = act(request, cells, &answer->err);
    if (arrays[request->handle] != NULL) {
        answer->bounds = xta_array_bounds(arrays[request->handle]);
    }
}

/* ---- the second process ---- */

static bool takes_cells(handle_verb verb)
{
    return verb == HANDLE_WRITE || verb == HANDLE_FILL || verb == HANDLE_APPEND;
}

static void serve(int in, int out)
{
    static uint16_t cells[HANDLES_CELLS];
    handle_request request;
    handle_answer answer;

    while (test_read_all(in, &request, sizeof request) && request.verb != HANDLE_END) {
        if (takes_cells(request.verb) && !test_read_all(in, cells, sizeof cells)) {
            break;
        }
        handle_do(&request, cells, &answer);
        if (!test_write_all(out, &answer, sizeof answer) ||
            (request.verb == HANDLE_READ && !test_write_all(out, cells, sizeof cells))) {
            break;
        }
    }
}

static void give_up(const char *what)
{
    fprintf(stderr, "the second process: %s\n", what);
    exit(1);
}

void handle_peer_start(void)
{
    int down[2], up[2];

    if (pipe(down) != 0 || pipe(up) != 0) {
        give_up("no pipes");
    }
    fflush(NULL);
    peer_pid = fork();
    if (peer_pid == 0) {
        close(down[1]);
        close(up[0]);
        serve(down[0], up[1]);
        _exit(0);
    }
    close(down[0]);
    close(up[1]);
    to_peer = down[1];
    from_peer = up[0];
}

void handle_peer_do(const handle_request *request, uint16_t cells[], handle_answer *answer)
{
    bool well = test_write_all(to_peer, request, sizeof *request);

    if (well && takes_cells(request->verb)) {
        well = test_write_all(to_peer, cells, HANDLES_CELLS * sizeof cells[0]);
    }
    well = well && test_read_all(from_peer, answer, sizeof *answer);
    if (well && request->verb == HANDLE_READ) {
        well = test_read_all(from_peer, cells, HANDLES_CELLS * sizeof cells[0]);
    }
    if (!well) {
        give_up("it has gone");
    }
}

void handle_peer_stop(void)
{
    const handle_request request = {.verb = HANDLE_END};
    int status = 0;

    if (!test_write_all(to_peer, &request, sizeof request) ||
        waitpid(peer_pid, &status, 0) != peer_pid || status != 0) {
        give_up("it did not end well");
    }
}
