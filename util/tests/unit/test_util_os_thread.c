/* Threads that the library creates: their signals, their processor.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/os.h"

static void *take_mask(void *user)
{
    pthread_sigmask(SIG_SETMASK, NULL, user);
    return NULL;
}

typedef bool start_function(pthread_t *thread, void *(*run)(void *user), void *user);

static void check_signals(start_function *start)
{
    sigset_t before, there, after;
    pthread_t thread;

    sigemptyset(&before);
    sigaddset(&before, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_true(start(&thread, take_mask, &there));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(sigismember(&there, SIGTERM), 1);
    assert_int_equal(sigismember(&there, SIGUSR1), 1);
    assert_int_equal(sigismember(&there, SIGCHLD), 1);
    // A handler that the program has for its mapped files still gets them.
    assert_int_equal(sigismember(&there, SIGBUS), 0);
    assert_int_equal(sigismember(&there, SIGSEGV), 0);
    // So does one that emulates a system call that a sandbox has trapped.
    assert_int_equal(sigismember(&there, SIGSYS), 0);
    assert_int_equal(sigismember(&there, SIGTRAP), 0);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    assert_int_equal(sigismember(&after, SIGTERM), 0);
    assert_int_equal(sigismember(&after, SIGUSR2), 1);
}

static void handlers_of_the_program_do_not_run_there(void **state)
{
    (void)state;
    check_signals(xta__thread_start);
    check_signals(xta__thread_start_elsewhere);
}

static cpu_set_t permitted(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

typedef struct observation {
    int processor; // on which the thread began
    cpu_set_t permitted;
} observation;

static void *observe(void *user)
{
    observation *seen = user;

    seen->processor = sched_getcpu();
    seen->permitted = permitted();
    return NULL;
}

static void begins_on_another_processor(void **state)
{
    cpu_set_t all = permitted();
    int n_elsewhere = 0;

    (void)state;
    for (int k = 0; k < 20; k++) {
        observation seen = {0};
        pthread_t thread;
        int own = sched_getcpu();
        assert_true(xta__thread_start_elsewhere(&thread, observe, &seen));
        assert_int_equal(pthread_join(thread, NULL), 0);
        n_elsewhere += seen.processor != own;
        assert_true(CPU_EQUAL(&seen.permitted, &all));
        cpu_set_t after = permitted();
        assert_true(CPU_EQUAL(&after, &all));
    }
    // The scheduler may move both threads at any time.
    assert_true(n_elsewhere > 0 || CPU_COUNT(&all) == 1);
}

static void the_only_processor(void **state)
{
    cpu_set_t all = permitted(), only;
    observation seen = {0};
    pthread_t thread;

    (void)state;
    CPU_ZERO(&only);
    CPU_SET(sched_getcpu(), &only);
    assert_int_equal(sched_setaffinity(0, sizeof only, &only), 0);
    int own = sched_getcpu();
    assert_true(xta__thread_start_elsewhere(&thread, observe, &seen));
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(seen.processor, own);
    assert_true(CPU_EQUAL(&seen.permitted, &only));
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handlers_of_the_program_do_not_run_there),
        cmocka_unit_test(begins_on_another_processor),
        cmocka_unit_test(the_only_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
