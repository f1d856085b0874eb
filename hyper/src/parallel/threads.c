/* The threads of one process. They are created for a call and end with it: that takes some twenty
 * microseconds, and a scan takes thousands of times as long.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/os.h"

typedef struct thread_run {
    hyper_thread *run;
    void *user;
    int number;
    bool started;
    pthread_t thread;
    xta_status status;
    xta_error err;
} thread_run;

static void run_number(thread_run *p)
{
    p->status = p->run(p->user, p->number, &p->err);
}

static void *run_thread(void *argument)
{
    run_number(argument);
    return NULL;
}

xta_status xta__run_threads(int n, hyper_thread *run, void *user, xta_error *err)
{
    xta_status status = XTA_OK;

    if (n <= 1) {
        return n < 1 ? XTA_OK : run(user, 0, err);
    }
    thread_run *runs = calloc((size_t)n, sizeof *runs);
    if (runs == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %d threads", n);
    }
    for (int k = n - 1; k >= 0; k--) {
        runs[k].run = run;
        runs[k].user = user;
        runs[k].number = k;
        runs[k].started =
            k > 0 && xta__thread_start_elsewhere(&runs[k].thread, run_thread, &runs[k]);
    }
    // Whatever got no thread runs here, after number 0.
    for (int k = 0; k < n; k++) {
        if (!runs[k].started) {
            run_number(&runs[k]);
        }
    }
    for (int k = 0; k < n; k++) {
        if (runs[k].started) {
            pthread_join(runs[k].thread, NULL);
        }
        if (status == XTA_OK && runs[k].status != XTA_OK) {
            status = runs[k].status;
            if (err != NULL) {
                *err = runs[k].err;
            }
        }
    }
    free(runs);
    return status;
}
