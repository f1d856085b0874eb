/* nprocs: 1 2 4; mpich: 2 */
/* The DRX-MP names: creating and closing, handles and their misuse, one result on all ranks, zones
 * copied between file and memory, independently and collectively, and one-sided access to them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/drxmp_test.h"

/* ---- arrays ---- */

/* Set each cell to its value; every rank writes a part. */
static void write_values(DRXMDHdl array)
{
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    int32_t row[COLUMNS];

    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &status), XTA_OK);
    for (int64_t i = xta_test_rank; i < ROWS; i += xta_test_ranks) {
        const int64_t lo[2] = {i, 0}, hi[2] = {i + 1, COLUMNS};
        for (int64_t j = 0; j < COLUMNS; j++) {
            row[j] = value_of(i, j);
        }
        DRX_ALONE(DRXMPX_Put(memory, lo, hi, XTA_ROW, row, &status), XTA_OK);
        XTA_CHECK(status.count == COLUMNS, "%d cells", (int)status.count);
    }
    DRX(DRXMPX_Fence(memory, &status), XTA_OK);
    DRX(DRXMP_Write_all(array, memory, &status), XTA_OK);
    DRX(DRXMPX_Free(&memory, &status), XTA_OK);
    XTA_CHECK(memory == DRXMDMEM_NULL, "the handle is still there");
}

/* Every cell of the zones, read through one-sided access by every rank. */
static void check_values(DRXMDMemHdl memory)
{
    const int64_t lo[2] = {0, 0}, hi[2] = {ROWS, COLUMNS};
    int32_t rows[CELLS] = {0}, columns[CELLS] = {0};
    int wrong = 0;

    DRX_ALONE(DRXMPX_Get(memory, lo, hi, XTA_ROW, rows, &status), XTA_OK);
    XTA_CHECK(status.count == CELLS, "%d cells", (int)status.count);
    DRX_ALONE(DRXMPX_Get(memory, lo, hi, XTA_COLUMN, columns, &status), XTA_OK);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            wrong += rows[i * COLUMNS + j] != value_of(i, j);
            wrong += columns[j * ROWS + i] != value_of(i, j);
        }
    }
    XTA_CHECK(wrong == 0, "%d values are wrong", wrong);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- creating and closing ---- */

static void nothing_before_init(void)
{
    const int64_t one[2] = {1, 1};
    const int axis = 0;
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    DRXMPInfo info;
    DRXMPLocation location;
    int32_t cell = 0;

    DRX(DRXMPX_Create(&array, xta_test_path("no"), MPI_COMM_WORLD, MPI_INT, 2, one, one, &status),
        XTA_ESTATE);
    DRX(DRXMPX_Open(&array, xta_test_path("no"), MPI_COMM_WORLD, DRXMP_RDONLY, &status),
        XTA_ESTATE);
    DRX(DRXMPX_Close(&array, &status), XTA_ESTATE);
    DRX(DRXMPX_Extend(array, 1, &axis, one, &status), XTA_ESTATE);
    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &status), XTA_ESTATE);
    DRX(DRXMPX_Free(&memory, &status), XTA_ESTATE);
    DRX(DRXMP_Read(array, memory, &status), XTA_ESTATE);
    DRX(DRXMP_Read_all(array, memory, &status), XTA_ESTATE);
    DRX(DRXMP_Write(array, memory, &status), XTA_ESTATE);
    DRX(DRXMP_Write_all(array, memory, &status), XTA_ESTATE);
    DRX(DRXMPX_Get(memory, one, one, XTA_ROW, &cell, &status), XTA_ESTATE);
    DRX(DRXMPX_Put(memory, one, one, XTA_ROW, &cell, &status), XTA_ESTATE);
    DRX(DRXMPX_Accumulate(memory, one, one, XTA_ROW, &cell, MPI_SUM, &status), XTA_ESTATE);
    DRX(DRXMPX_Fence(memory, &status), XTA_ESTATE);
    DRX(DRXMPX_Inquire(array, memory, &info, &status), XTA_ESTATE);
    DRX(DRXMPX_Locate(array, memory, one, &location, &status), XTA_ESTATE);
    DRX(DRXMPX_Terminate(&status), XTA_ESTATE);
    XTA_CHECK(DRXMPX_Array(array) == NULL, "there is an array");
}

