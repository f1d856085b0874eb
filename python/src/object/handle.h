/* A handle of the library, shared by threads: the array, or the data set with all its members.
 *
 * Calls enter and leave. `close` and calls that may not run beside others (adding an axis) first
 * keep new calls out, then wait for those in progress. In a child made by fork the first call opens
 * the files again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PYTHON_HANDLE_H
#define XTA_PYTHON_HANDLE_H

#include <pthread.h>
#include <stdatomic.h>

#include <xta/dataset.h>

#include "support/common.h"

typedef struct handle {
    size_t refs;
    char *path;       /* as the library tells it, and absolute, so that it can be opened again */
    xta_array *array; /* of an array alone */
    xta_dataset *set; /* of a data set */
    bool writable, at_step;
    uint64_t step;
    xta_access access; /* of an array alone, as is `cache_bytes` */
    uint64_t cache_bytes;
    unsigned forks;  /* how many forks lay between the first process and the one that opened it */
    unsigned opened; /* how often it was opened: members find their array again */
    bool closed;
    _Atomic bool exclusive;
    _Atomic size_t in_use; /* calls in progress */
    size_t waiting;
    size_t n_views; /* of cells in place: the files stay open for them */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Held by calls that change structure or attributes, and while a borrowed text is copied. */
    pthread_mutex_t borrowing;
    uint64_t n_changes; /* under `borrowing` */
} handle;

/* Increased in each child. */
extern unsigned handle_forks;

/* With one reference; NULL with an exception. Takes over `array` or `set` (closes them if it
 * fails). */
handle *handle_new(xta_array *array, xta_dataset *set, bool writable);
void handle_ref(handle *h);
/* Closes what is still open with the last reference. */
void handle_unref(handle *h);

/* Begin a call; false with an exception. */
bool handle_enter_slowly(handle *h);
static inline bool handle_enter(handle *h)
{
    if (h->closed || h->exclusive || h->forks != handle_forks) {
        return handle_enter_slowly(h);
    }
    h->in_use++;
    return true;
}

/* End a call. */
void handle_wake(handle *h);
static inline void handle_leave(handle *h)
{
    if (--h->in_use == 0 && h->waiting > 0) {
        handle_wake(h);
    }
}

/* Keep others out, inside of a call of one's own; until handle_share. False with an exception. */
bool handle_exclude(handle *h);
void handle_share(handle *h);

/* Close for all; false with the exception of a failed sync. While views exist only `closed` is set
 * and everything is synced; the last of them closes the files. */
bool handle_close(handle *h);

/* A view of cells in place begins and ends; it has a reference. */
void handle_add_view(handle *h);
void handle_remove_view(handle *h);

/* Called once, at import. */
bool handle_setup(void);

#endif
