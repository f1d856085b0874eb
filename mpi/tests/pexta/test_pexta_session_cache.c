/* nprocs: 1 2 3 4; mpich: 2 */
/* The session cache against the oracle: random reads of sections, half of them of a few favourite
 * chunks, between writes (blocking and not, by this handle and by another one of the same files),
 * growths, and changes by a program of its own. What is read is always what was written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "pexta/ga_test.h"

#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "pexta/pexta.h"

enum { N_ROUNDS = 2 };

static const int64_t chunk[2] = {4, 5};

/* Chunks in the cache, their hits and misses, summed over the ranks. */
typedef struct counts {
    int64_t hits, misses, bytes;
} counts;

static counts count(int p_a)
{
    int64_t mine[3] = {0}, all[3] = {0};

    XTA_CHECK_PEXTA(PEXTA_Inquire_cache(p_a, &mine[0], &mine[1], &mine[2]), XTA_OK);
    MPI_Allreduce(mine, all, 3, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return (counts){all[0], all[1], all[2]};
}

/* A section; every second time within the first chunks. */
static void choose(const plain *p, int64_t lo[2], int64_t hi[2])
{
    bool favourite = ga_test_between(0, 1) == 1;

    for (int axis = 0; axis < 2; axis++) {
        int64_t last = favourite ? 2 * chunk[axis] - 1 : p->dims[axis] - 1;
        lo[axis] = ga_test_between(0, last);
        hi[axis] = ga_test_between(lo[axis], last);
    }
}

/* Read sections and compare. */
static void read_some(int p_a, const plain *p, int n, const char *when)
{
    for (int k = 0; k < n; k++) {
        int g_a = ga_test_new((ga_kind)(k % GA_KINDS), C_DBL, 2, p->dims);
        plain g = plain_new(2, p->dims, 8);
        int64_t lo[2], hi[2];
        choose(p, lo, hi);
        plain_fill(&g, ga_test_random());
        ga_test_put(g_a, &g);
        XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, lo, hi, p_a, lo, hi), XTA_OK);
        plain_copy(p, lo, hi, &g, lo, false);
        XTA_CHECK(ga_test_same(g_a, &g), "%s, read %d, %s", when, k,
                  ga_kind_name((ga_kind)(k % GA_KINDS)));
        GA_Destroy(g_a);
        plain_free(&g);
    }
}

/* Write a section through a handle. With `request` it is left in progress. */
static void write_one(int p_a, plain *p, int *request)
{
    int g_a = ga_test_new((ga_kind)0, C_DBL, 2, p->dims);
    plain g = plain_new(2, p->dims, 8);
    int64_t lo[2], hi[2];

    choose(p, lo, hi);
    plain_fill(&g, ga_test_random());
    ga_test_put(g_a, &g);
    if (request != NULL) {
        XTA_CHECK_PEXTA(PEXTA_IWrite_section(0, g_a, lo, hi, p_a, lo, hi, request), XTA_OK);
    } else {
        XTA_CHECK_PEXTA(PEXTA_Write_section64(0, g_a, lo, hi, p_a, lo, hi), XTA_OK);
    }
    plain_copy(&g, lo, hi, p, lo, false);
    GA_Destroy(g_a);
    plain_free(&g);
}

