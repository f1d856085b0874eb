/* Mapped files that lose pages while they are read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/bus_guard.h"

/* Three pages of the byte 7, of which the file has only the first. */
typedef struct short_file {
    int fd;
    size_t page_bytes;
    volatile unsigned char *cells;
} short_file;

static int open_short(void **state)
{
    static short_file file;

    file.page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    file.fd = memfd_create("short", 0);
    assert_true(file.fd >= 0);
    assert_int_equal(ftruncate(file.fd, (off_t)(3 * file.page_bytes)), 0);
    void *at = mmap(NULL, 3 * file.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
    assert_true(at != MAP_FAILED);
    memset(at, 7, 3 * file.page_bytes);
    assert_int_equal(ftruncate(file.fd, (off_t)file.page_bytes), 0);
    file.cells = at;
    *state = &file;
    return 0;
}

/* In each test, since cmocka handles SIGBUS itself until one begins. */
static const short_file *begin(void **state)
{
    assert_true(xta__bus_guard_install());
    return *state;
}

static int close_short(void **state)
{
    short_file *file = *state;

    munmap((void *)file->cells, 3 * file->page_bytes);
    return close(file->fd);
}

static void a_missing_page_reads_as_zeros(void **state)
{
    const short_file *file = begin(state);
    atomic_bool missing = false;

    xta__bus_guard_enter(&missing);
    assert_int_equal(file->cells[0], 7);
    assert_false(xta__bus_guard_leave());
    xta__bus_guard_enter(&missing);
    assert_int_equal(file->cells[2 * file->page_bytes + 5], 0);
    assert_true(xta__bus_guard_leave());
    assert_int_equal(file->cells[file->page_bytes - 1], 7);
}

typedef struct reader {
    const short_file *file;
    atomic_bool *missing;
    bool left;
} reader;

static void *read_page(void *user)
{
    reader *r = user;

    xta__bus_guard_enter(r->missing);
    assert_int_equal(r->file->cells[r->file->page_bytes], 0);
    r->left = xta__bus_guard_leave();
    return NULL;
}

static void who_reads_the_zeros_later_learns_it(void **state)
{
    const short_file *file = begin(state);
    atomic_bool missing = false;
    reader readers[2] = {{file, &missing, false}, {file, &missing, false}};

    for (int k = 0; k < 2; k++) { // the second reads what the first has left there
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, read_page, &readers[k]), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(readers[k].left);
    }
}

static void outside_of_it_the_signal_ends_the_program(void **state)
{
    const short_file *file = begin(state);
    atomic_bool missing = false;
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        xta__bus_guard_enter(&missing);
        (void)xta__bus_guard_leave();
        _exit(file->cells[file->page_bytes]);
    }
    assert_true(child > 0);
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGBUS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_missing_page_reads_as_zeros, open_short, close_short),
        cmocka_unit_test_setup_teardown(who_reads_the_zeros_later_learns_it, open_short,
                                        close_short),
        cmocka_unit_test_setup_teardown(outside_of_it_the_signal_ends_the_program, open_short,
                                        close_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