static void begin_once(const xta_parallel_options *options)
{
    DRX(DRXMPX_Init(MPI_COMM_NULL, NULL, &status), XTA_EARG);
    DRX(DRXMPX_Init(MPI_COMM_WORLD, options, &status), XTA_OK);
    DRX(DRXMPX_Init(MPI_COMM_WORLD, options, &status), XTA_ESTATE);
}

static void create_and_open(void)
{
    const int64_t bounds[2] = {4, 5}, chunk[2] = {2, 2};
    const char *path = xta_test_path("life");
    DRXMDHdl array = DRXMD_NULL, again = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    const int axis = 1;
    const int64_t by = 1;

    DRX(DRXMPX_Open(&array, path, MPI_COMM_WORLD, DRXMP_RDWR, &status), XTA_ENOENT);
    XTA_CHECK(array == DRXMD_NULL, "a handle after a failure");
    DRX(DRXMPX_Create(&array, path, MPI_COMM_WORLD, MPI_DOUBLE, 2, bounds, chunk, &status), XTA_OK);
    DRX(DRXMPX_Create(&again, path, MPI_COMM_WORLD, MPI_DOUBLE, 2, bounds, chunk, &status),
        XTA_EEXIST);
    int closed = DRXMPX_Close(&array, DRXMP_STATUS_IGNORE);
    XTA_CHECK(closed == 0, "status %d", closed);
    XTA_CHECK(array == DRXMD_NULL, "the handle is still there");

    DRX(DRXMPX_Open(&array, path, MPI_COMM_WORLD, DRXMP_RDONLY, &status), XTA_OK);
    DRX(DRXMPX_Open(&again, path, MPI_COMM_WORLD, DRXMP_RDONLY, &status), XTA_OK);
    XTA_CHECK(array != again, "two arrays with one handle");
    DRX(DRXMPX_Extend(array, 1, &axis, &by, &status), XTA_EACCESS);
    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &status), XTA_OK);
    DRX(DRXMP_Read_all(array, memory, &status), XTA_OK);
    DRX(DRXMP_Write_all(array, memory, &status), XTA_EACCESS);
    DRX(DRXMPX_Close(&again, &status), XTA_OK);
    DRX(DRXMPX_Close(&array, &status), XTA_OK); // with a memory handle that was not freed
    MPI_Barrier(MPI_COMM_WORLD);
}

/* An error on one rank is the result on all. */
static void one_rank_is_wrong(void)
{
    const int64_t bounds[2] = {4, 5}, chunk[2] = {2, 2}, other[2] = {4, 6};
    const char *path = xta_test_path("wrong");
    DRXMDHdl array = DRXMD_NULL;
    bool wrong = is_last();

    DRX(DRXMPX_Create(wrong ? NULL : &array, path, MPI_COMM_WORLD, MPI_INT, 2, bounds, chunk,
                      &status),
        XTA_EARG);
    DRX(DRXMPX_Create(&array, wrong ? NULL : path, MPI_COMM_WORLD, MPI_INT, 2, bounds, chunk,
                      &status),
        XTA_EARG);
    DRX(DRXMPX_Create(&array, path, wrong ? MPI_COMM_NULL : MPI_COMM_WORLD, MPI_INT, 2, bounds,
                      chunk, &status),
        XTA_EARG);
    DRX(DRXMPX_Create(&array, path, MPI_COMM_WORLD, wrong ? MPI_LONG_DOUBLE : MPI_INT, 2, bounds,
                      chunk, &status),
        XTA_ETYPE);
    DRX(DRXMPX_Open(&array, path, MPI_COMM_WORLD, wrong ? 7 : DRXMP_RDONLY, &status), XTA_EARG);
    if (xta_test_ranks > 1) {
        DRX(DRXMPX_Create(&array, path, MPI_COMM_WORLD, MPI_INT, 2, wrong ? other : bounds, chunk,
                          &status),
            XTA_EARG);
        DRX(DRXMPX_Create(&array, path, MPI_COMM_WORLD, wrong ? MPI_FLOAT : MPI_INT, 2, bounds,
                          chunk, &status),
            XTA_EARG);
        // In different calls, too; each rank's error names its own call.
        if (wrong) {
            DRX_ALONE(DRXMPX_Open(&array, path, MPI_COMM_WORLD, DRXMP_RDONLY, &status), XTA_EARG);
        } else {
            DRX_ALONE(
                DRXMPX_Create(&array, path, MPI_COMM_WORLD, MPI_INT, 2, bounds, chunk, &status),
                XTA_EARG);
        }
    }
    XTA_CHECK(array == DRXMD_NULL, "a handle after failures");
    DRX(DRXMPX_Open(&array, path, MPI_COMM_WORLD, DRXMP_RDONLY, &status), XTA_ENOENT);
}

