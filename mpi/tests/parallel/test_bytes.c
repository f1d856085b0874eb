/* nprocs: 7; mpich: 2 */
/* The bytes on disk do not depend on the number of ranks: one history is run by 1, 2, 3, 4 and 7 of
 * the ranks, each time into files of its own, and the files are compared.
 *
 * The data files must be equal. In the journals the records must be; the head differs in the uuid
 * (and so in its checksum), and the marks, which record the progress of syncs, may differ.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/mpi_test.h"

#include <string.h>

#include <xta/parallel.h>

enum { NDIM = 3, MOST_NDIM = 4, MOST_RANKS = 7 };

/* The properties of an array; histories are the same for all. */
typedef struct config {
    const char *name;
    xta_type type;
    xta_order order;
    xta_policy policy;
    uint64_t alignment_bytes;
    uint64_t buffer_bytes;
    xta_parallel_io io;
    double fill;
} config;

static const config configs[] = {
    {"row", XTA_I32, XTA_ROW, XTA_EXACT, 0, 0, XTA_IO_AUTO, 0},
    {"column", XTA_F64, XTA_COLUMN, XTA_EXACT, 64, 1000, XTA_IO_MPI, -1.5},
    {"morton", XTA_I16, XTA_MORTON, XTA_LINEAR, 0, 0, XTA_IO_MPI, 7},
    {"hilbert", XTA_C64, XTA_HILBERT, XTA_EXACT, 0, 500, XTA_IO_MPI, 0},
    {"cubical", XTA_U16, XTA_ROW, XTA_CUBICAL, 512, 0, XTA_IO_AUTO, 3},
};
enum { N_CONFIGS = sizeof configs / sizeof configs[0] };

/* One run: some ranks and their array. */
typedef struct run {
    const config *config;
    MPI_Comm comm;
    int rank, n_ranks;
    xta_parallel *p;
    int n_writes;
    xta_error err;
} run;

/* ---- writing ---- */

/* The value of a cell in write number `k`; small enough for every type. */
static double value_of(int k, const xta_box *box, const int64_t cell[])
{
    int64_t value = 17 * k;

    for (int axis = 0; axis < box->ndim; axis++) {
        value = value * 31 + cell[axis] + 50;
    }
    return (double)(value % 1000);
}

/* One call of this rank for its box, or with none. Memory is column-major doubles, so cells are
 * converted as well. */
static void write_box(run *r, const xta_box *box, const int64_t step[], bool collective)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t cell[XTA_MAX_NDIM], n = 1;
    bool complex = r->config->type == XTA_C64;
    size_t k = 0;

    options.type = complex ? XTA_C128 : XTA_F64;
    options.order = XTA_COLUMN;
    options.step = step;
    for (int axis = 0; box != NULL && axis < box->ndim; axis++) {
        cell[axis] = box->lo[axis];
        n *= (box->hi[axis] - box->lo[axis] + step[axis] - 1) / step[axis];
    }
    double *cells = calloc((size_t)(2 * n + 1), sizeof *cells);
    for (int axis = 0; box != NULL && n > 0 && axis < box->ndim;) {
        cells[k] = value_of(r->n_writes, box, cell);
        k += complex ? 2 : 1;
        axis = 0;
        while (axis < box->ndim && (cell[axis] += step[axis]) >= box->hi[axis]) {
            cell[axis] = box->lo[axis];
            axis++;
        }
    }
    if (collective) {
        XTA_CHECK_OK(xta_parallel_write_all(r->p, box, &options, cells, &r->err), r->err);
    } else if (box != NULL) {
        XTA_CHECK_OK(xta_parallel_write(r->p, box, &options, cells, &r->err), r->err);
    }
    free(cells);
}

