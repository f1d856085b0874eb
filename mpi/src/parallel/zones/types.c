/* The types of cells as MPI has them, and comparing unsigned integers, which some MPIs do wrong.
 *
 * Two implementations of 2022 treat unsigned integers as signed ones in MPI_MIN and MPI_MAX (MPICH
 * 4.0.2, issue 6083; Open MPI 4.1.4 for 64 bits where the processor has AVX-512, issue 10648).
 * If that is detected, the cells are fetched, compared here and put back while the zone is locked.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/zones/types.h"

#include <stdint.h>

MPI_Datatype xta__unit_of(xta_type type)
{
    switch (type) {
    case XTA_BOOL:
    case XTA_U8:
        return MPI_UINT8_T;
    case XTA_I8:
        return MPI_INT8_T;
    case XTA_I16:
        return MPI_INT16_T;
    case XTA_U16:
    case XTA_F16:
        return MPI_UINT16_T;
    case XTA_I32:
        return MPI_INT32_T;
    case XTA_U32:
        return MPI_UINT32_T;
    case XTA_I64:
        return MPI_INT64_T;
    case XTA_U64:
        return MPI_UINT64_T;
    case XTA_F32:
        return MPI_FLOAT;
    case XTA_F64:
        return MPI_DOUBLE;
    case XTA_C64:
        return MPI_C_FLOAT_COMPLEX;
    case XTA_C128:
        return MPI_C_DOUBLE_COMPLEX;
    default:
        return MPI_BYTE;
    }
}

#define COMBINE(type)                                                  \
    do {                                                               \
        const type *a = in;                                            \
        type *b = inout;                                               \
        for (size_t k = 0; k < n; k++) {                               \
            b[k] = (lesser ? a[k] < b[k] : a[k] > b[k]) ? a[k] : b[k]; \
        }                                                              \
    } while (0)

void xta__combine_unsigned(xta_type type, bool lesser, const void *in, void *inout, size_t n)
{
    if (type == XTA_U8) {
        COMBINE(uint8_t);
    } else if (type == XTA_U16) {
        COMBINE(uint16_t);
    } else if (type == XTA_U32) {
        COMBINE(uint32_t);
    } else {
        COMBINE(uint64_t);
    }
}

bool xta__unsigned_is_flawed(xta_type type, MPI_Datatype unit)
{
    enum { N = 200 }; /* enough for vectors of any processor, and a remainder */
    uint64_t in[N], theirs[N], ours[N];
    size_t bytes = xta_type_bytes(type);
    bool flawed = false;

    if (type != XTA_U8 && type != XTA_U16 && type != XTA_U32 && type != XTA_U64) {
        return false;
    }
    for (int lesser = 0; lesser < 2; lesser++) {
        for (int k = 0; k < N; k++) {
            in[k] = k % 2 == 0 ? 3 : UINT64_MAX - 2;
            theirs[k] = ours[k] = k % 3 == 0 ? 4 : UINT64_MAX - 1;
        }
        MPI_Reduce_local(in, theirs, (int)(N * sizeof in[0] / bytes), unit,
                         lesser ? MPI_MIN : MPI_MAX);
        xta__combine_unsigned(type, lesser, in, ours, N * sizeof in[0] / bytes);
        for (int k = 0; k < N; k++) {
            flawed = flawed || theirs[k] != ours[k];
        }
    }
    return flawed;
}
