/* The program of pexta_phases.sh: `pexta_phases PHASE FILE [MARKER]`. The value of a cell depends
 * on its coordinates in the file, so every phase knows the values written by earlier ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "pexta/ga_test.h"

#include <time.h>

#include "pexta/pexta.h"

enum { NDIM = 3 };

/* The value of a cell by its coordinates in the file, which no growth changes. */
static double worth(const int64_t coord[])
{
    return (double)(1 + ((coord[0] + 50) * 1000 + coord[1] + 50) * 1000 + coord[2] + 50);
}

/* The bounds of the file, as zero-based lengths and first coordinates. */
static void inspect(int p_a, int64_t dims[], int64_t lo[])
{
    xta__pexta_facts facts;

    XTA_CHECK(xta__pexta_facts_of(p_a, &facts), "no facts");
    xta_box bounds = xta_array_bounds(facts.array);
    for (int axis = 0; axis < NDIM; axis++) {
        dims[axis] = facts.dims[axis];
        lo[axis] = bounds.lo[axis];
    }
}

/* The expected cells of an array of these bounds: their values where all coordinates lie in [from,
 * to), 0 elsewhere. */
static plain expected(const int64_t dims[], const int64_t lo[], const int64_t from[],
                      const int64_t to[])
{
    plain p = plain_new(NDIM, dims, sizeof(double));
    double *cells = (double *)(void *)p.bytes;
    int64_t k[NDIM] = {0};
    int axis = 0;

    while (axis >= 0) {
        int64_t at[NDIM];
        bool in = true;
        for (axis = 0; axis < NDIM; axis++) {
            at[axis] = lo[axis] + k[axis];
            in = in && at[axis] >= from[axis] && at[axis] < to[axis];
        }
        *cells++ = in ? worth(at) : 0;
        for (axis = NDIM - 1; axis >= 0 && ++k[axis] == dims[axis]; axis--) {
            k[axis] = 0;
        }
    }
    return p;
}

/* Read the whole array and compare. */
static void check_all(int p_a, ga_kind kind, const int64_t from[], const int64_t to[])
{
    int64_t dims[NDIM], lo[NDIM];

    inspect(p_a, dims, lo);
    plain want = expected(dims, lo, from, to);
    int g_a = ga_test_new(kind, C_DBL, NDIM, dims);
    XTA_CHECK_PEXTA(PEXTA_Read(g_a, p_a), XTA_OK);
    XTA_CHECK(ga_test_same(g_a, &want), "cells of %d x %d x %d from %d", (int)dims[0], (int)dims[1],
              (int)dims[2], (int)lo[0]);
    GA_Destroy(g_a);
    plain_free(&want);
}

/* Write the expected value to all cells. */
static void write_all(int p_a, ga_kind kind)
{
    int64_t dims[NDIM], lo[NDIM], hi[NDIM];

    inspect(p_a, dims, lo);
    for (int axis = 0; axis < NDIM; axis++) {
        hi[axis] = lo[axis] + dims[axis];
    }
    plain cells = expected(dims, lo, lo, hi);
    int g_a = ga_test_new(kind, C_DBL, NDIM, dims), request = 0;
    ga_test_put(g_a, &cells);
    XTA_CHECK_PEXTA(PEXTA_IWrite(g_a, p_a, &request), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Wait(request), XTA_OK);
    GA_Destroy(g_a);
    plain_free(&cells);
}

static const int64_t first_dims[NDIM] = {40, 24, 18}, zero[NDIM] = {0};

static void create(const char *file)
{
    const int64_t request[NDIM] = {10, 8, 6};
    int p_a = 0;

    XTA_CHECK_PEXTA(PEXTA_Create64(C_DBL, NDIM, first_dims, "phases", file, PEXTA_RW, request,
                                   PEXTA_NO_GA, &p_a),
                    XTA_OK);
    write_all(p_a, GA_REGULAR);
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
}

static void read(const char *file)
{
    int p_a = 0;

    XTA_CHECK_PEXTA(PEXTA_Open(file, PEXTA_R, &p_a), XTA_OK);
    for (int kind = 0; kind < GA_KINDS; kind++) {
        check_all(p_a, (ga_kind)kind, zero, first_dims);
    }
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
}

/* The tool has grown the array: the new cells are 0. Then the program fills and grows it. */
static void grow(const char *file)
{
    const int64_t more[NDIM] = {2, 0, 5}, front[NDIM] = {0, 3, 0};
    int p_a = 0;

    XTA_CHECK_PEXTA(PEXTA_Open(file, PEXTA_RW, &p_a), XTA_OK);
    check_all(p_a, GA_IRREGULAR, zero, first_dims);
    write_all(p_a, GA_CYCLIC);
    XTA_CHECK_PEXTA(PEXTA_Extend64(p_a, more, NULL, NULL), XTA_OK);
    XTA_CHECK_PEXTA(PEXTA_Extend_front(p_a, front, NULL, NULL), XTA_OK);
    write_all(p_a, GA_SLABS);
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
}

/* Check the whole array after the growths. */
static void read_grown(const char *file)
{
    const int64_t from[NDIM] = {-100, -100, -100}, to[NDIM] = {1000, 1000, 1000};
    int p_a = 0;

    XTA_CHECK_PEXTA(PEXTA_Open(file, PEXTA_R, &p_a), XTA_OK);
    check_all(p_a, GA_REGULAR, from, to);
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
}

/* The tool grows the array while it is open: the ranks see the new bounds when they ask for them
 * and write the new cells, and the tool reads these. */
static void live(const char *file, const char *marker)
{
    const struct timespec pause = {0, 20000000};
    double begin = MPI_Wtime(), now = begin;
    int p_a = 0, changed = 0;

    XTA_CHECK_PEXTA(PEXTA_Open(file, PEXTA_RW, &p_a), XTA_OK);
    if (xta_test_rank == 0) {
        FILE *there = fopen(marker, "w");
        XTA_CHECK(there != NULL && fclose(there) == 0, "%s", marker);
    }
    while (!changed && now - begin < 60) {
        nanosleep(&pause, NULL);
        XTA_CHECK_PEXTA(PEXTA_Refresh(p_a, NULL, &changed), XTA_OK);
        now = MPI_Wtime();
        MPI_Bcast(&now, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    XTA_CHECK(changed == 1, "nobody grew %s", file);
    write_all(p_a, GA_REGULAR);
    XTA_CHECK_PEXTA(PEXTA_Close(p_a), XTA_OK);
}

int main(int argc, char **argv)
{
    ga_test_begin(&argc, &argv, -1);
    const char *phase = argc > 2 ? argv[1] : "", *file = argc > 2 ? argv[2] : "";

    if (strcmp(phase, "create") == 0) {
        create(file);
    } else if (strcmp(phase, "read") == 0) {
        read(file);
    } else if (strcmp(phase, "grow") == 0) {
        grow(file);
    } else if (strcmp(phase, "read_grown") == 0) {
        read_grown(file);
    } else if (strcmp(phase, "live") == 0 && argc > 3) {
        live(file, argv[3]);
    } else {
        XTA_CHECK(false, "no phase '%s'", phase);
    }
    return ga_test_end();
}
