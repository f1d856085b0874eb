/* nprocs: 1 2 3 4 5; mpich: 1 2 3 */
/* Collective transfers through MPI-IO: their MPI calls are those that docs/SCALING.md states,
 * chunks requested by several ranks are read and written once, only requested cells are written,
 * and a rank out of memory stops all.
 *
 * The array has 8 rows of cells for each rank, in chunks of 4 rows; 4 chunks lie beside each other.
 * The cuts between ranks are 2 rows below the start of a chunk, so that all ranks but the first
 * share 4 chunks with the previous rank.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/mpi_test.h"

#include <string.h>

#include <xta/parallel.h>

#include "parallel/mpi_count.h"
#include "support/failing_alloc.h"

enum {
    ROWS = 8, /* of a rank */
    COLUMNS = 64,
    CHUNK_ROWS = 4,
    CHUNK_COLUMNS = 16,
    ACROSS = COLUMNS / CHUNK_COLUMNS,
    SLOT = CHUNK_ROWS * CHUNK_COLUMNS * 8,
    WINDOW = 2, /* chunks */
    CUT = 2,    /* rows of a chunk that belong to the previous rank */
    LAYER = ACROSS * SLOT,
    MEETING = 40,
    ENDS = 24,
    AGREEMENT = 8,
    CLAIM = 3 * 2 * 8
};

static xta_error err;

static MPI_Info make_hints(int owners)
{
    char value[16];
    MPI_Info info;

    MPI_Info_create(&info);
    snprintf(value, sizeof value, "%d", owners);
    MPI_Info_set(info, "cb_nodes", value);
    snprintf(value, sizeof value, "%d", SLOT);
    MPI_Info_set(info, "striping_unit", value);
    snprintf(value, sizeof value, "%d", WINDOW * SLOT);
    MPI_Info_set(info, "cb_buffer_size", value);
    return info;
}

static xta_parallel *make_array(int owners)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    const int64_t bounds[] = {ROWS * xta_test_ranks, COLUMNS};
    const int64_t chunk[] = {CHUNK_ROWS, CHUNK_COLUMNS};
    MPI_Info info = make_hints(owners);
    xta_parallel *p = NULL;

    create.chunk = chunk;
    options.io = XTA_IO_MPI;
    options.has_info = true;
    options.info = info;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path("shared"), XTA_F64, 2, bounds,
                                     &create, &options, &p, &err),
                 err);
    MPI_Info_free(&info);
    return p;
}

