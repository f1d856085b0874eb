/* The stock Disk Resident Arrays of Global Arrays. They do not grow, and no program without Global
 * Arrays can touch them: growth makes a larger array, copies the old one into it through a global
 * array, and writes the new cells. The numbers of files and of I/O processes are the library's
 * choice.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include <dra.h>

#include "store.h"

#define MOST_ARRAYS 8

static void checked(int64_t code, const char *call)
{
    if (code != 0) {
        bench_die("DRA failed in %s: %lld", call, (long long)code);
    }
}
#define DRA(call) checked((int64_t)(call), #call)

static char *path_of(const disk_array *a, char path[1100])
{
    char name[100];

    snprintf(name, sizeof name, "%s%d.dra", a->name, a->generation);
    snprintf(path, 1100, "%s", bench_path(name));
    return path;
}

static void dra_begin(double buffer_bytes)
{
    DRA(DRA_Init(MOST_ARRAYS, -1, -1, buffer_bytes > 0 ? buffer_bytes : -1));
}

static void dra_end(void)
{
    DRA(DRA_Terminate());
}

static void dra_create(disk_array *a)
{
    dra_size_t dims[STORE_AXES], typical[STORE_AXES];
    char path[1100], name[] = "cells";

    for (int axis = 0; axis < a->ndim; axis++) {
        dims[axis] = (dra_size_t)a->dims[axis];
        typical[axis] = (dra_size_t)a->typical[axis];
    }
    DRA(NDRA_Create(C_DBL, a->ndim, dims, name, path_of(a, path), DRA_RW, typical, &a->handle));
}

static void dra_open(disk_array *a)
{
    char path[1100];

    DRA(DRA_Open(path_of(a, path), DRA_RW, &a->handle));
}

static void dra_close(disk_array *a)
{
    DRA(DRA_Close(a->handle));
}

static void dra_remove(disk_array *a)
{
    DRA(DRA_Delete(a->handle));
}

static void move_section(disk_array *a, int g, const int64_t lo[], const int64_t hi[], bool writing)
{
    int first[STORE_AXES] = {0}, last[STORE_AXES], request = DRA_REQ_INVALID;
    dra_size_t disk_lo[STORE_AXES], disk_hi[STORE_AXES];

    for (int axis = 0; axis < a->ndim; axis++) {
        last[axis] = (int)(hi[axis] - lo[axis]) - 1;
        disk_lo[axis] = (dra_size_t)lo[axis];
        disk_hi[axis] = (dra_size_t)hi[axis] - 1;
    }
    if (writing) {
        DRA(NDRA_Write_section(0, g, first, last, a->handle, disk_lo, disk_hi, &request));
    } else {
        DRA(NDRA_Read_section(0, g, first, last, a->handle, disk_lo, disk_hi, &request));
    }
    DRA(DRA_Wait(request));
}

static void dra_write(disk_array *a, int g, const int64_t lo[], const int64_t hi[])
{
    move_section(a, g, lo, hi, true);
}

static void dra_read(disk_array *a, int g, const int64_t lo[], const int64_t hi[])
{
    move_section(a, g, lo, hi, false);
}

static void dra_begin_growth(disk_array *a)
{
    (void)a;
}

static void dra_end_growth(disk_array *a)
{
    static const int64_t zero[STORE_AXES] = {0};
    disk_array former = *a;
    int carrier = global_new(a->ndim, a->dims);

    for (int axis = 0; axis < a->ndim; axis++) {
        a->dims[axis] += a->by[axis];
    }
    a->generation++;
    dra_create(a);
    dra_read(&former, carrier, zero, former.dims);
    dra_write(a, carrier, zero, former.dims);
    GA_Destroy(carrier);
    store_write_new(a, former.dims);
    dra_remove(&former);
}

const store store_dra = {
    .name = "DRA",
    .begin = dra_begin,
    .end = dra_end,
    .create = dra_create,
    .open = dra_open,
    .close = dra_close,
    .remove = dra_remove,
    .write = dra_write,
    .read = dra_read,
    .begin_growth = dra_begin_growth,
    .end_growth = dra_end_growth,
};
