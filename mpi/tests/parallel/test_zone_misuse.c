/* nprocs: 1 2 3 4 7; mpich: 2 */
/* Zones in memory: misuse, concurrent access, and zones without cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "parallel/mpi_test.h"

#include <string.h>
#include <sys/resource.h>

#include <xta/parallel.h>

static xta_error err;

static xta_parallel *make(const char *name, xta_type type, size_t cell_bytes,
                          const int64_t bounds[2])
{
    static const int64_t chunk[2] = {2, 2};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel *p = NULL;

    create.chunk = chunk;
    create.cell_bytes = (uint32_t)cell_bytes;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path(name), type, 2, bounds, &create,
                                     NULL, &p, &err),
                 err);
    return p;
}

/* Zones in row-major order; the test cannot continue without them. */
static xta_zone_memory *make_zones(xta_parallel *p)
{
    xta_zone_memory *memory = NULL;

    if (!XTA_CHECK_OK(xta_zone_memory_new(p, NULL, XTA_ROW, &memory, &err), err)) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* ---- the same cells at once ---- */

/* Cells whose bytes are not all the same, or that no rank has put. */
static size_t count_mixed(const uint8_t *cells, size_t n, size_t cell_bytes)
{
    size_t mixed = 0;

    for (size_t k = 0; k < n; k++) {
        const uint8_t *cell = cells + k * cell_bytes;
        bool whole = cell[0] >= 1 && cell[0] <= xta_test_ranks;
        for (size_t i = 1; i < cell_bytes; i++) {
            whole = whole && cell[i] == cell[0];
        }
        mixed += !whole;
    }
    return mixed;
}

/* Each cell that all ranks put has the complete value of one of them. */
static void one_of_the_values(const char *name, xta_type type, size_t cell_bytes)
{
    static const int64_t bounds[2] = {40, 30};
    xta_parallel *p = make(name, type, cell_bytes, bounds);
    xta_box box = xta_parallel_bounds(p);
    xta_zone_memory *memory = NULL;
    size_t n = 40 * 30, mixed = 0;
    uint8_t *cells = malloc(n * cell_bytes);

    memory = make_zones(p);
    for (int times = 0; times < 20; times++) {
        memset(cells, 1 + xta_test_rank, n * cell_bytes);
        XTA_CHECK_OK(times % 2 == 0 ? xta_zone_memory_put(memory, &box, XTA_ROW, cells, &err)
                                    : xta_zone_memory_accumulate(memory, &box, XTA_ROW, cells,
                                                                 MPI_REPLACE, &err),
                     err);
        XTA_CHECK_OK(xta_zone_memory_fence(memory, &err), err);
        XTA_CHECK_OK(xta_zone_memory_get(memory, &box, XTA_ROW, cells, &err), err);
        mixed += count_mixed(cells, n, cell_bytes);
        XTA_CHECK_OK(xta_zone_memory_fence(memory, &err), err);
    }
    XTA_CHECK(mixed == 0, "%zu cells of type %s hold parts of several values", mixed,
              xta_type_name(type));
    XTA_CHECK_OK(xta_zone_memory_free(memory, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    free(cells);
}

/* Ranks store into their own zones directly, and read those of the others, with fences between. */
static void direct_access(void)
{
    static const int64_t bounds[2] = {12, 14};
    xta_parallel *p = make("direct", XTA_I32, 4, bounds);
    xta_box box = xta_parallel_bounds(p);
    xta_zone_memory *memory = NULL;
    int64_t lengths[2] = {0, 0}, wrong = 0;
    int32_t cells[12 * 14];

    memory = make_zones(p);
    int32_t *local = xta_zone_memory_local(memory, lengths, NULL);
    for (int32_t times = 1; times < 30; times++) {
        for (int64_t k = 0; k < lengths[0] * lengths[1]; k++) {
            local[k] = times * 100 + xta_test_rank;
        }
        XTA_CHECK_OK(xta_zone_memory_fence(memory, &err), err);
        XTA_CHECK_OK(xta_zone_memory_get(memory, &box, XTA_ROW, cells, &err), err);
        for (int64_t k = 0; k < 12 * 14; k++) {
            const int64_t c[2] = {k / 14, k % 14};
            int owner = xta_zones_rank_of_cell(xta_zone_memory_zones(memory), c);
            wrong += cells[k] != times * 100 + owner;
        }
        XTA_CHECK_OK(xta_zone_memory_fence(memory, &err), err);
    }
    XTA_CHECK(wrong == 0, "%lld cells are not what their owners stored", (long long)wrong);
    XTA_CHECK_OK(xta_zone_memory_free(memory, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* ---- what is refused ---- */

static void refused_boxes(xta_zone_memory *memory, xta_box box)
{
    double cells[64] = {0};
    xta_box bad = box;

    bad.hi[1]++;
    XTA_CHECK_STATUS(xta_zone_memory_get(memory, &bad, XTA_ROW, cells, &err), XTA_EBOX, err);
    XTA_CHECK(strstr(err.text, "box 0:6,0:8 leaves the bounds 0:6,0:7") != NULL, "%s", err.text);
    bad = box;
    bad.lo[0]--;
    XTA_CHECK_STATUS(xta_zone_memory_put(memory, &bad, XTA_ROW, cells, &err), XTA_EBOX, err);
    bad = box;
    bad.ndim = 1;
    XTA_CHECK_STATUS(xta_zone_memory_put(memory, &bad, XTA_ROW, cells, &err), XTA_EBOX, err);
    bad.ndim = 0;
    XTA_CHECK_STATUS(xta_zone_memory_get(memory, &bad, XTA_ROW, cells, &err), XTA_EBOX, err);
    XTA_CHECK_STATUS(xta_zone_memory_get(memory, NULL, XTA_ROW, cells, &err), XTA_EARG, err);
    XTA_CHECK_STATUS(xta_zone_memory_get(memory, &box, XTA_ROW, NULL, &err), XTA_EARG, err);
    XTA_CHECK_STATUS(xta_zone_memory_get(memory, &box, XTA_MORTON, cells, &err), XTA_EARG, err);
    XTA_CHECK_STATUS(xta_zone_memory_accumulate(memory, &box, XTA_ROW, cells, MPI_BAND, &err),
                     XTA_EARG, err);
    XTA_CHECK(strstr(err.text, "give MPI_SUM") != NULL, "%s", err.text);
    box.hi[0] = box.lo[0];
    XTA_CHECK_OK(xta_zone_memory_get(memory, &box, XTA_ROW, NULL, &err), err);
}

/* Arguments that are wrong on one rank only, and arguments that differ. */
static void refused_distributions(xta_parallel *p)
{
    xta_distribution d = XTA_DISTRIBUTION_INIT;
    xta_zone_memory *memory = (xta_zone_memory *)1;
    int last = xta_test_ranks - 1;
    int64_t cycle[2] = {2, 1 + xta_test_rank}, *places = calloc((size_t)last + 1, sizeof *places);
    int grid[2] = {xta_test_ranks, xta_test_rank == last ? 2 : 1};
    const int64_t *cuts[2] = {places, NULL};

    XTA_CHECK_STATUS(xta_zone_memory_new(p, NULL, XTA_HILBERT, &memory, &err), XTA_EARG, err);
    XTA_CHECK(memory == NULL, "a memory after a failure");
    d.grid = grid;
    XTA_CHECK_STATUS(xta_zone_memory_new(p, &d, XTA_ROW, &memory, &err), XTA_EARG, err);
    XTA_CHECK(strstr(err.text, "its product must be the number of ranks") != NULL, "%s", err.text);
    grid[1] = 1;
    if (last > 0) {
        xta_order order = xta_test_rank == 0 ? XTA_ROW : XTA_COLUMN;
        XTA_CHECK_STATUS(xta_zone_memory_new(p, NULL, order, &memory, &err), XTA_EARG, err);
        XTA_CHECK(strstr(err.text, "disagree on the order: least 0") != NULL, "%s", err.text);
        d.kind = XTA_BLOCK_CYCLIC;
        d.cycle = cycle;
        XTA_CHECK_STATUS(xta_zone_memory_new(p, &d, XTA_ROW, &memory, &err), XTA_EARG, err);
        XTA_CHECK(strstr(err.text, "disagree on the cycle of an axis") != NULL, "%s", err.text);
        d.kind = XTA_IRREGULAR;
        d.cuts = cuts;
        places[last - 1] = xta_test_rank == 0;
        XTA_CHECK_STATUS(xta_zone_memory_new(p, &d, XTA_ROW, &memory, &err), XTA_EARG, err);
        XTA_CHECK(strstr(err.text, "disagree on the cuts of an axis") != NULL, "%s", err.text);
    }
    XTA_CHECK(memory == NULL, "a memory after a failure");
    free(places);
}

/* Every rank gets the error, and the next call finds all of them. */
static void refused(void)
{
    static const int64_t bounds[2] = {6, 7};
    xta_parallel *p = make("refused", XTA_F64, 8, bounds);
    xta_zone_memory *memory = NULL;

    refused_distributions(p);
    memory = make_zones(p);
    refused_boxes(memory, xta_parallel_bounds(p));
    if (xta_test_ranks > 1) {
        XTA_CHECK_STATUS(xta_test_rank == 0 ? xta_zone_memory_fence(memory, &err)
                                            : xta_zone_memory_free(memory, &err),
                         XTA_EARG, err);
        XTA_CHECK(strstr(err.text, "other ranks are in another call") != NULL, "%s", err.text);
        XTA_CHECK_STATUS(xta_test_rank == 0 ? xta_zone_memory_load(memory, &err)
                                            : xta_parallel_sync(p, &err),
                         XTA_EARG, err);
    }
    XTA_CHECK_OK(xta_zone_memory_fence(memory, &err), err);
    XTA_CHECK_OK(xta_zone_memory_free(memory, &err), err);
    XTA_CHECK_OK(xta_zone_memory_free(NULL, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* More memory than there is: an error on all ranks, and nothing has changed. A limit is set because
 * some systems overcommit any amount; sanitizers need more than that, and have their own limit. */
static void too_large(void)
{
    static const int64_t bounds[2] = {INT64_C(1) << 20, INT64_C(1) << 20};
    xta_parallel *p = make("large", XTA_F64, 8, bounds);
    xta_zone_memory *memory = NULL;
    bool limited = __lsan_disable == NULL;
    struct rlimit before, less;

    getrlimit(RLIMIT_AS, &before);
    less = before;
    less.rlim_cur = (rlim_t)1 << 39;
    XTA_CHECK(!limited || setrlimit(RLIMIT_AS, &less) == 0, "no limit can be set");
    XTA_CHECK_STATUS(xta_zone_memory_new(p, NULL, XTA_ROW, &memory, &err), XTA_ENOMEM, err);
    XTA_CHECK(strstr(err.text, "no memory for the zone of rank") != NULL, "%s", err.text);
    XTA_CHECK(!limited || setrlimit(RLIMIT_AS, &before) == 0, "the limit stays");
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* An array without cells has zones without cells; read-only handles can load but not store. */
static void read_only_and_empty(void)
{
    static const int64_t bounds[2] = {0, 7};
    xta_parallel *p = make("empty", XTA_F64, 8, bounds);
    xta_zone_memory *memory = NULL;
    xta_growth growth = {0, XTA_FRONT, 3};
    int64_t lengths[2] = {-1, -1};
    double cell = 0;
    xta_box box = xta_parallel_bounds(p);

    memory = make_zones(p);
    xta_zone_memory_local(memory, lengths, NULL);
    XTA_CHECK(lengths[0] * lengths[1] == 0, "%lld x %lld cells", (long long)lengths[0],
              (long long)lengths[1]);
    XTA_CHECK_OK(xta_zone_memory_load(memory, &err), err);
    XTA_CHECK_OK(xta_zone_memory_store(memory, &err), err);
    XTA_CHECK_OK(xta_zone_memory_get(memory, &box, XTA_ROW, &cell, &err), err);
    XTA_CHECK_OK(xta_zone_memory_free(memory, &err), err);
    XTA_CHECK_OK(xta_parallel_extend(p, &growth, 1, NULL, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);

    XTA_CHECK_OK(xta_parallel_open(MPI_COMM_WORLD, xta_test_path("empty"), NULL, &p, &err), err);
    memory = make_zones(p);
    XTA_CHECK_OK(xta_zone_memory_load(memory, &err), err);
    XTA_CHECK_STATUS(xta_zone_memory_store(memory, &err), XTA_EACCESS, err);
    XTA_CHECK_OK(xta_zone_memory_free(memory, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    one_of_the_values("complex", XTA_C128, 16);
    one_of_the_values("bytes", XTA_BYTES, 48);
    direct_access();
    refused();
    too_large();
    read_only_and_empty();
    return xta_test_end();
}
