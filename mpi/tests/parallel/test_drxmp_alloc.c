/* nprocs: 2 1 */
/* Every n-th allocation of the last rank fails while an array is described, created, distributed,
 * written and read, and while one that exists is opened and grows: collective calls give XTA_ENOMEM
 * on all ranks, those of one rank on that one, none waits for ever, and no rank keeps any memory.
 * Allocations of MPI are left alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/drxmp_calls.h"

#include <stdlib.h>

#include <xta/array.h>
#include <xta/drxmpx.h>

#include "support/failing_alloc.h"

/* The result of a call of all ranks, which must have the same one. */
static int together(int code)
{
    int range[2] = {code, -code};

    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    XTA_CHECK(range[0] == -range[1], "ranks have results %d and %d", -range[1], range[0]);
    XTA_CHECK(code == 0 || DRXMP_Last_error()[0] != '\0', "no text");
    return range[0];
}

/* The result of a call of one rank: a failure of any stops the others, too. */
static int alone(int code)
{
    int worst = code;

    XTA_CHECK(code == 0 || is_last(), "rank %d has all the memory it wants: %s", xta_test_rank,
              DRXMP_Last_error());
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

/* Cells into the zones, into the file, and back. */
static int move_cells(DRXMDHdl array, DRXMDMemHdl memory)
{
    size_t lo[2] = {0, 0}, hi[2] = {ROWS, COLUMNS};
    double cells[CELLS], back[CELLS];

    for (int k = 0; k < CELLS; k++) {
        cells[k] = k + 1;
    }
    int code = alone(DRXMP_Put(memory, lo, hi, cells, &stat));
    code = code != 0 ? code : together(DRXMP_Fence(memory));
    code = code != 0 ? code : together(DRXMP_Write_all(array, memory, &stat));
    code = code != 0 ? code : together(DRXMP_Read_all(array, memory, &stat));
    code = code != 0 ? code : alone(DRXMP_Read(array, memory, &stat));
    code = code != 0 ? code : alone(DRXMP_Get(memory, lo, hi, back, &stat));
    XTA_CHECK(code != 0 || memcmp(cells, back, sizeof cells) == 0, "other cells than were put");
    return code;
}

static int ask(DRXMDHdl array, DRXMDMemHdl memory)
{
    DRXMDHdrPtr header = NULL;
    DRXMPInfo info;
    DRXMPLocation location;
    size_t chunks[CHUNKS], n = 0, index[2] = {9, 11};
    int rank = -1;

    int code = alone(DRXMP_Header(array, &header));
    code = code != 0 ? code : alone(DRXMP_Zone(memory, xta_test_ranks - 1, &n, chunks));
    code = code != 0 ? code : alone(DRXMP_Owner(memory, index, &rank));
    code = code != 0 ? code : alone(DRXMPX_Inquire(array, DRXMDMEM_NULL, &info, &stat));
    code = code != 0
               ? code
               : alone(DRXMPX_Locate(array, DRXMDMEM_NULL, (int64_t[]){9, 11}, &location, &stat));
    XTA_CHECK(code != 0 || rank == location.rank, "owners %d and %d", rank, location.rank);
    return code;
}

static int create(void)
{
    static const int axes[] = {1, 0, 0, 1, 0, 1, 0};
    size_t size[2] = {2, 3};
    int shape[2] = {2, 3};
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    int code = together(DRXMP_Init(&array, 2, size, shape, MPI_DOUBLE, MPI_COMM_WORLD));
    code = code != 0 ? code : together(DRXMP_Create(array, path_of("alloc")));
    for (size_t k = 0; k < sizeof axes / sizeof axes[0]; k++) {
        code = code != 0 ? code : together(DRXMP_Extend(array, axes[k], size[axes[k]]));
    }
    if (code == 0) {
        code = together(DRXMP_Distribution(array, &memory, MPI_ORDER_C, NULL, NULL, NULL));
    }
    code = code != 0 ? code : move_cells(array, memory);
    return code != 0 ? code : ask(array, memory);
}

static int open_existing(void)
{
    int cycle[2] = {1, 1};
    DRXMDHdl array = DRXMD_NULL;
    DRXMDMemHdl memory = DRXMDMEM_NULL;

    int code = together(DRXMP_Open(&array, path_of("paper"), text_of("r+")));
    if (code == 0) {
        code = together(DRXMP_Distribution(array, &memory, MPI_ORDER_FORTRAN, NULL, cycle, NULL));
    }
    code = code != 0 ? code : move_cells(array, memory);
    code = code != 0 ? code : ask(array, memory);
    code = code != 0 ? code : together(DRXMP_Free(memory));
    return code != 0 ? code : together(DRXMP_Close(array));
}

/* One run, in which the last rank's n-th allocation fails. Returns whether it came to that. */
static bool run(const char *name, int (*scenario)(void), uint64_t n, bool for_good, int *code)
{
    int64_t before = failing_alloc_live();

    failing_alloc_at(is_last() ? n : 0, for_good);
    failing_alloc_arm(true);
    *code = scenario();
    failing_alloc_arm(false);
    int happened = failing_alloc_happened();
    failing_alloc_at(0, false);
    XTA_CHECK(*code == 0 || *code == XTA_ENOMEM, "%s, allocation %d: %d: %s", name, (int)n, *code,
              DRXMP_Last_error());
    DRXMP_Terminate(); // closes what the failure has left open
    XTA_CHECK(failing_alloc_live() == before, "%s, allocation %d: %d blocks are left", name, (int)n,
              (int)(failing_alloc_live() - before));
    MPI_Allreduce(MPI_IN_PLACE, &happened, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    XTA_CHECK(*code == 0 || happened, "%s: out of memory although nothing was refused", name);
    return happened;
}

static void fail_each(const char *name, int (*scenario)(void), bool for_good)
{
    int code = 0, refused = 0;
    uint64_t n = 1;

    while (run(name, scenario, n, for_good, &code)) {
        refused += code != 0;
        n++;
        if (xta_test_rank == 0) {
            (void)!xta_array_delete(path_of("alloc"), NULL);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    XTA_CHECK(code == 0, "%s: %s", name, DRXMP_Last_error());
    XTA_CHECK(n > 20 && refused > 10, "%s: only %d allocations", name, (int)n);
    if (xta_test_rank == 0) {
        (void)!xta_array_delete(path_of("alloc"), NULL);
        printf("%s: %d allocations%s, %d times refused\n", name, (int)n - 1,
               for_good ? " and all later ones" : "", refused);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    ALL(DRXMP_Close(paper_array("paper")), XTA_OK);
    ALL(DRXMP_Terminate(), XTA_OK);
    for (int k = 0; k < 2; k++) {
        fail_each("create", create, k == 1);
        fail_each("open", open_existing, k == 1);
    }
    return xta_test_end();
}