/* ---- types ---- */

static void types_have_counterparts(void)
{
    const struct {
        DRXType given, told;
        xta_type type;
    } of[] = {{MPI_C_BOOL, MPI_C_BOOL, XTA_BOOL},
              {MPI_SIGNED_CHAR, MPI_INT8_T, XTA_I8},
              {MPI_UINT8_T, MPI_UINT8_T, XTA_U8},
              {MPI_SHORT, MPI_INT16_T, XTA_I16},
              {MPI_UNSIGNED_SHORT, MPI_UINT16_T, XTA_U16},
              {MPI_INT, MPI_INT32_T, XTA_I32},
              {MPI_UNSIGNED, MPI_UINT32_T, XTA_U32},
              {MPI_LONG_LONG, MPI_INT64_T, XTA_I64},
              {MPI_UINT64_T, MPI_UINT64_T, XTA_U64},
              {MPI_FLOAT, MPI_FLOAT, XTA_F32},
              {MPI_DOUBLE_PRECISION, MPI_DOUBLE, XTA_F64},
              {MPI_C_FLOAT_COMPLEX, MPI_C_FLOAT_COMPLEX, XTA_C64},
              {MPI_DOUBLE_COMPLEX, MPI_C_DOUBLE_COMPLEX, XTA_C128},
              {MPI_BYTE, MPI_BYTE, XTA_BYTES}};
    const int64_t bounds[1] = {3};
    char name[32];

    for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
        DRXMDHdl array = DRXMD_NULL;
        DRXMPInfo info;
        snprintf(name, sizeof name, "type%d", (int)k);
        DRX(DRXMPX_Create(&array, xta_test_path(name), MPI_COMM_WORLD, of[k].given, 1, bounds, NULL,
                          &status),
            XTA_OK);
        DRX(DRXMPX_Inquire(array, DRXMDMEM_NULL, &info, &status), XTA_OK);
        XTA_CHECK(info.type == of[k].told, "type %d comes back as another", (int)k);
        XTA_CHECK(xta_array_type(xta_parallel_array(DRXMPX_Array(array))) == of[k].type, "type %d",
                  (int)k);
        DRX(DRXMPX_Close(&array, &status), XTA_OK);
    }
}

static void bytes_in_a_row(void)
{
    const int64_t bounds[1] = {3};
    DRXMDHdl array = DRXMD_NULL;
    DRXMPInfo info;
    MPI_Datatype seven, seven_twice, pair;

    MPI_Type_contiguous(7, MPI_BYTE, &seven);
    MPI_Type_contiguous(2, seven, &seven_twice);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    DRX(DRXMPX_Create(&array, xta_test_path("bytes"), MPI_COMM_WORLD, seven, 1, bounds, NULL,
                      &status),
        XTA_OK);
    DRX(DRXMPX_Inquire(array, DRXMDMEM_NULL, &info, &status), XTA_OK);
    XTA_CHECK(info.cell_bytes == 7, "%zu bytes", info.cell_bytes);
    XTA_CHECK(info.type == MPI_DATATYPE_NULL, "MPI has no such named type");
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
    DRX(DRXMPX_Create(&array, xta_test_path("no"), MPI_COMM_WORLD, seven_twice, 1, bounds, NULL,
                      &status),
        XTA_ETYPE);
    DRX(DRXMPX_Create(&array, xta_test_path("no"), MPI_COMM_WORLD, pair, 1, bounds, NULL, &status),
        XTA_ETYPE);
    DRX(DRXMPX_Create(&array, xta_test_path("no"), MPI_COMM_WORLD, MPI_DATATYPE_NULL, 1, bounds,
                      NULL, &status),
        XTA_ETYPE);
    MPI_Type_free(&seven);
    MPI_Type_free(&seven_twice);
    MPI_Type_free(&pair);
}

