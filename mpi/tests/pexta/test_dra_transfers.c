/* nprocs: 1 2 3 4 7; mpich: 2 */
/* Transfers under the names of DRA: sections, also transposed, to and from global arrays of several
 * distributions; requests probed, forgotten, waited for twice, fifty of them at once; growth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/dra_rig.h"

/* ---- sections ---- */

/* Cells of a section hold their number in the array at the other end; others hold zero. */
typedef struct view {
    int64_t lo[GA_MAX_DIM]; /* the section at this end, `hi` inside */
    int64_t hi[GA_MAX_DIM];
    int64_t from[GA_MAX_DIM]; /* its first cell at the other end */
    int64_t dims[GA_MAX_DIM]; /* of the array at the other end */
    bool transposed;
} view;

static int64_t through(const int64_t at[], int ndim, const void *user)
{
    const view *v = user;
    int64_t there[GA_MAX_DIM];
    for (int axis = 0; axis < ndim; axis++) {
        if (at[axis] < v->lo[axis] || at[axis] > v->hi[axis]) {
            return 0;
        }
        int other = v->transposed ? ndim - 1 - axis : axis;
        there[other] = v->from[other] + at[axis] - v->lo[axis];
    }
    return rig_number(there, ndim, v->dims) + 1;
}

static int64_t number_from_1(const int64_t at[], int ndim, const void *dims)
{
    return rig_number(at, ndim, dims) + 1;
}

static uint64_t state = 88172645463325252ull;

/* A random number below n, the same on all ranks. */
static int64_t below(int64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int64_t)(state % (uint64_t)n);
}

/* A global array of one of several distributions. Block-cyclic ones of fewer blocks than processes
 * are left out: Global Arrays 5.8.2 itself fails on them ("Transfer is out of range"). */
static int some_ga(int kind, int type, int ndim, const int64_t dims[])
{
    int lengths[GA_MAX_DIM];
    int block[GA_MAX_DIM];
    int n_blocks = 1;
    for (int axis = 0; axis < ndim; axis++) {
        lengths[axis] = (int)dims[axis];
        block[axis] = 3 + axis;
        n_blocks *= (lengths[axis] - 1) / block[axis] + 1;
    }
    if (kind == 0 || (kind == 1 && n_blocks < GA_Nnodes())) {
        return rig_ga(type, ndim, dims);
    }
    int g_a = GA_Create_handle();
    GA_Set_data(g_a, ndim, lengths, type);
    if (kind == 1) {
        GA_Set_block_cyclic(g_a, block);
    } else {
        GA_Set_chunk(g_a, lengths); // all cells on one process
    }
    GA_Allocate(g_a);
    return g_a;
}

/* One random section of a disk array into a global array of zeros, or back, and compared. */
static void one_section(int kind, int ndim, bool transposed)
{
    int64_t ddims[GA_MAX_DIM] = {0};
    int64_t gdims[GA_MAX_DIM] = {0};
    int glo[GA_MAX_DIM];
    int ghi[GA_MAX_DIM];
    dra_size_t dlo[GA_MAX_DIM];
    dra_size_t dhi[GA_MAX_DIM];
    int request = 0;
    view of_ga = {.transposed = transposed};
    view of_da = {.transposed = transposed};

    for (int axis = 0; axis < ndim; axis++) {
        int other = transposed ? ndim - 1 - axis : axis;
        int64_t n = 1 + below(20);
        ddims[axis] = n + below(20);
        gdims[other] = n + below(20);
        dlo[axis] = of_da.lo[axis] = of_ga.from[axis] = below(ddims[axis] - n + 1);
        dhi[axis] = of_da.hi[axis] = dlo[axis] + n - 1;
        glo[other] = (int)(of_ga.lo[other] = of_da.from[other] = below(gdims[other] - n + 1));
        ghi[other] = (int)(of_ga.hi[other] = glo[other] + n - 1);
    }
    memcpy(of_ga.dims, ddims, sizeof ddims);
    memcpy(of_da.dims, gdims, sizeof gdims);
    int g_a = some_ga(kind, C_DBL, ndim, gdims);
    int whole = rig_ga(C_DBL, ndim, ddims);
    int d_a = rig_create(C_DBL, ndim, ddims, "section");

    rig_fill(whole, number_from_1, ddims);
    rig_write(whole, d_a);
    GA_Zero(g_a);
    NDRA_Read_section(transposed, g_a, glo, ghi, d_a, dlo, dhi, &request);
    XTA_CHECK(DRA_Wait(request) == 0, "wait");
    rig_compare(g_a, through, &of_ga, "section read");

    GA_Zero(whole);
    rig_write(whole, d_a);
    rig_fill(g_a, number_from_1, gdims);
    NDRA_Write_section(transposed, g_a, glo, ghi, d_a, dlo, dhi, &request);
    GA_Zero(g_a); // the call has returned, so its cells are already copied
    XTA_CHECK(DRA_Wait(request) == 0, "wait");
    rig_read(whole, d_a);
    rig_compare(whole, through, &of_da, "section written");
    DRA_Delete(d_a);
    GA_Destroy(g_a);
    GA_Destroy(whole);
}

