/* The thread that reads, writes and extends files while the program goes on.
 *
 * It never calls MPI or Global Arrays, since programs start MPI without thread support: private
 * buffers go in and out through a queue. One thread is enough to hide the disk behind the program;
 * more would take processors from the other ranks. It starts with the first job.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "pexta/worker.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "pexta/cache/chunk_cache.h"
#include "pexta/session.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t filled; /* signalled for a new job, or to stop */
    pthread_cond_t moved;  /* signalled when a job is done */
    pthread_t thread;
    bool running, stop;
    xta__job *first, *last;
    uint64_t queued_bytes;
} worker = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .filled = PTHREAD_COND_INITIALIZER,
            .moved = PTHREAD_COND_INITIALIZER};

/* ---- memory ---- */

void *xta__job_memory(uint64_t bytes)
{
    void *memory = NULL;
    bool fits = false;

    pthread_mutex_lock(&worker.lock);
    fits = bytes <= xta__pexta.max_memory && worker.queued_bytes <= xta__pexta.max_memory - bytes;
    worker.queued_bytes += fits ? bytes : 0;
    pthread_mutex_unlock(&worker.lock);
    if (fits) {
        memory = malloc((size_t)bytes);
        if (memory == NULL) {
            xta__job_memory_free(NULL, bytes);
        }
    }
    return memory;
}

void xta__job_memory_free(void *memory, uint64_t bytes)
{
    free(memory);
    pthread_mutex_lock(&worker.lock);
    worker.queued_bytes -= bytes;
    pthread_mutex_unlock(&worker.lock);
}

/* ---- jobs ---- */

void xta__do_job(xta__job *job)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_status status;

    options.order = job->order;
    if (job->n_growths > 0) {
        status = xta_array_extend(job->array, job->growths, job->n_growths, NULL, &job->result);
    } else if (job->write) {
        status = xta_array_write(job->array, &job->box, &options, job->cells, &job->result);
    } else if (job->cache != NULL) {
        status = xta__cache_read(job->cache, job->array, &job->box, job->order, job->cells,
                                 &job->result);
    } else {
        status = xta_array_read(job->array, &job->box, &options, job->cells, &job->result);
    }
    job->result.status = status;
}

static void job_finish(xta__job *job)
{
    xta__do_job(job);
    if (job->write) {
        xta__job_memory_free(job->cells, job->bytes);
        job->cells = NULL;
    }
    pthread_mutex_lock(&worker.lock);
    job->done = true;
    pthread_cond_broadcast(&worker.moved);
    pthread_mutex_unlock(&worker.lock);
}

static void *worker_run(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&worker.lock);
    for (;;) {
        xta__job *job = worker.first;
        if (job != NULL) {
            worker.first = job->next_in_queue;
            pthread_mutex_unlock(&worker.lock);
            job_finish(job);
            pthread_mutex_lock(&worker.lock);
        } else if (worker.stop) {
            break;
        } else {
            pthread_cond_wait(&worker.filled, &worker.lock);
        }
    }
    pthread_mutex_unlock(&worker.lock);
    return NULL;
}

static bool worker_start(void)
{
    sigset_t all, before;

    if (!worker.running) {
        // The program's signals are the business of its own threads.
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        worker.stop = false;
        worker.running = pthread_create(&worker.thread, NULL, worker_run, NULL) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    return worker.running;
}

void xta__submit(xta__job *job)
{
    job->done = false;
    job->next_in_queue = NULL;
    if (!worker_start()) {
        job_finish(job);
        return;
    }
    pthread_mutex_lock(&worker.lock);
    if (worker.first == NULL) {
        worker.first = job;
    } else {
        worker.last->next_in_queue = job;
    }
    worker.last = job;
    pthread_cond_signal(&worker.filled);
    pthread_mutex_unlock(&worker.lock);
}

bool xta__job_is_done(const xta__job *job)
{
    pthread_mutex_lock(&worker.lock);
    bool done = job->done;
    pthread_mutex_unlock(&worker.lock);
    return done;
}

void xta__await(const xta__job *job)
{
    pthread_mutex_lock(&worker.lock);
    while (!job->done) {
        pthread_cond_wait(&worker.moved, &worker.lock);
    }
    pthread_mutex_unlock(&worker.lock);
}

void xta__worker_stop(void)
{
    if (worker.running) {
        pthread_mutex_lock(&worker.lock);
        worker.stop = true;
        pthread_cond_signal(&worker.filled);
        pthread_mutex_unlock(&worker.lock);
        pthread_join(worker.thread, NULL);
        worker.running = false;
    }
}
