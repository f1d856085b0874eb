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

static void handlers_of_the_program_do_not_run_there(void **state)
{
    sigset_t before, there, after;
    pthread_t thread;
    (void)state;

    sigemptyset(&before);
    sigaddset(&before, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_true(xta__thread_start(&thread, take_mask, &there));
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

static cpu_set_t permitted(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return set;
}

static void another_processor(void **state)
{
    cpu_set_t all = permitted();
    int n_moved = 0;

    (void)state;
    for (int k = 0; k < 20; k++) {
        int processor = xta__processor();
        xta__leave_processor(processor);
        n_moved += xta__processor() != processor;
        cpu_set_t after = permitted();
        assert_true(CPU_EQUAL(&after, &all));
    }
    // The scheduler may move the thread back at any time.
    assert_true(n_moved > 0 || CPU_COUNT(&all) == 1);
}

static void the_only_processor(void **state)
{
    cpu_set_t all = permitted(), only;

    (void)state;
    CPU_ZERO(&only);
    CPU_SET(xta__processor(), &only);
    assert_int_equal(sched_setaffinity(0, sizeof only, &only), 0);
    int processor = xta__processor();
    xta__leave_processor(processor);
    assert_int_equal(xta__processor(), processor);
    cpu_set_t after = permitted();
    assert_true(CPU_EQUAL(&after, &only));
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void a_processor_that_is_not_known(void **state)
{
    cpu_set_t all = permitted();

    (void)state;
    xta__leave_processor(-1);
    xta__leave_processor(CPU_SETSIZE); // runs on none of this number
    cpu_set_t after = permitted();
    assert_true(CPU_EQUAL(&after, &all));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handlers_of_the_program_do_not_run_there),
        cmocka_unit_test(another_processor),
        cmocka_unit_test(the_only_processor),
        cmocka_unit_test(a_processor_that_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
