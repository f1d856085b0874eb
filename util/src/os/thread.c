/* Threads created by the library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <sched.h>
#include <signal.h>

bool xta__thread_start(pthread_t *thread, void *(*run)(void *user), void *user)
{
    static const int own[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t most, before;

    sigfillset(&most);
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
        sigdelset(&most, own[k]);
    }
    // A new thread inherits the signal mask of its creator.
    pthread_sigmask(SIG_SETMASK, &most, &before);
    bool started = pthread_create(thread, NULL, run, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

int xta__processors(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    // Fails on machines with more processors than the set has bits.
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        return CPU_SETSIZE;
    }
    int n = CPU_COUNT(&set);
    return n > 0 ? n : 1;
}

int xta__processor(void)
{
    return sched_getcpu();
}

void xta__leave_processor(int processor)
{
    cpu_set_t all, others;

    CPU_ZERO(&all);
    if (processor < 0 || sched_getcpu() != processor ||
        sched_getaffinity(0, sizeof all, &all) != 0) {
        return;
    }
    others = all;
    CPU_CLR(processor, &others);
    // A call that does not permit the processor moves the thread at once.
    if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof others, &others) == 0) {
        sched_setaffinity(0, sizeof all, &all);
    }
}
