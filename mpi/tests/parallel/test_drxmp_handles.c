/* nprocs: 1 2 4; mpich: 2 */
/* Misuse of DRX-MP handles: closed, foreign, not the same on all ranks; missing ranks; arrays of
 * some of the ranks; and the state after DRXMPX_Terminate.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/drxmp_test.h"

static DRXMDHdl open_again(const char *name)
{
    DRXMDHdl array = DRXMD_NULL;

    DRX(DRXMPX_Open(&array, xta_test_path(name), MPI_COMM_WORLD, DRXMP_RDWR, &status), XTA_OK);
    return array;
}

/* ---- handles that are not open ---- */

/* Every function with handles that are good on all ranks but the last, where they are `array` and
 * `memory`. */
static void all_refuse(DRXMDHdl array, DRXMDMemHdl memory)
{
    const int axis = 0;
    const int64_t by = 1;
    DRXMDHdl to_close = array;
    DRXMDMemHdl made = DRXMDMEM_NULL, to_free = memory;

    DRX(DRXMP_Read_all(array, memory, &status), XTA_EARG);
    DRX(DRXMP_Write_all(array, memory, &status), XTA_EARG);
    DRX(DRXMPX_Fence(memory, &status), XTA_EARG);
    DRX(DRXMPX_Free(&to_free, &status), XTA_EARG);
    XTA_CHECK(to_free == memory, "a handle that is in use was taken away");
    if (array == DRXMD_NULL || xta_test_ranks > 1) {
        DRX(DRXMPX_Extend(array, 1, &axis, &by, &status), XTA_EARG);
        DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &made, &status), XTA_EARG);
        DRX(DRXMPX_Close(&to_close, &status), XTA_EARG);
        XTA_CHECK(to_close == array, "a handle that is in use was taken away");
    }
}

