/* nprocs: 4 1 2 3; mpich: 4 */
/* The calls of [DRX] IV.C as printed, and those in their style. It needs the installed headers and
 * libraries alone, and prints the zones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drxmp_calls.h"

/* ---- the prototypes of [DRX] IV.C, which has them without semicolons where it forgot them ---- */

static int (*const paper_Init)(DRXMDHdl *drxhdl, int kdim, size_t *initsize, int *chkshape,
                               DRXType dtype, DRXComm comm) = DRXMP_Init;
static int (*const paper_Open)(DRXMDHdl *drxhdl, char *filename, char *mode) = DRXMP_Open;
static int (*const paper_Close)(DRXMDHdl drxhdl) = DRXMP_Close;
static int (*const paper_Terminate)(void) = DRXMP_Terminate;
static int (*const paper_Read)(DRXMDHdl drxhdl, DRXMDMemHdl memhdl, DRXMPStatus *stat) = DRXMP_Read;
static int (*const paper_Read_all)(DRXMDHdl drxhdl, DRXMDMemHdl memhdl,
                                   DRXMPStatus *stat) = DRXMP_Read_all;

static double value_of(size_t i, size_t j)
{
    return (double)(100 * i + j + 1);
}

/* ---- an array, by the paper's calls alone where it has them ---- */

/* Every rank puts some rows into the zones, and all write them. */
static void write_values(DRXMDHdl array)
{
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    double row[COLUMNS];

    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_FORTRAN, NULL, NULL, NULL), XTA_OK);
    for (size_t i = (size_t)xta_test_rank; i < ROWS; i += (size_t)xta_test_ranks) {
        size_t lo[2] = {i, 0}, hi[2] = {i + 1, COLUMNS};
        for (size_t j = 0; j < COLUMNS; j++) {
            row[j] = value_of(i, j);
        }
        ALONE(DRXMP_Put(memory, lo, hi, row, &stat), XTA_OK);
        XTA_CHECK(stat.count == COLUMNS, "%d cells", (int)stat.count);
    }
    ALL(DRXMP_Fence(memory), XTA_OK);
    ALL(DRXMP_Write_all(array, memory, &stat), XTA_OK);
    ALL(DRXMP_Free(memory), XTA_OK);
}

/* Every cell of the zones, by every rank. */
static void check_values(DRXMDMemHdl memory, int order)
{
    size_t lo[2] = {0, 0}, hi[2] = {ROWS, COLUMNS};
    double cells[CELLS];
    int wrong = 0;

    ALONE(DRXMP_Get(memory, lo, hi, cells, &stat), XTA_OK);
    XTA_CHECK(stat.count == CELLS, "%d cells", (int)stat.count);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            size_t at = order == MPI_ORDER_C ? i * COLUMNS + j : j * ROWS + i;
            wrong += cells[at] != value_of(i, j);
        }
    }
    XTA_CHECK(wrong == 0, "%d values are wrong", wrong);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check_header(DRXMDHdl array)
{
    DRXMDHdrPtr header = NULL;

    ALL(DRXMP_Header(array, &header), XTA_OK);
    XTA_CHECK(header->kdim == 2 && header->dtype == MPI_DOUBLE && header->cellsize == 8,
              "%d axes, %zu bytes", header->kdim, header->cellsize);
    XTA_CHECK(header->size[0] == ROWS && header->size[1] == COLUMNS, "%zu x %zu", header->size[0],
              header->size[1]);
    XTA_CHECK(header->chkshape[0] == 2 && header->chkshape[1] == 3, "not 2 x 3");
    XTA_CHECK(header->first[0] == 0 && header->nchunks == CHUNKS, "%zu chunks", header->nchunks);
    XTA_CHECK(header->rank == xta_test_rank && header->nprocs == xta_test_ranks, "rank %d of %d",
              header->rank, header->nprocs);
    XTA_CHECK(strstr(header->filename, "paper") != NULL, "'%s'", header->filename);
}

