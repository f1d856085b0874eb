/* nprocs: 1 2 3 4 5; mpich: 2 */
/* Arrays that grow between the transfers, at the back and at the front, by the program and by the
 * serial library meanwhile; and reading them for global arrays that have not grown: into the part
 * that fits, and into a grown copy.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/ga_test.h"

/* Write, or read, `n` random sections through a new global array of a random kind. */
static void some_sections(int p_a, plain *p, int type, int n)
{
    ga_kind kind = (ga_kind)ga_test_between(0, GA_KINDS - 1);
    plain g = plain_new(p->ndim, p->dims, p->cell);
    int g_a = ga_test_new(kind, type, p->ndim, p->dims), request = 0;

    for (int k = 0; k < n; k++) {
        int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM];
        for (int axis = 0; axis < p->ndim; axis++) {
            lo[axis] = ga_test_between(0, p->dims[axis] - 1);
            hi[axis] = ga_test_between(lo[axis], p->dims[axis] - 1);
        }
        plain_fill(&g, ga_test_random());
        ga_test_put(g_a, &g);
        if (k % 2 == 0) {
            XTA_CHECK_PEXTA(PEXTA_Write_section64(0, g_a, lo, hi, p_a, lo, hi), XTA_OK);
        } else {
            XTA_CHECK_PEXTA(PEXTA_IWrite_section(0, g_a, lo, hi, p_a, lo, hi, &request), XTA_OK);
        }
        plain_copy(&g, lo, hi, p, lo, false);
    }
    // The last write may still be pending: the read waits for it.
    XTA_CHECK_PEXTA(PEXTA_Read(g_a, p_a), XTA_OK);
    XTA_CHECK(ga_test_same(g_a, p), "%s, %d axes", ga_kind_name(kind), p->ndim);
    XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
    GA_Destroy(g_a);
    plain_free(&g);
}

/* One growth by the program, of one of the three forms, and of the oracle. Adds to `front`. */
static void grow(int p_a, plain *p, int64_t shift[])
{
    int64_t edims[PEXTA_MAX_NDIM], front[PEXTA_MAX_NDIM] = {0}, odims[PEXTA_MAX_NDIM] = {0};
    int64_t dims[PEXTA_MAX_NDIM];
    int form = (int)ga_test_between(0, 2), request = 5, side = form;

    for (int axis = 0; axis < p->ndim; axis++) {
        edims[axis] = ga_test_between(0, 4);
    }
    if (form == 0) {
        XTA_CHECK_PEXTA(PEXTA_Extend64(p_a, edims, odims, &request), XTA_OK);
    } else if (form == 1) {
        XTA_CHECK_PEXTA(PEXTA_Extend_front(p_a, edims, odims, &request), XTA_OK);
    } else {
        int axis = (int)ga_test_between(0, p->ndim - 1);
        int64_t cells = edims[axis] + 1;
        side = (int)ga_test_between(0, 1);
        memset(edims, 0, sizeof edims);
        edims[axis] = cells;
        XTA_CHECK_PEXTA(PEXTA_Extend_axis(p_a, axis, side, cells, odims, &request), XTA_OK);
    }
    XTA_CHECK(request == PEXTA_REQ_INVALID, "request %d", request);
    XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
    for (int axis = 0; axis < p->ndim; axis++) {
        front[axis] = side == 1 ? edims[axis] : 0;
        dims[axis] = p->dims[axis] + edims[axis];
        shift[axis] += front[axis];
        XTA_CHECK(odims[axis] == dims[axis], "axis %d: %d, wanted %d", axis, (int)odims[axis],
                  (int)dims[axis]);
    }
    plain_grow(p, front, dims);
}

