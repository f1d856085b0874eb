/* nprocs: 1 2 3 4 7; mpich: 2 3 */
/* The runner of the MPI tests: as many ranks as requested in one world, one new folder visible to
 * all of them, and a failure of one rank counts on all.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/mpi_test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void one_folder_for_all(void)
{
    const char *folder = getenv("XTA_TEST_DIR");
    char first[1024] = "";
    struct stat status;

    if (!XTA_CHECK(folder != NULL, "XTA_TEST_DIR is not set")) {
        folder = "";
    }
    snprintf(first, sizeof first, "%s", folder);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    XTA_CHECK(strcmp(first, folder) == 0, "'%s' here, '%s' on rank 0", folder, first);
    XTA_CHECK(stat(folder, &status) == 0 && S_ISDIR(status.st_mode), "no folder '%s'", folder);
    XTA_CHECK(access(xta_test_path("note"), F_OK) != 0, "'%s' is not fresh", folder);
}

static void what_one_writes_all_read(void)
{
    int written = 4711, seen = 0;
    FILE *file;

    MPI_Barrier(MPI_COMM_WORLD);
    if (xta_test_rank == xta_test_ranks - 1) {
        file = fopen(xta_test_path("note"), "w");
        if (XTA_CHECK(file != NULL, "cannot write '%s'", xta_test_path("note"))) {
            fprintf(file, "%d\n", written);
            fclose(file);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    file = fopen(xta_test_path("note"), "r");
    if (XTA_CHECK(file != NULL, "cannot read '%s'", xta_test_path("note"))) {
        XTA_CHECK(fscanf(file, "%d", &seen) == 1 && seen == written, "%d", seen);
        fclose(file);
    }
}

static void one_world(void)
{
    int sum = 0, mine = xta_test_rank + 1;

    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    XTA_CHECK(sum == xta_test_ranks * (xta_test_ranks + 1) / 2, "the sum is %d", sum);
}

/* A failure that only the last rank sees counts on every rank. It is undone afterwards. */
static void one_failure_counts_on_all(void)
{
    long before = xta_test_failures, checks = 0, failures = 0, without;

    xta_test_count(&checks, &without);
    if (xta_test_rank == xta_test_ranks - 1) {
        xta_test_failures++;
    }
    xta_test_count(&checks, &failures);
    xta_test_failures = before;
    XTA_CHECK(failures == without + 1, "%ld failures, %ld without the one", failures, without);
    XTA_CHECK(checks >= xta_test_ranks, "only %ld checks", checks);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    one_folder_for_all();
    what_one_writes_all_read();
    one_world();
    one_failure_counts_on_all();
    return xta_test_end();
}