/* Rank 0, as another program: extend the array at the front and write all of it anew. */
static void change_outside(const char *path, plain *p)
{
    static const int64_t front[2] = {3, 0};
    int64_t dims[2] = {p->dims[0] + front[0], p->dims[1]};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    const xta_growth growth = {0, XTA_FRONT, front[0]};
    xta_array *array = NULL;
    xta_error err;

    plain_grow(p, front, dims);
    plain_fill(p, ga_test_random());
    if (xta_test_rank == 0) {
        options.writable = true;
        XTA_CHECK_OK(xta_array_open(path, &options, &array, &err), err);
        XTA_CHECK_OK(xta_array_extend(array, &growth, 1, NULL, &err), err);
        xta_box all = xta_array_bounds(array);
        XTA_CHECK_OK(xta_array_write(array, &all, NULL, p->bytes, &err), err);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* All that can happen to the array, in rounds. */
static void check_coherence(const char *path, double max_bytes)
{
    const int64_t dims[2] = {23, 19}, edims[2] = {3, 2}, zero[2] = {0};
    plain p = plain_new(2, dims, 8);
    int p_a = 0, other = 0, request = PEXTA_REQ_INVALID;
    char files[1200];

    snprintf(files, sizeof files, "%s.pma", path);
    ga_test_files(files, XTA_F64, 2, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_RW, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, max_bytes), XTA_OK);
    for (int round = 0; round < N_ROUNDS; round++) {
        read_some(p_a, &p, 6, "before");
        XTA_CHECK(count(p_a).bytes <= (int64_t)max_bytes * xta_test_ranks, "more is kept");
        write_one(p_a, &p, NULL);
        read_some(p_a, &p, 3, "after a write");
        write_one(p_a, &p, &request);
        read_some(p_a, &p, 3, "during a write");
        XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
        read_some(p_a, &p, 3, "after that write");
        XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_RW, &other), XTA_OK);
        write_one(other, &p, NULL);
        read_some(p_a, &p, 3, "after a write by another handle");
        XTA_CHECK_PEXTA(PEXTA_Close(other), XTA_OK);
        int64_t grown[2] = {p.dims[0] + edims[0], p.dims[1] + edims[1]};
        XTA_CHECK_PEXTA(PEXTA_Extend64(p_a, edims, NULL, NULL), XTA_OK);
        plain_grow(&p, zero, grown);
        read_some(p_a, &p, 3, "after growth");
        change_outside(path, &p);
        XTA_CHECK_PEXTA(PEXTA_Refresh(p_a, NULL, NULL), XTA_OK);
        XTA_CHECK(count(p_a).bytes == 0, "something survives the refresh");
        read_some(p_a, &p, 3, "after changes outside");
    }
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    plain_free(&p);
}

/* Chunks that are read again come from the cache; nothing does if it is off. */
static void check_counts(const char *path)
{
    const int64_t dims[2] = {40, 50}, lo[2] = {5, 6}, hi[2] = {6, 7};
    int p_a = 0, g_a = ga_test_new((ga_kind)0, C_DBL, 2, dims);
    char files[1200];
    counts c;

    snprintf(files, sizeof files, "%s.pma", path);
    ga_test_files(files, XTA_F64, 2, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_R, &p_a), XTA_OK);
    for (int k = 0; k < 3; k++) {
        XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, lo, hi, p_a, lo, hi), XTA_OK);
    }
    c = count(p_a);
    XTA_CHECK(c.hits == 0 && c.misses == 0 && c.bytes == 0, "it is on without a call");
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 1e6), XTA_OK);
    for (int k = 0; k < 5; k++) {
        XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, lo, hi, p_a, lo, hi), XTA_OK);
    }
    c = count(p_a);
    // Kept at the second touch.
    XTA_CHECK(c.hits == 3 && c.misses == 2, "%" PRId64 " hits, %" PRId64 " misses", c.hits,
              c.misses);
    XTA_CHECK(c.bytes == chunk[0] * chunk[1] * 8, "%" PRId64 " bytes", c.bytes);
    // Less than a chunk: nothing is kept.
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 100), XTA_OK);
    for (int k = 0; k < 5; k++) {
        XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, lo, hi, p_a, lo, hi), XTA_OK);
    }
    c = count(p_a);
    XTA_CHECK(c.hits == 0 && c.misses == 5 && c.bytes == 0, "%" PRId64 " hits", c.hits);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 0), XTA_OK);
    XTA_CHECK(count(p_a).bytes == 0, "it is still on");
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    GA_Destroy(g_a);
}