static void handles_that_are_not_open(void)
{
    const int64_t lo[2] = {0, 0}, hi[2] = {1, 1};
    DRXMDHdl array = paper_array("handles"), other = paper_array("other"), closed;
    DRXMDMemHdl memory = DRXMDMEM_NULL, others = DRXMDMEM_NULL, freed;
    DRXMPInfo info;
    DRXMPLocation at;
    int32_t cell = 0;

    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &status), XTA_OK);
    DRX(DRXMPX_Distribution(other, NULL, XTA_ROW, &others, &status), XTA_OK);

    // On all ranks.
    all_refuse(DRXMD_NULL, DRXMDMEM_NULL);
    DRX(DRXMPX_Close(NULL, &status), XTA_EARG);
    DRX(DRXMPX_Free(NULL, &status), XTA_EARG);
    DRX(DRXMP_Read_all(array, DRXMDMEM_NULL, &status), XTA_EARG);
    DRX(DRXMP_Read_all(array, others, &status), XTA_EARG);
    DRX(DRXMP_Write_all(other, memory, &status), XTA_EARG);
    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, NULL, &status), XTA_EARG);
    DRX(DRXMPX_Distribution(array, NULL, XTA_HILBERT, &memory, &status), XTA_EARG);
    XTA_CHECK(memory == DRXMDMEM_NULL, "a handle after a failure");
    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &status), XTA_OK);

    // On the last.
    if (xta_test_ranks > 1) {
        all_refuse(is_last() ? DRXMD_NULL : array, is_last() ? DRXMDMEM_NULL : memory);
        all_refuse(is_last() ? other : array, is_last() ? others : memory);
    }

    // Alone.
    DRX(DRXMP_Read(DRXMD_NULL, memory, &status), XTA_EARG);
    DRX(DRXMP_Read(array, others, &status), XTA_EARG);
    DRX(DRXMP_Write(array, DRXMDMEM_NULL, &status), XTA_EARG);
    DRX(DRXMPX_Get(DRXMDMEM_NULL, lo, hi, XTA_ROW, &cell, &status), XTA_EARG);
    DRX(DRXMPX_Put(DRXMDMEM_NULL, lo, hi, XTA_ROW, &cell, &status), XTA_EARG);
    DRX(DRXMPX_Accumulate(DRXMDMEM_NULL, lo, hi, XTA_ROW, &cell, MPI_SUM, &status), XTA_EARG);
    DRX(DRXMPX_Inquire(DRXMD_NULL, DRXMDMEM_NULL, &info, &status), XTA_EARG);
    DRX(DRXMPX_Inquire(array, others, &info, &status), XTA_EARG);
    DRX(DRXMPX_Inquire(array, memory, NULL, &status), XTA_EARG);
    DRX(DRXMPX_Locate(array, others, lo, &at, &status), XTA_EARG);
    DRX(DRXMPX_Locate(array, memory, NULL, &at, &status), XTA_EARG);

    // After they were closed.
    closed = array;
    freed = memory;
    DRX(DRXMPX_Free(&memory, &status), XTA_OK);
    DRX(DRXMPX_Get(freed, lo, hi, XTA_ROW, &cell, &status), XTA_EARG);
    DRX(DRXMP_Read_all(array, freed, &status), XTA_EARG);
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
    DRX(DRXMPX_Close(&closed, &status), XTA_EARG);
    DRX(DRXMPX_Close(&array, &status), XTA_EARG);
    XTA_CHECK(DRXMPX_Array(closed) == NULL && DRXMPX_Array(other) != NULL,
              "a closed array is open");

    // The other array is undamaged by all this.
    DRX(DRXMP_Write_all(other, others, &status), XTA_OK);
    DRX(DRXMPX_Close(&other, &status), XTA_OK);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void different_calls(void)
{
    DRXMDHdl array = paper_array("calls");
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &status), XTA_OK);
    if (xta_test_ranks > 1) {
        if (is_last()) {
            DRX_ALONE(DRXMP_Read_all(array, memory, &status), XTA_EARG);
        } else {
            DRX_ALONE(DRXMP_Write_all(array, memory, &status), XTA_EARG);
        }
        if (is_last()) {
            DRX_ALONE(DRXMPX_Terminate(&status), XTA_EARG);
        } else {
            DRX_ALONE(DRXMPX_Fence(memory, &status), XTA_EARG);
        }
        // The ranks ask for zones of different shapes.
        DRXMDMemHdl made = DRXMDMEM_NULL;
        xta_distribution how = XTA_DISTRIBUTION_INIT;
        how.kind = is_last() ? XTA_BLOCK_CYCLIC : XTA_BLOCK;
        DRX(DRXMPX_Distribution(array, &how, XTA_ROW, &made, &status), XTA_EARG);
        XTA_CHECK(made == DRXMDMEM_NULL, "a handle after a failure");
    }
    DRX(DRXMPX_Fence(memory, &status), XTA_OK);
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
}

/* ---- some of the ranks ---- */

/* Each half of the ranks has an array of its own, open together with one of all ranks. */
static void arrays_of_some(void)
{
    const int64_t bounds[2] = {4, 6}, chunk[2] = {2, 3}, lo[2] = {0, 0};
    DRXMDHdl all = open_again("calls"), some = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    MPI_Comm half;
    int64_t cells[24] = {0}, wrong = 0;
    char name[32];
    int n = 0;

    MPI_Comm_split(MPI_COMM_WORLD, xta_test_rank % 2, xta_test_rank, &half);
    MPI_Comm_size(half, &n);
    snprintf(name, sizeof name, "half%d", xta_test_rank % 2);
    DRX_ALONE(
        DRXMPX_Create(&some, xta_test_path(name), half, MPI_LONG_LONG, 2, bounds, chunk, &status),
        XTA_OK);
    DRX_ALONE(DRXMPX_Distribution(some, NULL, XTA_ROW, &memory, &status), XTA_OK);
    for (int k = 0; k < 24; k++) {
        cells[k] = k + 100 * (xta_test_rank % 2);
    }
    DRX_ALONE(DRXMPX_Accumulate(memory, lo, bounds, XTA_ROW, cells, MPI_SUM, &status), XTA_OK);
    DRX_ALONE(DRXMP_Write_all(some, memory, &status), XTA_OK);
    DRX_ALONE(DRXMP_Read_all(some, memory, &status), XTA_OK);
    DRX_ALONE(DRXMPX_Get(memory, lo, bounds, XTA_ROW, cells, &status), XTA_OK);
    for (int k = 0; k < 24; k++) {
        wrong += cells[k] != (int64_t)n * (k + 100 * (xta_test_rank % 2));
    }
    XTA_CHECK(wrong == 0, "%d cells are wrong", (int)wrong);
    DRX_ALONE(DRXMPX_Close(&some, &status), XTA_OK);
    DRX(DRXMPX_Close(&all, &status), XTA_OK);
    MPI_Comm_free(&half);
}