/* One growth by a serial program, visible to the ranks after a refresh and not before. */
static void grow_elsewhere(const char *path, int p_a, plain *p, int64_t shift[])
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    int64_t front[PEXTA_MAX_NDIM] = {0}, dims[PEXTA_MAX_NDIM], got[PEXTA_MAX_NDIM];
    int axis = (int)ga_test_between(0, p->ndim - 1), changed = 0;
    xta_growth growths[2] = {{axis, XTA_FRONT, ga_test_between(1, 3)},
                             {axis, XTA_BACK, ga_test_between(1, 3)}};
    xta_array *array = NULL;
    xta_error err;

    options.writable = true;
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_open(path, &options, &array, &err), err);
        XTA_CHECK_OK(xta_array_extend(array, growths, 2, NULL, &err), err);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    memcpy(dims, p->dims, sizeof dims);
    XTA_CHECK_PEXTA(PEXTA_Inquire64(p_a, NULL, NULL, got, NULL, NULL), XTA_OK);
    XTA_CHECK(got[axis] == dims[axis], "seen before a refresh: %d", (int)got[axis]);
    some_sections(p_a, p, C_DBL, 1);
    front[axis] = growths[0].by;
    shift[axis] += front[axis];
    dims[axis] += growths[0].by + growths[1].by;
    XTA_CHECK_PEXTA(PEXTA_Refresh(p_a, got, &changed), XTA_OK);
    XTA_CHECK(changed == 1 && got[axis] == dims[axis], "%d, wanted %d", (int)got[axis],
              (int)dims[axis]);
    XTA_CHECK_PEXTA(PEXTA_Refresh(p_a, NULL, &changed), XTA_OK);
    XTA_CHECK(changed == 0, "changed by nobody");
    plain_grow(p, front, dims);
}

/* The global array `g_a`, whose first cell was the array's first at creation, is read again. */
static void read_fitting(int g_a, const plain *g, int p_a, const plain *p, const int64_t shift[])
{
    plain want = plain_new(g->ndim, g->dims, g->cell);
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM], zero[PEXTA_MAX_NDIM] = {0};

    for (int axis = 0; axis < g->ndim; axis++) {
        lo[axis] = shift[axis];
        hi[axis] = shift[axis] + g->dims[axis] - 1;
    }
    plain_copy(p, lo, hi, &want, zero, false);
    ga_test_zero(g_a);
    XTA_CHECK_PEXTA(PEXTA_Read_fitting(g_a, p_a, NULL), XTA_OK);
    XTA_CHECK(ga_test_same(g_a, &want), "%d axes: the same cells again", g->ndim);
    ga_test_zero(g_a);
    XTA_CHECK_PEXTA(PEXTA_Read_fitting(g_a, p_a, shift), XTA_OK);
    XTA_CHECK(ga_test_same(g_a, &want), "%d axes: by name of their origin", g->ndim);

    // Partly, or wholly, outside: the other cells stay.
    memset(want.bytes, 0, plain_cells(want.ndim, want.dims) * want.cell);
    bool meet = true;
    int64_t origin[PEXTA_MAX_NDIM], at[PEXTA_MAX_NDIM];
    for (int axis = 0; axis < g->ndim; axis++) {
        origin[axis] = ga_test_between(-g->dims[axis], p->dims[axis]);
        lo[axis] = origin[axis] > 0 ? origin[axis] : 0;
        hi[axis] = origin[axis] + g->dims[axis] - 1;
        hi[axis] = hi[axis] < p->dims[axis] ? hi[axis] : p->dims[axis] - 1;
        at[axis] = lo[axis] - origin[axis];
        meet = meet && lo[axis] <= hi[axis];
    }
    if (meet) {
        plain_copy(p, lo, hi, &want, at, false);
    }
    ga_test_zero(g_a);
    XTA_CHECK_PEXTA(PEXTA_Read_fitting(g_a, p_a, origin), XTA_OK);
    XTA_CHECK(ga_test_same(g_a, &want), "%d axes: a part", g->ndim);
    plain_free(&want);
}

/* The grown copy has the cells, and the borders of the old blocks at their new positions. */
static void read_grown(int g_a, const plain *g, int p_a, const plain *p, const int64_t shift[])
{
    int64_t dims[PEXTA_MAX_NDIM], lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM], llo[PEXTA_MAX_NDIM],
        lhi[PEXTA_MAX_NDIM];
    int g_grown = 0, type = 0, ndim = 0;

    if (!XTA_CHECK_PEXTA(PEXTA_Read_grown(g_a, p_a, NULL, &g_grown), XTA_OK)) {
        return;
    }
    NGA_Inquire64(g_grown, &type, &ndim, dims);
    XTA_CHECK(ndim == p->ndim && memcmp(dims, p->dims, (size_t)ndim * sizeof dims[0]) == 0,
              "%d axes, the first of %d cells", ndim, (int)dims[0]);
    XTA_CHECK(ga_test_same(g_grown, p), "%d axes: the grown copy", g->ndim);
    XTA_CHECK(GA_Has_ghosts(g_grown) == GA_Has_ghosts(g_a), "ghosts");
    for (int rank = 0; rank < xta_test_ranks && GA_Total_blocks(g_a) <= 0; rank++) {
        NGA_Distribution64(g_a, rank, lo, hi);
        NGA_Distribution64(g_grown, rank, llo, lhi);
        for (int axis = 0; axis < ndim && hi[0] >= lo[0]; axis++) {
            int64_t first = lo[axis] > 0 ? lo[axis] + shift[axis] : 0;
            int64_t last = hi[axis] < g->dims[axis] - 1 ? hi[axis] + shift[axis] : dims[axis] - 1;
            XTA_CHECK(llo[axis] == first && lhi[axis] == last,
                      "block of rank %d, axis %d: %d to %d, wanted %d to %d", rank, axis,
                      (int)llo[axis], (int)lhi[axis], (int)first, (int)last);
        }
    }
    GA_Destroy(g_grown);
}

