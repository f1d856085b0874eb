/* nprocs: 1 2 3 4; mpich: 2 */
/* Files of an array: names and file names, chunks that fit requests and blocks, an existing array,
 * arrays of the serial library, the output of Inquire and Print_internals, durability.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "pexta/ga_test.h"

#include <sys/stat.h>
#include <unistd.h>

#include <xta/attribute.h>

#include "pexta/pexta.h"

static bool exists(const char *path, const char *suffix)
{
    char name[1300];
    struct stat facts;

    snprintf(name, sizeof name, "%s%s", path, suffix);
    return stat(name, &facts) == 0;
}

/* Every rank passes another name; rank 0's is used. Other files with the name of the array do no
 * harm. */
static void names(void)
{
    const int64_t dims[] = {5, 7};
    char mine[1100], path[1100], name[PEXTA_NAME_BYTES], filename[PEXTA_FILENAME_BYTES];
    int64_t got[PEXTA_MAX_NDIM];
    int p_a = 0, type = 0, ndim = 0;

    snprintf(path, sizeof path, "%s", xta_test_path("names0"));
    snprintf(mine, sizeof mine, "%s%d", xta_test_path("names"), xta_test_rank);
    if (xta_test_rank == 0) {
        FILE *file = fopen(path, "w");
        XTA_CHECK(file != NULL && fclose(file) == 0, "%s", path);
    }
    XTA_CHECK_PEXTA(PEXTA_Create64(C_LONGLONG, 2, dims, xta_test_rank == 0 ? "a name" : "another",
                                   mine, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a),
                    XTA_OK);
    XTA_CHECK(p_a > 0, "handle %d", p_a);
    for (int k = 0; k < 2; k++) {
        XTA_CHECK_PEXTA(PEXTA_Inquire64(p_a, &type, &ndim, got, name, filename), XTA_OK);
        XTA_CHECK(type == C_LONGLONG && ndim == 2 && got[0] == 5 && got[1] == 7, "%d, %d axes",
                  type, ndim);
        XTA_CHECK(strcmp(name, "a name") == 0, "'%s'", name);
        XTA_CHECK(strcmp(filename, path) == 0, "'%s', wanted '%s'", filename, path);
        XTA_CHECK(exists(path, ".pma") && exists(path, ".pta"), "no files %s", path);
        XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
        XTA_CHECK_PEXTA(PEXTA_Open(mine, PEXTA_R, &p_a), XTA_OK);
    }
    XTA_CHECK_PEXTA(PEXTA_Print_internals(p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    XTA_CHECK(!exists(path, ".pma") && !exists(path, ".pta") && exists(path, ""), "files %s", path);
    XTA_CHECK_PEXTA(PEXTA_Inquire64(p_a, &type, NULL, NULL, NULL, NULL), XTA_EARG);
}

/* A name that is too long is cut; an empty name, and one with a suffix, are allowed. */
static void odd_names(void)
{
    const int64_t dims[] = {3};
    char path[1100], long_name[PEXTA_NAME_BYTES + 50], name[PEXTA_NAME_BYTES];
    int p_a = 0;

    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    snprintf(path, sizeof path, "%s", xta_test_path("odd.try.pta"));
    XTA_CHECK_PEXTA(
        PEXTA_Create64(C_INT, 1, dims, long_name, path, PEXTA_W, NULL, PEXTA_NO_GA, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Inquire64(p_a, NULL, NULL, NULL, name, NULL), XTA_OK);
    XTA_CHECK(strlen(name) == PEXTA_NAME_BYTES - 1, "%zu bytes", strlen(name));
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Open(xta_test_path("odd.try"), PEXTA_R, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Create64(C_INT, 1, dims, NULL, path, PEXTA_W, NULL, PEXTA_NO_GA, &p_a),
                    XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Inquire64(p_a, NULL, NULL, NULL, name, NULL), XTA_OK);
    XTA_CHECK(name[0] == '\0', "'%s'", name);
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
}

/* Create replaces existing files, complete or partial; all cells are 0 again. */
static void replaced(void)
{
    const int64_t dims[] = {6, 6};
    char path[1100], half[1200];
    plain p = plain_new(2, dims, 8), zero = plain_new(2, dims, 8);
    int g_a = ga_test_new(GA_REGULAR, C_DBL, 2, dims), p_a = 0;

    snprintf(path, sizeof path, "%s", xta_test_path("replaced"));
    snprintf(half, sizeof half, "%s.pma", path);
    plain_fill(&p, 5);
    for (int k = 0; k < 3; k++) {
        XTA_CHECK_PEXTA(PEXTA_Create64(C_DBL, 2, dims, "r", path, PEXTA_RW, NULL, g_a, &p_a),
                        XTA_OK);
        ga_test_put(g_a, &p);
        XTA_CHECK_PEXTA(PEXTA_Read(g_a, p_a), XTA_OK);
        XTA_CHECK(ga_test_same(g_a, &zero), "old cells, try %d", k);
        ga_test_put(g_a, &p);
        XTA_CHECK_PEXTA(PEXTA_Write(g_a, p_a, NULL), XTA_OK);
        XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
        if (k == 1 && xta_test_rank == 0) {
            XTA_CHECK(remove(half) == 0, "%s", half);
        }
    }
    GA_Destroy(g_a);
    plain_free(&p);
    plain_free(&zero);
}

static void check_chunk(int p_a, int axis, int64_t want)
{
    xta__pexta_facts facts;

    if (XTA_CHECK(xta__pexta_facts_of(p_a, &facts), "no facts")) {
        XTA_CHECK(facts.chunk[axis] == want, "axis %d: chunk %d, wanted %d", axis,
                  (int)facts.chunk[axis], (int)want);
    }
}

/* Chunks are parts of requests, or of blocks, or several of them. */
static void chunks(void)
{
    const struct {
        int64_t dims[2], req[2], chunk[2];
    } cases[] = {
        {{5000, 7000}, {1000, 1000}, {250, 500}},     {{5000, 7000}, {7, -1}, {7, 7000}},
        {{5000, 7000}, {1, 700}, {12, 700}},          {{100, 90}, {33, 40}, {99, 120}},
        {{3, 20000000}, {-1, 20000000}, {1, 125000}},
    };
    char path[1100];
    int p_a = 0;

    snprintf(path, sizeof path, "%s", xta_test_path("chunks"));
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        XTA_CHECK_PEXTA(PEXTA_Create64(C_DBL, 2, cases[k].dims, "c", path, PEXTA_RW, cases[k].req,
                                       PEXTA_NO_GA, &p_a),
                        XTA_OK);
        check_chunk(p_a, 0, cases[k].chunk[0]);
        check_chunk(p_a, 1, cases[k].chunk[1]);
        XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    }

    // One block of rows for each process: no chunk is shared.
    const int64_t dims[] = {600 * xta_test_ranks, 1000}, slabs[] = {600, 1000};
    int g_a = NGA_Create64(C_DBL, 2, (int64_t *)(uintptr_t)dims, (char[]){"blocks"},
                           (int64_t *)(uintptr_t)slabs);
    XTA_CHECK_PEXTA(PEXTA_Create64(C_DBL, 2, dims, "c", path, PEXTA_RW, NULL, g_a, &p_a), XTA_OK);
    xta__pexta_facts facts;
    if (XTA_CHECK(xta__pexta_facts_of(p_a, &facts), "no facts")) {
        int64_t lo[2], hi[2];
        NGA_Distribution64(g_a, xta_test_rank, lo, hi);
        for (int axis = 0; axis < 2; axis++) {
            XTA_CHECK(lo[axis] % facts.chunk[axis] == 0 && (hi[axis] + 1) % facts.chunk[axis] == 0,
                      "axis %d: chunk %d, block %d to %d", axis, (int)facts.chunk[axis],
                      (int)lo[axis], (int)hi[axis]);
        }
    }
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    GA_Destroy(g_a);
}

/* Arrays of the serial library, under its own suffix, with cell types that Global Arrays support
 * and do not support, and with bounds that begin below 0. */
static void serial_arrays(void)
{
    const int64_t dims[] = {4, 5}, chunk[] = {2, 2};
    const xta_growth front = {1, XTA_FRONT, 3};
    const xta_type types[] = {XTA_U8, XTA_I64, XTA_F32, XTA_U16, XTA_F16};
    const int want[] = {C_CHAR, C_LONG, C_FLOAT, 0, 0};
    char name[32], path[1100], files[1200];

    for (int k = 0; k < 5; k++) {
        int p_a = 0, type = 0;
        int64_t got[PEXTA_MAX_NDIM] = {0};
        snprintf(name, sizeof name, "serial%d", k);
        snprintf(path, sizeof path, "%s", xta_test_path(name));
        snprintf(files, sizeof files, "%s.xmd", path);
        ga_test_files(files, types[k], 2, dims, chunk);
        if (xta_test_rank == 0) {
            xta_open_options options = XTA_OPEN_OPTIONS_INIT;
            xta_array *array = NULL;
            xta_error err;
            options.writable = true;
            XTA_CHECK_OK(xta_array_open(path, &options, &array, &err), err);
            XTA_CHECK_OK(xta_array_extend(array, &front, 1, NULL, &err), err);
            XTA_CHECK_OK(xta_array_close(array, &err), err);
        }
        XTA_CHECK_PEXTA(PEXTA_Open(k % 2 == 0 ? path : files, PEXTA_RW, &p_a),
                        want[k] != 0 ? XTA_OK : XTA_ETYPE);
        if (want[k] != 0) {
            XTA_CHECK_PEXTA(PEXTA_Inquire64(p_a, &type, NULL, got, NULL, NULL), XTA_OK);
            XTA_CHECK(type == want[k] && got[0] == 4 && got[1] == 8, "type %d, %d x %d", type,
                      (int)got[0], (int)got[1]);
            XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
        }
    }
}

/* Many arrays at once, listed by their handles. */
static void many(void)
{
    enum { N = 40 };
    const int64_t dims[] = {3, 3};
    int p_a[N], at = 0, n = 0;
    char name[32];

    for (int k = 0; k < N; k++) {
        snprintf(name, sizeof name, "many%d", k);
        XTA_CHECK_PEXTA(PEXTA_Create64(C_INT, 2, dims, name, xta_test_path(name), PEXTA_RW, NULL,
                                       PEXTA_NO_GA, &p_a[k]),
                        XTA_OK);
    }
    while ((at = xta__pexta_next(at)) != 0) {
        XTA_CHECK(n >= N || at == p_a[n], "handle %d", at);
        n++;
    }
    XTA_CHECK(n == N, "%d arrays", n);
    for (int k = 0; k < N; k++) {
        XTA_CHECK_PEXTA(PEXTA_Delete(p_a[(k * 7) % N]), XTA_OK);
    }
    XTA_CHECK(xta__pexta_next(0) == 0, "there is still one");
}

/* More cells than 32 bits can count, of which a few are written; growth beyond that. */
static void large(void)
{
    const int64_t dims[] = {100000, 80000}, edims[] = {0, 1000000}, block[] = {3, 4};
    const int64_t zero[] = {0, 0}, last[] = {2, 3};
    char path[1100];
    plain p = plain_new(2, block, 8);
    int g_a = ga_test_new(GA_REGULAR, C_DBL, 2, block), p_a = 0;
    int64_t odims[2] = {0, 0};

    snprintf(path, sizeof path, "%s", xta_test_path("large"));
    XTA_CHECK_PEXTA(
        PEXTA_Create64(C_DBL, 2, dims, "large", path, PEXTA_RW, NULL, PEXTA_NO_GA, &p_a), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Extend64(p_a, edims, odims, NULL), XTA_OK);
    for (int k = 0; k < 3; k++) {
        const int64_t far[][2] = {{99997, 79996}, {49999, 1079996}, {0, 524287}};
        const int64_t to[] = {far[k][0] + 2, far[k][1] + 3};
        plain_fill(&p, (uint64_t)k);
        ga_test_put(g_a, &p);
        XTA_CHECK_PEXTA(PEXTA_Write_section64(0, g_a, zero, last, p_a, far[k], to), XTA_OK);
        ga_test_zero(g_a);
        XTA_CHECK_PEXTA(PEXTA_Read_section64(0, g_a, zero, last, p_a, far[k], to), XTA_OK);
        XTA_CHECK(ga_test_same(g_a, &p), "corner %d", k);
    }
    XTA_CHECK_PEXTA(PEXTA_Delete(p_a), XTA_OK);
    GA_Destroy(g_a);
    plain_free(&p);
}

int main(int argc, char **argv)
{
    ga_test_begin(&argc, &argv, -1);
    names();
    odd_names();
    replaced();
    chunks();
    serial_arrays();
    many();
    large();
    return ga_test_end();
}
