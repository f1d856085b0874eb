/* Shared by the tests of the DRX-MP names: checks of results, and the paper's array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PARALLEL_DRXMP_TEST_H
#define XTA_TESTS_PARALLEL_DRXMP_TEST_H

#include <stdint.h>
#include <string.h>

#include <xta/drxmpx.h>

#include "parallel/mpi_test.h"

/* Check that a call returns `want`, that its status is the same, and has a text if and only if the
 * call failed, and that all ranks got the same. */
#define DRX(call, want)                                                                     \
    do {                                                                                    \
        int drx_got = (call);                                                               \
        XTA_CHECK(drx_got == (int)(want), "status %d, wanted %d: %s", drx_got, (int)(want), \
                  status.text);                                                             \
        XTA_CHECK(status.error == drx_got, "the status says %d", status.error);             \
        XTA_CHECK((status.text[0] == '\0') == (drx_got == 0), "text '%s'", status.text);    \
        XTA_CHECK(drx_got == 0 || status.count == 0, "%d cells", (int)status.count);        \
        XTA_CHECK(same_on_all(drx_got, status.text), "the ranks have different answers");   \
    } while (0)

/* Check a call that is not collective, where ranks may differ. */
#define DRX_ALONE(call, want)                                                               \
    do {                                                                                    \
        int drx_got = (call);                                                               \
        XTA_CHECK(drx_got == (int)(want), "status %d, wanted %d: %s", drx_got, (int)(want), \
                  status.text);                                                             \
        XTA_CHECK(status.error == drx_got, "the status says %d", status.error);             \
        XTA_CHECK((status.text[0] == '\0') == (drx_got == 0), "text '%s'", status.text);    \
    } while (0)

enum { ROWS = 10, COLUMNS = 12, CELLS = ROWS * COLUMNS };

static DRXMPStatus status;

/* Whether all ranks got the same result and the same text. */
static inline bool same_on_all(int got, const char *text)
{
    unsigned hash = (unsigned)got;
    unsigned both[2];

    for (; *text != '\0'; text++) {
        hash = hash * 31 + (unsigned char)*text;
    }
    both[0] = hash;
    both[1] = ~hash;
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    return both[0] == ~both[1];
}

static inline bool is_last(void)
{
    return xta_test_rank == xta_test_ranks - 1;
}

static inline int32_t value_of(int64_t i, int64_t j)
{
    return (int32_t)(100 * i + j + 1);
}

/* The paper's array: 10 x 12 cells in chunks of 2 x 3, grown chunk by chunk. */
static inline DRXMDHdl paper_array(const char *name)
{
    static const int axes[] = {1, 0, 0, 1, 0, 1, 0};
    const int64_t chunk[2] = {2, 3};
    DRXMDHdl array = DRXMD_NULL;

    DRX(DRXMPX_Create(&array, xta_test_path(name), MPI_COMM_WORLD, MPI_INT, 2, chunk, chunk,
                      &status),
        XTA_OK);
    for (size_t k = 0; k < sizeof axes / sizeof axes[0]; k++) {
        DRX(DRXMPX_Extend(array, 1, &axes[k], &chunk[axes[k]], &status), XTA_OK);
    }
    return array;
}

#endif
