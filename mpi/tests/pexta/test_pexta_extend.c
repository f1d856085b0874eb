/* nprocs: 1 2 3 4; mpich: 2 */
/* PEXTA as [CXA] 8.4 prints it: the calls by their prototypes; growth as a request, while the
 * program computes and moves cells, against the serial library, cell by cell and address by
 * address.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/ga_test.h"

#define NONE ((size_t)-1)

/* The prototypes, so that the header has them exactly. */
static int (*const init)(int, double, double, double) = PEXTA_Init;
static int (*const create)(int, int, size_t[], char *, char *, int, size_t[], int,
                           int *) = PEXTA_Create;
static int (*const iread)(int, int, int *) = PEXTA_IRead;
static int (*const extend)(int, size_t[], size_t[], int *) = PEXTA_Extend;
/* Of those that are as in Disk Resident Arrays. */
static int (*const iwrite)(int, int, int *) = PEXTA_Write;
static int (*const write_section)(int, int, int[], int[], int, size_t[], size_t[],
                                  int *) = PEXTA_Write_section;
static int (*const read_section)(int, int, int[], int[], int, size_t[], size_t[],
                                 int *) = PEXTA_Read_section;
static int (*const inquire)(int, int *, int *, size_t[], char *, char *) = PEXTA_Inquire;
static int (*const wait_for)(int) = PEXTA_Wait;
static int (*const probe)(int, int *) = PEXTA_Probe;

/* ---- the reference ---- */

/* The same growths by the serial library, in memory, on rank 0. */
typedef struct reference {
    xta_array *array;
    int64_t chunk[PEXTA_MAX_NDIM];
} reference;

static void reference_extend(reference *r, int ndim, const size_t edims[], const size_t odims[])
{
    xta_growth growths[PEXTA_MAX_NDIM];
    xta_error err;
    int n = 0;

    for (int k = 0; k < ndim; k++) {
        if (odims[k] < (size_t)ndim && edims[odims[k]] > 0) {
            growths[n++] = (xta_growth){(int)odims[k], XTA_BACK, (int64_t)edims[odims[k]]};
        }
    }
    if (xta_test_rank == 0 && n > 0) {
        XTA_CHECK_OK(xta_array_extend(r->array, growths, n, NULL, &err), err);
    }
}

static void same_address(xta_array *file, xta_array *serial, const int64_t chunk[])
{
    uint64_t got = 0, want = 0;
    xta_error err;

    XTA_CHECK_OK(xta_array_chunk_address(file, chunk, &got, &err), err);
    XTA_CHECK_OK(xta_array_chunk_address(serial, chunk, &want, &err), err);
    XTA_CHECK(got == want, "chunk %d ...: address %d, wanted %d", (int)chunk[0], (int)got,
              (int)want);
}

/* Every chunk of the file has the address that the reference gives it. */
static void compare_addresses(const char *path, const reference *r)
{
    xta_array *array = NULL;
    xta_error err;
    int64_t at[XTA_MAX_NDIM] = {0};

    if (xta_test_rank != 0 || !XTA_CHECK_OK(xta_array_open(path, NULL, &array, &err), err)) {
        return;
    }
    xta_box bounds = xta_array_bounds(array), want = xta_array_bounds(r->array);
    XTA_CHECK(xta_box_equal(&bounds, &want), "other bounds than the serial library's");
    for (int axis = 0; axis >= 0;) {
        same_address(array, r->array, at);
        for (axis = bounds.ndim - 1; axis >= 0; axis--) {
            if (++at[axis] * r->chunk[axis] < bounds.hi[axis]) {
                break;
            }
            at[axis] = 0;
        }
    }
    XTA_CHECK_OK(xta_array_close(array, &err), err);
}

/* ---- one history ---- */

