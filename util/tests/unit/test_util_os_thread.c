/* The signals of threads that the library creates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handlers_of_the_program_do_not_run_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