static void one_history(int number, int ndim, ga_kind kind)
{
    int64_t dims[PEXTA_MAX_NDIM], chunk[PEXTA_MAX_NDIM], shift[PEXTA_MAX_NDIM] = {0};
    char name[64], path[1100], files[1200];
    int p_a = 0;

    for (int axis = 0; axis < ndim; axis++) {
        dims[axis] = ga_test_between(4, 8);
        chunk[axis] = ga_test_between(1, 3);
    }
    snprintf(name, sizeof name, "growth%d", number);
    snprintf(path, sizeof path, "%s", xta_test_path(name));
    snprintf(files, sizeof files, "%s.pma", path);
    ga_test_files(files, XTA_F64, ndim, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_RW, &p_a), XTA_OK);

    plain p = plain_new(ndim, dims, 8), g = plain_new(ndim, dims, 8);
    int g_a = ga_test_new(kind, C_DBL, ndim, dims);
    plain_fill(&p, ga_test_random());
    ga_test_put(g_a, &p);
    XTA_CHECK_PEXTA(PEXTA_Write(g_a, p_a, NULL), XTA_OK);
    for (int step = 0; step < 5; step++) {
        grow(p_a, &p, shift);
        some_sections(p_a, &p, C_DBL, 2);
        if (step % 2 == 0) {
            grow_elsewhere(path, p_a, &p, shift);
            some_sections(p_a, &p, C_DBL, 1);
        }
        read_fitting(g_a, &g, p_a, &p, shift);
        read_grown(g_a, &g, p_a, &p, shift);
    }
    // The lengths now differ, and the error says so.
    XTA_CHECK_PEXTA(PEXTA_Read(g_a, p_a), XTA_EBOX);
    XTA_CHECK(strstr(PEXTA_Error_text(), "PEXTA_Read_fitting") != NULL, "%s", PEXTA_Error_text());
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
    XTA_CHECK(ga_test_file_same(path, &p), "%d axes: the file", ndim);
    GA_Destroy(g_a);
    plain_free(&p);
    plain_free(&g);
}

/* Extend includes growth by another program meanwhile, and rank 0's bounds are used. */
static void grow_both(void)
{
    const int64_t dims[] = {4, 6}, chunk[] = {2, 2}, edims[] = {0, 3};
    const xta_growth by_three = {0, XTA_BACK, 3};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    char path[1100], files[1200];
    int64_t odims[2] = {0, 0};
    xta_array *array = NULL;
    xta_error err;
    int p_a = 0;

    snprintf(path, sizeof path, "%s", xta_test_path("both"));
    snprintf(files, sizeof files, "%s.xmd", path);
    ga_test_files(files, XTA_I32, 2, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_RW, &p_a), XTA_OK);
    options.writable = true;
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_open(path, &options, &array, &err), err);
        XTA_CHECK_OK(xta_array_extend(array, &by_three, 1, NULL, &err), err);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
    XTA_CHECK_PEXTA(PEXTA_Extend64(p_a, edims, odims, NULL), XTA_OK);
    XTA_CHECK(odims[0] == 7 && odims[1] == 9, "%d x %d", (int)odims[0], (int)odims[1]);
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
}

int main(int argc, char **argv)
{
    int number = 0;

    ga_test_begin(&argc, &argv, -1);
    for (int ndim = 1; ndim <= 3; ndim++) {
        for (int kind = 0; kind < GA_KINDS; kind++) {
            one_history(number++, ndim, (ga_kind)kind);
        }
    }
    grow_both();
    return ga_test_end();
}