/* F* and its inverse at each chunk of [DRX] Fig. 1, and the owner of each cell. */
static void check_addresses(DRXMDHdl array, DRXMDMemHdl memory)
{
    static const size_t figure[5][4] = {
        {0, 1, 6, 12}, {2, 3, 7, 13}, {4, 5, 8, 14}, {9, 10, 11, 15}, {16, 17, 18, 19}};
    size_t address = 0, index[2];

    for (size_t i = 0; i < 5; i++) {
        for (size_t j = 0; j < 4; j++) {
            size_t chunk[2] = {i, j};
            ALONE(DRXMP_Address(array, chunk, &address), XTA_OK);
            XTA_CHECK(address == figure[i][j], "F*(%zu, %zu) = %zu", i, j, address);
            ALONE(DRXMP_Index(array, figure[i][j], index), XTA_OK);
            XTA_CHECK(index[0] == i && index[1] == j, "%zu, %zu", index[0], index[1]);
        }
    }
    for (size_t i = 0; xta_test_ranks == 4 && i < ROWS; i++) {
        for (size_t j = 0; j < COLUMNS; j++) {
            size_t cell[2] = {i, j};
            int owner = -1;
            ALONE(DRXMP_Owner(memory, cell, &owner), XTA_OK);
            XTA_CHECK(owner == 2 * (i >= 6) + (j >= 6), "rank %d has (%zu, %zu)", owner, i, j);
        }
    }
}

/* The zones of all ranks, computed by each; with four those of the paper. */
static void check_zones(DRXMDMemHdl memory)
{
    static const size_t want[4][7] = {
        {6, 0, 1, 2, 3, 4, 5}, {6, 6, 7, 8, 12, 13, 14}, {4, 9, 10, 16, 17}, {4, 11, 15, 18, 19}};
    size_t zone[CHUNKS], n = 0, total = 0;

    for (int rank = 0; rank < xta_test_ranks; rank++) {
        ALL(DRXMP_Zone(memory, rank, &n, NULL), XTA_OK);
        total += n;
        ALL(DRXMP_Zone(memory, rank, &n, zone), XTA_OK);
        if (xta_test_ranks == 4) {
            XTA_CHECK(n == want[rank][0], "%zu chunks", n);
            XTA_CHECK(memcmp(zone, &want[rank][1], n * sizeof zone[0]) == 0, "rank %d", rank);
        }
        for (size_t k = 0; xta_test_rank == 0 && k < n; k++) {
            printf("%s%zu%s", k == 0 ? "{" : ",", zone[k], k + 1 == n ? "}\n" : "");
        }
    }
    XTA_CHECK(total == CHUNKS, "%zu chunks in all", total);
}

/* This rank's zone in memory, cell by cell: a dense array in the order asked for. */
static void check_memory(DRXMDMemHdl memory, int order)
{
    void *base = NULL;
    size_t lengths[2] = {0};

    ALONE(DRXMP_Base(memory, &base, lengths), XTA_OK);
    if (xta_test_ranks == 4) {
        size_t i0 = xta_test_rank / 2 * (size_t)6, j0 = xta_test_rank % 2 * (size_t)6;
        const double *cell = base;
        XTA_CHECK(lengths[0] == (i0 == 0 ? 6 : 4) && lengths[1] == 6, "%zu x %zu", lengths[0],
                  lengths[1]);
        XTA_CHECK(cell[0] == value_of(i0, j0), "%g", cell[0]);
        XTA_CHECK(cell[1] == (order == MPI_ORDER_C ? value_of(i0, j0 + 1) : value_of(i0 + 1, j0)),
                  "%g", cell[1]);
    }
}

