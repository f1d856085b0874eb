/* The threads of one member of a team. They are made for a call and end with it: that takes some
 * twenty microseconds, and a scan takes thousands of times as long.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/scene_private.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct part {
    hyper_part *run;
    void *user;
    int number;
    bool started;
    pthread_t thread;
    xta_status status;
    xta_error err;
} part;

static void *run_part(void *argument)
{
    part *p = argument;

    p->status = p->run(p->user, p->number, &p->err);
    return NULL;
}

xta_status xta__parts(int n, hyper_part *run, void *user, xta_error *err)
{
    xta_status status = XTA_OK;

    if (n <= 1) {
        return n < 1 ? XTA_OK : run(user, 0, err);
    }
    part *parts = calloc((size_t)n, sizeof *parts);
    if (parts == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %d threads", n);
    }
    for (int k = n - 1; k >= 0; k--) {
        parts[k].run = run;
        parts[k].user = user;
        parts[k].number = k;
        parts[k].started =
            k > 0 && pthread_create(&parts[k].thread, NULL, run_part, &parts[k]) == 0;
    }
    // A part for which there is no thread is done here, after the first one.
    for (int k = 0; k < n; k++) {
        if (!parts[k].started) {
            run_part(&parts[k]);
        }
    }
    for (int k = 0; k < n; k++) {
        if (parts[k].started) {
            pthread_join(parts[k].thread, NULL);
        }
        if (status == XTA_OK && parts[k].status != XTA_OK) {
            status = parts[k].status;
            if (err != NULL) {
                *err = parts[k].err;
            }
        }
    }
    free(parts);
    return status;
}

void xta__pieces_mine(const xta_scene *scene, size_t n, size_t *first, size_t *end)
{
    uint64_t rank = (uint64_t)xta_team_rank(scene->team);
    uint64_t size = (uint64_t)xta_team_size(scene->team);

    *first = (size_t)xta__share(n, size, rank);
    *end = (size_t)xta__share(n, size, rank + 1);
}

typedef struct pieces {
    xta_scene *scene;
    const char *what;
    hyper_piece *run;
    void *user;
    size_t n, first, end;
    atomic_size_t next;
    atomic_bool stop;
} pieces;

static xta_status run_pieces(void *user, int number, xta_error *err)
{
    pieces *p = user;
    xta_status status = XTA_OK;

    for (;;) {
        size_t k = atomic_fetch_add(&p->next, 1);
        if (k >= p->end || atomic_load(&p->stop)) {
            return XTA_OK;
        }
        status = number == 0
                     ? xta__scene_progress(p->scene, p->what, k - p->first, p->end - p->first, err)
                     : XTA_OK;
        if (status == XTA_OK) {
            status = p->run(p->user, k, err);
        }
        if (status != XTA_OK) {
            atomic_store(&p->stop, true);
            return status;
        }
    }
}

xta_status xta__pieces(xta_scene *scene, const char *what, size_t n, hyper_piece *run, void *user,
                       xta_error *err)
{
    pieces p = {.scene = scene, .what = what, .run = run, .user = user, .n = n};
    xta_status status;

    xta__pieces_mine(scene, n, &p.first, &p.end);
    atomic_init(&p.next, p.first);
    atomic_init(&p.stop, false);
    status = xta__parts(scene->n_threads, run_pieces, &p, err);
    if (status == XTA_OK) {
        status = xta__scene_progress(scene, what, p.end - p.first, p.end - p.first, err);
    }
    return xta__agree(scene->team, status, err);
}
