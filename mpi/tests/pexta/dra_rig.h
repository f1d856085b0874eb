/* Shared by the tests of the names of Disk Resident Arrays: start and end, and global arrays filled
 * with, and compared to, a value for each cell.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_PEXTA_DRA_RIG_H
#define XTA_TESTS_PEXTA_DRA_RIG_H

#include <inttypes.h>
#include <string.h>

#include <ga-mpi.h>
#include <ga.h>
#include <macdecls.h>

#include <xta/compat/dra.h>

#include "parallel/mpi_test.h"

static inline void rig_begin(int *argc, char ***argv)
{
    xta_test_begin(argc, argv);
    GA_Initialize();
    XTA_CHECK(DRA_Init(-1, -1, -1, -1) == 0, "DRA_Init");
}

static inline int rig_end(void)
{
    XTA_CHECK(DRA_Terminate() == 0, "DRA_Terminate");
    int code = xta_test_verdict();
    GA_Terminate();
    MPI_Finalize();
    return code;
}

/* A path in the folder of this run, not const, as the calls require. */
static inline char *rig_path(const char *name)
{
    return (char *)xta_test_path(name);
}

static inline size_t rig_bytes(int type)
{
    switch (type) {
    case C_CHAR:
        return 1;
    case C_INT:
    case C_FLOAT:
        return 4;
    case C_DCPL:
        return 16;
    default:
        return 8;
    }
}

/* A number as a cell: complex cells have it twice, with opposite signs. */
static inline void rig_cell(int type, int64_t value, void *cell)
{
    float f[2] = {(float)value, (float)-value};
    double d[2] = {(double)value, (double)-value};
    int i = (int)value;
    long l = (long)value;
    long long ll = value;
    char c = (char)(value % 100);
    const void *from = type == C_CHAR                      ? (const void *)&c
                       : type == C_INT                     ? (const void *)&i
                       : type == C_LONG                    ? (const void *)&l
                       : type == C_LONGLONG                ? (const void *)&ll
                       : type == C_FLOAT || type == C_SCPL ? (const void *)f
                                                           : (const void *)d;
    memcpy(cell, from, rig_bytes(type));
}

/* The value of a cell by its coordinates; `user` belongs to the test. */
typedef int64_t (*rig_value)(const int64_t at[], int ndim, const void *user);

/* The row-major number of a cell in an array of these lengths. */
static inline int64_t rig_number(const int64_t at[], int ndim, const void *dims)
{
    const int64_t *n = dims;
    int64_t number = 0;
    for (int axis = 0; axis < ndim; axis++) {
        number = number * n[axis] + at[axis];
    }
    return number;
}

static inline int64_t rig_zero(const int64_t at[], int ndim, const void *user)
{
    (void)at;
    (void)ndim;
    (void)user;
    return 0;
}

static inline int rig_ga(int type, int ndim, const int64_t dims[])
{
    int lengths[GA_MAX_DIM];
    for (int axis = 0; axis < ndim; axis++) {
        lengths[axis] = (int)dims[axis];
    }
    return NGA_Create(type, ndim, lengths, (char *)"rig", NULL);
}

/* The cells of a row: axis 0 at `row`, every other axis whole. */
static inline void rig_row(int type, int ndim, const int64_t dims[], int64_t row, rig_value value,
                           const void *user, unsigned char *cells, int64_t n_cells)
{
    int64_t at[GA_MAX_DIM];
    for (int64_t k = 0; k < n_cells; k++) {
        int64_t rest = k;
        for (int axis = ndim - 1; axis > 0; axis--) {
            at[axis] = rest % dims[axis];
            rest /= dims[axis];
        }
        at[0] = row;
        rig_cell(type, value(at, ndim, user), cells + (size_t)k * rig_bytes(type));
    }
}

/* For each row of this rank's share: put the values, or get and compare. */
static inline void rig_rows(int g_a, bool compare, rig_value value, const void *user,
                            const char *what)
{
    int type = 0;
    int ndim = 0;
    int64_t dims[GA_MAX_DIM];
    int64_t lo[GA_MAX_DIM] = {0};
    int64_t hi[GA_MAX_DIM];
    int64_t ld[GA_MAX_DIM];
    int64_t n_cells = 1;
    bool same = true;

    NGA_Inquire64(g_a, &type, &ndim, dims);
    for (int axis = 1; axis < ndim; axis++) {
        n_cells *= dims[axis];
        hi[axis] = dims[axis] - 1;
        ld[axis - 1] = dims[axis];
    }
    size_t n_bytes = (size_t)n_cells * rig_bytes(type);
    unsigned char *want = malloc(n_bytes);
    unsigned char *got = malloc(n_bytes);
    GA_Sync();
    for (int64_t row = GA_Nodeid(); row < dims[0]; row += GA_Nnodes()) {
        lo[0] = hi[0] = row;
        rig_row(type, ndim, dims, row, value, user, want, n_cells);
        if (compare) {
            NGA_Get64(g_a, lo, hi, got, ld);
            same = same && memcmp(got, want, n_bytes) == 0;
        } else {
            NGA_Put64(g_a, lo, hi, want, ld);
        }
    }
    XTA_CHECK(same, "%s: cells of type %d", what, type);
    free(want);
    free(got);
    GA_Sync();
}

static inline void rig_fill(int g_a, rig_value value, const void *user)
{
    rig_rows(g_a, false, value, user, "fill");
}

static inline void rig_compare(int g_a, rig_value value, const void *user, const char *what)
{
    rig_rows(g_a, true, value, user, what);
}

/* Create a DRA with typical requests of no particular shape. */
static inline int rig_create(int type, int ndim, const int64_t dims[], const char *file)
{
    dra_size_t lengths[GA_MAX_DIM];
    dra_size_t typical[GA_MAX_DIM];
    int d_a = 0;
    for (int axis = 0; axis < ndim && axis < GA_MAX_DIM; axis++) {
        lengths[axis] = dims[axis];
        typical[axis] = -1;
    }
    XTA_CHECK(NDRA_Create(type, ndim, lengths, (char *)"rig's array", rig_path(file), DRA_RW,
                          typical, &d_a) == 0,
              "create %s", file);
    return d_a;
}

static inline int rig_open(const char *file, int mode)
{
    int d_a = 0;
    XTA_CHECK(DRA_Open(rig_path(file), mode, &d_a) == 0, "open %s", file);
    return d_a;
}

static inline void rig_write(int g_a, int d_a)
{
    int request = 0;
    XTA_CHECK(NDRA_Write(g_a, d_a, &request) == 0 && DRA_Wait(request) == 0, "write");
}

static inline void rig_read(int g_a, int d_a)
{
    int request = 0;
    XTA_CHECK(NDRA_Read(g_a, d_a, &request) == 0 && DRA_Wait(request) == 0, "read");
}

/* Whether a file exists. The same on all ranks. */
static inline bool rig_there_is(const char *name, const char *suffix)
{
    char path[2048];
    snprintf(path, sizeof path, "%s%s", xta_test_path(name), suffix);
    GA_Sync();
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    GA_Sync();
    return file != NULL;
}

#endif
