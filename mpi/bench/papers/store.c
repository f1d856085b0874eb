/* What the libraries and the programs share; see store.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store.h"

#include <inttypes.h>
#include <string.h>

#include <macdecls.h>
#include <mpi.h>

const store *const stores[STORES] = {&store_pexta, &store_dra, &store_hdf5, &store_hdf5_copied};

static char outsider[1024];

void store_create(const store *s, disk_array *a)
{
    a->store = s;
    a->generation = 0;
    a->outsider = NULL;
    s->create(a);
}

void store_begin_growth(disk_array *a, const int64_t by[])
{
    memcpy(a->by, by, (size_t)a->ndim * sizeof by[0]);
    a->store->begin_growth(a);
}

void store_write_all(disk_array *a, int g)
{
    a->store->write(a, g, (int64_t[STORE_AXES]){0}, a->dims);
}

void store_read_all(disk_array *a, int g)
{
    a->store->read(a, g, (int64_t[STORE_AXES]){0}, a->dims);
}

/* The new cells are a slab for each axis: before the old bounds on earlier axes, all cells on
 * later ones. */
void store_write_new(disk_array *a, const int64_t old[])
{
    for (int axis = 0; axis < a->ndim; axis++) {
        int64_t lo[STORE_AXES] = {0}, hi[STORE_AXES], lengths[STORE_AXES];
        if (a->dims[axis] == old[axis]) {
            continue;
        }
        for (int k = 0; k < a->ndim; k++) {
            hi[k] = k < axis ? old[k] : a->dims[k];
            lo[k] = k == axis ? old[k] : 0;
            lengths[k] = hi[k] - lo[k];
        }
        int g = global_new(a->ndim, lengths);
        if (a->valued) {
            global_fill(g, lo);
        } else {
            GA_Zero(g);
        }
        a->store->write(a, g, lo, hi);
        GA_Destroy(g);
    }
}

void store_set_outsider(const char *own_path)
{
    const char *slash = strrchr(own_path, '/');

    snprintf(outsider, sizeof outsider, "%.*s/extend_outside",
             slash == NULL ? 1 : (int)(slash - own_path), slash == NULL ? "." : own_path);
}

void store_begin_outsider(disk_array *a, const char *format, const char *path)
{
    char command[4096];
    int n;

    if (GA_Nodeid() != 0) {
        return;
    }
    n = snprintf(command, sizeof command, "'%s' %s '%s' %s", outsider, format, path,
                 a->valued ? "values" : "zeros");
    for (int axis = 0; axis < a->ndim; axis++) {
        n += snprintf(command + n, sizeof command - (size_t)n, " %" PRId64, a->by[axis]);
    }
    a->outsider = popen(command, "r"); // NOLINT(cert-env33-c): a command of our own
    if (a->outsider == NULL) {
        bench_die("cannot run %s", command);
    }
}

void store_end_outsider(disk_array *a)
{
    if (GA_Nodeid() == 0 && pclose(a->outsider) != 0) {
        bench_die("%s has failed", outsider);
    }
    a->outsider = NULL;
    GA_Sync();
}

int global_new(int ndim, const int64_t dims[])
{
    int64_t lengths[STORE_AXES], least[STORE_AXES];

    for (int axis = 0; axis < ndim; axis++) {
        lengths[axis] = dims[axis];
        least[axis] = dims[axis] < 16 ? dims[axis] : -1; // the components of a cell stay together
    }
    int g = NGA_Create64(C_DBL, ndim, lengths, (char *)(uintptr_t) "cells", least);
    if (g == 0) {
        bench_die("cannot create a global array");
    }
    return g;
}

double *global_access(int g, int64_t lo[], int64_t hi[])
{
    int64_t strides[STORE_AXES];
    double *cells = NULL;
    int ndim = GA_Ndim(g);

    NGA_Distribution64(g, GA_Nodeid(), lo, hi);
    if (lo[0] < 0 || hi[0] < lo[0]) {
        memset(lo, 0, (size_t)ndim * sizeof lo[0]);
        memset(hi, 0, (size_t)ndim * sizeof hi[0]);
        return NULL;
    }
    NGA_Access64(g, lo, hi, &cells, strides);
    for (int axis = 0; axis < ndim; axis++) {
        hi[axis]++;
    }
    return cells;
}

void global_release(int g)
{
    int64_t lo[STORE_AXES], hi[STORE_AXES];

    NGA_Distribution64(g, GA_Nodeid(), lo, hi);
    if (lo[0] >= 0 && hi[0] >= lo[0]) {
        NGA_Release_update64(g, lo, hi);
    }
    GA_Sync();
}

/* This process' cells of the global array, as a box of the array in which they begin at `first`. */
static double *access_box(int g, const int64_t first[], xta_box *box)
{
    int64_t lo[STORE_AXES], hi[STORE_AXES];
    double *cells = global_access(g, lo, hi);

    for (int axis = 0; axis < GA_Ndim(g); axis++) {
        lo[axis] += first[axis];
        hi[axis] += first[axis];
    }
    *box = xta_box_make(GA_Ndim(g), lo, hi);
    return cells;
}

void global_fill(int g, const int64_t lo[])
{
    xta_box box;
    double *cells = access_box(g, lo, &box);

    if (cells != NULL) {
        bench_fill(&box, cells);
    }
    global_release(g);
}

void global_verify(int g, const int64_t lo[], const char *who)
{
    xta_box box;
    const double *cells = access_box(g, lo, &box);

    if (cells != NULL) {
        bench_verify(&box, cells, who);
    }
    global_release(g);
}

void ranks_begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    GA_Initialize();
    MA_init(C_DBL, 1000000, 1000000);
    store_set_outsider((*argv)[0]);
}

void ranks_end(void)
{
    GA_Terminate();
    MPI_Finalize();
}

double ranks_now(void)
{
    GA_Sync();
    return bench_now();
}

void ranks_settle(void)
{
    GA_Sync();
    if (GA_Nodeid() == 0) {
        bench_settle();
    }
    GA_Sync();
}

double ranks_seconds(double begin)
{
    double seconds;

    GA_Sync();
    seconds = bench_now() - begin;
    GA_Dgop(&seconds, 1, (char *)(uintptr_t) "max");
    return seconds;
}

void ranks_print(const char *name, const char *series, double value, const char *unit)
{
    if (GA_Nodeid() == 0) {
        printf("%s,%s,%.9g,%s\n", name, series, value, unit);
    }
}