static void random_order(int ndim, size_t edims[], size_t odims[])
{
    for (int axis = 0; axis < ndim; axis++) {
        edims[axis] = (size_t)ga_test_between(0, 4);
        odims[axis] = (size_t)axis;
    }
    for (int k = ndim - 1; k > 0; k--) {
        int other = (int)ga_test_between(0, k);
        size_t held = odims[k];
        odims[k] = odims[other];
        odims[other] = held;
    }
    for (int k = 0; k < ndim; k++) {
        if (ga_test_between(0, 3) == 0) {
            odims[k] = ga_test_between(0, 1) ? NONE : (size_t)1 << 63;
        }
    }
}

/* Write a random section, as the thesis' program would, and leave the request. */
static int begin_section(int p_a, plain *p, int g_a)
{
    int glo[PEXTA_MAX_NDIM], ghi[PEXTA_MAX_NDIM], request = PEXTA_REQ_INVALID;
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM];
    size_t plo[PEXTA_MAX_NDIM], phi[PEXTA_MAX_NDIM];
    plain g = plain_new(p->ndim, p->dims, p->cell);

    for (int axis = 0; axis < p->ndim; axis++) {
        lo[axis] = ga_test_between(0, p->dims[axis] - 1);
        hi[axis] = ga_test_between(lo[axis], p->dims[axis] - 1);
        glo[axis] = (int)lo[axis];
        ghi[axis] = (int)hi[axis];
        plo[axis] = (size_t)lo[axis];
        phi[axis] = (size_t)hi[axis];
    }
    plain_fill(&g, ga_test_random());
    ga_test_put(g_a, &g);
    XTA_CHECK_PEXTA(write_section(0, g_a, glo, ghi, p_a, plo, phi, &request), XTA_OK);
    plain_copy(&g, lo, hi, p, lo, false);
    XTA_CHECK_PEXTA(read_section(0, g_a, glo, ghi, p_a, plo, phi, NULL), XTA_OK);
    plain_free(&g);
    return request;
}

/* The lengths are those of the oracle on all ranks. */
static void check_lengths(int p_a, const plain *p)
{
    size_t dims[PEXTA_MAX_NDIM];

    XTA_CHECK_PEXTA(inquire(p_a, NULL, NULL, dims, NULL, NULL), XTA_OK);
    for (int axis = 0; axis < p->ndim; axis++) {
        XTA_CHECK((int64_t)dims[axis] == p->dims[axis], "axis %d: %d cells, wanted %d", axis,
                  (int)dims[axis], (int)p->dims[axis]);
    }
}

static void complete(int request)
{
    int done = 0;

    if (ga_test_between(0, 1) == 0) {
        XTA_CHECK_PEXTA(wait_for(request), XTA_OK);
        return;
    }
    while (!done) {
        if (!XTA_CHECK_PEXTA(probe(request, &done), XTA_OK)) {
            return;
        }
    }
}

/* One growth, or two in flight, while cells of the old bounds are moved. */
static void grow_overlapped(int p_a, plain *p, reference *r, int g_a)
{
    const int64_t none[PEXTA_MAX_NDIM] = {0};
    int n = (int)ga_test_between(1, 2), requests[2], section;
    int64_t dims[PEXTA_MAX_NDIM];
    volatile double sum = 0;

    memcpy(dims, p->dims, sizeof dims);
    for (int k = 0; k < n; k++) {
        size_t edims[PEXTA_MAX_NDIM], odims[PEXTA_MAX_NDIM];
        random_order(p->ndim, edims, odims);
        XTA_CHECK_PEXTA(extend(p_a, edims, odims, &requests[k]), XTA_OK);
        XTA_CHECK(requests[k] != PEXTA_REQ_INVALID, "no request");
        reference_extend(r, p->ndim, edims, odims);
        for (int j = 0; j < p->ndim; j++) {
            dims[odims[j] < (size_t)p->ndim ? odims[j] : 0] +=
                odims[j] < (size_t)p->ndim ? (int64_t)edims[odims[j]] : 0;
        }
    }
    section = begin_section(p_a, p, g_a);
    for (int k = 0; k < 1000; k++) {
        sum = sum + k;
    }
    check_lengths(p_a, p); // those before, until the requests are complete
    for (int k = 0; k < n; k++) {
        complete(requests[k]);
    }
    plain_grow(p, none, dims);
    check_lengths(p_a, p);
    XTA_CHECK_PEXTA(wait_for(section), XTA_OK);
    XTA_CHECK_PEXTA(wait_for(requests[0]), XTA_OK); // for the second time: nothing to wait for
}

