/* Handles shared by threads: counting the calls in progress, closing, opening again after fork.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "object/handle.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "support/errors.h"

unsigned handle_forks;

static void count_fork(void)
{
    handle_forks++;
}

bool handle_setup(void)
{
    static bool done;

    if (!done && pthread_atfork(NULL, NULL, count_fork) != 0) {
        PyErr_NoMemory();
        return false;
    }
    done = true;
    return true;
}

/* ---- life ---- */

static void init_locks(handle *h)
{
    pthread_mutex_init(&h->lock, NULL);
    pthread_mutex_init(&h->borrowing, NULL);
    pthread_cond_init(&h->changed, NULL);
    h->in_use = 0;
    h->exclusive = false;
    h->waiting = 0;
}

/* The absolute path of what was opened: its folder resolved, its last name as given, since the
 * files of an array have suffixes. NULL: out of memory. */
static char *absolute_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    char folder[PATH_MAX] = ".", real[PATH_MAX];

    if (slash != NULL && (size_t)(slash - path) < sizeof folder) {
        memcpy(folder, path, (size_t)(slash - path));
        folder[slash - path] = '\0';
    }
    if (slash == path) {
        return strdup(path);
    }
    if (realpath(folder, real) == NULL) {
        return strdup(path);
    }
    size_t n = strlen(real) + strlen(name) + 2;
    char *whole = malloc(n);
    if (whole != NULL) {
        memcpy(whole, real, strlen(real));
        whole[strlen(real)] = '/';
        memcpy(whole + strlen(real) + 1, name, strlen(name) + 1);
    }
    return whole;
}

static xta_status close_files(handle *h, xta_error *err)
{
    xta_array *array = h->array;
    xta_dataset *set = h->set;

    h->array = NULL;
    h->set = NULL;
    return set != NULL ? xta_dataset_close(set, err) : xta_array_close(array, err);
}

handle *handle_new(xta_array *array, xta_dataset *set, bool writable)
{
    handle *h = calloc(1, sizeof *h);
    char *path = absolute_path(set != NULL ? xta_dataset_path(set) : xta_array_path(array));

    if (h == NULL || path == NULL) {
        free(h);
        free(path);
        (void)(set != NULL ? xta_dataset_close(set, NULL) : xta_array_close(array, NULL));
        PyErr_NoMemory();
        return NULL;
    }
    h->refs = 1;
    h->path = path;
    h->array = array;
    h->set = set;
    h->writable = writable;
    h->forks = handle_forks;
    h->opened = 1;
    init_locks(h);
    return h;
}

void handle_ref(handle *h)
{
    h->refs++;
}

void handle_unref(handle *h)
{
    if (h == NULL || --h->refs > 0) {
        return;
    }
    if (h->array != NULL || h->set != NULL) {
        WITHOUT_GIL((void)close_files(h, NULL));
    }
    free(h->path);
    free(h);
}

/* ---- calls ---- */

/* In a child: the inherited handle only frees memory, and the files are opened again. There is one
 * exclusive writer, which is the parent. */
static bool open_again(handle *h)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_dataset_options set_options = XTA_DATASET_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_dataset *set = NULL;
    xta_error err;
    xta_status status;

    init_locks(h);
    options.writable = set_options.writable = h->writable;
    options.at_step = h->at_step;
    options.step = h->step;
    options.access = h->access;
    options.cache_bytes = h->cache_bytes;
    if (h->set != NULL) {
        status = xta_dataset_open(h->path, &set_options, &set, &err);
    } else {
        status = xta_array_open(h->path, &options, &array, &err);
    }
    if (status != XTA_OK) {
        raise_status(status, &err, h->path);
        return false;
    }
    (void)close_files(h, NULL);
    h->array = array;
    h->set = set;
    h->forks = handle_forks;
    h->opened++;
    return true;
}

/* Wait until nobody excludes others. */
static void wait_for_share(handle *h)
{
    PyThreadState *thread = PyEval_SaveThread();

    pthread_mutex_lock(&h->lock);
    while (h->exclusive) {
        pthread_cond_wait(&h->changed, &h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    PyEval_RestoreThread(thread);
}

bool handle_enter_slowly(handle *h)
{
    while (!h->closed && h->forks == handle_forks && h->exclusive) {
        wait_for_share(h);
    }
    if (h->closed) {
        raise_closed(h->path);
        return false;
    }
    if (h->forks != handle_forks && !open_again(h)) {
        return false;
    }
    h->in_use++;
    return true;
}

void handle_wake(handle *h)
{
    pthread_mutex_lock(&h->lock);
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

/* Wait until no call is in progress. New ones are kept out by a flag. */
static void wait_for_calls(handle *h)
{
    h->waiting++;
    PyThreadState *thread = PyEval_SaveThread();
    pthread_mutex_lock(&h->lock);
    while (h->in_use > 0) {
        pthread_cond_wait(&h->changed, &h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    PyEval_RestoreThread(thread);
    h->waiting--;
}

bool handle_exclude(handle *h)
{
    // The caller's own call is over while it waits, or two that wait for each other never end.
    handle_leave(h);
    while (!h->closed && h->exclusive) {
        wait_for_share(h);
    }
    if (h->closed) {
        h->in_use++;
        raise_closed(h->path);
        return false;
    }
    h->exclusive = true;
    wait_for_calls(h);
    h->in_use++;
    if (h->closed) { // by another thread that has waited for the same calls
        handle_share(h);
        raise_closed(h->path);
        return false;
    }
    return true;
}

void handle_share(handle *h)
{
    pthread_mutex_lock(&h->lock);
    h->exclusive = false;
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

/* The files of a closed handle that no view and no call needs. A failure would be that of a sync,
 * which has been made. */
static void close_unused(handle *h)
{
    if (h->closed && h->n_views == 0 && h->in_use == 0 && h->waiting == 0) {
        WITHOUT_GIL((void)close_files(h, NULL));
    }
}

void handle_add_view(handle *h)
{
    handle_ref(h);
    h->n_views++;
}

void handle_remove_view(handle *h)
{
    h->n_views--;
    close_unused(h);
    handle_unref(h);
}

bool handle_close(handle *h)
{
    xta_error err;
    xta_status status = XTA_OK;

    if (h->closed) {
        return true;
    }
    if (h->forks != handle_forks) {
        h->closed = true; // inherited: the parent's; the memory goes with the last reference
        return true;
    }
    h->closed = true;
    wait_for_calls(h);
    if (h->n_views == 0) {
        WITHOUT_GIL(status = close_files(h, &err));
    } else {
        h->in_use++; // so that the last view, if it goes meanwhile, leaves the files to us
        WITHOUT_GIL(status = h->set != NULL ? xta_dataset_sync(h->set, &err)
                                            : xta_array_sync(h->array, &err));
        h->in_use--;
        close_unused(h);
    }
    if (status != XTA_OK) {
        raise_status(status, &err, h->path);
        return false;
    }
    return true;
}
