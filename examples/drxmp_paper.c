/* nprocs: 4 1 2 3 7; mpich: 4 */
/* The program of [DRX] IV.C: an array of 10 x 12 cells in chunks of 2 x 3, grown chunk by chunk,
 * and its zones on four processes.
 *
 * In chunks the array begins as 1 x 1 and grows along the axes 1, 0, 0, 1, 0, 1, 0. So the 5 x 4
 * chunks have the addresses of [DRX] Fig. 1, and BLOCK distributes them to four ranks like this;
 * rank 2 has the lower left zone:
 *
 *      0   1 |  6  12
 *      2   3 |  7  13
 *      4   5 |  8  14
 *     -------+-------
 *      9  10 | 11  15
 *     16  17 | 18  19
 *
 * Cell (i, j) holds 100 i + j. Each rank writes its zone. Then the array is opened again, and each
 * rank reads its zone into memory: all together into memory held by rows, each alone into memory
 * held by columns. It runs on any number of processes; with four the addresses are compared with
 * the paper's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/drxmp.h>

enum { CHUNK_ROWS = 2, CHUNK_COLUMNS = 3, MOST_CHUNKS = 20, MOST_TEXT = 8192 };

static const char name[] = "drxmp_paper";
static int rank, n_ranks;

/* The first failure ends all ranks; a program would decide for itself. */
#define TRY(call)                                                                           \
    do {                                                                                    \
        if ((call) != 0) {                                                                  \
            fprintf(stderr, "%s:%d: rank %d: %s\n", __FILE__, __LINE__, rank, status.text); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                   \
        }                                                                                   \
    } while (0)

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, rank, #condition); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

static double value_of(int64_t i, int64_t j)
{
    return (double)(100 * i + j);
}

/* ---- a zone ---- */

/* The cells of this rank's zone, which is one box with BLOCK; an empty box if it holds nothing. */
static xta_box zone_of(const DRXMPInfo *info)
{
    xta_box cells = info->bounds;

    cells.hi[0] = cells.lo[0];
    if (xta_zones_n_boxes(info->zones, info->rank) > 0) {
        cells = xta_zones_cells(info->zones, info->rank, 0, &info->bounds);
    }
    return cells;
}

/* The addresses of a zone's chunks, ascending: the order in which they lie in the file. */
static int addresses_of(DRXMDHdl array, DRXMDMemHdl memory, const xta_box *cells,
                        uint64_t addresses[])
{
    DRXMPStatus status;
    DRXMPLocation location;
    int64_t cell[2];
    int n = 0;

    for (cell[0] = cells->lo[0]; cell[0] < cells->hi[0]; cell[0] += CHUNK_ROWS) {
        for (cell[1] = cells->lo[1]; cell[1] < cells->hi[1]; cell[1] += CHUNK_COLUMNS) {
            TRY(DRXMP_Locate(array, memory, cell, &location, &status));
            EXPECT(location.rank == rank);
            int k = n++;
            for (; k > 0 && addresses[k - 1] > location.address; k--) {
                addresses[k] = addresses[k - 1];
            }
            addresses[k] = location.address;
        }
    }
    return n;
}

/* With four processes the zones are those of the paper. */
static void compare_with_paper(const uint64_t addresses[], int n)
{
    static const int n_chunks[4] = {6, 6, 4, 4};
    static const uint64_t zones[4][6] = {
        {0, 1, 2, 3, 4, 5}, {6, 7, 8, 12, 13, 14}, {9, 10, 16, 17}, {11, 15, 18, 19}};

    if (n_ranks == 4) {
        EXPECT(n == n_chunks[rank]);
        EXPECT(memcmp(addresses, zones[rank], (size_t)n * sizeof addresses[0]) == 0);
    }
}

/* ---- printing, rank after rank ---- */

