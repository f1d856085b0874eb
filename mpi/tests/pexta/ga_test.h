/* Shared by the tests of the Global Arrays layer: global arrays of every kind, and an oracle, a
 * plain array of bytes that every rank keeps completely and changes as the file should change.
 *
 * Cells are bytes computed from a seed and their number, so every type is tested with all its bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PEXTA_GA_TEST_H
#define XTA_TESTS_PEXTA_GA_TEST_H

#include <inttypes.h>
#include <string.h>

#include <ga-mpi.h>
#include <ga.h>
#include <macdecls.h>

#include <xta/array.h>
#include <xta/pexta.h>

#include "parallel/mpi_test.h"

/* `call`, of PEXTA, returns `want`. */
#define XTA_CHECK_PEXTA(call, want) pexta_check((call), (want), __FILE__, __LINE__, #call)

static inline bool pexta_check(int got, int want, const char *file, int line, const char *what)
{
    return xta_test_check(got == want, file, line, what, "%d, wanted %d: %s", got, want,
                          PEXTA_Error_text());
}

/* ---- start and end ---- */

static inline void ga_test_begin(int *argc, char ***argv, double max_memory)
{
    xta_test_begin(argc, argv);
    GA_Initialize();
    XTA_CHECK_PEXTA(PEXTA_Init(-1, -1, -1, max_memory), XTA_OK);
}

static inline int ga_test_end(void)
{
    XTA_CHECK_PEXTA(PEXTA_Terminate(), XTA_OK);
    int code = xta_test_verdict();
    GA_Terminate();
    MPI_Finalize();
    return code;
}

/* ---- numbers that are the same on all ranks ---- */

static uint64_t ga_test_state = 1;

static inline uint64_t ga_test_random(void)
{
    ga_test_state ^= ga_test_state << 13;
    ga_test_state ^= ga_test_state >> 7;
    ga_test_state ^= ga_test_state << 17;
    return ga_test_state;
}

/* A number from lo to hi, both included. */
static inline int64_t ga_test_between(int64_t lo, int64_t hi)
{
    return lo + (int64_t)(ga_test_random() >> 11) % (hi - lo + 1);
}

/* ---- boxes of a plain array ---- */

/* A dense array in C order. */
typedef struct plain {
    int ndim;
    size_t cell;
    int64_t dims[PEXTA_MAX_NDIM];
    unsigned char *bytes;
} plain;

static inline size_t plain_cells(int ndim, const int64_t dims[])
{
    size_t n = 1;

    for (int axis = 0; axis < ndim; axis++) {
        n *= (size_t)dims[axis];
    }
    return n;
}

/* All bytes 0. */
static inline plain plain_new(int ndim, const int64_t dims[], size_t cell)
{
    plain p = {.ndim = ndim, .cell = cell};

    memcpy(p.dims, dims, (size_t)ndim * sizeof dims[0]);
    p.bytes = calloc(plain_cells(ndim, dims) + 1, cell);
    if (p.bytes == NULL) {
        abort();
    }
    return p;
}

static inline void plain_free(plain *p)
{
    free(p->bytes);
    p->bytes = NULL;
}

static inline void plain_fill(plain *p, uint64_t seed)
{
    size_t n = plain_cells(p->ndim, p->dims) * p->cell;

    for (size_t k = 0; k < n; k++) {
        uint64_t h = (seed * 1000003 + k) * UINT64_C(0x9e3779b97f4a7c15);
        p->bytes[k] = (unsigned char)(h >> 40);
    }
}

static inline size_t plain_at(const plain *p, const int64_t coord[])
{
    size_t at = 0;

    for (int axis = 0; axis < p->ndim; axis++) {
        at = at * (size_t)p->dims[axis] + (size_t)coord[axis];
    }
    return at * p->cell;
}

/* Copy the cells of from[flo .. fhi] to `to` from tlo on; transposed: axes of `from` reversed. */
static inline void plain_copy(const plain *from, const int64_t flo[], const int64_t fhi[],
                              plain *to, const int64_t tlo[], bool transposed)
{
    int ndim = from->ndim, axis = 0;
    int64_t f[PEXTA_MAX_NDIM], t[PEXTA_MAX_NDIM] = {0};

    memcpy(f, flo, (size_t)ndim * sizeof f[0]);
    while (axis >= 0) {
        for (int k = 0; k < ndim; k++) {
            int other = transposed ? ndim - 1 - k : k;
            t[other] = tlo[other] + f[k] - flo[k];
        }
        memcpy(to->bytes + plain_at(to, t), from->bytes + plain_at(from, f), from->cell);
        for (axis = ndim - 1; axis >= 0 && f[axis] == fhi[axis]; axis--) {
            f[axis] = flo[axis];
        }
        if (axis >= 0) {
            f[axis]++;
        }
    }
}

