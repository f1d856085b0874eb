/* Reading through the NetCDF library against the same reads through libxta: 1 GiB of float64 in the
 * page cache as a whole, by planes, with strides, converted, small boxes, and opening a data set.
 * For comparison the same cells in a file of NetCDF-4, in the same chunks and not compressed.
 *
 * usage: bench_netcdf    prints a line for each: name, seconds of libxta, of the format and of
 *                        NetCDF-4, and libxta's divided by the format's
 *
 * All sides take turns; medians.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/dataset.h>
#include <xta/netcdf_format.h>

#include "bench.h"

enum { NDIM = 3, ROUNDS = 7 };
typedef enum side_kind { XTA, FORMAT, FILE4, N_SIDES } side_kind;

static int64_t lengths[NDIM] = {128, 1024, 1024};
static const int64_t chunk[NDIM] = {8, 128, 128};
static const char *const names[NDIM] = {"t", "y", "x"};

static xta_dataset *set;
static xta_array *array;
static int files[N_SIDES], ids[N_SIDES];
static void *memory;

static void must(int code)
{
    if (code != NC_NOERR) {
        bench_die("NetCDF: %s", nc_strerror(code));
    }
}

/* ---- data ---- */

static void make_set(const char *folder)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    BENCH_XTA(xta_dataset_create(folder, NULL, &set, &bench_error));
    for (int d = 0; d < NDIM; d++) {
        const xta_dimension dimension = {.name = names[d], .hi = lengths[d], .unlimited = d == 0};
        BENCH_XTA(xta_dataset_set_dimension(set, &dimension, &bench_error));
    }
    BENCH_XTA(
        xta_dataset_add_member(set, "v", XTA_F64, NDIM, names, &options, &array, &bench_error));
}

static void make_file(const char *path)
{
    int dims[NDIM];
    const size_t chunks[NDIM] = {(size_t)chunk[0], (size_t)chunk[1], (size_t)chunk[2]};

    must(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &files[FILE4]));
    for (int d = 0; d < NDIM; d++) {
        must(nc_def_dim(files[FILE4], names[d], d == 0 ? NC_UNLIMITED : (size_t)lengths[d],
                        &dims[d]));
    }
    must(nc_def_var(files[FILE4], "v", NC_DOUBLE, NDIM, dims, &ids[FILE4]));
    must(nc_def_var_chunking(files[FILE4], ids[FILE4], NC_CHUNKED, chunks));
}

static void make(const char *folder, const char *path)
{
    make_set(folder);
    make_file(path);
    for (int64_t t = 0; t < lengths[0]; t += chunk[0]) {
        const int64_t lo[NDIM] = {t, 0, 0}, n[NDIM] = {chunk[0], lengths[1], lengths[2]};
        const size_t start[NDIM] = {(size_t)t, 0, 0};
        const size_t count[NDIM] = {(size_t)n[0], (size_t)n[1], (size_t)n[2]};
        const xta_box box = bench_box(NDIM, lo, n);
        bench_fill(&box, memory);
        BENCH_XTA(xta_array_write(array, &box, NULL, memory, &bench_error));
        must(nc_put_vara_double(files[FILE4], ids[FILE4], start, count, memory));
    }
    BENCH_XTA(xta_dataset_close(set, &bench_error));
    must(nc_close(files[FILE4]));
}

/* ---- reads ---- */

typedef struct work {
    const char *name;
    int64_t lo[NDIM], count[NDIM], step[NDIM];
    int repeat; /* boxes, moved along the axes */
    bool as_float;
} work;

static const work *now;

static void read_xta(const work *w, int k)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_box box = {.ndim = NDIM};

    for (int d = 0; d < NDIM; d++) {
        int64_t reach = (w->count[d] - 1) * w->step[d] + 1;
        box.lo[d] = (w->lo[d] + (int64_t)k * 37) % (lengths[d] - reach + 1);
        box.hi[d] = box.lo[d] + reach;
    }
    options.step = w->step;
    options.type = w->as_float ? XTA_F32 : XTA_TYPE_SAME;
    BENCH_XTA(xta_array_read(array, &box, &options, memory, &bench_error));
}

static void read_netcdf(int side, const work *w, int k)
{
    size_t start[NDIM], count[NDIM];
    ptrdiff_t stride[NDIM];

    for (int d = 0; d < NDIM; d++) {
        int64_t reach = (w->count[d] - 1) * w->step[d] + 1;
        start[d] = (size_t)((w->lo[d] + (int64_t)k * 37) % (lengths[d] - reach + 1));
        count[d] = (size_t)w->count[d];
        stride[d] = (ptrdiff_t)w->step[d];
    }
    must(w->as_float ? nc_get_vars_float(files[side], ids[side], start, count, stride, memory)
                     : nc_get_vars_double(files[side], ids[side], start, count, stride, memory));
}