static void end_array(xta_parallel *p)
{
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_delete(xta_test_path("shared"), &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The rows of a rank: aligned, or cut through chunks. */
static xta_box rows_of(int rank, bool aligned)
{
    int64_t cut = aligned ? 0 : CUT;
    int64_t lo[] = {rank > 0 ? ROWS * rank + cut : 0, 0};
    int64_t hi[] = {rank + 1 < xta_test_ranks ? ROWS * (rank + 1) + cut : ROWS * xta_test_ranks,
                    COLUMNS};

    return xta_box_make(2, lo, hi);
}

static double value_at(int64_t row, int64_t column)
{
    return (double)(row * 1000 + column + 1);
}

static void fill(const xta_box *box, double cells[])
{
    for (int64_t r = box->lo[0], k = 0; r < box->hi[0]; r++) {
        for (int64_t c = box->lo[1]; c < box->hi[1]; c++) {
            cells[k++] = value_at(r, c);
        }
    }
}

static int64_t wrong_cells(const xta_box *box, const double cells[])
{
    int64_t wrong = 0;

    for (int64_t r = box->lo[0], k = 0; r < box->hi[0]; r++) {
        for (int64_t c = box->lo[1]; c < box->hi[1]; c++) {
            wrong += cells[k++] != value_at(r, c);
        }
    }
    return wrong;
}

static double *make_cells(void)
{
    return calloc((size_t)(ROWS * xta_test_ranks * COLUMNS), sizeof(double));
}

/* The counts of all ranks together. */
static mpi_count sum_of(const mpi_count *mine)
{
    mpi_count sum;

    PMPI_Allreduce(mine, &sum, (int)(sizeof sum / sizeof(long)), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static void begin_counting(void)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    mpi_count_start();
}

static void check_count(const mpi_count *count, mpi_kind kind, long calls, long bytes,
                        const char *what)
{
    XTA_CHECK(count->calls[kind] == calls, "%s: %ld calls, not %ld", what, count->calls[kind],
              calls);
    XTA_CHECK(bytes < 0 || count->bytes[kind] == bytes, "%s: %ld bytes, not %ld", what,
              count->bytes[kind], bytes);
}

/* The reductions of one call on one rank: meeting and agreement, and with several ranks the ends of
 * the ranges they touch and one more agreement. */
static void check_reductions(const mpi_count *mine)
{
    bool several = xta_test_ranks > 1;

    check_count(mine, MPI_KIND_ALLREDUCE, several ? 4 : 2,
                MEETING + AGREEMENT + (several ? ENDS + AGREEMENT : 0), "reductions");
    check_count(mine, MPI_KIND_IBARRIER, several, 0, "barriers");
    check_count(mine, MPI_KIND_BCAST, 0, 0, "broadcasts");
    check_count(mine, MPI_KIND_OTHER, 0, 0, "views and collective operations of MPI-IO");
}

/* How many owners the chunks of layers from `first` to `end` have. */
static int owners_of(int first, int end, int owners)
{
    int n_addresses = 2 * xta_test_ranks * ACROSS;
    int span = (n_addresses + owners - 1) / owners;

    return first < end ? (end * ACROSS - 1) / span - first * ACROSS / span + 1 : 0;
}

/* Claims of all ranks: each with the owners of its chunks that are cut. */
static long count_claims(int owners)
{
    long n = 0;
    int n_addresses = 2 * xta_test_ranks * ACROSS, span = (n_addresses + owners - 1) / owners;

    for (int rank = 0; rank < xta_test_ranks; rank++) {
        int last = -1;
        for (int side = 0; side < 2; side++) {
            int layer = 2 * (rank + side);
            for (int k = 0; k < ACROSS; k++) {
                bool cut = layer > 0 && layer < 2 * xta_test_ranks;
                int owner = (layer * ACROSS + k) / span;
                n += cut && owner != last;
                last = cut ? owner : last;
            }
        }
    }
    return n;
}

/* How many windows the chunks of layers `first` to `end` fall into. */
static long count_windows(int first, int end, int owners)
{
    int n_addresses = 2 * xta_test_ranks * ACROSS, span = (n_addresses + owners - 1) / owners;
    long n = 0, last = -1;

    for (int address = first * ACROSS; address < end * ACROSS; address++) {
        long window = (long)(address / span) * 1000 + address % span / WINDOW;
        n += window != last;
        last = window;
    }
    return n;
}

static void test_write(int owners)
{
    xta_parallel *p = make_array(owners);
    xta_box mine = rows_of(xta_test_rank, false);
    double *cells = make_cells();
    long claims = xta_test_ranks > 1 ? count_claims(owners) : 0, windows = 0;

    for (int rank = 1; rank < xta_test_ranks; rank++) {
        windows += count_windows(2 * rank, 2 * rank + 1, owners);
    }
    fill(&mine, cells);
    begin_counting();
    XTA_CHECK_OK(xta_parallel_write_all(p, &mine, NULL, cells, &err), err);
    mpi_count own = mpi_count_read(), all = sum_of(&own);
    check_reductions(&own);
    // Each cut chunk is sent by two ranks; each window is written once; nothing else is shared.
    long shared = (long)(xta_test_ranks - 1) * LAYER;
    check_count(&all, MPI_KIND_SENT, claims + 2 * windows, claims * CLAIM + shared, "messages");
    check_count(&all, MPI_KIND_WANTED, claims + 2 * windows, -1, "receives");
    check_count(&all, MPI_KIND_POINT, 2 * claims, -1, "claims received, answers sent");
    check_count(&all, MPI_KIND_WRITE, xta_test_ranks + windows,
                (long)ROWS * xta_test_ranks * COLUMNS * 8, "writes");
    check_count(&all, MPI_KIND_READ, 0, 0, "reads of a write");

    xta_box whole = xta_parallel_bounds(p);
    memset(cells, 0, sizeof(double) * (size_t)(ROWS * xta_test_ranks * COLUMNS));
    XTA_CHECK_OK(xta_parallel_read(p, &whole, NULL, cells, &err), err);
    XTA_CHECK(wrong_cells(&whole, cells) == 0, "%lld cells", (long long)wrong_cells(&whole, cells));
    free(cells);
    end_array(p);
}

/* Every rank reads everything, each byte of the file once. */
static void test_read(int owners)
{
    xta_parallel *p = make_array(owners);
    xta_box mine = rows_of(xta_test_rank, true), whole = xta_parallel_bounds(p);
    double *cells = make_cells();

    fill(&mine, cells);
    begin_counting();
    XTA_CHECK_OK(xta_parallel_write_all(p, &mine, NULL, cells, &err), err);
    mpi_count own = mpi_count_read(), all = sum_of(&own);
    check_reductions(&own);
    check_count(&all, MPI_KIND_SENT, 0, 0, "messages of an aligned write");
    check_count(&all, MPI_KIND_WRITE, xta_test_ranks, (long)ROWS * xta_test_ranks * COLUMNS * 8,
                "writes of an aligned write");

    memset(cells, 0, sizeof(double) * (size_t)(ROWS * xta_test_ranks * COLUMNS));
    begin_counting();
    XTA_CHECK_OK(xta_parallel_read_all(p, &whole, NULL, cells, &err), err);
    own = mpi_count_read();
    all = sum_of(&own);
    check_reductions(&own);
    XTA_CHECK(wrong_cells(&whole, cells) == 0, "%lld cells", (long long)wrong_cells(&whole, cells));
    long bytes = (long)ROWS * xta_test_ranks * COLUMNS * 8;
    long windows = count_windows(0, 2 * xta_test_ranks, owners);
    long claims = (long)xta_test_ranks * owners_of(0, 2 * xta_test_ranks, owners);
    bool several = xta_test_ranks > 1;
    check_count(&all, MPI_KIND_READ, several ? windows : 1, bytes, "reads");
    check_count(&all, MPI_KIND_SENT, several ? claims + xta_test_ranks * windows : 0,
                several ? claims * CLAIM + xta_test_ranks * bytes : 0, "messages of a read");
    free(cells);
    end_array(p);
}

/* The last rank's n-th allocation fails: all ranks get an error, no rank waits, and with memory the
 * same call succeeds. */
static void test_no_memory(void)
{
    xta_parallel *p = make_array(xta_test_ranks);
    xta_box mine = rows_of(xta_test_rank, false), whole = xta_parallel_bounds(p);
    double *cells = make_cells();
    bool again = true;

    for (uint64_t n = 1; again && n < 200; n++) {
        int refused = 0;
        bool reads = n % 2 == 0;
        fill(&mine, cells);
        failing_alloc_at(xta_test_rank == xta_test_ranks - 1 ? n / 2 + 1 : 0, false);
        failing_alloc_arm(true);
        xta_status status = reads ? xta_parallel_read_all(p, &whole, NULL, cells, &err)
                                  : xta_parallel_write_all(p, &mine, NULL, cells, &err);
        failing_alloc_arm(false);
        refused = failing_alloc_happened();
        failing_alloc_at(0, false);
        int least = (int)status, most = (int)status;
        PMPI_Allreduce(MPI_IN_PLACE, &refused, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        PMPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        PMPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        XTA_CHECK(least == most, "status %d and %d at allocation %d", least, most, (int)n);
        XTA_CHECK(status == XTA_OK || (refused && status == XTA_ENOMEM), "status %d: %s",
                  (int)status, err.text);
        again = refused || n < 8;
    }
    XTA_CHECK(!again, "allocations never end");
    fill(&mine, cells);
    XTA_CHECK_OK(xta_parallel_write_all(p, &mine, NULL, cells, &err), err);
    XTA_CHECK_OK(xta_parallel_read_all(p, &whole, NULL, cells, &err), err);
    XTA_CHECK(wrong_cells(&whole, cells) == 0, "%lld cells", (long long)wrong_cells(&whole, cells));
    free(cells);
    end_array(p);
}

/* Every rank reads everything, 16,384 chunks of one cell: whatever the number of ranks, no list
 * needs more than twice 16 bytes for each chunk, or twice 6 KiB for each rank that claims. */
static void test_memory(void)
{
    enum { SIDE = 128, CHUNKS = 32 * SIDE * SIDE + 4096 };
    int claims = 6144 * (2 * xta_test_ranks + 4), limit = CHUNKS > claims ? CHUNKS : claims;
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    const int64_t bounds[] = {SIDE, SIDE}, chunk[] = {1, 1};
    xta_box whole = {.ndim = 2, .hi = {SIDE, SIDE}}, corner = {.ndim = 2, .hi = {1, 1}};
    double *cells = calloc(SIDE * SIDE, sizeof cells[0]);
    xta_parallel *p = NULL;

    create.chunk = chunk;
    options.io = XTA_IO_MPI;
    options.has_info = true;
    options.info = make_hints(1);
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path("shared"), XTA_F64, 2, bounds,
                                     &create, &options, &p, &err),
                 err);
    MPI_Info_free(&options.info);
    // Memory that stays with the handle is allocated by the first call.
    XTA_CHECK_OK(xta_parallel_read_all(p, &corner, NULL, cells, &err), err);
    (void)failing_alloc_longest();
    failing_alloc_arm(true);
    XTA_CHECK_OK(xta_parallel_read_all(p, &whole, NULL, cells, &err), err);
    failing_alloc_arm(false);
    uint64_t longest = failing_alloc_longest();
    XTA_CHECK(longest <= (uint64_t)limit, "a block of %llu bytes", (unsigned long long)longest);
    free(cells);
    end_array(p);
}

/* ---- stripes ---- */

enum { STRIPE = 65536, STRIPE_CHUNK_ROWS = 32, CHUNKS_OF_A_RANK = 8 };

static int stripe; /* the stripe that MPI reports for the file; 0: none */

int MPI_File_get_info(MPI_File file, MPI_Info *info)
{
    int code = PMPI_File_get_info(file, info);
    char value[16];

    if (code == MPI_SUCCESS && stripe > 0) {
        snprintf(value, sizeof value, "%d", stripe);
        MPI_Info_set(*info, "striping_unit", value);
    }
    return code;
}

/* Every rank reads 128 KiB for each rank; returns the number of claims of all ranks. */
static long claims_of(int told, const char *hint)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    const int64_t chunk[] = {STRIPE_CHUNK_ROWS, COLUMNS};
    const int64_t bounds[] = {STRIPE_CHUNK_ROWS * CHUNKS_OF_A_RANK * xta_test_ranks, COLUMNS};
    xta_box whole = xta_box_make(2, (const int64_t[]){0, 0}, bounds);
    double *cells = calloc((size_t)(bounds[0] * bounds[1]), sizeof cells[0]);
    xta_parallel *p = NULL;

    stripe = told;
    create.chunk = chunk;
    options.io = XTA_IO_MPI;
    options.has_info = hint != NULL;
    if (hint != NULL) {
        MPI_Info_create(&options.info);
        MPI_Info_set(options.info, "striping_unit", hint);
    }
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path("shared"), XTA_F64, 2, bounds,
                                     &create, &options, &p, &err),
                 err);
    if (hint != NULL) {
        MPI_Info_free(&options.info);
    }
    begin_counting();
    XTA_CHECK_OK(xta_parallel_read_all(p, &whole, NULL, cells, &err), err);
    mpi_count own = mpi_count_read(), all = sum_of(&own);
    free(cells);
    end_array(p);
    stripe = 0;
    return all.calls[MPI_KIND_POINT] / 2;
}

static void check_claims(long claims, int owners, const char *what)
{
    XTA_CHECK(claims == (long)owners * xta_test_ranks, "%s: %ld claims, not %d of each", what,
              claims, owners);
}

/* Domains follow the stripes of the file system, unless a hint says otherwise. All ranks use the
 * longest stripe known to any of them. */
static void test_stripes(void)
{
    int n = xta_test_ranks > 1 ? xta_test_ranks : 0; // of 128 KiB each
    bool last = xta_test_rank == xta_test_ranks - 1;

    check_claims(claims_of(0, NULL), (n + 15) / 16, "no stripes");
    check_claims(claims_of(STRIPE, NULL), n, "stripes of 64 KiB");
    check_claims(claims_of(4096, NULL), (n + 15) / 16, "4 KiB are no stripe");
    check_claims(claims_of(STRIPE, "2097152"), (n + 15) / 16, "a hint");
    check_claims(claims_of(last ? 1 << 20 : STRIPE, NULL), (n + 7) / 8,
                 "one rank with another stripe");
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    for (int owners = 1; owners <= xta_test_ranks; owners++) {
        test_write(owners);
        test_read(owners);
    }
    test_no_memory();
    test_memory();
    test_stripes();
    return xta_test_end();
}
