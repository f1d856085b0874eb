/* nprocs: 1 2 4; mpich: 2 */
/* Misuse of the calls of [DRX] IV.C: on all ranks, and on one of them. All ranks get one result, a
 * text that says what to do, and none waits for ever.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drxmp_calls.h"

#include <xta/drxmpx.h>

static size_t two[2] = {4, 6};
static int shape[2] = {2, 3};

static DRXMDHdl described(void)
{
    DRXMDHdl array = DRXMD_NULL;

    ALL(DRXMP_Init(&array, 2, two, shape, MPI_INT, MPI_COMM_WORLD), XTA_OK);
    return array;
}

static DRXMDHdl opened(const char *name, const char *mode)
{
    DRXMDHdl array = DRXMD_NULL;

    ALL(DRXMP_Open(&array, path_of(name), text_of(mode)), XTA_OK);
    return array;
}

/* ---- before and after ---- */

static void nothing_before_init(void)
{
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    DRXMDHdrPtr header = NULL;
    void *base = NULL;
    size_t n = 0;
    int rank = 0;

    ALL_SAY(DRXMP_Create(array, path_of("no")), XTA_ESTATE, "DRXMP_Init");
    ALL(DRXMP_Close(array), XTA_ESTATE);
    ALL(DRXMP_Terminate(), XTA_ESTATE);
    ALL(DRXMP_Header(array, &header), XTA_ESTATE);
    ALL(DRXMP_Extend(array, 0, 1), XTA_ESTATE);
    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_ESTATE);
    ALL(DRXMP_Free(memory), XTA_ESTATE);
    ALL(DRXMP_Base(memory, &base, NULL), XTA_ESTATE);
    ALL(DRXMP_Zone(memory, 0, &n, NULL), XTA_ESTATE);
    ALL(DRXMP_Owner(memory, two, &rank), XTA_ESTATE);
    ALL(DRXMP_Address(array, two, &n), XTA_ESTATE);
    ALL(DRXMP_Index(array, 0, &n), XTA_ESTATE);
    ALL(DRXMP_Read(array, memory, &stat), XTA_ESTATE);
    XTA_CHECK(stat.error == XTA_ESTATE && stat.text[0] != '\0', "status %d", stat.error);
    ALL(DRXMP_Read_all(array, memory, &stat), XTA_ESTATE);
    ALL(DRXMP_Write(array, memory, DRXMP_STATUS_IGNORE), XTA_ESTATE);
    ALL(DRXMP_Write_all(array, memory, &stat), XTA_ESTATE);
    ALL(DRXMP_Get(memory, two, two, &n, &stat), XTA_ESTATE);
    ALL(DRXMP_Put(memory, two, two, &n, &stat), XTA_ESTATE);
    ALL(DRXMP_Accumulate(memory, two, two, &n, MPI_SUM, &stat), XTA_ESTATE);
    ALL(DRXMP_Fence(memory), XTA_ESTATE);
}