/* All cells, each written by the rank in whose zone it lies. */
static void write_zones(run *r, const xta_distribution *how, bool collective)
{
    static const int64_t every[MOST_NDIM] = {1, 1, 1, 1};
    xta_box bounds = xta_parallel_bounds(r->p), box;
    xta_zones *zones = NULL;
    uint64_t most = 0;

    XTA_CHECK_OK(xta_parallel_zones(r->p, how, &zones, &r->err), r->err);
    for (int rank = 0; rank < r->n_ranks; rank++) {
        uint64_t n = xta_zones_n_boxes(zones, rank);
        most = n > most ? n : most;
    }
    for (uint64_t k = 0; k < most; k++) {
        bool mine = k < xta_zones_n_boxes(zones, r->rank);
        if (mine) {
            box = xta_zones_cells(zones, r->rank, k, &bounds);
        }
        write_box(r, mine ? &box : NULL, every, collective);
    }
    xta_zones_free(zones);
    r->n_writes++;
    MPI_Barrier(r->comm);
}

/* A box not aligned with chunks, every `step`-th cell of it, in slices along `axis`. */
static void write_slices(run *r, int axis, int64_t step, bool collective)
{
    int64_t steps[MOST_NDIM] = {step, step, step, step};
    xta_box box = xta_parallel_bounds(r->p);

    for (int k = 0; k < box.ndim; k++) {
        box.lo[k] += box.hi[k] - box.lo[k] > 2;
    }
    int64_t lo = box.lo[axis], n = (box.hi[axis] - lo + step - 1) / step, hi = box.hi[axis];
    box.lo[axis] = lo + step * (n * r->rank / r->n_ranks);
    box.hi[axis] = lo + step * (n * (r->rank + 1) / r->n_ranks);
    box.hi[axis] = box.hi[axis] < hi ? box.hi[axis] : hi;
    write_box(r, box.lo[axis] < box.hi[axis] ? &box : NULL, steps, collective);
    r->n_writes++;
    MPI_Barrier(r->comm);
}

/* ---- the history ---- */

static void grow(run *r, int n, const xta_growth growths[])
{
    XTA_CHECK_OK(xta_parallel_extend(r->p, growths, n, NULL, &r->err), r->err);
}

static void grow_alone(run *r, const xta_growth *growth)
{
    bool changed = false;

    // By the same rank in all runs: the spare length at the end of a data file depends on the
    // handle that lengthens it.
    if (r->rank == 0) {
        XTA_CHECK_OK(xta_parallel_extend_alone(r->p, growth, 1, NULL, &r->err), r->err);
    }
    MPI_Barrier(r->comm);
    XTA_CHECK_OK(xta_parallel_refresh(r->p, &changed, &r->err), r->err);
    XTA_CHECK(changed, "the growth was not seen");
}

static void create(run *r, const char *path, const xta_parallel_options *options)
{
    static const int64_t bounds[NDIM] = {5, 7, 6}, chunk[NDIM] = {2, 4, 2};
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    const double fill[2] = {r->config->fill, 0};
    uint8_t cell[16];

    XTA_CHECK(xta_type_convert(XTA_C128, fill, r->config->type, cell, 1, NULL) == XTA_OK,
              "no such fill value");
    o.chunk = chunk;
    o.order = r->config->order;
    o.policy = r->config->policy;
    o.alignment_bytes = r->config->alignment_bytes;
    o.fill = cell;
    XTA_CHECK_OK(xta_parallel_create(r->comm, path, r->config->type, NDIM, bounds, &o, options,
                                     &r->p, &r->err),
                 r->err);
}