static void sections(void)
{
    for (int k = 0; k < 24; k++) {
        one_section(k % 3, 1 + k / 2 % 4, k % 2 == 1);
    }
}

/* ---- requests ---- */

/* Fifty writes of fifty rows, and then fifty reads, all before the first wait; the toolkit ends the
 * job at the sixth. */
static void many_requests(void)
{
    enum { N = 50, COLUMNS = 1000 };
    const int64_t dims[2] = {N, COLUMNS};
    int requests[N];
    int again = 0;
    int lo[2] = {0, 0};
    int hi[2] = {0, COLUMNS - 1};
    dra_size_t dlo[2] = {0, 0};
    dra_size_t dhi[2] = {0, COLUMNS - 1};
    int g_a = rig_ga(C_INT, 2, dims);
    int g_b = rig_ga(C_INT, 2, dims);
    int d_a = rig_create(C_INT, 2, dims, "many");

    rig_fill(g_a, rig_number, dims);
    for (int reading = 0; reading < 2; reading++) {
        for (int k = 0; k < N; k++) {
            lo[0] = hi[0] = k;
            dlo[0] = dhi[0] = k;
            XTA_CHECK((reading
                           ? NDRA_Read_section(0, g_b, lo, hi, d_a, dlo, dhi, &requests[k])
                           : NDRA_Write_section(0, g_a, lo, hi, d_a, dlo, dhi, &requests[k])) == 0,
                      "request %d", k);
            XTA_CHECK(requests[k] >= 0, "request %d is %d", k, requests[k]);
        }
        for (int k = 0; k < N; k++) { // in another order than they were made
            again = requests[k * 7 % N];
            XTA_CHECK(DRA_Wait(again) == 0, "wait for %d", again);
        }
        XTA_CHECK(DRA_Wait(again) == 0, "wait twice");
    }
    rig_compare(g_b, rig_number, dims, "fifty requests");
    XTA_CHECK(DRA_Wait(DRA_REQ_INVALID) == 0, "wait for no request");
    DRA_Delete(d_a);
    GA_Destroy(g_a);
    GA_Destroy(g_b);
}

/* Probe returns -1 when a request is complete, and 0 before. The request completes at some time
 * without further calls, and then the cells are there. Flick may be called at any time. The array
 * is so large that the first Probe comes too early. */
static void probing(void)
{
    const int64_t dims[2] = {2500, 1000};
    int request = 0;
    int done = 0;
    int g_a = rig_ga(C_DBL, 2, dims);
    int d_a = rig_create(C_DBL, 2, dims, "probe");

    rig_fill(g_a, rig_number, dims);
    DRA_Flick();
    for (int reading = 0; reading < 2; reading++) {
        if (reading) {
            GA_Zero(g_a);
            NDRA_Read(g_a, d_a, &request);
        } else {
            NDRA_Write(g_a, d_a, &request);
        }
        done = 0;
        for (int64_t k = 0; k < 10000000 && done != ELIO_DONE; k++) {
            XTA_CHECK(DRA_Probe(request, &done) == 0, "probe");
            XTA_CHECK(done == 0 || done == ELIO_DONE, "probe says %d", done);
        }
        XTA_CHECK(done == ELIO_DONE, "never complete");
        // the toolkit's rule: cells of a request that Probe found complete may be used after a sync
        GA_Sync();
        rig_compare(g_a, rig_number, dims, "probed");
        DRA_Flick();
        XTA_CHECK(DRA_Probe(request, &done) == 0 && done == ELIO_DONE, "probed again: %d", done);
        XTA_CHECK(DRA_Wait(request) == 0, "wait after it");
    }
    done = 5;
    XTA_CHECK(DRA_Probe(DRA_REQ_INVALID, &done) == 0 && done == ELIO_DONE, "no request: %d", done);
    DRA_Delete(d_a);
    GA_Destroy(g_a);
}

