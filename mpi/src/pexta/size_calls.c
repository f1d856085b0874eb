/* The calls with the index types that [CXA] 8.4 prints, size_t for arrays and int for global
 * arrays: each converts its indices and is the call of the same name with 64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/pexta.h>

#include <stddef.h>

#include "pexta/session.h"

/* Indices of 2^63 and more become the negative numbers that they were. */
static const int64_t *from_sizes(int n, const size_t given[], int64_t out[])
{
    for (int axis = 0; axis < n && given != NULL; axis++) {
        out[axis] = (int64_t)given[axis];
    }
    return given != NULL ? out : NULL;
}

static const int64_t *from_ints(int n, const int given[], int64_t out[])
{
    for (int axis = 0; axis < n && given != NULL; axis++) {
        out[axis] = given[axis];
    }
    return given != NULL ? out : NULL;
}

static int axes_of(int p_a)
{
    const xta__disk *disk = xta__disk_of(p_a, NULL);

    return disk != NULL ? disk->ndim : 0;
}

int PEXTA_Create(int type, int ndim, size_t dims[], char *name, char *filename, int mode,
                 size_t reqdims[], int g_a, int *p_a)
{
    int64_t lengths[PEXTA_MAX_NDIM], request[PEXTA_MAX_NDIM];
    int n = ndim >= 1 && ndim <= PEXTA_MAX_NDIM ? ndim : 0;

    return PEXTA_Create64(type, ndim, from_sizes(n, dims, lengths), name, filename, mode,
                          from_sizes(n, reqdims, request), g_a, p_a);
}

int PEXTA_Inquire(int p_a, int *type, int *ndim, size_t dims[], char *name, char *filename)
{
    int64_t lengths[PEXTA_MAX_NDIM];
    int status = PEXTA_Inquire64(p_a, type, ndim, lengths, name, filename);

    for (int axis = 0; axis < axes_of(p_a) && status == XTA_OK && dims != NULL; axis++) {
        dims[axis] = (size_t)lengths[axis];
    }
    return status;
}

/* The sections of a call, converted. */
typedef struct sections {
    int64_t glo[PEXTA_MAX_NDIM], ghi[PEXTA_MAX_NDIM], plo[PEXTA_MAX_NDIM], phi[PEXTA_MAX_NDIM];
} sections;

int PEXTA_Write_section(int transp, int g_a, int glo[], int ghi[], int p_a, size_t plo[],
                        size_t phi[], int *request)
{
    sections s;
    int n = axes_of(p_a);
    const int64_t *g_lo = from_ints(n, glo, s.glo), *g_hi = from_ints(n, ghi, s.ghi);
    const int64_t *p_lo = from_sizes(n, plo, s.plo), *p_hi = from_sizes(n, phi, s.phi);

    return request != NULL ? PEXTA_IWrite_section(transp, g_a, g_lo, g_hi, p_a, p_lo, p_hi, request)
                           : PEXTA_Write_section64(transp, g_a, g_lo, g_hi, p_a, p_lo, p_hi);
}

int PEXTA_Read_section(int transp, int g_a, int glo[], int ghi[], int p_a, size_t plo[],
                       size_t phi[], int *request)
{
    sections s;
    int n = axes_of(p_a);
    const int64_t *g_lo = from_ints(n, glo, s.glo), *g_hi = from_ints(n, ghi, s.ghi);
    const int64_t *p_lo = from_sizes(n, plo, s.plo), *p_hi = from_sizes(n, phi, s.phi);

    return request != NULL ? PEXTA_IRead_section(transp, g_a, g_lo, g_hi, p_a, p_lo, p_hi, request)
                           : PEXTA_Read_section64(transp, g_a, g_lo, g_hi, p_a, p_lo, p_hi);
}
