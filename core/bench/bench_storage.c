/* What growth costs in storage ([CXA] Fig. 6.4.4): under each policy an array grows by odd numbers
 * of cells, unevenly on its axes, and every cell is written. Reported are the cells allocated for
 * each cell used, the sizes that `ls` and `du` show, and the size of an HDF5 file with the same
 * cells and the same history. `exact` and the raw cells are the yardsticks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "peer_hdf5.h"

#define GROWTHS 45

typedef struct policy_case {
    const char *name;
    xta_policy policy;
    uint32_t amount;
} policy_case;

typedef struct sizes {
    double used;      // cells within the bounds
    double allocated; // cells of all chunks that have addresses
    double apparent_bytes;
    double real_bytes; // of both files
    double journal_bytes;
} sizes;

static const int64_t CHUNK[3] = {16, 16, 16};
static const int64_t START[3] = {40, 40, 40};
static const int AXES[9] = {0, 0, 1, 0, 0, 1, 2, 0, 1}; // the axes that grow, cyclically

static int64_t amount_of(int growth)
{
    return 3 + 2 * (growth % 5);
}

static double *all_cells(const xta_box *bounds)
{
    uint64_t n = 0;
    if (xta_box_cells(bounds, &n) != XTA_OK) {
        bench_die("too many cells");
    }
    double *cells = bench_memory((size_t)n * sizeof(double));
    bench_fill(bounds, cells);
    return cells;
}

static sizes measure_ours(const policy_case *what)
{
    const char *path = bench_path("storage");
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_array_info info;
    sizes result;

    options.chunk = CHUNK;
    options.policy = what->policy;
    options.policy_amount = what->amount;
    bench_remove_array(path);
    BENCH_XTA(xta_array_create(path, XTA_F64, 3, START, &options, &array, &bench_error));
    for (int i = 0; i < GROWTHS; i++) {
        xta_growth growth = {AXES[i % 9], XTA_BACK, amount_of(i)};
        BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
    }
    xta_box bounds = xta_array_bounds(array);
    double *cells = all_cells(&bounds);
    BENCH_XTA(xta_array_write(array, &bounds, NULL, cells, &bench_error));
    BENCH_XTA(xta_array_sync(array, &bench_error));
    BENCH_XTA(xta_array_read(array, &bounds, NULL, cells, &bench_error));
    bench_verify(&bounds, cells, "xta");
    free(cells);
    BENCH_XTA(xta_array_inquire(array, &info, &bench_error));
    uint64_t used = 0;
    if (xta_box_cells(&bounds, &used) != XTA_OK) {
        bench_die("too many cells");
    }
    result.used = (double)used;
    result.allocated = (double)info.n_chunks * 16 * 16 * 16;
    result.journal_bytes = (double)info.journal_bytes;
    result.apparent_bytes = (double)(info.data_apparent_bytes + info.journal_bytes);
    result.real_bytes = (double)(info.data_real_bytes + info.journal_bytes);
    BENCH_XTA(xta_array_close(array, &bench_error));
    bench_remove_array(path);
    return result;
}

static double measure_hdf5(void)
{
    const char *path = bench_path("storage.h5");
    int64_t bounds[3] = {START[0], START[1], START[2]};
    int64_t zero[3] = {0};
    peer_hdf5 peer;
    uint64_t apparent = 0;

    peer_create(&peer, path, H5T_NATIVE_DOUBLE, 3, bounds, CHUNK);
    for (int i = 0; i < GROWTHS; i++) {
        bounds[AXES[i % 9]] += amount_of(i);
        peer_set_extent(&peer, bounds);
    }
    peer_see_bounds(&peer);
    xta_box all = bench_box(3, zero, bounds);
    double *cells = all_cells(&all);
    peer_write(&peer, &all, cells);
    peer_read(&peer, &all, cells);
    bench_verify(&all, cells, "HDF5");
    free(cells);
    peer_close(&peer);
    bench_file_bytes(path, &apparent);
    bench_remove(path);
    return (double)apparent;
}

int main(void)
{
    static const policy_case cases[] = {{"exact", XTA_EXACT, 0},
                                        {"linear:4", XTA_LINEAR, 4},
                                        {"exponential:2", XTA_EXPONENTIAL, 2},
                                        {"cubical", XTA_CUBICAL, 0},
                                        {"shell", XTA_SHELL, 0}};
    bench_begin("storage");
    double hdf5_bytes = measure_hdf5();

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sizes size = measure_ours(&cases[i]);
        const char *name = cases[i].name;
        double cells_bytes = size.used * sizeof(double);
        bench_print(&(bench_row){name, "cells with an address", size.allocated,
                                 "cells within the bounds", size.used, "cells", BENCH_COST, 0});
        bench_print(&(bench_row){name, "real bytes (du)", size.real_bytes,
                                 "bytes of the cells within the bounds", cells_bytes, "B",
                                 BENCH_COST, 0});
        bench_print(&(bench_row){name, "real bytes (du)", size.real_bytes, "HDF5 file", hdf5_bytes,
                                 "B", BENCH_COST, 0});
        bench_print(&(bench_row){name, "apparent bytes (ls)", size.apparent_bytes, "HDF5 file",
                                 hdf5_bytes, "B", BENCH_COST, 0});
        bench_print(&(bench_row){name, "bytes of the journal", size.journal_bytes,
                                 "HDF5 file beyond its cells", hdf5_bytes - cells_bytes, "B",
                                 BENCH_COST, 0});
    }
    return 0;
}
