/* nprocs: 1 2 4; mpich: 2 */
/* Arrays of more than 2^31 cells, of which few are ever written: corners, and sections on both
 * sides of cell number 2^31, come back; cells beside them are zero; coordinates beyond an int are
 * right.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/dra_rig.h"

#define SIDE 12

/* Values that identify the cell: part of its number in the large array. */
typedef struct place {
    int64_t corner[GA_MAX_DIM];
    int64_t dims[GA_MAX_DIM];
} place;

static int64_t of_place(const int64_t at[], int ndim, const void *user)
{
    const place *p = user;
    int64_t there[GA_MAX_DIM];
    for (int axis = 0; axis < ndim; axis++) {
        there[axis] = p->corner[axis] + at[axis];
    }
    return rig_number(there, ndim, p->dims) % 1000003 + 1;
}

static void move(bool write, int g_a, int d_a, int ndim, const int64_t corner[])
{
    int lo[GA_MAX_DIM];
    int hi[GA_MAX_DIM];
    dra_size_t dlo[GA_MAX_DIM];
    dra_size_t dhi[GA_MAX_DIM];
    int request = 0;
    for (int axis = 0; axis < ndim; axis++) {
        lo[axis] = 0;
        hi[axis] = SIDE - 1;
        dlo[axis] = corner[axis];
        dhi[axis] = corner[axis] + SIDE - 1;
    }
    if (write) {
        NDRA_Write_section(0, g_a, lo, hi, d_a, dlo, dhi, &request);
    } else {
        NDRA_Read_section(0, g_a, lo, hi, d_a, dlo, dhi, &request);
    }
    XTA_CHECK(DRA_Wait(request) == 0, "wait");
}

/* Every corner of the array and a section in its middle: written, closed, read, and read beside. */
static void large(int type, int ndim, const int64_t dims[], int64_t middle)
{
    const int64_t small[GA_MAX_DIM] = {SIDE, SIDE, SIDE, SIDE, SIDE, SIDE, SIDE};
    int g_a = rig_ga(type, ndim, small);
    int d_a = rig_create(type, ndim, dims, "large");
    place p = {.corner = {0}};

    memcpy(p.dims, dims, (size_t)ndim * sizeof dims[0]);
    for (int pass = 0; pass < 3; pass++) { // write, read, read next to it
        if (pass == 1) {
            DRA_Close(d_a);
            d_a = rig_open("large", DRA_RW);
        }
        for (int k = 0; k <= 1 << ndim; k++) {
            for (int axis = 0; axis < ndim; axis++) {
                p.corner[axis] = (k >> axis & 1) != 0 ? dims[axis] - SIDE : 0;
                p.corner[axis] = k == 1 << ndim ? middle : p.corner[axis];
            }
            if (pass == 0) {
                rig_fill(g_a, of_place, &p);
                move(true, g_a, d_a, ndim, p.corner);
            } else {
                p.corner[0] += pass == 2 ? (p.corner[0] == 0 ? SIDE : -SIDE) : 0;
                // values that must be overwritten
                rig_fill(g_a, pass == 1 ? rig_zero : of_place, &p);
                move(false, g_a, d_a, ndim, p.corner);
                rig_compare(g_a, pass == 1 ? of_place : rig_zero, &p, "corner");
            }
        }
    }
    DRA_Delete(d_a);
    GA_Destroy(g_a);
}

int main(int argc, char **argv)
{
    const int64_t plane[2] = {60000, 50000};
    const int64_t line[1] = {5000000000};
    const int64_t cube[3] = {1700, 1700, 1700};

    rig_begin(&argc, &argv);
    large(C_DBL, 2, plane, 42949); // its row contains cell number 2^31
    large(C_INT, 1, line, ((int64_t)1 << 31) - SIDE / 2);
    large(C_DCPL, 3, cube, 743);
    return rig_end();
}