static void print_in_turn(const char *text)
{
    char other[MOST_TEXT];

    if (rank != 0) {
        MPI_Send(text, (int)strlen(text) + 1, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        return;
    }
    fputs(text, stdout);
    for (int k = 1; k < n_ranks; k++) {
        MPI_Recv(other, sizeof other, MPI_CHAR, k, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        fputs(other, stdout);
    }
    fflush(stdout);
}

static void print_zone(const char *how, const xta_box *cells, const uint64_t addresses[], int n,
                       const DRXMPInfo *info)
{
    char text[MOST_TEXT];
    const char *local = info->local;
    size_t used = (size_t)snprintf(text, sizeof text, "rank %d, %s, chunks", rank, how);

    for (int k = 0; k < n; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " %d", (int)addresses[k]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, n == 0 ? " none\n" : "\n");
    for (int64_t i = 0; i < cells->hi[0] - cells->lo[0]; i++) {
        for (int64_t j = 0; j < cells->hi[1] - cells->lo[1]; j++) {
            const char *cell = local + i * info->strides[0] + j * info->strides[1];
            used += (size_t)snprintf(text + used, sizeof text - used, "%6g", *(const double *)cell);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    print_in_turn(text);
}

/* ---- the two halves of the program ---- */

static void grow_and_write(void)
{
    static const int axes[] = {1, 0, 0, 1, 0, 1, 0};
    const int64_t chunk[2] = {CHUNK_ROWS, CHUNK_COLUMNS};
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    DRXMPInfo info;
    DRXMPStatus status;

    TRY(DRXMP_Create(&array, name, MPI_COMM_WORLD, MPI_DOUBLE, 2, chunk, chunk, &status));
    for (size_t k = 0; k < sizeof axes / sizeof axes[0]; k++) {
        TRY(DRXMP_Extend(array, 1, &axes[k], &chunk[axes[k]], &status));
    }
    TRY(DRXMP_Distribution(array, NULL, XTA_ROW, &memory, &status));
    TRY(DRXMP_Inquire(array, memory, &info, &status));
    EXPECT(info.bounds.hi[0] == 10 && info.bounds.hi[1] == 12 && info.n_chunks == MOST_CHUNKS);

    // Held by rows, a zone that is one box is an ordinary matrix of C.
    xta_box cells = zone_of(&info);
    double *value = info.local;
    for (int64_t i = cells.lo[0]; i < cells.hi[0]; i++) {
        for (int64_t j = cells.lo[1]; j < cells.hi[1]; j++) {
            *value++ = value_of(i, j);
        }
    }
    TRY(DRXMP_Write_all(array, memory, &status));
    TRY(DRXMP_Close(&array, &status));
}

static void read_zone(DRXMDHdl array, xta_order order, const char *how)
{
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    DRXMPInfo info;
    DRXMPStatus status;
    uint64_t addresses[MOST_CHUNKS];
    double *values = NULL;

    TRY(DRXMP_Distribution(array, NULL, order, &memory, &status));
    if (order == XTA_ROW) {
        TRY(DRXMP_Read_all(array, memory, &status));
    } else {
        TRY(DRXMP_Read(array, memory, &status));
    }
    TRY(DRXMP_Inquire(array, memory, &info, &status));
    xta_box cells = zone_of(&info);
    int n = addresses_of(array, memory, &cells, addresses);
    compare_with_paper(addresses, n);
    print_zone(how, &cells, addresses, n, &info);

    for (int64_t i = cells.lo[0]; i < cells.hi[0]; i++) {
        for (int64_t j = cells.lo[1]; j < cells.hi[1]; j++) {
            const char *cell = (const char *)info.local + (i - cells.lo[0]) * info.strides[0] +
                               (j - cells.lo[1]) * info.strides[1];
            EXPECT(*(const double *)cell == value_of(i, j));
        }
    }
    // Any rank reaches any zone: here each takes the whole array out of all of them.
    TRY(DRXMP_Fence(memory, &status));
    values = calloc(10 * 12, sizeof *values);
    EXPECT(values != NULL);
    TRY(DRXMP_Get(memory, info.bounds.lo, info.bounds.hi, XTA_ROW, values, &status));
    for (int64_t k = 0; k < 10 * 12; k++) {
        EXPECT(values[k] == value_of(k / 12, k % 12));
    }
    free(values);
    TRY(DRXMP_Free(&memory, &status));
}

int main(int argc, char **argv)
{
    DRXMDHdl array = DRXMD_NULL;
    DRXMPStatus status;
    xta_error err;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (rank == 0) {
        xta_status gone = xta_array_delete(name, &err);
        EXPECT(gone == XTA_OK || gone == XTA_ENOENT);
    }
    TRY(DRXMP_Init(MPI_COMM_WORLD, NULL, &status));
    grow_and_write();
    TRY(DRXMP_Open(&array, name, MPI_COMM_WORLD, DRXMP_RDONLY, &status));
    read_zone(array, XTA_ROW, "by rows");
    read_zone(array, XTA_COLUMN, "by columns");
    TRY(DRXMP_Close(&array, &status));
    TRY(DRXMP_Terminate(&status));
    MPI_Finalize();
    return 0;
}