/* Several pending writes of the same cells: the one requested last stays; a read sees it. */
static void overlapping(void)
{
    const int64_t dims[2] = {200, 300};
    int requests[3];
    int g_a = rig_ga(C_LONG, 2, dims);
    int g_b = rig_ga(C_LONG, 2, dims);
    int d_a = rig_create(C_LONG, 2, dims, "overlap");

    rig_fill(g_a, rig_zero, NULL);
    NDRA_Write(g_a, d_a, &requests[0]);
    rig_fill(g_a, rig_number, dims);
    NDRA_Write(g_a, d_a, &requests[1]);
    NDRA_Read(g_b, d_a, &requests[2]);
    for (int k = 2; k >= 0; k--) {
        XTA_CHECK(DRA_Wait(requests[k]) == 0, "wait");
    }
    rig_compare(g_b, rig_number, dims, "the last write");
    NDRA_Write(g_a, d_a, &requests[0]);
    DRA_Close(d_a); // with a request pending
    d_a = rig_open("overlap", DRA_RW);
    GA_Zero(g_b);
    rig_read(g_b, d_a);
    rig_compare(g_b, rig_number, dims, "closed over a request");
    DRA_Delete(d_a);
    GA_Destroy(g_a);
    GA_Destroy(g_b);
}

/* ---- growth, which DRA does not have ---- */

static void growing(void)
{
    const int64_t before[2] = {60, 40};
    const int64_t after[2] = {100, 70};
    const int64_t more[2] = {40, 30};
    int64_t dims[2] = {0, 0};
    int request = 0;
    int lo[2] = {0, 0};
    int hi[2] = {59, 39};
    dra_size_t dlo[2] = {0, 0};
    dra_size_t dhi[2] = {59, 39};
    view old = {.lo = {0, 0}, .hi = {59, 39}, .from = {0, 0}, .dims = {60, 40}};
    int g_a = rig_ga(C_DBL, 2, before);
    int g_b = rig_ga(C_DBL, 2, after);
    int d_a = rig_create(C_DBL, 2, before, "grow");

    rig_fill(g_a, number_from_1, before);
    NDRA_Write(g_a, d_a, &request);
    XTA_CHECK(PEXTA_Extend64(d_a, more, dims, NULL) == 0, "%s", PEXTA_Error_text());
    XTA_CHECK(dims[0] == 100 && dims[1] == 70, "%" PRId64 ", %" PRId64, dims[0], dims[1]);
    XTA_CHECK(DRA_Wait(request) == 0, "wait for what began before the growth");
    rig_fill(g_b, rig_number, after);
    rig_read(g_b, d_a);
    rig_compare(g_b, through, &old, "grown: old cells and zeros");
    rig_fill(g_b, rig_number, after);
    rig_write(g_b, d_a);
    GA_Zero(g_b);
    rig_read(g_b, d_a);
    rig_compare(g_b, rig_number, after, "grown: all cells");
    NDRA_Read_section(0, g_a, lo, hi, d_a, dlo, dhi, &request);
    XTA_CHECK(DRA_Wait(request) == 0, "wait");
    DRA_Delete(d_a);
    GA_Destroy(g_a);
    GA_Destroy(g_b);
}

int main(int argc, char **argv)
{
    rig_begin(&argc, &argv);
    sections();
    many_requests();
    probing();
    overlapping();
    growing();
    return rig_end();
}
