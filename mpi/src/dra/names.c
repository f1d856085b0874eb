/* The names of Disk Resident Arrays for C. This file only translates arguments; calls.c has the
 * calls. It has all names that libga has: for a missing one the toolkit's own object would be
 * linked, and define every name twice.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/compat/dra.h>

#include <ga.h>
#include <string.h>

#include "dra/calls.h"

int DRA_Init(int max_arrays, double max_array_size, double total_disk_space, double max_memory)
{
    (void)max_array_size;
    (void)total_disk_space;
    (void)max_memory;
    xta__dra_init(max_arrays);
    return 0;
}

int DRA_Terminate(void)
{
    xta__dra_terminate();
    return 0;
}

/* As many values as there can be axes; more are not read. */
static void copy_sizes(int64_t to[], const dra_size_t from[], int ndim)
{
    for (int axis = 0; axis < ndim && axis < PEXTA_MAX_NDIM; axis++) {
        to[axis] = from[axis];
    }
}

static void copy_ints(int64_t to[], const int from[], int ndim)
{
    for (int axis = 0; axis < ndim && axis < PEXTA_MAX_NDIM; axis++) {
        to[axis] = from[axis];
    }
}

int NDRA_Create_config(int type, int ndim, dra_size_t dims[], char *name, char *filename, int mode,
                       dra_size_t reqdims[], int numfiles, int ioprocs, int *d_a)
{
    xta__dra_array array = {.type = type, .ndim = ndim};
    int64_t typical[PEXTA_MAX_NDIM] = {0};

    (void)numfiles;
    copy_sizes(array.dims, dims, ndim);
    copy_sizes(typical, reqdims, ndim);
    *d_a = xta__dra_create(&array, name, filename, mode, typical, ioprocs);
    return 0;
}

int NDRA_Create(int type, int ndim, dra_size_t dims[], char *name, char *filename, int mode,
                dra_size_t reqdims[], int *d_a)
{
    return NDRA_Create_config(type, ndim, dims, name, filename, mode, reqdims, -1, -1, d_a);
}

int DRA_Open(char *filename, int mode, int *d_a)
{
    return xta__dra_open(filename, mode, d_a);
}

int DRA_Close(int d_a)
{
    xta__dra_close(d_a);
    return 0;
}

int DRA_Delete(int d_a)
{
    xta__dra_delete(d_a);
    return 0;
}

int NDRA_Inquire(int d_a, int *type, int *ndim, dra_size_t dims[], char *name, char *filename)
{
    xta__dra_array array;

    xta__dra_inquire(d_a, &array);
    *type = array.type;
    *ndim = array.ndim;
    for (int axis = 0; axis < array.ndim; axis++) {
        dims[axis] = (dra_size_t)array.dims[axis];
    }
    strcpy(name, array.name);
    strcpy(filename, array.filename);
    return 0;
}

int NDRA_Write(int g_a, int d_a, int *request)
{
    *request = xta__dra_whole(true, g_a, d_a);
    return 0;
}

int NDRA_Read(int g_a, int d_a, int *request)
{
    *request = xta__dra_whole(false, g_a, d_a);
    return 0;
}

static int move(bool write, logical transp, int g_a, const int glo[], const int ghi[], int d_a,
                const dra_size_t dlo[], const dra_size_t dhi[])
{
    xta__dra_section s = {.g_a = g_a, .d_a = d_a, .write = write, .transposed = transp != 0};
    int ndim = GA_Ndim(g_a);

    copy_ints(s.glo, glo, ndim);
    copy_ints(s.ghi, ghi, ndim);
    copy_sizes(s.dlo, dlo, ndim);
    copy_sizes(s.dhi, dhi, ndim);
    return xta__dra_move(&s);
}

int NDRA_Write_section(logical transp, int g_a, int glo[], int ghi[], int d_a, dra_size_t dlo[],
                       dra_size_t dhi[], int *request)
{
    *request = move(true, transp, g_a, glo, ghi, d_a, dlo, dhi);
    return 0;
}

int NDRA_Read_section(logical transp, int g_a, int glo[], int ghi[], int d_a, dra_size_t dlo[],
                      dra_size_t dhi[], int *request)
{
    *request = move(false, transp, g_a, glo, ghi, d_a, dlo, dhi);
    return 0;
}

int DRA_Wait(int request)
{
    xta__dra_wait(request);
    return 0;
}

int DRA_Probe(int request, int *compl_status)
{
    return xta__dra_probe(request, compl_status);
}

void DRA_Flick(void)
{
    xta__dra_flick();
}

void DRA_Set_debug(logical flag)
{
    xta__dra_debug(flag != 0);
}

void DRA_Print_internals(int d_a)
{
    xta__dra_print(d_a);
}

void DRA_Set_default_config(int numfiles, int numioprocs)
{
    (void)numfiles;
    xta__dra_default_io_ranks(numioprocs);
}

int DRA_uses_fapi(void)
{
    return 0;
}