static void run_history(run *r, const char *path)
{
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    const xta_growth first[2] = {{1, XTA_BACK, 5}, {0, XTA_FRONT, 3}};
    const xta_growth alone = {2, XTA_FRONT, 3}, shrink = {1, XTA_FRONT, 2};
    const xta_growth last[3] = {{1, XTA_BACK, 2}, {3, XTA_BACK, 4}, {0, XTA_BACK, 1}};
    const int64_t cycle[MOST_NDIM] = {1, 2, 1, 1};
    const int rows[NDIM] = {r->n_ranks, 1, 1};
    int64_t cut[MOST_RANKS] = {0, 0, 1, 1, 1, 2};
    const int64_t *const cuts[NDIM] = {cut, cut, cut};
    xta_distribution cyclic = XTA_DISTRIBUTION_INIT, irregular = XTA_DISTRIBUTION_INIT;

    options.io = r->config->io;
    options.buffer_bytes = r->config->buffer_bytes;
    cyclic.kind = XTA_BLOCK_CYCLIC;
    cyclic.cycle = cycle;
    irregular.kind = XTA_IRREGULAR;
    irregular.grid = rows;
    irregular.cuts = cuts;
    create(r, path, &options);
    write_zones(r, NULL, true);
    grow(r, 2, first);
    write_slices(r, 0, 1, false);
    grow_alone(r, &alone);
    write_zones(r, &cyclic, false);
    write_slices(r, 2, 1, true);
    write_zones(r, &irregular, true);
    XTA_CHECK_OK(xta_parallel_shrink(r->p, &shrink, 1, NULL, &r->err), r->err);
    XTA_CHECK_OK(xta_parallel_add_axis(r->p, 1, "added", &r->err), r->err);
    XTA_CHECK_OK(xta_parallel_sync(r->p, &r->err), r->err);
    grow(r, 3, last);
    write_slices(r, 3, 2, false);
    XTA_CHECK_OK(xta_parallel_close(r->p, &r->err), r->err);

    options.writable = true;
    XTA_CHECK_OK(xta_parallel_open(r->comm, path, &options, &r->p, &r->err), r->err);
    write_zones(r, NULL, false);
    write_slices(r, 1, 3, true);
    XTA_CHECK_OK(xta_parallel_close(r->p, &r->err), r->err);
}

/* ---- comparing ---- */

static uint8_t *read_file(const char *path, const char *suffix, size_t *n)
{
    char name[2048];
    uint8_t *bytes = NULL;
    long length = 0;

    snprintf(name, sizeof name, "%s%s", path, suffix);
    FILE *file = fopen(name, "rb");
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0) {
        rewind(file);
        bytes = malloc((size_t)length + 1);
        *n = bytes != NULL ? fread(bytes, 1, (size_t)length, file) : 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    XTA_CHECK(bytes != NULL && *n == (size_t)length, "cannot read '%s'", name);
    return bytes;
}

/* Whether two files agree from `from` on, and in bytes [0, 16): a UUID lies in between, and its
 * checksum. */
static void compare(const char *one, const char *other, const char *suffix, size_t from)
{
    size_t n = 0, m = 0, at = 0;
    uint8_t *a = read_file(one, suffix, &n), *b = read_file(other, suffix, &m);

    if (XTA_CHECK(n == m && n > from, "%s%s has %zu bytes, %s %zu", one, suffix, n, other, m)) {
        while (at < n && (a[at] == b[at] || (at >= 16 && at < from))) {
            at++;
        }
        XTA_CHECK(at == n, "%s%s differs from %s in byte %zu of %zu", one, suffix, other, at, n);
    }
    free(a);
    free(b);
}

static void same_on_any_number(const config *c)
{
    static const int counts[] = {1, 2, 3, 4, 7};
    char paths[5][1024];
    int n_paths = 0;

    for (size_t k = 0; k < 5 && counts[k] <= xta_test_ranks; k++) {
        run r = {.config = c, .comm = MPI_COMM_NULL, .rank = xta_test_rank, .n_ranks = counts[k]};
        char name[64];
        snprintf(name, sizeof name, "%s%d", c->name, counts[k]);
        snprintf(paths[n_paths++], sizeof paths[0], "%s", xta_test_path(name));
        MPI_Comm_split(MPI_COMM_WORLD, xta_test_rank < counts[k] ? 0 : MPI_UNDEFINED, xta_test_rank,
                       &r.comm);
        if (r.comm != MPI_COMM_NULL) {
            run_history(&r, paths[k]);
            MPI_Comm_free(&r.comm);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    XTA_CHECK(n_paths >= 2, "nothing to compare");
    for (int k = 1; xta_test_rank == 0 && k < n_paths; k++) {
        compare(paths[0], paths[k], ".xta", 64);
        compare(paths[0], paths[k], ".xmd", 128);
    }
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    for (int k = 0; k < N_CONFIGS; k++) {
        same_on_any_number(&configs[k]);
    }
    return xta_test_end();
}