static reference make_files(const char *files, int ndim, const int64_t dims[])
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    reference r = {0};
    xta_error err;

    for (int axis = 0; axis < ndim; axis++) {
        r.chunk[axis] = ga_test_between(1, 3);
    }
    ga_test_files(files, XTA_F64, ndim, dims, r.chunk);
    options.chunk = r.chunk;
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_new(XTA_F64, ndim, dims, &options, &r.array, &err), err);
    }
    return r;
}

static void one_history(int number, int ndim, ga_kind kind)
{
    char name[64], path[1100], files[1200];
    int64_t dims[PEXTA_MAX_NDIM];
    int p_a = 0;

    for (int axis = 0; axis < ndim; axis++) {
        dims[axis] = ga_test_between(4, 8);
    }
    snprintf(name, sizeof name, "extend%d", number);
    snprintf(path, sizeof path, "%s", xta_test_path(name));
    snprintf(files, sizeof files, "%s.pma", path);
    reference r = make_files(files, ndim, dims);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_RW, &p_a), XTA_OK);
    plain p = plain_new(ndim, dims, 8);
    for (int step = 0; step < 6; step++) {
        int g_a = ga_test_new(kind, C_DBL, ndim, p.dims);
        grow_overlapped(p_a, &p, &r, g_a);
        GA_Destroy(g_a);
        g_a = ga_test_new(kind, C_DBL, ndim, p.dims);
        int request = PEXTA_REQ_INVALID;
        XTA_CHECK_PEXTA(iread(g_a, p_a, &request), XTA_OK);
        XTA_CHECK_PEXTA(wait_for(request), XTA_OK);
        XTA_CHECK(ga_test_same(g_a, &p), "%d axes, step %d", ndim, step);
        plain_fill(&p, ga_test_random());
        ga_test_put(g_a, &p);
        XTA_CHECK_PEXTA(iwrite(g_a, p_a, step % 2 ? &request : NULL), XTA_OK);
        GA_Destroy(g_a);
    }
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
    XTA_CHECK(ga_test_file_same(path, &p), "%d axes: the file", ndim);
    compare_addresses(files, &r);
    xta_array_close(r.array, NULL);
    plain_free(&p);
}

/* ---- calls that are refused, and growth that fails ---- */

#define REFUSED(call, status, text)                                                          \
    do {                                                                                     \
        XTA_CHECK_PEXTA(call, status);                                                       \
        XTA_CHECK(strstr(PEXTA_Error_text(), (text)) != NULL, "\"%s\"", PEXTA_Error_text()); \
    } while (0)