/* ---- the paper's zones ---- */

static void the_papers_zones(void)
{
    // In the order of the chunks of [DRX] Fig. 1: address, and owner with four ranks.
    static const int address[5][4] = {
        {0, 1, 6, 12}, {2, 3, 7, 13}, {4, 5, 8, 14}, {9, 10, 11, 15}, {16, 17, 18, 19}};
    DRXMDHdl array = paper_array("paper");
    DRXMPInfo info;
    DRXMPLocation at;
    uint64_t mine = 0;

    DRX(DRXMPX_Inquire(array, DRXMDMEM_NULL, &info, &status), XTA_OK);
    XTA_CHECK(info.ndim == 2 && info.rank == xta_test_rank && info.n_ranks == xta_test_ranks,
              "%d axes, rank %d of %d", info.ndim, info.rank, info.n_ranks);
    XTA_CHECK(info.bounds.hi[0] == ROWS && info.bounds.hi[1] == COLUMNS && info.n_chunks == 20,
              "not 10 x 12");
    XTA_CHECK(info.chunk[0] == 2 && info.chunk[1] == 3, "not 2 x 3");
    XTA_CHECK(info.local == NULL, "memory without a memory handle");
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < COLUMNS; j++) {
            const int64_t cell[2] = {i, j};
            int owner = xta_zones_rank_of_cell(info.zones, cell);
            DRX_ALONE(DRXMPX_Locate(array, DRXMDMEM_NULL, cell, &at, &status), XTA_OK);
            uint64_t want = (uint64_t)address[i / 2][j / 3];
            uint64_t position = (uint64_t)(i % 2 * 3 + j % 3);
            XTA_CHECK(at.address == want, "chunk %d", (int)at.address);
            XTA_CHECK(at.position == position, "position %d", (int)at.position);
            XTA_CHECK(at.offset == 4096 + 4 * (6 * want + position), "byte %d", (int)at.offset);
            XTA_CHECK(at.rank == owner, "rank %d, the zones say %d", at.rank, owner);
            XTA_CHECK(xta_test_ranks != 4 || at.rank == 2 * (i >= 6) + (j >= 6), "rank %d of 4",
                      at.rank);
            mine += at.rank == xta_test_rank ? 1 : 0;
        }
    }
    XTA_CHECK(mine == 6 * xta_zones_n_chunks(info.zones, xta_test_rank), "%d cells", (int)mine);
    const int64_t outside[2] = {ROWS, 0};
    DRX(DRXMPX_Locate(array, DRXMDMEM_NULL, outside, &at, &status), XTA_EBOX);
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
}

/* ---- between file and zones ---- */

/* Memory for the arrays of a distribution over these ranks. */
typedef struct chosen_distribution {
    xta_distribution how;
    int grid[2];
    int64_t cycle[2];
    int64_t row_cuts[8], column_cuts[8];
    const int64_t *cuts[2];
} chosen_distribution;

