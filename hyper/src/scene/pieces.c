/* Independent pieces of work on the threads of all members: each thread takes the next piece of its
 * member when it has finished one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "scene/pieces.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "parallel/communicator.h"
#include "parallel/threads.h"
#include "scene/scene.h"
#include "scene/scene_private.h"

void xta__own_pieces(const xta_scene *scene, size_t n, size_t *first, size_t *end)
{
    uint64_t rank = (uint64_t)xta_communicator_rank(scene->communicator);
    uint64_t size = (uint64_t)xta_communicator_size(scene->communicator);

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

static xta_status run_own_pieces(void *user, int number, xta_error *err)
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

xta_status xta__run_pieces(xta_scene *scene, const char *what, size_t n, hyper_piece *run,
                           void *user, xta_error *err)
{
    pieces p = {.scene = scene, .what = what, .run = run, .user = user, .n = n};
    xta_status status;

    xta__own_pieces(scene, n, &p.first, &p.end);
    atomic_init(&p.next, p.first);
    atomic_init(&p.stop, false);
    status = xta__run_threads(scene->n_threads, run_own_pieces, &p, err);
    if (status == XTA_OK) {
        status = xta__scene_progress(scene, what, p.end - p.first, p.end - p.first, err);
    }
    return xta__agree(scene->communicator, status, err);
}
