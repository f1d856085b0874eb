/* nprocs: 4 1 2 3 7; mpich: 4 */
/* [DRX] IV in the calls that it prints: an array of 10 x 12 cells in chunks of 2 x 3, grown chunk
 * by chunk, and its zones on four processes.
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
 * the paper's. The array remains, as drxmp_paper.xmd and .xta.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/array.h>
#include <xta/drxmp.h>

enum { CHUNK_ROWS = 2, CHUNK_COLUMNS = 3, ROWS = 10, COLUMNS = 12, MOST_CHUNKS = 20 };
enum { MOST_TEXT = 8192 };

static char name[] = "drxmp_paper";
static int rank, n_ranks;

/* The first failure ends all ranks; a program would decide for itself. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        if ((call) != 0) {                                                                         \
            fprintf(stderr, "%s:%d: rank %d: %s\n", __FILE__, __LINE__, rank, DRXMP_Last_error()); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, rank, #condition); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

static double value_of(size_t i, size_t j)
{
    return (double)(100 * i + j);
}

/* ---- a zone ---- */

/* The first cell of this rank's zone, which is one box with BLOCK: its lowest chunk has the lowest
 * index on each axis. */
static void first_cell(DRXMDHdl array, const size_t addresses[], size_t n, size_t cell[2])
{
    size_t chunk[2];

    cell[0] = cell[1] = (size_t)-1;
    for (size_t k = 0; k < n; k++) {
        TRY(DRXMP_Index(array, addresses[k], chunk));
        cell[0] = chunk[0] * CHUNK_ROWS < cell[0] ? chunk[0] * CHUNK_ROWS : cell[0];
        cell[1] = chunk[1] * CHUNK_COLUMNS < cell[1] ? chunk[1] * CHUNK_COLUMNS : cell[1];
    }
}

/* With four processes the zones are those of the paper. */
static void compare_with_paper(const size_t addresses[], size_t n)
{
    static const size_t n_chunks[4] = {6, 6, 4, 4};
    static const size_t zones[4][6] = {
        {0, 1, 2, 3, 4, 5}, {6, 7, 8, 12, 13, 14}, {9, 10, 16, 17}, {11, 15, 18, 19}};

    if (n_ranks == 4) {
        EXPECT(n == n_chunks[rank]);
        EXPECT(memcmp(addresses, zones[rank], n * sizeof addresses[0]) == 0);
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

/* `steps` are how far apart neighbours on each axis are in memory. */
static void print_zone(const char *how, const size_t addresses[], size_t n, const double *base,
                       const size_t lengths[2], const size_t steps[2])
{
    char text[MOST_TEXT];
    size_t used = (size_t)snprintf(text, sizeof text, "rank %d, %s, chunks", rank, how);

    for (size_t k = 0; k < n; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " %zu", addresses[k]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, n == 0 ? " none\n" : "\n");
    for (size_t i = 0; n > 0 && i < lengths[0]; i++) {
        for (size_t j = 0; j < lengths[1]; j++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%6g",
                                     base[i * steps[0] + j * steps[1]]);
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "\n");
    }
    print_in_turn(text);
}

/* ---- the two halves of the program ---- */

static void grow_and_write(void)
{
    static const int axes[] = {1, 0, 0, 1, 0, 1, 0};
    size_t size[2] = {CHUNK_ROWS, CHUNK_COLUMNS}, lengths[2], first[2], n = 0;
    size_t addresses[MOST_CHUNKS];
    int shape[2] = {CHUNK_ROWS, CHUNK_COLUMNS};
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    DRXMDHdrPtr header = NULL;
    DRXMPStatus status;
    void *base = NULL;

    TRY(DRXMP_Init(&array, 2, size, shape, MPI_DOUBLE, MPI_COMM_WORLD));
    TRY(DRXMP_Create(array, name));
    for (size_t k = 0; k < sizeof axes / sizeof axes[0]; k++) {
        TRY(DRXMP_Extend(array, axes[k], size[axes[k]]));
    }
    TRY(DRXMP_Header(array, &header));
    EXPECT(header->size[0] == ROWS && header->size[1] == COLUMNS && header->nchunks == MOST_CHUNKS);

    // Held by rows, a zone that is one box is an ordinary matrix of C.
    TRY(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL));
    TRY(DRXMP_Zone(memory, rank, &n, addresses));
    TRY(DRXMP_Base(memory, &base, lengths));
    first_cell(array, addresses, n, first);
    double *value = base;
    for (size_t i = 0; n > 0 && i < lengths[0]; i++) {
        for (size_t j = 0; j < lengths[1]; j++) {
            *value++ = value_of(first[0] + i, first[1] + j);
        }
    }
    TRY(DRXMP_Write_all(array, memory, &status));
    TRY(DRXMP_Close(array));
}

static void read_zone(DRXMDHdl array, int order, const char *how)
{
    size_t lengths[2], first[2], n = 0, addresses[MOST_CHUNKS];
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    DRXMPStatus status;
    void *base = NULL;

    TRY(DRXMP_Distribution(array, &memory, order, NULL, NULL, NULL));
    if (order == MPI_ORDER_C) {
        TRY(DRXMP_Read_all(array, memory, &status));
    } else {
        TRY(DRXMP_Read(array, memory, &status));
    }
    TRY(DRXMP_Zone(memory, rank, &n, addresses));
    TRY(DRXMP_Base(memory, &base, lengths));
    compare_with_paper(addresses, n);
    const size_t steps[2] = {order == MPI_ORDER_C ? lengths[1] : 1,
                             order == MPI_ORDER_C ? 1 : lengths[0]};
    print_zone(how, addresses, n, base, lengths, steps);

    first_cell(array, addresses, n, first);
    for (size_t i = 0; n > 0 && i < lengths[0]; i++) {
        for (size_t j = 0; j < lengths[1]; j++) {
            const double *cell = (const double *)base + i * steps[0] + j * steps[1];
            EXPECT(*cell == value_of(first[0] + i, first[1] + j));
        }
    }
    // Any rank reaches any zone: here each takes the whole array out of all of them.
    size_t lo[2] = {0, 0}, hi[2] = {ROWS, COLUMNS};
    TRY(DRXMP_Fence(memory));
    double *values = calloc((size_t)ROWS * COLUMNS, sizeof *values);
    EXPECT(values != NULL);
    TRY(DRXMP_Get(memory, lo, hi, values, &status));
    for (size_t k = 0; k < (size_t)ROWS * COLUMNS; k++) {
        size_t i = order == MPI_ORDER_C ? k / COLUMNS : k % ROWS;
        size_t j = order == MPI_ORDER_C ? k % COLUMNS : k / ROWS;
        EXPECT(values[k] == value_of(i, j));
    }
    free(values);
    TRY(DRXMP_Free(memory));
}

int main(int argc, char **argv)
{
    DRXMDHdl array = DRXMD_NULL;
    xta_error err;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (rank == 0) {
        xta_status gone = xta_array_delete(name, &err);
        EXPECT(gone == XTA_OK || gone == XTA_ENOENT);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    grow_and_write();
    TRY(DRXMP_Open(&array, name, "r"));
    read_zone(array, MPI_ORDER_C, "by rows");
    read_zone(array, MPI_ORDER_FORTRAN, "by columns");
    TRY(DRXMP_Close(array));
    TRY(DRXMP_Terminate());
    MPI_Finalize();
    return 0;
}