static void choose_distribution(xta_distribution_kind kind, chosen_distribution *d)
{
    *d = (chosen_distribution){.how = XTA_DISTRIBUTION_INIT};
    d->how.kind = kind;
    d->grid[0] = xta_test_ranks % 2 == 0 ? 2 : 1;
    d->grid[1] = xta_test_ranks / d->grid[0];
    d->how.grid = d->grid;
    d->cycle[0] = 1;
    d->cycle[1] = 1;
    d->how.cycle = kind == XTA_BLOCK_CYCLIC ? d->cycle : NULL;
    for (int k = 0; k < 8; k++) {
        d->row_cuts[k] = 1;
        d->column_cuts[k] = 3; // the ranks in between have no chunks
    }
    d->cuts[0] = d->row_cuts;
    d->cuts[1] = d->column_cuts;
    d->how.cuts = kind == XTA_IRREGULAR ? d->cuts : NULL;
}

/* The bytes of this rank's zone in memory; the same for independent and collective calls. */
static void compare_zones(DRXMDHdl array, DRXMDMemHdl one, DRXMDMemHdl two)
{
    DRXMPInfo a, b;
    int64_t n = 1;

    DRX(DRXMPX_Inquire(array, one, &a, &status), XTA_OK);
    DRX(DRXMPX_Inquire(array, two, &b, &status), XTA_OK);
    for (int axis = 0; axis < 2; axis++) {
        XTA_CHECK(a.lengths[axis] == b.lengths[axis], "axis %d", axis);
        XTA_CHECK(a.strides[axis] == b.strides[axis], "axis %d", axis);
        n *= a.lengths[axis];
    }
    XTA_CHECK(n == 0 || memcmp(a.local, b.local, (size_t)n * 4) == 0, "the zones differ");
}

static void alone_as_together(xta_distribution_kind kind, xta_order order)
{
    DRXMDHdl array = paper_array("zones");
    DRXMDMemHdl alone = DRXMDMEM_NULL, together = DRXMDMEM_NULL;
    int64_t counts[2];
    chosen_distribution d;

    choose_distribution(kind, &d);
    write_values(array);
    DRX(DRXMPX_Distribution(array, &d.how, order, &alone, &status), XTA_OK);
    DRX(DRXMPX_Distribution(array, &d.how, order, &together, &status), XTA_OK);
    DRX_ALONE(DRXMP_Read(array, alone, &status), XTA_OK);
    counts[0] = status.count;
    DRX(DRXMP_Read_all(array, together, &status), XTA_OK);
    XTA_CHECK(status.count == counts[0], "%d cells, %d alone", (int)status.count, (int)counts[0]);
    MPI_Allreduce(&counts[0], &counts[1], 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    XTA_CHECK(counts[1] == CELLS, "%d cells in all", (int)counts[1]);
    DRX(DRXMPX_Fence(alone, &status), XTA_OK);
    compare_zones(array, alone, together);
    check_values(alone);
    check_values(together);

    // The other direction: clear the file, then let each rank write its zone independently.
    DRXMDMemHdl zeros = DRXMDMEM_NULL;
    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &zeros, &status), XTA_OK);
    DRX(DRXMP_Write_all(array, zeros, &status), XTA_OK);
    DRX_ALONE(DRXMP_Write(array, alone, &status), XTA_OK);
    XTA_CHECK(status.count == counts[0], "%d cells", (int)status.count);
    MPI_Barrier(MPI_COMM_WORLD);
    DRX(DRXMP_Read_all(array, zeros, &status), XTA_OK);
    check_values(zeros);
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
}