/* Some ranks have a session of their own and others none. */
static void session_of_some(void)
{
    DRXMDHdl array = DRXMD_NULL;

    if (xta_test_ranks > 1) {
        if (xta_test_rank == 0) {
            ALONE(DRXMPX_Init(MPI_COMM_SELF, NULL, &stat), XTA_OK);
        }
        ALL_SAY(DRXMP_Init(&array, 2, two, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG,
                "DRXMPX_Init");
        if (xta_test_rank == 0) {
            ALONE(DRXMPX_Terminate(&stat), XTA_OK);
        }
    }
}

/* ---- DRXMP_Init ---- */

/* Descriptions that are wrong by themselves, on the ranks where `wrong` is true. */
static void init_refuses(bool wrong)
{
    size_t huge[2] = {4, SIZE_MAX};
    int zero[2] = {2, 0}, negative[2] = {-3, 3};
    DRXMDHdl array = DRXMD_NULL;

#define INIT(place, kdim, size, chunk, type, comm)                                 \
    DRXMP_Init(wrong ? (place) : &array, wrong ? (kdim) : 2, wrong ? (size) : two, \
               wrong ? (chunk) : shape, wrong ? (type) : MPI_INT, wrong ? (comm) : MPI_COMM_WORLD)
    ALL_SAY(INIT(NULL, 2, two, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG, "handle");
    ALL_SAY(INIT(&array, -1, two, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG, "kdim is -1");
    ALL_SAY(INIT(&array, 33, two, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG, "kdim is 33");
    ALL_SAY(INIT(&array, 2, NULL, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG, "initsize");
    ALL_SAY(INIT(&array, 2, huge, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG, "axis 1: initsize");
    ALL_SAY(INIT(&array, 2, two, zero, MPI_INT, MPI_COMM_WORLD), XTA_EARG, "axis 1: chkshape is 0");
    ALL_SAY(INIT(&array, 2, two, negative, MPI_INT, MPI_COMM_WORLD), XTA_EARG,
            "axis 0: chkshape is -3");
    ALL(INIT(&array, 2, two, shape, MPI_LONG_DOUBLE, MPI_COMM_WORLD), XTA_ETYPE);
    ALL(INIT(&array, 2, two, shape, MPI_DATATYPE_NULL, MPI_COMM_WORLD), XTA_ETYPE);
    ALL_SAY(INIT(&array, 2, two, shape, MPI_INT, MPI_COMM_NULL), XTA_EARG, "communicator");
#undef INIT
    XTA_CHECK(array == DRXMD_NULL, "a handle after failures");
}

static void init_disagrees(void)
{
    size_t other[2] = {4, 7};
    int other_shape[2] = {1, 3};
    bool wrong = is_last();
    DRXMDHdl array = DRXMD_NULL;

    ALL_SAY(DRXMP_Init(&array, wrong ? 1 : 2, two, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG,
            "kdim");
    ALL_SAY(DRXMP_Init(&array, 2, wrong ? other : two, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG,
            "axis 1: initsize: least 6, greatest 7");
    ALL_SAY(DRXMP_Init(&array, 2, two, wrong ? other_shape : shape, MPI_INT, MPI_COMM_WORLD),
            XTA_EARG, "axis 0: chkshape");
    ALL_SAY(DRXMP_Init(&array, 2, two, wrong ? NULL : shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG,
            "axis 0: chkshape");
    ALL_SAY(DRXMP_Init(&array, 2, two, shape, wrong ? MPI_FLOAT : MPI_INT, MPI_COMM_WORLD),
            XTA_EARG, "dtype");
    XTA_CHECK(array == DRXMD_NULL, "a handle after failures");
}

/* ---- files ---- */

static void create_refuses(void)
{
    DRXMDHdl array = described(), again = described(), none = DRXMD_NULL;

    ALL_SAY(DRXMP_Create(array, NULL), XTA_EARG, "filename");
    ALL_SAY(DRXMP_Create(array, is_last() ? NULL : path_of("made")), XTA_EARG, "filename");
    ALL_SAY(DRXMP_Create(DRXMD_NULL, path_of("made")), XTA_EARG, "DRXMP_Init");
    if (xta_test_ranks > 1) {
        ALL(DRXMP_Create(is_last() ? DRXMD_NULL : array, path_of("made")), XTA_EARG);
        ALL(DRXMP_Create(is_last() ? again : array, path_of("made")), XTA_EARG);
        ALL(DRXMP_Create(array, path_of(is_last() ? "made" : "other")), XTA_EARG);
    }
    ALL(DRXMP_Create(array, path_of("no/such/folder/x")), XTA_ENOENT);
    // After all this it is described, as before.
    ALL(DRXMP_Create(array, path_of("made")), XTA_OK);
    ALL_SAY(DRXMP_Create(array, path_of("more")), XTA_ESTATE, "made");
    ALL(DRXMP_Create(again, path_of("made")), XTA_EEXIST);
    ALL(DRXMP_Init(&none, 0, NULL, NULL, MPI_INT, MPI_COMM_WORLD), XTA_OK);
    ALL_SAY(DRXMP_Create(none, path_of("more")), XTA_EARG, "kdim 0");
    ALL(DRXMP_Close(none), XTA_OK);
    ALL(DRXMP_Close(again), XTA_OK);
    ALL(DRXMP_Close(array), XTA_OK);
}

static void open_refuses(void)
{
    static const char *const modes[] = {"", "w", "w+", "a", "x", "r +", "read", "rwx"};
    DRXMDHdl array = DRXMD_NULL;
    bool wrong = is_last();

    for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++) {
        ALL_SAY(DRXMP_Open(&array, path_of("made"), text_of(modes[k])), XTA_EARG, "mode");
        ALL(DRXMP_Open(&array, path_of("made"), text_of(wrong ? modes[k] : "r")), XTA_EARG);
    }
    ALL_SAY(DRXMP_Open(NULL, path_of("made"), text_of("r")), XTA_EARG, "handle");
    ALL_SAY(DRXMP_Open(&array, NULL, text_of("r")), XTA_EARG, "filename");
    ALL_SAY(DRXMP_Open(&array, path_of("made"), NULL), XTA_EARG, "mode");
    ALL(DRXMP_Open(wrong ? NULL : &array, path_of("made"), text_of("r")), XTA_EARG);
    ALL(DRXMP_Open(&array, wrong ? NULL : path_of("made"), text_of("r")), XTA_EARG);
    ALL(DRXMP_Open(&array, path_of("made"), wrong ? NULL : text_of("r")), XTA_EARG);
    ALL(DRXMP_Open(&array, path_of("missing"), text_of("r")), XTA_ENOENT);
    ALL(DRXMP_Open(&array, path_of("missing"), text_of("r+")), XTA_ENOENT);
    if (xta_test_ranks > 1) {
        ALL(DRXMP_Open(&array, path_of(wrong ? "made" : "missing"), text_of("r")), XTA_EARG);
        ALL(DRXMP_Open(&array, path_of("made"), text_of(wrong ? "r+" : "r")), XTA_EARG);
    }
    XTA_CHECK(array == DRXMD_NULL, "a handle after failures");
    // A handle that is open would be lost.
    array = opened("made", "r");
    ALL_SAY(DRXMP_Open(&array, path_of("made"), text_of("r")), XTA_ESTATE, "DRXMP_Close");
    ALL(DRXMP_Close(array), XTA_OK);
}

/* What was described is not what the files have; the description outlasts it. */
static void open_compares(void)
{
    int other[2] = {2, 4};
    size_t size[3] = {1, 1, 1};
    DRXMDHdl array = DRXMD_NULL;

    ALL(DRXMP_Init(&array, 3, size, NULL, MPI_INT, MPI_COMM_WORLD), XTA_OK);
    ALL_SAY(DRXMP_Open(&array, path_of("made"), text_of("r")), XTA_EARG, "has 2 axes");
    ALL(DRXMP_Create(array, path_of("cube")), XTA_OK);
    ALL(DRXMP_Close(array), XTA_OK);
    ALL(DRXMP_Init(&array, 2, two, shape, MPI_DOUBLE, MPI_COMM_WORLD), XTA_OK);
    ALL_SAY(DRXMP_Open(&array, path_of("made"), text_of("r")), XTA_ETYPE, "i32");
    ALL(DRXMP_Close(array), XTA_OK);
    ALL(DRXMP_Init(&array, 2, two, other, MPI_INT, MPI_COMM_WORLD), XTA_OK);
    ALL_SAY(DRXMP_Open(&array, path_of("made"), text_of("r")), XTA_EARG, "axis 1");
    ALL(DRXMP_Close(array), XTA_OK);
    if (xta_test_ranks > 1) {
        // One rank has no description.
        array = described();
        DRXMDHdl mine = is_last() ? DRXMD_NULL : array;
        ALL(DRXMP_Open(&mine, path_of("made"), text_of("r")), XTA_EARG);
        ALL(DRXMP_Open(&array, path_of("made"), text_of("r")), XTA_OK);
        ALL(DRXMP_Close(array), XTA_OK);
    }
}

/* Cells before there is a file. */
static void read_before_open(void)
{
    DRXMDHdl array = described();
    DRXMDMemHdl memory = DRXMDMEM_NULL;
    size_t n = 0;

    ALL_SAY(DRXMP_Read(array, memory, &stat), XTA_ESTATE, "no file yet");
    ALL_SAY(DRXMP_Read_all(array, memory, &stat), XTA_ESTATE, "DRXMP_Open");
    ALL(DRXMP_Write(array, memory, &stat), XTA_ESTATE);
    ALL(DRXMP_Write_all(array, memory, &stat), XTA_ESTATE);
    ALL(DRXMP_Extend(array, 0, 1), XTA_ESTATE);
    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_ESTATE);
    ALL(DRXMP_Address(array, two, &n), XTA_ESTATE);
    ALL(DRXMP_Index(array, 0, &n), XTA_ESTATE);
    ALL(DRXMPX_Distribution(array, NULL, XTA_ROW, &memory, &stat), XTA_ESTATE);
    XTA_CHECK(memory == DRXMDMEM_NULL, "a handle after failures");
    ALL(DRXMP_Close(array), XTA_OK);
}

/* ---- handles ---- */

static void read_only(void)
{
    DRXMDHdl array = opened("made", "r");
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    ALL(DRXMP_Extend(array, 0, 1), XTA_EACCESS);
    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    ALL(DRXMP_Write_all(array, memory, &stat), XTA_EACCESS);
    ALL(DRXMP_Close(array), XTA_OK);
}

/* A copy of a closed handle, though another array has been opened since. */
static void stale_handles(void)
{
    DRXMDHdl array = opened("made", "r"), copy = array, garbage = (DRXMDHdl)(uintptr_t)0x1234;
    DRXMDMemHdl memory = DRXMDMEM_NULL, freed;
    DRXMDHdrPtr header = NULL;
    int cell = 0;

    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    freed = memory;
    ALL(DRXMP_Free(memory), XTA_OK);
    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    XTA_CHECK(memory != freed, "a memory handle was given twice");
    ALL(DRXMP_Free(freed), XTA_EARG);
    ALL(DRXMP_Fence(freed), XTA_EARG);
    ALL(DRXMP_Read_all(array, freed, &stat), XTA_EARG);
    ALL(DRXMP_Get(freed, two, two, &cell, &stat), XTA_EARG);
    ALL(DRXMP_Close(array), XTA_OK);
    array = opened("made", "r");
    XTA_CHECK(array != copy, "a handle was given twice");
    ALL_SAY(DRXMP_Close(copy), XTA_EARG, "closed");
    ALL(DRXMP_Read_all(copy, memory, &stat), XTA_EARG);
    ALL(DRXMP_Header(copy, &header), XTA_EARG);
    ALL(DRXMP_Close(garbage), XTA_EARG);
    ALL(DRXMP_Close(DRXMD_NULL), XTA_EARG);
    ALL(DRXMP_Extend(garbage, 0, 1), XTA_EARG);
    if (xta_test_ranks > 1) {
        ALL(DRXMP_Close(is_last() ? copy : array), XTA_EARG);
        ALL(DRXMP_Extend(is_last() ? garbage : array, 0, 1), XTA_EARG);
        ALL(DRXMP_Distribution(is_last() ? copy : array, &memory, MPI_ORDER_C, NULL, NULL, NULL),
            XTA_EARG);
    }
    ALL(DRXMP_Header(array, &header), XTA_OK);
    ALL(DRXMP_Header(array, NULL), XTA_EARG);
    ALL(DRXMP_Close(array), XTA_OK);
}

static void handles_that_do_not_match(void)
{
    DRXMDHdl array = opened("made", "r+"), other = opened("made", "r+");
    DRXMDMemHdl memory = DRXMDMEM_NULL, others = DRXMDMEM_NULL;

    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    ALL(DRXMP_Distribution(other, &others, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    ALL(DRXMP_Read(array, others, &stat), XTA_EARG);
    ALL(DRXMP_Read_all(array, others, &stat), XTA_EARG);
    ALL(DRXMP_Write_all(array, DRXMDMEM_NULL, &stat), XTA_EARG);
    if (xta_test_ranks > 1) {
        ALL(DRXMP_Read_all(is_last() ? other : array, is_last() ? others : memory, &stat),
            XTA_EARG);
        ALL(DRXMP_Fence(is_last() ? others : memory), XTA_EARG);
        // Different calls.
        if (is_last()) {
            ALONE(DRXMP_Read_all(array, memory, &stat), XTA_EARG);
            ALONE(DRXMP_Close(array), XTA_EARG);
            ALONE(DRXMP_Terminate(), XTA_EARG);
            ALONE(DRXMP_Open(&(DRXMDHdl){0}, path_of("made"), text_of("r")), XTA_EARG);
        } else {
            ALONE(DRXMP_Write_all(array, memory, &stat), XTA_EARG);
            ALONE(DRXMP_Extend(array, 0, 1), XTA_EARG);
            ALONE(DRXMP_Free(memory), XTA_EARG);
            ALONE(DRXMP_Init(&(DRXMDHdl){0}, 2, two, shape, MPI_INT, MPI_COMM_WORLD), XTA_EARG);
        }
    }
    ALL(DRXMP_Read_all(array, memory, &stat), XTA_OK);
    ALL(DRXMP_Read_all(other, others, &stat), XTA_OK);
    ALL(DRXMP_Close(array), XTA_OK);
    ALL(DRXMP_Close(other), XTA_OK);
}

/* ---- growth and zones ---- */

static void growth_refused(void)
{
    DRXMDHdl array = opened("made", "r+");
    DRXMDHdrPtr header = NULL;
    bool wrong = is_last();

    ALL(DRXMP_Extend(array, -1, 1), XTA_EARG);
    ALL(DRXMP_Extend(array, 2, 1), XTA_EARG);
    ALL(DRXMP_Extend(array, 0, SIZE_MAX), XTA_EOVERFLOW);
    if (xta_test_ranks > 1) {
        ALL(DRXMP_Extend(array, wrong ? 1 : 0, 1), XTA_EARG);
        ALL(DRXMP_Extend(array, 0, wrong ? 2 : 1), XTA_EARG);
    }
    ALL(DRXMP_Header(array, &header), XTA_OK);
    XTA_CHECK(header->size[0] == 4 && header->size[1] == 6, "a refused growth changed the array");
    ALL(DRXMP_Close(array), XTA_OK);
}

static void distribution_refused(void)
{
    int grid[2] = {xta_test_ranks + 1, 1}, cycle[2] = {1, 0}, good[2] = {1, 1};
    bool wrong = is_last();
    int order = MPI_ORDER_C;
    DRXMDHdl array = opened("made", "r");
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    ALL(DRXMP_Distribution(array, NULL, order, NULL, NULL, NULL), XTA_EARG);
    ALL(DRXMP_Distribution(array, wrong ? NULL : &memory, order, NULL, NULL, NULL), XTA_EARG);
    ALL_SAY(DRXMP_Distribution(array, &memory, 99, NULL, NULL, NULL), XTA_EARG, "MPI_ORDER_C");
    ALL(DRXMP_Distribution(array, &memory, wrong ? 99 : order, NULL, NULL, NULL), XTA_EARG);
    ALL(DRXMP_Distribution(array, &memory, order, grid, NULL, NULL), XTA_EARG);
    ALL(DRXMP_Distribution(array, &memory, order, NULL, cycle, NULL), XTA_EARG);
    if (xta_test_ranks > 1) {
        ALL(DRXMP_Distribution(array, &memory, wrong ? MPI_ORDER_FORTRAN : order, NULL, NULL, NULL),
            XTA_EARG);
        ALL(DRXMP_Distribution(array, &memory, order, NULL, wrong ? good : NULL, NULL), XTA_EARG);
        ALL(DRXMP_Distribution(array, &memory, order, NULL, wrong ? cycle : good, NULL), XTA_EARG);
    }
    XTA_CHECK(memory == DRXMDMEM_NULL, "a handle after failures");
    ALL(DRXMP_Close(array), XTA_OK);
}

static void cells_refused(void)
{
    size_t lo[2] = {0, 0}, hi[2] = {1, 1}, past[2] = {5, 1}, far[2] = {SIZE_MAX, 1}, n = 0;
    int cell = 0x5a5a, rank = 0;
    DRXMDHdl array = opened("made", "r+");
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    ALL(DRXMP_Get(memory, lo, past, &cell, &stat), XTA_EBOX);
    ALL(DRXMP_Put(memory, lo, far, &cell, &stat), XTA_EBOX);
    ALL(DRXMP_Accumulate(memory, lo, far, &cell, MPI_SUM, &stat), XTA_EBOX);
    ALL(DRXMP_Get(memory, NULL, hi, &cell, &stat), XTA_EARG);
    ALL(DRXMP_Put(memory, lo, NULL, &cell, &stat), XTA_EARG);
    ALL(DRXMP_Accumulate(memory, lo, hi, &cell, MPI_BAND, &stat), XTA_EARG);
    XTA_CHECK(cell == 0x5a5a, "a refused get touched its buffer");
    ALL(DRXMP_Get(DRXMDMEM_NULL, lo, hi, &cell, &stat), XTA_EARG);
    ALL(DRXMP_Get(memory, lo, hi, &cell, DRXMP_STATUS_IGNORE), XTA_OK);
    XTA_CHECK(cell == 0, "%d", cell);
    ALL(DRXMP_Base(memory, NULL, NULL), XTA_EARG);
    ALL(DRXMP_Zone(memory, -1, &n, NULL), XTA_EARG);
    ALL(DRXMP_Zone(memory, xta_test_ranks, &n, NULL), XTA_EARG);
    ALL(DRXMP_Zone(memory, 0, NULL, NULL), XTA_EARG);
    ALL_SAY(DRXMP_Owner(memory, past, &rank), XTA_EBOX, "axis 0");
    ALL(DRXMP_Owner(memory, far, &rank), XTA_EBOX);
    ALL(DRXMP_Owner(memory, NULL, &rank), XTA_EARG);
    ALL(DRXMP_Owner(memory, lo, NULL), XTA_EARG);
    ALL(DRXMP_Address(array, past, &n), XTA_EBOX);
    ALL(DRXMP_Address(array, far, &n), XTA_EBOX);
    ALL(DRXMP_Address(array, NULL, &n), XTA_EARG);
    ALL(DRXMP_Address(array, lo, NULL), XTA_EARG);
    ALL(DRXMP_Index(array, 4, lo), XTA_EBOX);
    ALL(DRXMP_Index(array, 0, NULL), XTA_EARG);
    // A cell in front of index 0, and the chunk around it.
    ALL(DRXMPX_Extend(array, 1, &(int){0}, &(int64_t){-1}, &stat), XTA_OK);
    ALL_SAY(DRXMP_Index(array, 4, lo), XTA_ERANGE, "front");
    ALL(DRXMP_Close(array), XTA_OK);
}

/* An array that has lost its first cells: indices below them are as little in it as those past
 * the end. */
static void owner_below_the_first_cell(void)
{
    const int64_t bounds[2] = {6, 6}, chunk[2] = {2, 3};
    const xta_growth less[2] = {{0, XTA_FRONT, 3}, {1, XTA_FRONT, 1}};
    size_t first[2] = {3, 1}, below[2][2] = {{2, 1}, {3, 0}}, zero[2] = {0, 0}, past[2] = {6, 5};
    int rank = -1;
    xta_error err = {0};
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    ALL(DRXMPX_Create(&array, xta_test_path("lower"), MPI_COMM_WORLD, MPI_INT, 2, bounds, chunk,
                      &stat),
        XTA_OK);
    XTA_CHECK_OK(xta_parallel_shrink(DRXMPX_Array(array), less, 2, NULL, &err), err);
    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    ALL_SAY(DRXMP_Owner(memory, below[0], &rank), XTA_EBOX, "axis 0: the index 2 is not in 3:6");
    ALL_SAY(DRXMP_Owner(memory, below[1], &rank), XTA_EBOX, "axis 1: the index 0 is not in 1:6");
    ALL_SAY(DRXMP_Owner(memory, zero, &rank), XTA_EBOX, "axis 0: the index 0 is not in 3:6");
    ALL_SAY(DRXMP_Owner(memory, past, &rank), XTA_EBOX, "axis 0: the index 6 is not in 3:6");
    XTA_CHECK(rank == -1, "a refused call named rank %d", rank);
    ALL(DRXMP_Owner(memory, first, &rank), XTA_OK);
    XTA_CHECK(rank == 0, "rank %d has the first cell", rank);
    ALL(DRXMP_Close(array), XTA_OK);
}

/* ---- missing ranks ---- */

static void ranks_that_do_not_come(void)
{
    DRXMDHdl array = described();
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    if (xta_test_ranks > 1) {
        if (is_last()) {
            DRXMDHdl late = DRXMD_NULL;
            ALONE(DRXMP_Init(&late, 2, two, shape, MPI_INT, MPI_COMM_WORLD), XTA_ETIMEDOUT);
            ALONE(DRXMP_Open(&late, path_of("made"), text_of("r")), XTA_ETIMEDOUT);
            ALONE(DRXMPX_Open(&late, path_of("made"), MPI_COMM_WORLD, DRXMP_RDONLY, &stat),
                  XTA_ETIMEDOUT);
            XTA_CHECK(late == DRXMD_NULL, "a handle after failures");
            ALONE(DRXMP_Create(array, path_of("late")), XTA_ETIMEDOUT);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ALL(DRXMP_Create(array, path_of("late")), XTA_OK);
    ALL(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL), XTA_OK);
    if (xta_test_ranks > 1) {
        if (xta_test_rank == 0) {
            ALONE(DRXMP_Read_all(array, memory, &stat), XTA_ETIMEDOUT);
            ALONE(DRXMP_Close(array), XTA_ETIMEDOUT);
            ALONE(DRXMP_Terminate(), XTA_ETIMEDOUT);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ALL(DRXMP_Read_all(array, memory, &stat), XTA_OK);
    ALL(DRXMP_Close(array), XTA_OK);
}

int main(int argc, char **argv)
{
    xta_parallel_options patient = XTA_PARALLEL_OPTIONS_INIT;
    DRXMDHdl early = DRXMD_NULL;
    int before = DRXMP_Init(&early, 2, two, shape, MPI_INT, MPI_COMM_WORLD);
    int open_before = DRXMP_Open(&early, text_of("early"), text_of("r"));

    xta_test_begin(&argc, &argv);
    XTA_CHECK(before == XTA_ESTATE && open_before == XTA_ESTATE, "status %d, %d", before,
              open_before);
    nothing_before_init();
    session_of_some();
    // Once without and once with a session.
    for (int k = 0; k < 2; k++) {
        init_refuses(true);
        init_refuses(is_last());
        if (xta_test_ranks > 1) {
            init_disagrees();
        }
        ALL(DRXMP_Close(described()), XTA_OK);
    }
    create_refuses();
    open_refuses();
    open_compares();
    read_before_open();
    read_only();
    stale_handles();
    handles_that_do_not_match();
    growth_refused();
    distribution_refused();
    cells_refused();
    owner_below_the_first_cell();
    ALL(DRXMPX_Init(MPI_COMM_WORLD, NULL, &stat), XTA_ESTATE);
    ALL(DRXMP_Terminate(), XTA_OK);
    nothing_before_init();

    patient.timeout_s = 0.5;
    ALL(DRXMPX_Init(MPI_COMM_WORLD, &patient, &stat), XTA_OK);
    ranks_that_do_not_come();
    ALL(DRXMP_Terminate(), XTA_OK);
    int code = xta_test_end();
    return code != 0 || DRXMP_Init(&early, 2, two, shape, MPI_INT, MPI_COMM_WORLD) != XTA_ESTATE;
}