static void refused(void)
{
    size_t dims[] = {6, 5}, more[] = {1, 2}, negative[] = {1, NONE}, order[] = {1, 0};
    size_t twice[] = {1, 1}, beyond[] = {0, 2}, only_first[] = {0, NONE}, none[] = {NONE, NONE};
    size_t endless[] = {(size_t)INT64_MAX / 4, 0}, got[2];
    char path[1100];
    int p_a = 0, p_r = 0, request = 1, last = xta_test_rank == xta_test_ranks - 1;

    snprintf(path, sizeof path, "%s", xta_test_path("refused"));
    XTA_CHECK_PEXTA(create(C_DBL, 2, dims, NULL, path, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a), XTA_OK);
    REFUSED(create(C_DBL, 2, negative, NULL, path, PEXTA_RW, NULL, PEXTA_NO_GA, &p_r), XTA_EARG,
            "axis 1");
    REFUSED(extend(p_a, more, twice, &request), XTA_EARG, "came before");
    XTA_CHECK(request == PEXTA_REQ_INVALID, "request %d", request);
    REFUSED(extend(p_a, more, beyond, &request), XTA_EARG, "does not exist");
    REFUSED(extend(p_a, negative, order, &request), XTA_EARG, "axis 1: -1 cells");
    REFUSED(extend(p_a, NULL, order, &request), XTA_EARG, "edims");
    REFUSED(extend(4711, more, order, &request), XTA_EARG, "4711");
    if (xta_test_ranks > 1) {
        REFUSED(extend(p_a, more, last ? order : only_first, &request), XTA_EARG, "odims");
        REFUSED(extend(p_a, more, order, last ? NULL : &request), XTA_EARG, "request");
    }
    // A negative length of an axis that is not named does not matter.
    XTA_CHECK_PEXTA(extend(p_a, negative, only_first, NULL), XTA_OK);
    XTA_CHECK_PEXTA(extend(p_a, more, none, &request), XTA_OK);
    XTA_CHECK_PEXTA(wait_for(request), XTA_OK);
    // The step itself fails: the request says so, and the array is as before.
    XTA_CHECK_PEXTA(extend(p_a, endless, order, &request), XTA_OK);
    XTA_CHECK_PEXTA(wait_for(request), XTA_EOVERFLOW);
    XTA_CHECK_PEXTA(extend(p_a, more, NULL, NULL), XTA_OK);
    XTA_CHECK_PEXTA(inquire(p_a, NULL, NULL, got, NULL, NULL), XTA_OK);
    XTA_CHECK(got[0] == 8 && got[1] == 7, "%d x %d", (int)got[0], (int)got[1]);
    // One that nobody waits for is found by the close.
    XTA_CHECK_PEXTA(extend(p_a, endless, order, &request), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_EOVERFLOW);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_R, &p_r), XTA_OK);
    REFUSED(extend(p_r, more, order, &request), XTA_EACCESS, "PEXTA_R");
    XTA_CHECK_PEXTA(PEXTA_Close(p_r), XTA_OK);
}

/* Calls that change the bounds at once complete the growths before them. */
static void then_at_once(void)
{
    size_t dims[] = {4, 4}, two[] = {2, 2}, order[] = {1, 0}, got[2];
    int64_t after[2] = {0, 0};
    const int64_t one[] = {1, 1};
    char path[1100];
    int p_a = 0, request = 0, changed = 5;

    snprintf(path, sizeof path, "%s", xta_test_path("at_once"));
    XTA_CHECK_PEXTA(create(C_INT, 2, dims, NULL, path, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(extend(p_a, two, order, &request), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Extend64(p_a, one, after, NULL), XTA_OK);
    XTA_CHECK(after[0] == 7 && after[1] == 7, "%d x %d", (int)after[0], (int)after[1]);
    XTA_CHECK_PEXTA(wait_for(request), XTA_OK);
    XTA_CHECK_PEXTA(extend(p_a, two, order, &request), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Refresh(p_a, NULL, &changed), XTA_OK);
    XTA_CHECK_PEXTA(inquire(p_a, NULL, NULL, got, NULL, NULL), XTA_OK);
    XTA_CHECK(got[0] == 9 && got[1] == 9, "%d x %d", (int)got[0], (int)got[1]);
    XTA_CHECK_PEXTA(wait_for(request), XTA_OK);
    XTA_CHECK_PEXTA(extend(p_a, two, order, &request), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
}

int main(int argc, char **argv)
{
    int number = 0;

    ga_test_begin(&argc, &argv, -1);
    XTA_CHECK_PEXTA(init(-1, -1, -1, -1), XTA_EEXIST);
    for (int ndim = 1; ndim <= 3; ndim++) {
        for (int kind = 0; kind < GA_KINDS; kind++) {
            one_history(number++, ndim, (ga_kind)kind);
        }
    }
    refused();
    then_at_once();
    return ga_test_end();
}