/* The array after growth: the former cell 0 lies at `front`. */
static inline void plain_grow(plain *p, const int64_t front[], const int64_t dims[])
{
    int64_t lo[PEXTA_MAX_NDIM] = {0}, hi[PEXTA_MAX_NDIM];
    plain grown = plain_new(p->ndim, dims, p->cell);

    for (int axis = 0; axis < p->ndim; axis++) {
        hi[axis] = p->dims[axis] - 1;
    }
    plain_copy(p, lo, hi, &grown, front, false);
    plain_free(p);
    *p = grown;
}

/* ---- global arrays ---- */

static const int ga_test_types[] = {C_CHAR,  C_INT, C_LONG, C_LONGLONG,
                                    C_FLOAT, C_DBL, C_SCPL, C_DCPL};
enum { GA_TEST_TYPES = sizeof ga_test_types / sizeof ga_test_types[0] };

static inline size_t ga_test_cell(int type)
{
    switch (type) {
    case C_CHAR:
        return 1;
    case C_INT:
    case C_FLOAT:
        return 4;
    case C_DCPL:
        return 16;
    default:
        return 8;
    }
}

typedef enum ga_kind {
    GA_REGULAR,
    GA_SLABS,
    GA_IRREGULAR,
    GA_CYCLIC,
    GA_SCALAPACK,
    GA_TILED,
    GA_GHOSTS,
    GA_KINDS
} ga_kind;

static inline const char *ga_kind_name(ga_kind kind)
{
    static const char *const names[GA_KINDS] = {"regular",   "slabs", "irregular", "block-cyclic",
                                                "scalapack", "tiled", "ghosts"};

    return names[kind];
}

/* One axis cut at random, the others whole. */
static inline int ga_test_irregular(int type, int ndim, int64_t dims[], char *name)
{
    int64_t blocks[PEXTA_MAX_NDIM], map[PEXTA_MAX_NDIM + 64];
    int axis = (int)ga_test_between(0, ndim - 1), n = 0;
    int64_t most = dims[axis] < xta_test_ranks ? dims[axis] : xta_test_ranks;

    for (int k = 0; k < ndim; k++) {
        blocks[k] = k == axis ? most : 1;
        map[n++] = 0;
        for (int64_t left = blocks[k] - 1; left > 0; left--, n++) {
            // Blocks of at least one cell each.
            map[n] = map[n - 1] + ga_test_between(1, (dims[k] - map[n - 1] - left + 1) / 2);
        }
    }
    return NGA_Create_irreg64(type, ndim, dims, name, blocks, map);
}

static inline int ga_test_blocks(ga_kind kind, int type, int ndim, int64_t dims[], char *name)
{
    int lengths[PEXTA_MAX_NDIM], grid[PEXTA_MAX_NDIM];
    int g_a = GA_Create_handle();

    for (int axis = 0; axis < ndim; axis++) {
        // At least one block for each process: Global Arrays 5.8 fails if one has none.
        int64_t most = axis == 0 ? dims[axis] / xta_test_ranks : dims[axis] / 2 + 1;
        lengths[axis] = (int)ga_test_between(1, most);
        grid[axis] = axis == 0 ? xta_test_ranks : 1;
    }
    GA_Set_data64(g_a, ndim, dims, type);
    GA_Set_array_name(g_a, name);
    if (kind == GA_CYCLIC) {
        GA_Set_block_cyclic(g_a, lengths);
    } else if (kind == GA_SCALAPACK) {
        GA_Set_block_cyclic_proc_grid(g_a, lengths, grid);
    } else {
        GA_Set_tiled_proc_grid(g_a, lengths, grid);
    }
    return GA_Allocate(g_a) ? g_a : 0;
}

