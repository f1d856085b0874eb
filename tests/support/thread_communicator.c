/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "support/thread_communicator.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GATHER, AGREE };

typedef struct post {
    int call;
    const void *data;
    size_t bytes;
    xta_status status;
    xta_error err;
} post;

typedef struct shared {
    int n;
    pthread_barrier_t barrier;
    post posts[TEST_MEMBERS_MAX];
} shared;

typedef struct member {
    shared *common;
    int rank;
    test_member *run;
    void *user;
    pthread_t thread;
} member;

/* Wait until all have posted, and check that all are in the same call. */
static void meet(member *m)
{
    shared *s = m->common;

    pthread_barrier_wait(&s->barrier);
    for (int r = 1; r < s->n; r++) {
        if (s->posts[r].call != s->posts[0].call || s->posts[r].bytes != s->posts[0].bytes) {
            fprintf(stderr,
                    "thread communicator: member %d in call %d with %zu bytes, member 0 in call %d "
                    "with %zu bytes\n",
                    r, s->posts[r].call, s->posts[r].bytes, s->posts[0].call, s->posts[0].bytes);
            abort();
        }
    }
}

static xta_status gather(void *context, const void *mine, size_t bytes, void *all, xta_error *err)
{
    member *m = context;
    shared *s = m->common;

    (void)err;
    s->posts[m->rank] = (post){.call = GATHER, .data = mine, .bytes = bytes};
    meet(m);
    for (int r = 0; r < s->n && bytes > 0; r++) {
        memcpy((char *)all + (size_t)r * bytes, s->posts[r].data, bytes);
    }
    pthread_barrier_wait(&s->barrier);
    return XTA_OK;
}

static xta_status agree(void *context, xta_status mine, xta_error *err)
{
    member *m = context;
    shared *s = m->common;
    xta_status status = XTA_OK;
    post *own = &s->posts[m->rank];

    *own = (post){.call = AGREE, .status = mine};
    if (mine != XTA_OK && err != NULL) {
        own->err = *err;
    }
    meet(m);
    for (int r = 0; r < s->n && status == XTA_OK; r++) {
        status = s->posts[r].status;
        if (status != XTA_OK && err != NULL) {
            *err = s->posts[r].err;
            err->status = status;
        }
    }
    pthread_barrier_wait(&s->barrier);
    return status;
}

static void *run_member(void *argument)
{
    member *m = argument;
    xta_communicator common = {.struct_size = sizeof common,
                               .rank = m->rank,
                               .size = m->common->n,
                               .context = m,
                               .gather = gather,
                               .agree = agree};

    m->run(m->user, &common);
    return NULL;
}

void test_members_run(int n, test_member *run, void *user)
{
    static shared common;
    member members[TEST_MEMBERS_MAX];

    if (n == 0) {
        run(user, NULL);
        return;
    }
    memset(&common, 0, sizeof common);
    common.n = n;
    pthread_barrier_init(&common.barrier, NULL, (unsigned)n);
    for (int r = n - 1; r >= 0; r--) {
        members[r] = (member){.common = &common, .rank = r, .run = run, .user = user};
        if (r > 0 && pthread_create(&members[r].thread, NULL, run_member, &members[r]) != 0) {
            perror("thread communicator");
            abort();
        }
    }
    run_member(&members[0]);
    for (int r = 1; r < n; r++) {
        pthread_join(members[r].thread, NULL);
    }
    pthread_barrier_destroy(&common.barrier);
}