static double run_side(void *which, int repetition)
{
    side_kind side = *(const side_kind *)which;
    double start = bench_now();

    (void)repetition;
    for (int k = 0; k < now->repeat; k++) {
        if (side == XTA) {
            read_xta(now, k);
        } else {
            read_netcdf((int)side, now, k);
        }
    }
    return bench_now() - start;
}

static void measure(const work *w)
{
    static side_kind which[N_SIDES] = {XTA, FORMAT, FILE4};
    const bench_side sides[N_SIDES] = {
        {.run = run_side, .state = &which[0]},
        {.run = run_side, .state = &which[1]},
        {.run = run_side, .state = &which[2]},
    };
    double seconds[N_SIDES];

    now = w;
    bench_alternate(sides, N_SIDES, ROUNDS, seconds);
    printf("%s,%.6f,%.6f,%.6f,%.2f\n", w->name, seconds[XTA], seconds[FORMAT], seconds[FILE4],
           seconds[XTA] / seconds[FORMAT]);
    fflush(stdout);
}

/* ---- opening ---- */

static char address[600];
static const char *file_path;

static double open_side(void *which, int repetition)
{
    int id = -1;
    double start = bench_now();
    xta_array *member = NULL;
    xta_dataset *opened = NULL;

    (void)repetition;
    if (*(const side_kind *)which == XTA) {
        BENCH_XTA(xta_dataset_open(bench_path("netcdf_set"), NULL, &opened, &bench_error));
        BENCH_XTA(xta_dataset_member(opened, "v", &member, &bench_error));
        BENCH_XTA(xta_dataset_close(opened, &bench_error));
    } else {
        must(nc_open(*(const side_kind *)which == FORMAT ? address : file_path, NC_NOWRITE, &id));
        must(nc_close(id));
    }
    return bench_now() - start;
}

static void measure_opening(void)
{
    static side_kind which[N_SIDES] = {XTA, FORMAT, FILE4};
    const bench_side sides[N_SIDES] = {
        {.run = open_side, .state = &which[0]},
        {.run = open_side, .state = &which[1]},
        {.run = open_side, .state = &which[2]},
    };
    double seconds[N_SIDES];

    bench_alternate(sides, N_SIDES, 31, seconds);
    printf("open and close,%.6f,%.6f,%.6f,%.2f\n", seconds[XTA], seconds[FORMAT], seconds[FILE4],
           seconds[XTA] / seconds[FORMAT]);
}

int main(void)
{
    const char *folder = bench_path("netcdf_set");
    char *real = NULL;

    file_path = strdup(bench_path("netcdf.nc"));
    lengths[0] = bench_small() ? 16 : 128;
    memory = bench_memory((size_t)(lengths[0] * lengths[1] * lengths[2]) * sizeof(double));
    must(xta_netcdf_register());
    make(folder, file_path);
    real = realpath(bench_path("netcdf_set"), NULL);
    snprintf(address, sizeof address, "file://%s#mode=udf0", real != NULL ? real : "");
    free(real);
    BENCH_XTA(xta_dataset_open(bench_path("netcdf_set"), NULL, &set, &bench_error));
    BENCH_XTA(xta_dataset_member(set, "v", &array, &bench_error));
    must(nc_open(address, NC_NOWRITE, &files[FORMAT]));
    must(nc_open(file_path, NC_NOWRITE, &files[FILE4]));
    must(nc_inq_varid(files[FORMAT], "v", &ids[FORMAT]));
    printf("name,xta seconds,format seconds,NetCDF-4 seconds,xta/format\n");
    const work all[] = {
        {"whole", {0}, {lengths[0], lengths[1], lengths[2]}, {1, 1, 1}, 1, false},
        {"planes of t", {0}, {1, lengths[1], lengths[2]}, {1, 1, 1}, 16, false},
        {"planes of x", {0}, {lengths[0], lengths[1], 1}, {1, 1, 1}, 16, false},
        {"every third", {0}, {4, 300, 300}, {3, 3, 3}, 4, false},
        {"as float32", {0}, {lengths[0], lengths[1], lengths[2]}, {1, 1, 1}, 1, true},
        {"boxes of 32 KiB", {0}, {4, 32, 32}, {1, 1, 1}, 2000, false},
        {"single cells", {0}, {1, 1, 1}, {1, 1, 1}, 20000, false},
    };
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        measure(&all[k]);
    }
    measure_opening();
    must(nc_close(files[FORMAT]));
    must(nc_close(files[FILE4]));
    BENCH_XTA(xta_dataset_close(set, &bench_error));
    return 0;
}
