/* Making the files of several arrays durable together.
 *
 * A sync waits for the disk. A journaling file system commits the metadata of all files at once, so
 * syncs that wait at the same time share one commit, and the flush of the disk's cache that ends
 * it. Hence several threads, which do nothing but wait.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/change/sync_together.h"

#include <stdatomic.h>

#define FILES_EACH   4 /* that are worth a thread */
#define MOST_THREADS 16

typedef struct syncing {
    const xta__to_sync *list;
    int n;
    atomic_int next;      /* to be synced next */
    pthread_mutex_t lock; /* of all below */
    int failed;           /* the first of those that failed; n: none */
    xta_status status;
    xta_error err;
} syncing;

static xta_status sync_one(const xta__to_sync *one, xta_error *err)
{
    return one->journal != NULL ? xta__file_sync(one->journal, err)
                                : one->chunk_store->ops->sync(one->chunk_store, err);
}

/* One after another, until there are no more or one has failed: those before it have been handed
 * out by then. */
static void *sync_files(void *user)
{
    syncing *s = user;

    for (int k = atomic_fetch_add(&s->next, 1); k < s->n; k = atomic_fetch_add(&s->next, 1)) {
        xta_error err = {0};
        xta_status status = sync_one(&s->list[k], &err);
        if (status == XTA_OK) {
            continue;
        }
        atomic_store(&s->next, s->n);
        pthread_mutex_lock(&s->lock);
        if (k < s->failed) {
            s->failed = k;
            s->status = status;
            s->err = err;
        }
        pthread_mutex_unlock(&s->lock);
    }
    return NULL;
}

xta_status xta__sync_together(const xta__to_sync list[], int n, xta_error *err)
{
    syncing s = {.list = list, .n = n, .failed = n, .status = XTA_OK};
    pthread_t threads[MOST_THREADS];
    int wanted = n / FILES_EACH < MOST_THREADS ? n / FILES_EACH : MOST_THREADS, started = 0;

    atomic_init(&s.next, 0);
    pthread_mutex_init(&s.lock, NULL);
    // This thread is one of them.
    while (started < wanted - 1 && xta__thread_start(&threads[started], sync_files, &s)) {
        started++;
    }
    (void)sync_files(&s);
    for (int k = 0; k < started; k++) {
        pthread_join(threads[k], NULL);
    }
    pthread_mutex_destroy(&s.lock);
    if (s.status != XTA_OK && err != NULL && err->status == XTA_OK) {
        *err = s.err;
    }
    return s.status;
}
