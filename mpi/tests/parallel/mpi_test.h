/* Shared by MPI tests: checks that are counted on every rank and agreed on at the end.
 *
 * A check that fails prints rank, place and values, and the test goes on, so that no rank leaves
 * the others waiting in a collective call. Whether a test failed is agreed at its end: one failure
 * on one rank makes the whole program fail.
 *
 *     int main(int argc, char **argv)
 *     {
 *         xta_test_begin(&argc, &argv);
 *         XTA_CHECK(sum == 6, "the sum is %d", sum);
 *         return xta_test_end();
 *     }
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PARALLEL_MPI_TEST_H
#define XTA_TESTS_PARALLEL_MPI_TEST_H

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <xta/status.h>

static long xta_test_checks, xta_test_failures;
static int xta_test_rank, xta_test_ranks;

/* One line for each failure, written at once, so that lines of several ranks do not mix. After
 * twenty of them a rank is silent: the first ones suffice. */
XTA_PRINTF(5, 6)
static inline bool xta_test_check(bool holds, const char *file, int line, const char *what,
                                  const char *format, ...)
{
    char text[1024];
    va_list values;

    xta_test_checks++;
    if (holds || ++xta_test_failures > 20) {
        return holds;
    }
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fprintf(stderr, "rank %d of %d: %s:%d: not so: %s: %s\n", xta_test_rank, xta_test_ranks, file,
            line, what, text);
    return false;
}

/* Is true if `condition` holds; else counts a failure, and prints the further arguments as printf
 * would. */
#define XTA_CHECK(condition, ...) \
    xta_test_check((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)

/* `call` returns XTA_OK; else prints the text of `err` (a struct, not a pointer). */
#define XTA_CHECK_OK(call, err) XTA_CHECK_STATUS(call, XTA_OK, err)

/* `call` returns the status `want`. */
#define XTA_CHECK_STATUS(call, want, err) \
    xta_test_check_status((call), (want), __FILE__, __LINE__, #call, &(err))

static inline bool xta_test_check_status(xta_status got, xta_status want, const char *file,
                                         int line, const char *what, const xta_error *err)
{
    return xta_test_check(got == want, file, line, what, "status %d, wanted %d: %s", (int)got,
                          (int)want, got == XTA_OK ? "no error" : err->text);
}

/* Only in builds with the leak sanitizer. Leaks are checked while MPI is still running, because
 * memory that MPI itself never frees can be identified only while its libraries are loaded
 * (tools/leaks.supp); leaks of MPI_Init in libraries that it closes again are ignored. */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* Starts MPI (unless the test has done so, with threads for instance) and checks that there are as
 * many ranks as the runner asked for: a launcher of another MPI starts n programs of one rank
 * each. */
static inline void xta_test_begin(int *argc, char ***argv)
{
    int started = 0;
    const char *wanted = getenv("XTA_TEST_RANKS");

    MPI_Initialized(&started);
    if (__lsan_disable != NULL) {
        __lsan_disable();
    }
    if (!started) {
        MPI_Init(argc, argv);
    }
    if (__lsan_enable != NULL) {
        __lsan_enable();
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &xta_test_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &xta_test_ranks);
    if (wanted != NULL) {
        XTA_CHECK(atoi(wanted) == xta_test_ranks, "%d ranks, wanted %s", xta_test_ranks, wanted);
    }
}

/* How many checks all ranks have made, and how many of them failed. Collective. */
static inline void xta_test_count(long *checks, long *failures)
{
    long mine[2] = {xta_test_checks, xta_test_failures}, all[2] = {0, 1};

    MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    *checks = all[0];
    *failures = all[1];
}

/* The exit code of all ranks: 1 if a check failed on any of them, or if none was made. Collective.
 * Does not end MPI, for tests whose layers must end first (GA_Terminate). */
static inline int xta_test_verdict(void)
{
    long checks, failures;

    if (__lsan_do_recoverable_leak_check != NULL) {
        XTA_CHECK(__lsan_do_recoverable_leak_check() == 0, "memory is lost, see above");
    }
    xta_test_count(&checks, &failures);
    if (xta_test_rank == 0) {
        printf("%d ranks: %ld checks, %ld failed\n", xta_test_ranks, checks, failures);
    }
    return failures != 0 || checks == 0;
}

/* The exit code; ends MPI. For `return xta_test_end();` in main. */
static inline int xta_test_end(void)
{
    int code = xta_test_verdict();

    MPI_Finalize();
    return code;
}

/* The path of a file in the folder of this run. The text is valid until the fourth call after
 * it. */
static inline const char *xta_test_path(const char *name)
{
    static char paths[4][1024];
    static int turn;
    const char *folder = getenv("XTA_TEST_DIR");
    char *path = paths[turn++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder != NULL ? folder : ".", name);
    return path;
}

#endif