static void the_papers_array(int order)
{
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl all = DRXMDMEM_NULL, alone = DRXMDMEM_NULL;
    void *base = NULL, *again = NULL;
    int64_t counts[2];

    ALL(paper_Open(&array, path_of("paper"), text_of("r")), XTA_OK);
    check_header(array);
    ALL(DRXMP_Distribution(array, &all, order, NULL, NULL, &base), XTA_OK);
    ALONE(DRXMP_Base(all, &again, NULL), XTA_OK);
    XTA_CHECK(base == again && (base != NULL || xta_test_ranks != 4), "two bases");
    ALL(DRXMP_Distribution(array, &alone, order, NULL, NULL, NULL), XTA_OK);
    check_zones(all);
    check_addresses(array, all);
    ALL(paper_Read_all(array, all, &stat), XTA_OK);
    counts[0] = stat.count;
    check_values(all, order);
    check_memory(all, order);
    ALONE(paper_Read(array, alone, &stat), XTA_OK);
    XTA_CHECK(stat.count == counts[0], "%d cells, %d alone", (int)counts[0], (int)stat.count);
    MPI_Allreduce(&counts[0], &counts[1], 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    XTA_CHECK(counts[1] == CELLS, "%d cells in all", (int)counts[1]);
    ALL(DRXMP_Fence(alone), XTA_OK);
    check_values(alone, order);
    check_memory(alone, order);
    ALL(paper_Close(array), XTA_OK);
}

/* ---- opening what was described, or not ---- */

static void open_and_describe(void)
{
    size_t size[2] = {1, 1};
    int shape[2] = {2, 3};
    DRXMDHdl array = DRXMD_NULL, closed;
    DRXMDHdrPtr header = NULL;

    // The description is there before the files are; its sizes give way to theirs.
    ALL(paper_Init(&array, 2, size, shape, MPI_DOUBLE, MPI_COMM_WORLD), XTA_OK);
    ALL(DRXMP_Header(array, &header), XTA_OK);
    XTA_CHECK(header->kdim == 2 && header->size[1] == 1 && header->chkshape[1] == 3 &&
                  header->cellsize == 8 && header->nchunks == 0 && header->filename[0] == '\0' &&
                  header->nprocs == xta_test_ranks,
              "not what was described");
    ALL(paper_Open(&array, path_of("paper"), text_of("r+")), XTA_OK);
    check_header(array);
    closed = array;
    ALL(paper_Close(array), XTA_OK);
    // A closed handle is as good as none.
    ALL(paper_Open(&array, path_of("paper"), text_of("rw")), XTA_OK);
    XTA_CHECK(array != closed && array != DRXMD_NULL, "a handle was given twice");
    ALL(paper_Close(array), XTA_OK);
    // Nothing but the communicator; and no shape.
    ALL(paper_Init(&array, 0, NULL, NULL, MPI_DATATYPE_NULL, MPI_COMM_WORLD), XTA_OK);
    ALL(paper_Open(&array, path_of("paper"), text_of("rb")), XTA_OK);
    check_header(array);
    ALL(paper_Close(array), XTA_OK);
    ALL(paper_Init(&array, 2, size, NULL, MPI_DOUBLE, MPI_COMM_WORLD), XTA_OK);
    ALL(paper_Open(&array, path_of("paper"), text_of("r")), XTA_OK);
    ALL(paper_Close(array), XTA_OK);
    // A description that never gets files.
    ALL(paper_Init(&array, 2, size, shape, MPI_DOUBLE, MPI_COMM_WORLD), XTA_OK);
    ALL(paper_Close(array), XTA_OK);
}

/* A shape that is chosen, the paper's three types, and axes of length 0. */
static void create_of_all_types(void)
{
    MPI_Datatype types[3] = {MPI_INT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX};
    size_t bytes[3] = {4, 8, 16}, size[3] = {5, 0, 7};
    char name[16];

    for (int k = 0; k < 3; k++) {
        DRXMDHdl array = DRXMD_NULL;
        DRXMDHdrPtr header = NULL;
        snprintf(name, sizeof name, "type%d", k);
        ALL(paper_Init(&array, 3, size, NULL, types[k], MPI_COMM_WORLD), XTA_OK);
        ALL(DRXMP_Create(array, path_of(name)), XTA_OK);
        ALL(DRXMP_Header(array, &header), XTA_OK);
        XTA_CHECK(header->cellsize == bytes[k], "%zu bytes", header->cellsize);
        XTA_CHECK(header->size[0] == 5 && header->size[1] == 0 && header->chkshape[2] > 0,
                  "%zu x %zu", header->size[0], header->size[1]);
        ALL(DRXMP_Extend(array, 1, 4), XTA_OK);
        ALL(DRXMP_Header(array, &header), XTA_OK);
        XTA_CHECK(header->size[1] == 4, "%zu", header->size[1]);
        ALL(paper_Close(array), XTA_OK);
    }
}

/* ---- zones in turn, and one-sided access ---- */

static void cyclic_zones(void)
{
    int grid[2] = {1, xta_test_ranks}, cycle[2] = {1, 1};
    size_t lo[2] = {3, 2}, hi[2] = {5, 7}, n = 0, total = 0, zone[CHUNKS];
    double ones[10], sums[10];
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    ALL(paper_Open(&array, path_of("paper"), text_of("r")), XTA_OK);
    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, grid, cycle, NULL), XTA_OK);
    for (int rank = 0; rank < xta_test_ranks; rank++) {
        ALL(DRXMP_Zone(memory, rank, &n, zone), XTA_OK);
        total += n;
        for (size_t k = 0; k < n; k++) {
            size_t chunk[2];
            ALONE(DRXMP_Index(array, zone[k], chunk), XTA_OK);
            XTA_CHECK(chunk[1] % (size_t)xta_test_ranks == (size_t)rank, "column %zu", chunk[1]);
            XTA_CHECK(k == 0 || zone[k] > zone[k - 1], "the addresses do not ascend");
        }
    }
    XTA_CHECK(total == CHUNKS, "%zu chunks in all", total);
    ALL(paper_Read_all(array, memory, &stat), XTA_OK);
    check_values(memory, MPI_ORDER_C);
    for (int k = 0; k < 10; k++) {
        ones[k] = 1;
    }
    ALONE(DRXMP_Accumulate(memory, lo, hi, ones, MPI_SUM, &stat), XTA_OK);
    ALL(DRXMP_Fence(memory), XTA_OK);
    ALONE(DRXMP_Get(memory, lo, hi, sums, &stat), XTA_OK);
    for (size_t k = 0; k < 10; k++) {
        double want = value_of(3 + k / 5, 2 + k % 5) + xta_test_ranks;
        XTA_CHECK(sums[k] == want, "cell %zu is %g, not %g", k, sums[k], want);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    ALL(paper_Close(array), XTA_OK);
}

