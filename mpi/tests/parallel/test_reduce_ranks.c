/* nprocs: 1 2 3 4; mpich: 2 */
/* Reductions by several ranks: random arrays in files, which each rank opens by itself or all of
 * them through MPI-IO, have results of the same bits as one process computes, each cell is read by
 * one rank, and ranks that disagree all get the same error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/mpi_test.h"

#include <stdint.h>
#include <string.h>

#include <xta/parallel.h>
#include <xta/reduce.h>

#include "property/reduce_rig.h"

static const xta_reduce_statistic all[] = {XTA_REDUCE_COUNT, XTA_REDUCE_SUM, XTA_REDUCE_MEAN,
                                           XTA_REDUCE_MIN,   XTA_REDUCE_MAX, XTA_REDUCE_VAR};
enum { N = sizeof all / sizeof all[0] };

/* The same on all ranks, up to the folder. */
static reduce_trial trial;

/* Reduce, and read the results. A sum of integers that leaves 64 bits is an error on all ranks. */
static xta_status reduce(xta_array *array, const xta_reduce_options *options, uint8_t *cells[N],
                         uint64_t *n_read, xta_error *err)
{
    xta_array *results[N] = {NULL};
    xta_reduce_facts facts;
    xta_error other;

    for (int s = 0; s < N; s++) {
        XTA_CHECK_OK(xta_reduce_create(array, options, all[s], NULL, &results[s], &other), other);
    }
    xta_status status = xta_reduce(array, options, all, N, results, &facts, err);
    *n_read = facts.n_cells_read;
    for (int s = 0; s < N; s++) {
        cells[s] = calloc(trial.n_results + 1, 8);
        XTA_CHECK_OK(xta_array_read(results[s], &trial.result, NULL, cells[s], &other), other);
        XTA_CHECK_OK(xta_array_close(results[s], &other), other);
    }
    return status;
}

/* By all ranks, against the results of one process. */
static void reduce_together(xta_array *array, const xta_communicator *communicator,
                            uint8_t *const want[N], xta_status expected, const char *what)
{
    xta_reduce_options options = trial.options;
    uint8_t *cells[N] = {NULL};
    unsigned long long n_read = 0, n_all = 0;
    uint64_t mine = 0;
    xta_error err;

    options.communicator = communicator;
    options.threads = 1 + xta_test_rank % 2;
    xta_status status = reduce(array, &options, cells, &mine, &err);
    XTA_CHECK(status == expected, "trial %lu, %s: %s, not %s: %s", (unsigned long)trial.story.part,
              what, xta_status_name(status), xta_status_name(expected), err.text);
    for (int s = 0; s < N; s++) {
        size_t n = trial.n_results * xta_type_bytes(xta_reduce_result_type(all[s], trial.type));
        XTA_CHECK(status != XTA_OK || memcmp(cells[s], want[s], n) == 0,
                  "trial %lu, %s: another %s", (unsigned long)trial.story.part, what,
                  xta_reduce_statistic_name(all[s]));
        free(cells[s]);
    }
    n_read = mine;
    MPI_Allreduce(&n_read, &n_all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    XTA_CHECK(status != XTA_OK || trial.n_results == 0 || n_all == trial.n_cells,
              "trial %lu, %s: %llu cells were read, not %lu", (unsigned long)trial.story.part, what,
              n_all, (unsigned long)trial.n_cells);
}

/* The last rank has another rule. */
static void disagree(xta_array *array, const xta_communicator *communicator)
{
    xta_reduce_options options = trial.options;
    xta_error err;

    options.communicator = communicator;
    options.min_count += xta_test_rank + 1 == xta_test_ranks;
    xta_status status = xta_reduce(array, &options, all, 1, NULL, NULL, &err);
    XTA_CHECK(status == (xta_test_ranks > 1 ? XTA_EARG : XTA_OK), "%s", xta_status_name(status));
    XTA_CHECK(status == XTA_OK || strstr(err.text, "different minimum counts") != NULL, "%s",
              err.text);
}

static void run_trial(uint64_t seed, uint64_t part, const xta_communicator *communicator)
{
    xta_parallel_options by_mpi = XTA_PARALLEL_OPTIONS_INIT;
    const char *path = xta_test_path("shared");
    uint8_t *want[N] = {NULL};
    xta_array *own = NULL, *shared = NULL;
    xta_parallel *p = NULL;
    uint64_t n_read = 0;
    xta_error err;

    test_story_begin(&trial.story, "test_reduce_ranks", seed, part);
    trial.random = test_random_make(seed, part);
    rig_make(&trial);
    own = rig_array(&trial, 0);
    trial.options.threads = 1;
    xta_status status = reduce(own, &trial.options, want, &n_read, &err);
    XTA_CHECK(status == XTA_OK || status == XTA_ERANGE, "%s", err.text);
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_save(own, path, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    XTA_CHECK_OK(xta_array_open(path, NULL, &shared, &err), err);
    reduce_together(shared, communicator, want, status, "files");
    disagree(shared, communicator);
    XTA_CHECK_OK(xta_array_close(shared, &err), err);
    by_mpi.io = XTA_IO_MPI;
    XTA_CHECK_OK(xta_parallel_open(MPI_COMM_WORLD, path, &by_mpi, &p, &err), err);
    reduce_together(xta_parallel_array(p), communicator, want, status, "MPI-IO");
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    MPI_Barrier(MPI_COMM_WORLD);
    XTA_CHECK_OK(xta_array_close(own, &err), err);
    test_pair_remove(test_folder_path(&trial.folder, "a0"));
    if (xta_test_rank == 0) {
        test_pair_remove(path);
    }
    for (int s = 0; s < N; s++) {
        free(want[s]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    xta_communicator *communicator = NULL;
    xta_error err;

    xta_test_begin(&argc, &argv);
    uint64_t seed = test_seed("test_reduce_ranks", 20260029), n = test_scale(60);
    XTA_CHECK_OK(xta_communicator_mpi(MPI_COMM_WORLD, &communicator, &err), err);
    test_folder_make_fast(&trial.folder);
    for (uint64_t k = 0; k < n; k++) {
        run_trial(seed, k, communicator);
    }
    test_folder_remove(&trial.folder);
    xta_communicator_mpi_free(communicator);
    return xta_test_end();
}