/* Set when writes may go on. */
static atomic_bool released;

/* Holds up each write of the array until then, but not for ever. */
static void hold_write(void *user, xta_array *array, bool write, const xta_box *box,
                       const int64_t *step)
{
    const struct timespec pause = {0, 1000000};
    (void)user;
    (void)array;
    (void)box;
    (void)step;

    for (int tries = 0; write && !atomic_load(&released) && tries < 10000; tries++) {
        nanosleep(&pause, NULL);
    }
}

/* A write is in progress while cells beside it, in one of its chunks, are read often enough to be
 * kept: the chunk must not be kept as it was before the write. */
static void check_write_in_progress(const char *path)
{
    const int64_t dims[2] = {24, 20}, wlo[2] = {0, 0}, whi[2] = {22, 19};
    const int64_t beside[2] = {23, 16}, last[2] = {23, 19}, corner[2] = {21, 16};
    int g_a = ga_test_new((ga_kind)0, C_DBL, 2, dims), p_a = 0, request = PEXTA_REQ_INVALID;
    plain g = plain_new(2, dims, 8);
    xta__pexta_facts facts;
    char files[1200];

    snprintf(files, sizeof files, "%s.pma", path);
    ga_test_files(files, XTA_F64, 2, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_RW, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 1e6), XTA_OK);
    XTA_CHECK(xta__pexta_facts_of(p_a, &facts), "no facts");
    plain_fill(&g, ga_test_random());
    ga_test_put(g_a, &g);
    atomic_store(&released, false);
    xta_array_watch(facts.array, hold_write, NULL);
    XTA_CHECK_PEXTA(PEXTA_IWrite_section(0, g_a, wlo, whi, p_a, wlo, whi, &request), XTA_OK);
    for (int k = 0; k < 3; k++) {
        XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, beside, last, p_a, beside, last), XTA_OK);
    }
    XTA_CHECK(count(p_a).bytes == 0, "a chunk is kept while it is written");
    atomic_store(&released, true);
    XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
    xta_array_watch(facts.array, NULL, NULL);
    for (int k = 0; k < 3; k++) {
        XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, corner, last, p_a, corner, last), XTA_OK);
    }
    memset(g.bytes + plain_at(&g, beside), 0, 4 * g.cell);
    XTA_CHECK(ga_test_same(g_a, &g), "a chunk is as it was before the write");
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    GA_Destroy(g_a);
    plain_free(&g);
}

static void check_misuse(const char *path)
{
    const int64_t dims[2] = {8, 8};
    int p_a = 0;
    char files[1200];

    XTA_CHECK_PEXTA(PEXTA_Set_cache(77, 1e6), XTA_EARG);
    XTA_CHECK_PEXTA(PEXTA_Inquire_cache(77, NULL, NULL, NULL), XTA_EARG);
    snprintf(files, sizeof files, "%s.pma", path);
    ga_test_files(files, XTA_F64, 2, dims, chunk);
    XTA_CHECK_PEXTA(PEXTA_Open(path, PEXTA_W, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 1e6), XTA_EACCESS);
    XTA_CHECK(strstr(PEXTA_Error_text(), "PEXTA_RW") != NULL, "%s", PEXTA_Error_text());
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, -1), XTA_EARG);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, NAN), XTA_EARG);
    XTA_CHECK_PEXTA(PEXTA_Set_cache(p_a, 1e6 * (1 + xta_test_rank)),
                    xta_test_ranks > 1 ? XTA_EARG : XTA_EACCESS);
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
}

int main(int argc, char **argv)
{
    ga_test_begin(&argc, &argv, -1);
    check_misuse(xta_test_path("misuse"));
    check_counts(xta_test_path("counts"));
    check_write_in_progress(xta_test_path("progress"));
    // Space for everything; for three chunks.
    check_coherence(xta_test_path("much"), 1e6);
    check_coherence(xta_test_path("little"), 3 * 160);
    return ga_test_end();
}
