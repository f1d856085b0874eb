/* The threads of one process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_PARALLEL_THREADS_H
#define XTA_HYPER_PARALLEL_THREADS_H

#include <xta/status.h>

/* Not collective. Call run(user, k) for each k in [0, n) at once, 0 in the calling thread. All of
 * them run, whatever the others return; the error is that of the lowest k that has one. */
typedef xta_status hyper_thread(void *user, int number, xta_error *err);
xta_status xta__run_threads(int n, hyper_thread *run, void *user, xta_error *err);

#endif