/* ---- arrays of some ranks ---- */

static void arrays_of_some(void)
{
    size_t size[1] = {8}, lo[1] = {0};
    int shape[1] = {4}, n = 0;
    double cells[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    char name[16];
    MPI_Comm half;
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    MPI_Comm_split(MPI_COMM_WORLD, xta_test_rank % 2, xta_test_rank, &half);
    MPI_Comm_size(half, &n);
    snprintf(name, sizeof name, "half%d", xta_test_rank % 2);
    ALONE(paper_Init(&array, 1, size, shape, MPI_DOUBLE, half), XTA_OK);
    ALONE(DRXMP_Create(array, path_of(name)), XTA_OK);
    ALONE(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    ALONE(DRXMP_Accumulate(memory, lo, size, cells, MPI_SUM, &stat), XTA_OK);
    ALONE(DRXMP_Write_all(array, memory, &stat), XTA_OK);
    ALONE(paper_Read_all(array, memory, &stat), XTA_OK);
    ALONE(DRXMP_Get(memory, lo, size, cells, &stat), XTA_OK);
    XTA_CHECK(cells[7] == 8.0 * n, "%g", cells[7]);
    MPI_Barrier(half);
    ALONE(paper_Close(array), XTA_OK);
    // Left open for DRXMP_Terminate.
    ALONE(paper_Init(&array, 0, NULL, NULL, MPI_DATATYPE_NULL, half), XTA_OK);
    ALONE(paper_Open(&array, path_of(name), text_of("r")), XTA_OK);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    // With an array of some ranks before there is one of all; and again after the end.
    arrays_of_some();
    ALL(paper_Terminate(), XTA_OK);
    DRXMDHdl array = paper_array("paper");
    write_values(array);
    ALL(paper_Close(array), XTA_OK);
    the_papers_array(MPI_ORDER_C);
    the_papers_array(MPI_ORDER_FORTRAN);
    open_and_describe();
    create_of_all_types();
    cyclic_zones();
    ALL(paper_Terminate(), XTA_OK);
    return xta_test_end();
}
