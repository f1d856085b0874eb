/* nprocs: 1 2 3 4; mpich: 2 */
/* The session cache of [CXA] 10.2: reads, writes and growths in any order, begun or complete on
 * return, by few ranks or all, give the cells of the oracle; what a program outside writes is seen
 * after PEXTA_Refresh; and the cache does hold what is read again, within its limit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/ga_test.h"

#include <math.h>

#include "pexta/pexta.h"

#define N_STEPS  150
#define N_OPEN   3 // reads in progress at a time
#define MAX_NDIM 3

/* A read that is not waited for yet, and the cells it has to bring. */
typedef struct pending {
    int request, g_a;
    plain want;
} pending;

typedef struct world {
    int p_a, p_other, ndim; // the other handle has no cache
    double chunk_bytes, limit;
    plain p;
    pending reads[N_OPEN];
} world;

static int64_t held(const world *w)
{
    int64_t requested = -1, found = -1, bytes = -1;

    XTA_CHECK_PEXTA(PEXTA_Inquire_cache(w->p_a, &requested, &found, &bytes), XTA_OK);
    XTA_CHECK(found >= 0 && found <= requested, "%d of %d found", (int)found, (int)requested);
    XTA_CHECK(bytes >= 0 && (double)bytes <= w->limit * xta_test_ranks, "%d bytes held, limit %g",
              (int)bytes, w->limit);
    return found;
}

/* Seven of ten sections lie in the first third of each axis, so some chunks are asked for often. */
static void random_section(const plain *p, int64_t lo[], int64_t hi[])
{
    bool popular = ga_test_between(0, 9) < 7;

    for (int axis = 0; axis < p->ndim; axis++) {
        int64_t most = popular ? p->dims[axis] / 3 : p->dims[axis] - 1;
        lo[axis] = ga_test_between(0, most);
        hi[axis] = ga_test_between(lo[axis], most);
    }
}

static void finish(pending *r)
{
    if (r->g_a == 0) {
        return;
    }
    XTA_CHECK_PEXTA(PEXTA_Wait(r->request), XTA_OK);
    XTA_CHECK(ga_test_same(r->g_a, &r->want), "a read begun before");
    GA_Destroy(r->g_a);
    plain_free(&r->want);
    r->g_a = 0;
}

static void finish_all(world *w)
{
    for (int k = 0; k < N_OPEN; k++) {
        finish(&w->reads[k]);
    }
}

static void read_section(world *w)
{
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM], g_hi[PEXTA_MAX_NDIM];
    int64_t zero[PEXTA_MAX_NDIM] = {0}, lengths[PEXTA_MAX_NDIM];
    bool transposed = ga_test_between(0, 3) == 0;
    pending *r = &w->reads[ga_test_between(0, N_OPEN - 1)];

    finish(r);
    random_section(&w->p, lo, hi);
    for (int axis = 0; axis < w->ndim; axis++) {
        int g_axis = transposed ? w->ndim - 1 - axis : axis;
        g_hi[g_axis] = hi[axis] - lo[axis];
        lengths[g_axis] = hi[axis] - lo[axis] + 1;
    }
    // Ghosts need a block on each process, which sections do not give.
    r->g_a = ga_test_new((ga_kind)ga_test_between(0, GA_GHOSTS - 1), C_DBL, w->ndim, lengths);
    r->want = plain_new(w->ndim, lengths, 8);
    plain_copy(&w->p, lo, hi, &r->want, zero, transposed);
    XTA_CHECK_PEXTA(
        PEXTA_IRead_section(transposed, r->g_a, zero, g_hi, w->p_a, lo, hi, &r->request), XTA_OK);
    if (ga_test_between(0, 1) == 0) {
        finish(r);
    }
}

/* Through either handle. Without a cache, moves through two handles do not wait for each other. */
static void write_section(world *w)
{
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM];
    plain g = plain_new(w->ndim, w->p.dims, 8);
    int request = PEXTA_REQ_INVALID;
    int p_a = ga_test_between(0, 1) && w->limit > 0 ? w->p_other : w->p_a;
    int g_a = ga_test_new((ga_kind)ga_test_between(0, GA_GHOSTS - 1), C_DBL, w->ndim, w->p.dims);

    random_section(&w->p, lo, hi);
    plain_fill(&g, ga_test_random());
    ga_test_put(g_a, &g);
    XTA_CHECK_PEXTA(PEXTA_IWrite_section(0, g_a, lo, hi, p_a, lo, hi, &request), XTA_OK);
    plain_copy(&g, lo, hi, &w->p, lo, false);
    if (ga_test_between(0, 2) > 0) {
        XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
    }
    GA_Destroy(g_a);
    plain_free(&g);
}