static void file_and_zones(void)
{
    for (int kind = XTA_BLOCK; kind <= XTA_IRREGULAR; kind++) {
        for (int order = XTA_ROW; order <= XTA_COLUMN; order++) {
            alone_as_together((xta_distribution_kind)kind, (xta_order)order);
            if (xta_test_rank == 0) {
                xta_error err;
                XTA_CHECK_OK(xta_array_delete(xta_test_path("zones"), &err), err);
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
}

/* ---- one-sided access ---- */

/* All ranks add to, multiply, and take minima and maxima of the same cells at once. */
static void accumulate_together(void)
{
    const int64_t lo[2] = {1, 2}, hi[2] = {9, 11}, all_lo[2] = {0, 0}, all_hi[2] = {ROWS, COLUMNS};
    enum { PART = 8 * 9 };
    DRXMDHdl array = paper_array("sums");
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    int32_t mine[PART], all[CELLS];
    int n = xta_test_ranks, wrong = 0;

    DRX(DRXMPX_Distribution(array, NULL, XTA_COLUMN, &memory, &status), XTA_OK);
    for (int k = 0; k < PART; k++) {
        mine[k] = k + xta_test_rank;
    }
    DRX_ALONE(DRXMPX_Accumulate(memory, lo, hi, XTA_ROW, mine, MPI_SUM, &status), XTA_OK);
    XTA_CHECK(status.count == PART, "%d cells", (int)status.count);
    DRX(DRXMPX_Fence(memory, &status), XTA_OK);
    DRX_ALONE(DRXMPX_Get(memory, all_lo, all_hi, XTA_ROW, all, &status), XTA_OK);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            bool inside = i >= 1 && i < 9 && j >= 2 && j < 11;
            int k = (i - 1) * 9 + j - 2;
            wrong += all[i * COLUMNS + j] != (inside ? n * k + n * (n - 1) / 2 : 0);
        }
    }
    XTA_CHECK(wrong == 0, "%d sums are wrong", wrong);
    DRX(DRXMPX_Fence(memory, &status), XTA_OK);
    DRX_ALONE(DRXMPX_Accumulate(memory, lo, hi, XTA_ROW, mine, MPI_MIN, &status), XTA_OK);
    DRX(DRXMPX_Fence(memory, &status), XTA_OK);
    DRX_ALONE(DRXMPX_Get(memory, lo, hi, XTA_ROW, mine, &status), XTA_OK);
    for (int k = 0; k < PART; k++) {
        // The sum is never below rank 0's own number.
        wrong += mine[k] != k;
    }
    XTA_CHECK(wrong == 0, "%d least values are wrong", wrong);
    DRX(DRXMPX_Accumulate(memory, lo, hi, XTA_ROW, mine, MPI_BAND, &status), XTA_EARG);
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
}

/* Boxes that leave the zones are refused and touch nothing. */
static void boxes_outside(void)
{
    const int64_t lo[2] = {0, 0}, hi[2] = {ROWS + 1, 1}, back[2] = {-1, 0};
    DRXMDHdl array = paper_array("outside");
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    int32_t cells[ROWS + 2];

    memset(cells, 0x5a, sizeof cells);
    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &status), XTA_OK);
    DRX(DRXMPX_Get(memory, lo, hi, XTA_ROW, cells, &status), XTA_EBOX);
    XTA_CHECK(cells[0] == 0x5a5a5a5a, "a refused get touched its buffer");
    DRX(DRXMPX_Put(memory, lo, hi, XTA_ROW, cells, &status), XTA_EBOX);
    DRX(DRXMPX_Accumulate(memory, back, hi, XTA_ROW, cells, MPI_SUM, &status), XTA_EBOX);
    DRX(DRXMPX_Get(memory, NULL, hi, XTA_ROW, cells, &status), XTA_EARG);
    DRX(DRXMPX_Put(memory, lo, NULL, XTA_ROW, cells, &status), XTA_EARG);
    const int64_t column[2] = {ROWS, 1};
    DRX(DRXMPX_Get(memory, lo, column, XTA_ROW, cells, &status), XTA_OK);
    for (int k = 0; k < ROWS; k++) {
        XTA_CHECK(cells[k] == 0, "cell %d is %d", k, (int)cells[k]);
    }
    DRX(DRXMPX_Get(memory, lo, lo, XTA_ROW, cells, &status), XTA_OK);
    XTA_CHECK(status.count == 0, "%d cells of an empty box", (int)status.count);
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
}

/* ---- growth ---- */

