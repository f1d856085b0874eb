/* The threads of one process. They are created for a call and end with it: that takes some twenty
 * microseconds, and a scan takes thousands of times as long.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct part {
    hyper_thread *run;
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

xta_status xta__run_threads(int n, hyper_thread *run, void *user, xta_error *err)
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
    // Whatever got no thread runs here, after number 0.
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