static void grow(world *w)
{
    int axis = (int)ga_test_between(0, w->ndim - 1), front = (int)ga_test_between(0, 1);
    int64_t at[PEXTA_MAX_NDIM] = {0}, dims[PEXTA_MAX_NDIM], cells = ga_test_between(1, 4);

    memcpy(dims, w->p.dims, sizeof dims);
    dims[axis] += cells;
    at[axis] = front ? cells : 0;
    XTA_CHECK_PEXTA(PEXTA_Extend_axis(w->p_a, axis, front, cells, NULL, NULL), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Refresh(w->p_other, NULL, NULL), XTA_OK);
    plain_grow(&w->p, at, dims);
}

/* A program outside writes a cell, and the session asks for what has changed. */
static void write_outside(world *w)
{
    xta__pexta_facts facts;
    int64_t at[PEXTA_MAX_NDIM];
    double value = (double)ga_test_between(-1000, 1000);
    xta_array *outside = NULL;
    xta_error err;

    finish_all(w);
    XTA_CHECK(xta__pexta_facts_of(w->p_a, &facts), "no facts");
    const xta_box bounds = xta_array_bounds(facts.array);
    xta_box cell = {.ndim = w->ndim};
    for (int axis = 0; axis < w->ndim; axis++) {
        at[axis] = ga_test_between(0, w->p.dims[axis] / 3);
        cell.lo[axis] = bounds.lo[axis] + at[axis];
        cell.hi[axis] = cell.lo[axis] + 1;
    }
    memcpy(w->p.bytes + plain_at(&w->p, at), &value, sizeof value);
    // Also complete what is being written.
    XTA_CHECK_PEXTA(PEXTA_Sync(w->p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Sync(w->p_other), XTA_OK);
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    options.writable = true;
    if (xta_test_rank == 0 &&
        XTA_CHECK_OK(xta_array_open(facts.path, &options, &outside, &err), err)) {
        XTA_CHECK_OK(xta_array_write(outside, &cell, NULL, &value, &err), err);
        XTA_CHECK_OK(xta_array_close(outside, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    XTA_CHECK_PEXTA(PEXTA_Refresh(w->p_a, NULL, NULL), XTA_OK);
}

static void set_limit(world *w)
{
    w->limit = ga_test_between(0, 4) == 0 ? 0 : w->chunk_bytes * (double)ga_test_between(1, 20);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(w->p_a, w->limit), XTA_OK);
    XTA_CHECK(held(w) == 0, "a new cache");
}

/* One array; how many chunks were found in its caches. */
static int64_t one_history(int k)
{
    int64_t dims[MAX_NDIM], chunk[MAX_NDIM], found = 0, before = 0;
    world w = {.ndim = 1 + k % MAX_NDIM, .chunk_bytes = 8};
    char name[32], path[1000];

    for (int axis = 0; axis < w.ndim; axis++) {
        dims[axis] = ga_test_between(6, w.ndim == 1 ? 200 : 20);
        chunk[axis] = ga_test_between(1, 5);
        w.chunk_bytes *= (double)chunk[axis];
    }
    snprintf(name, sizeof name, "cache%d", k);
    snprintf(path, sizeof path, "%s.pma", xta_test_path(name));
    ga_test_files(path, XTA_F64, w.ndim, dims, chunk);
    w.p = plain_new(w.ndim, dims, 8);
    XTA_CHECK_PEXTA(PEXTA_Open(xta_test_path(name), PEXTA_RW, &w.p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Open(xta_test_path(name), PEXTA_RW, &w.p_other), XTA_OK);
    w.limit = w.chunk_bytes * 12;
    XTA_CHECK_PEXTA(PEXTA_Set_cache(w.p_a, w.limit), XTA_OK);
    for (int step = 0; step < N_STEPS; step++) {
        int64_t what = ga_test_between(0, 99);
        if (what < 70) {
            read_section(&w);
        } else if (what < 86) {
            write_section(&w);
        } else if (what < 91) {
            grow(&w);
        } else if (what < 95) {
            write_outside(&w);
        } else if (what < 97) {
            found += held(&w);
            set_limit(&w);
            before = 0;
        } else {
            int64_t now = held(&w);
            XTA_CHECK(now >= before, "fewer found than before");
            before = now;
        }
    }
    finish_all(&w);
    found += held(&w);
    XTA_CHECK_PEXTA(PEXTA_Close(w.p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Close(w.p_other), XTA_OK);
    XTA_CHECK(ga_test_file_same(xta_test_path(name), &w.p), "the file");
    plain_free(&w.p);
    return found;
}

/* A region within the limit that is read again and again comes from the cache: from the third time
 * on all of it. */
static void read_again(void)
{
    const int64_t dims[] = {32, 32}, chunk[] = {4, 4}, lo[] = {0, 0}, hi[] = {15, 15};
    int64_t requested[6], found[6], bytes = 0;
    plain p = plain_new(2, dims, 8);
    int p_a = 0, g_a = ga_test_new(GA_REGULAR, C_DBL, 2, dims);
    char path[1000];

    snprintf(path, sizeof path, "%s.pma", xta_test_path("again"));
    ga_test_files(path, XTA_F64, 2, dims, chunk);
    plain_fill(&p, 5);
    ga_test_put(g_a, &p);
    XTA_CHECK_PEXTA(PEXTA_Open(xta_test_path("again"), PEXTA_RW, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 16 * 16 * 8), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Write(g_a, p_a, NULL), XTA_OK);
    for (int k = 0; k < 6; k++) {
        ga_test_zero(g_a);
        XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, lo, hi, p_a, lo, hi), XTA_OK);
        XTA_CHECK_PEXTA(PEXTA_Inquire_cache(p_a, &requested[k], &found[k], &bytes), XTA_OK);
    }
    XTA_CHECK(requested[5] == 6 * 16 && found[1] == 0 && found[5] == 4 * 16, "%d of %d found",
              (int)found[5], (int)requested[5]);
    XTA_CHECK(bytes == 16 * 16 * 8, "%d bytes held", (int)bytes);
    plain want = plain_new(2, dims, 8);
    plain_copy(&p, lo, hi, &want, lo, false);
    XTA_CHECK(ga_test_same(g_a, &want), "the region");

    // Writing one cell drops its chunk and no other.
    const int64_t cell[] = {5, 5};
    XTA_CHECK_PEXTA(PEXTA_Write_section64(0, g_a, cell, cell, p_a, cell, cell), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Inquire_cache(p_a, NULL, NULL, &bytes), XTA_OK);
    XTA_CHECK(bytes == 15 * 16 * 8, "%d bytes held after a write", (int)bytes);
    XTA_CHECK_PEXTA(PEXTA_Refresh(p_a, NULL, NULL), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Inquire_cache(p_a, NULL, NULL, &bytes), XTA_OK);
    XTA_CHECK(bytes == 0, "%d bytes held after PEXTA_Refresh", (int)bytes);
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    GA_Destroy(g_a);
    plain_free(&p);
    plain_free(&want);
}

static void refused(void)
{
    const int64_t dims[] = {8, 8}, chunk[] = {4, 4};
    int p_a = 0, p_w = 0;
    int64_t bytes = 1;
    char path[1000];

    snprintf(path, sizeof path, "%s.pma", xta_test_path("refused"));
    ga_test_files(path, XTA_F64, 2, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(xta_test_path("refused"), PEXTA_W, &p_w), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_w, 1e6), XTA_EACCESS);
    XTA_CHECK(strstr(PEXTA_Error_text(), "PEXTA_R") != NULL, "%s", PEXTA_Error_text());
    XTA_CHECK_PEXTA(PEXTA_Close(p_w), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Open(xta_test_path("refused"), PEXTA_R, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 127), XTA_EARG);
    XTA_CHECK(strstr(PEXTA_Error_text(), "a chunk has 128") != NULL, "%s", PEXTA_Error_text());
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, -1), XTA_EARG);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, NAN), XTA_EARG);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a + 100, 1e6), XTA_EARG);
    XTA_CHECK_PEXTA(PEXTA_Inquire_cache(p_a + 100, NULL, NULL, &bytes), XTA_EARG);
    if (xta_test_ranks > 1) {
        XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, xta_test_rank == 0 ? 1e6 : 2e6), XTA_EARG);
        XTA_CHECK(strstr(PEXTA_Error_text(), "bytes") != NULL, "%s", PEXTA_Error_text());
    }
    XTA_CHECK_PEXTA(PEXTA_Inquire_cache(p_a, NULL, NULL, &bytes), XTA_OK);
    XTA_CHECK(bytes == 0, "%d bytes held without a cache", (int)bytes);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 128), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 0), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
}

int main(int argc, char **argv)
{
    int64_t found = 0;

    ga_test_begin(&argc, &argv, -1);
    read_again();
    refused();
    for (int k = 0; k < 12; k++) {
        found += one_history(k);
    }
    XTA_CHECK(found > 50, "only %d chunks were found in the caches", (int)found);
    return ga_test_end();
}
