/* Run by stock_dra.sh, and linked with the toolkit's own DRA, not ours: writes one array whose
 * cells hold their row-major numbers.
 *
 *     stock_dra FILE TYPE NUMFILES NUMIOPROCS DIMS... / REQDIMS...
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dra.h>

#include "pexta/dra_rig.h"

int main(int argc, char **argv)
{
    int64_t dims[GA_MAX_DIM];
    dra_size_t lengths[GA_MAX_DIM];
    dra_size_t typical[GA_MAX_DIM];
    int d_a = 0;
    int request = 0;
    int ndim = (argc - 5) / 2;

    xta_test_begin(&argc, &argv);
    GA_Initialize();
    for (int axis = 0; axis < ndim; axis++) {
        dims[axis] = atoll(argv[5 + axis]);
        lengths[axis] = dims[axis];
        typical[axis] = atol(argv[5 + ndim + axis]);
    }
    int type = atoi(argv[2]);
    int g_a = rig_ga(type, ndim, dims);
    rig_fill(g_a, rig_number, dims);
    XTA_CHECK(DRA_Init(2, -1, -1, -1) == 0, "init");
    DRA_Set_default_config(atoi(argv[3]), atoi(argv[4]));
    XTA_CHECK(NDRA_Create(type, ndim, lengths, (char *)"of the toolkit", argv[1], DRA_RW, typical,
                          &d_a) == 0,
              "create");
    XTA_CHECK(NDRA_Write(g_a, d_a, &request) == 0 && DRA_Wait(request) == 0, "write");
    XTA_CHECK(DRA_Close(d_a) == 0 && DRA_Terminate() == 0, "close");
    GA_Destroy(g_a);
    int code = xta_test_verdict();
    GA_Terminate();
    MPI_Finalize();
    return code;
}