static void zones_and_growth(void)
{
    const int axes[3] = {0, 1, 1};
    const int64_t by[3] = {-3, -2, 4}, far[2] = {-3, -2};
    const int64_t lo[2] = {0, 0}, hi[2] = {ROWS, COLUMNS};
    int32_t cells[CELLS];
    DRXMDHdl array = paper_array("growth");
    DRXMDMemHdl old = DRXMDMEM_NULL, fresh = DRXMDMEM_NULL;
    DRXMPInfo info;
    DRXMPLocation at;

    write_values(array);
    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &old, &status), XTA_OK);
    DRX(DRXMPX_Extend(array, 3, axes, by, &status), XTA_OK);
    DRX(DRXMPX_Inquire(array, DRXMDMEM_NULL, &info, &status), XTA_OK);
    XTA_CHECK(info.bounds.lo[0] == -3 && info.bounds.hi[0] == ROWS, "axis 0");
    XTA_CHECK(info.bounds.lo[1] == -2 && info.bounds.hi[1] == COLUMNS + 4, "axis 1");

    // Older zones keep their cells, and can still read and write them.
    DRX(DRXMP_Read_all(array, old, &status), XTA_OK);
    check_values(old);
    DRX(DRXMPX_Locate(array, old, far, &at, &status), XTA_OK);
    XTA_CHECK(at.rank == -1, "rank %d", at.rank);
    DRX(DRXMPX_Get(old, far, lo, XTA_ROW, cells, &status), XTA_EBOX);

    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &fresh, &status), XTA_OK);
    DRX(DRXMP_Read_all(array, fresh, &status), XTA_OK);
    DRX(DRXMPX_Locate(array, fresh, far, &at, &status), XTA_OK);
    XTA_CHECK(at.rank == 0, "rank %d", at.rank);
    DRX(DRXMPX_Get(fresh, far, lo, XTA_ROW, cells, &status), XTA_OK);
    for (int k = 0; k < 6; k++) {
        XTA_CHECK(cells[k] == 0, "a new cell is %d", (int)cells[k]);
    }
    DRX(DRXMPX_Get(fresh, lo, hi, XTA_ROW, cells, &status), XTA_OK);
    for (int k = 0; k < CELLS; k++) {
        XTA_CHECK(cells[k] == value_of(k / COLUMNS, k % COLUMNS), "cell %d", k);
    }
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
}

/* A growth that is refused, or that the ranks disagree on, changes nothing. */
static void growth_refused(void)
{
    const int axis = 0, none = 2, own = xta_test_rank == 0;
    const int64_t by = 2, least = INT64_MIN, amount = is_last() ? 2 : 3;
    DRXMDHdl array = paper_array("refused");
    DRXMPInfo info;

    DRX(DRXMPX_Extend(array, 0, &axis, &by, &status), XTA_EARG);
    DRX(DRXMPX_Extend(array, 1, NULL, &by, &status), XTA_EARG);
    DRX(DRXMPX_Extend(array, 1, &axis, NULL, &status), XTA_EARG);
    DRX(DRXMPX_Extend(array, 1000, &axis, &by, &status), XTA_EARG);
    DRX(DRXMPX_Extend(array, 1, &none, &by, &status), XTA_EARG);
    DRX(DRXMPX_Extend(array, 1, &axis, &least, &status), XTA_EOVERFLOW);
    if (xta_test_ranks > 1) {
        DRX(DRXMPX_Extend(array, 1, &own, &by, &status), XTA_EARG);
        DRX(DRXMPX_Extend(array, 1, &axis, &amount, &status), XTA_EARG);
        DRX(DRXMPX_Extend(array, is_last() ? 0 : 1, &axis, &by, &status), XTA_EARG);
    }
    DRX(DRXMPX_Inquire(array, DRXMDMEM_NULL, &info, &status), XTA_OK);
    XTA_CHECK(info.bounds.hi[0] == ROWS && info.bounds.hi[1] == COLUMNS && info.n_chunks == 20,
              "a refused growth changed the array");
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    nothing_before_init();
    begin_once(NULL);
    create_and_open();
    one_rank_is_wrong();
    types_have_counterparts();
    bytes_in_a_row();
    the_papers_zones();
    file_and_zones();
    accumulate_together();
    boxes_outside();
    zones_and_growth();
    growth_refused();
    DRX(DRXMPX_Terminate(&status), XTA_OK);
    return xta_test_end();
}