/* A global array of one of the kinds. */
static inline int ga_test_new(ga_kind kind, int type, int ndim, const int64_t dims[])
{
    char name[] = "test";
    int64_t lengths[PEXTA_MAX_NDIM], chunk[PEXTA_MAX_NDIM], widths[PEXTA_MAX_NDIM];

    // Too few cells for a block for each process, see ga_test_blocks.
    if ((kind == GA_CYCLIC || kind == GA_SCALAPACK || kind == GA_TILED) &&
        dims[0] < xta_test_ranks) {
        kind = GA_SLABS;
    }
    for (int axis = 0; axis < ndim; axis++) {
        lengths[axis] = dims[axis];
        chunk[axis] = axis == ndim - 1 ? 1 : dims[axis];
        widths[axis] = 1;
    }
    switch (kind) {
    case GA_REGULAR:
        return NGA_Create64(type, ndim, lengths, name, NULL);
    case GA_SLABS:
        return NGA_Create64(type, ndim, lengths, name, chunk);
    case GA_IRREGULAR:
        return ga_test_irregular(type, ndim, lengths, name);
    case GA_GHOSTS:
        return NGA_Create_ghosts64(type, ndim, lengths, widths, name, NULL);
    default:
        return ga_test_blocks(kind, type, ndim, lengths, name);
    }
}

static inline void ga_test_limits(const plain *p, int64_t lo[], int64_t hi[], int64_t ld[])
{
    for (int axis = 0; axis < p->ndim; axis++) {
        lo[axis] = 0;
        hi[axis] = p->dims[axis] - 1;
        if (axis > 0) {
            ld[axis - 1] = p->dims[axis];
        }
    }
}

/* Rank 0 puts all cells. */
static inline void ga_test_put(int g_a, const plain *p)
{
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM], ld[PEXTA_MAX_NDIM] = {0};

    ga_test_limits(p, lo, hi, ld);
    GA_Sync();
    if (xta_test_rank == 0) {
        NGA_Put64(g_a, lo, hi, p->bytes, ld);
    }
    GA_Sync();
}

/* Set all cells to 0; GA_Zero does not support C_CHAR. */
static inline void ga_test_zero(int g_a)
{
    int type = 0, ndim = 0;
    int64_t dims[PEXTA_MAX_NDIM];

    NGA_Inquire64(g_a, &type, &ndim, dims);
    plain zero = plain_new(ndim, dims, ga_test_cell(type));
    ga_test_put(g_a, &zero);
    plain_free(&zero);
}

/* Whether a global array equals the oracle, as seen by this rank. */
static inline bool ga_test_same(int g_a, const plain *p)
{
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM], ld[PEXTA_MAX_NDIM] = {0};
    plain got = plain_new(p->ndim, p->dims, p->cell);

    ga_test_limits(p, lo, hi, ld);
    GA_Sync();
    NGA_Get64(g_a, lo, hi, got.bytes, ld);
    GA_Sync();
    bool same = memcmp(got.bytes, p->bytes, plain_cells(p->ndim, p->dims) * p->cell) == 0;
    plain_free(&got);
    return same;
}

/* ---- files, through the serial library ---- */

/* Rank 0 makes the files of an array with chunks of this shape; PEXTA_Create would not make them so
 * small. */
static inline void ga_test_files(const char *path, xta_type type, int ndim, const int64_t dims[],
                                 const int64_t chunk[])
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;

    options.chunk = chunk;
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_create(path, type, ndim, dims, &options, &array, &err), err);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Whether the files equal the oracle. Checked by rank 0; true on the others. */
static inline bool ga_test_file_same(const char *path, const plain *p)
{
    xta_array *array = NULL;
    xta_error err;
    bool same = true;

    MPI_Barrier(MPI_COMM_WORLD);
    if (xta_test_rank == 0 && XTA_CHECK_OK(xta_array_open(path, NULL, &array, &err), err)) {
        xta_box bounds = xta_array_bounds(array);
        plain got = plain_new(p->ndim, p->dims, p->cell);
        for (int axis = 0; axis < p->ndim; axis++) {
            same = same && bounds.hi[axis] - bounds.lo[axis] == p->dims[axis];
        }
        if (same) {
            XTA_CHECK_OK(xta_array_read(array, &bounds, NULL, got.bytes, &err), err);
            same = memcmp(got.bytes, p->bytes, plain_cells(p->ndim, p->dims) * p->cell) == 0;
        }
        plain_free(&got);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return same;
}

#endif