/* ---- missing ranks ---- */

static void ranks_that_do_not_come(void)
{
    DRXMDHdl array = open_again("calls");
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    const int axis = 0;
    const int64_t by = 2;
    DRXMPInfo info;

    DRX(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &status), XTA_OK);
    if (xta_test_ranks > 1) {
        if (xta_test_rank == 0) {
            DRX_ALONE(DRXMPX_Extend(array, 1, &axis, &by, &status), XTA_ETIMEDOUT);
            DRX_ALONE(DRXMP_Read_all(array, memory, &status), XTA_ETIMEDOUT);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (is_last()) {
            DRX_ALONE(DRXMPX_Fence(memory, &status), XTA_ETIMEDOUT);
            DRX_ALONE(DRXMPX_Terminate(&status), XTA_ETIMEDOUT);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    DRX(DRXMPX_Inquire(array, memory, &info, &status), XTA_OK);
    XTA_CHECK(info.bounds.hi[0] == ROWS, "one rank alone has grown the array");
    DRX(DRXMPX_Extend(array, 1, &axis, &by, &status), XTA_OK);
    DRX(DRXMPX_Close(&array, &status), XTA_OK);
}

/* ---- the end ---- */

/* Arrays still open at the end are closed, and their cells are in the file. */
static void terminate_closes(void)
{
    DRXMDHdl first = paper_array("left"), second = open_again("calls");
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    const int64_t lo[2] = {3, 4}, hi[2] = {4, 5};
    const int32_t cell = 4711;
    int32_t seen = 0;
    xta_array *array = NULL;
    xta_error err;

    DRX(DRXMPX_Distribution(first, NULL, XTA_COLUMN, &memory, &status), XTA_OK);
    if (is_last()) {
        DRX_ALONE(DRXMPX_Put(memory, lo, hi, XTA_ROW, &cell, &status), XTA_OK);
    }
    DRX(DRXMPX_Fence(memory, &status), XTA_OK);
    DRX(DRXMP_Write_all(first, memory, &status), XTA_OK);
    DRX(DRXMPX_Terminate(&status), XTA_OK);
    DRX(DRXMPX_Close(&first, &status), XTA_ESTATE);
    DRX(DRXMPX_Fence(memory, &status), XTA_ESTATE);
    DRX(DRXMPX_Terminate(&status), XTA_ESTATE);
    XTA_CHECK(DRXMPX_Array(second) == NULL, "an array is open after the end");

    XTA_CHECK_OK(xta_array_open(xta_test_path("left"), NULL, &array, &err), err);
    if (array != NULL) {
        XTA_CHECK_OK(xta_array_get(array, lo, &seen, &err), err);
        XTA_CHECK(seen == cell, "%d", (int)seen);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
}

int main(int argc, char **argv)
{
    xta_parallel_options patient = XTA_PARALLEL_OPTIONS_INIT;

    xta_test_begin(&argc, &argv);
    DRX(DRXMPX_Init(MPI_COMM_WORLD, NULL, &status), XTA_OK);
    handles_that_are_not_open();
    different_calls();
    arrays_of_some();
    DRX(DRXMPX_Terminate(&status), XTA_OK);

    // DRX-MP can be initialized again, now with a time limit.
    patient.timeout_s = 0.5;
    DRX(DRXMPX_Init(MPI_COMM_WORLD, &patient, &status), XTA_OK);
    ranks_that_do_not_come();
    DRX(DRXMPX_Terminate(&status), XTA_OK);
    DRX(DRXMPX_Init(MPI_COMM_WORLD, NULL, &status), XTA_OK);
    terminate_closes();
    return xta_test_end();
}
