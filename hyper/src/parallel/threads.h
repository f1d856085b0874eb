/* The threads of one member of a communicator.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_PARALLEL_THREADS_H
#define XTA_HYPER_PARALLEL_THREADS_H

#include <xta/status.h>

/* Not collective. Run parts 0 .. n - 1 at once, part 0 in the calling thread; the error of the
 * lowest part that has one. Every part is run, whatever the others say. */
typedef xta_status hyper_thread(void *user, int part, xta_error *err);
xta_status xta__run_threads(int n, hyper_thread *run, void *user, xta_error *err);

#endif
