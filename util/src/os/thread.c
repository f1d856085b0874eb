/* Threads created by the library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>

static bool create_thread(pthread_t *thread, pthread_attr_t *attributes, void *(*run)(void *user),
                          void *user)
{
    static const int own[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t most;

    sigfillset(&most);
    for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
        sigdelset(&most, own[k]);
    }
    return pthread_attr_setsigmask_np(attributes, &most) == 0 &&
           pthread_create(thread, attributes, run, user) == 0;
}

bool xta__thread_start(pthread_t *thread, void *(*run)(void *user), void *user)
{
    pthread_attr_t attributes;

    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    bool created = create_thread(thread, &attributes, run, user);
    pthread_attr_destroy(&attributes);
    return created;
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

/* What a thread is to do once it has its processors back. */
typedef struct elsewhere {
    void *(*run)(void *user);
    void *user;
    cpu_set_t all; // the processors it may use
} elsewhere;

static void *run_elsewhere(void *argument)
{
    elsewhere mine = *(elsewhere *)argument;

    free(argument);
    sched_setaffinity(0, sizeof mine.all, &mine.all);
    return mine.run(mine.user);
}

/* All processors that this thread may use, and the same without its own; false if there is no other
 * one, or if it is not known. */
static bool find_others(cpu_set_t *all, cpu_set_t *others)
{
    int own = sched_getcpu();

    CPU_ZERO(all);
    if (own < 0 || sched_getaffinity(0, sizeof *all, all) != 0) {
        return false;
    }
    *others = *all;
    CPU_CLR(own, others);
    return CPU_COUNT(others) > 0;
}

bool xta__thread_start_elsewhere(pthread_t *thread, void *(*run)(void *user), void *user)
{
    elsewhere *begin = malloc(sizeof *begin);
    pthread_attr_t attributes;
    cpu_set_t others;
    bool started = false;

    if (begin != NULL && find_others(&begin->all, &others) && pthread_attr_init(&attributes) == 0) {
        begin->run = run;
        begin->user = user;
        started = pthread_attr_setaffinity_np(&attributes, sizeof others, &others) == 0 &&
                  create_thread(thread, &attributes, run_elsewhere, begin);
        pthread_attr_destroy(&attributes);
    }
    if (!started) {
        free(begin);
        started = xta__thread_start(thread, run, user);
    }
    return started;
}
