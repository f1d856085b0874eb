/* Element types of MPI and of XTA.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drxmp/type.h"

#include "util/try.h"

typedef enum number_kind { SIGNED, UNSIGNED, REAL, COMPLEX, TRUTH, BYTES } number_kind;

/* What a named type is; its size says the rest. */
static bool kind_of(DRXType type, number_kind *kind)
{
    const struct {
        number_kind kind;
        DRXType types[12]; // of this kind, then 0
    } named[] = {
        {SIGNED,
         {MPI_CHAR, MPI_SIGNED_CHAR, MPI_SHORT, MPI_INT, MPI_LONG, MPI_LONG_LONG, MPI_INT8_T,
          MPI_INT16_T, MPI_INT32_T, MPI_INT64_T, MPI_INTEGER}},
        {UNSIGNED,
         {MPI_UNSIGNED_CHAR, MPI_UNSIGNED_SHORT, MPI_UNSIGNED, MPI_UNSIGNED_LONG,
          MPI_UNSIGNED_LONG_LONG, MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T}},
        {REAL, {MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION}},
        {COMPLEX, {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX}},
        {TRUTH, {MPI_C_BOOL}},
        {BYTES, {MPI_BYTE}},
    };

    for (size_t k = 0; k < 12 * sizeof(named) / sizeof(named[0]); k++) {
        if (named[k / 12].types[k % 12] == type) {
            *kind = named[k / 12].kind;
            return true;
        }
    }
    return false;
}

static int combiner_of(DRXType type)
{
    int n_ints = 0, n_addresses = 0, n_types = 0, combiner = 0;

    MPI_Type_get_envelope(type, &n_ints, &n_addresses, &n_types, &combiner);
    return combiner;
}

/* Whether a type is some bytes in a row, MPI_Type_contiguous(n, MPI_BYTE). */
static bool is_bytes(DRXType type)
{
    int n = 0;
    MPI_Aint address = 0;
    DRXType inner = MPI_DATATYPE_NULL;

    if (combiner_of(type) != MPI_COMBINER_CONTIGUOUS) {
        return false;
    }
    MPI_Type_get_contents(type, 1, 0, 1, &n, &address, &inner);
    bool bytes = inner == MPI_BYTE;
    // What get_contents made is the caller's, unless it is one of MPI's own types.
    if (combiner_of(inner) != MPI_COMBINER_NAMED) {
        MPI_Type_free(&inner);
    }
    return bytes;
}

xta_type xta__drx_type(DRXType type, uint32_t *cell_bytes)
{
    // By kind, and by the size of a cell: 1, 2, 4, 8, 16 bytes.
    static const xta_type of[][5] = {
        [SIGNED] = {XTA_I8, XTA_I16, XTA_I32, XTA_I64, XTA_TYPE_SAME},
        [UNSIGNED] = {XTA_U8, XTA_U16, XTA_U32, XTA_U64, XTA_TYPE_SAME},
        [REAL] = {XTA_TYPE_SAME, XTA_TYPE_SAME, XTA_F32, XTA_F64, XTA_TYPE_SAME},
        [COMPLEX] = {XTA_TYPE_SAME, XTA_TYPE_SAME, XTA_TYPE_SAME, XTA_C64, XTA_C128},
        [TRUTH] = {XTA_BOOL, XTA_TYPE_SAME, XTA_TYPE_SAME, XTA_TYPE_SAME, XTA_TYPE_SAME},
    };
    number_kind kind = BYTES;
    int bytes = 0, log = 0;

    *cell_bytes = 0;
    if (type == MPI_DATATYPE_NULL || type == (DRXType)0 ||
        (!kind_of(type, &kind) && !is_bytes(type))) {
        return XTA_TYPE_SAME;
    }
    MPI_Type_size(type, &bytes);
    if (kind == BYTES) {
        *cell_bytes = (uint32_t)bytes;
        return XTA_BYTES;
    }
    while (log < 4 && 1 << log < bytes) {
        log++;
    }
    return 1 << log == bytes ? of[kind][log] : XTA_TYPE_SAME;
}

xta_status xta__drx_no_type(const char *call, xta_error *err)
{
    return xta__fail(err, XTA_ETYPE, 0,
                     "%s: XTA has no cells of this type; give a type of numbers that MPI names, or "
                     "MPI_BYTE, alone or contiguous",
                     call);
}

DRXType xta__drx_mpi_type(xta_type type, size_t cell_bytes)
{
    switch (type) {
    case XTA_BOOL:
        return MPI_C_BOOL;
    case XTA_I8:
        return MPI_INT8_T;
    case XTA_U8:
        return MPI_UINT8_T;
    case XTA_I16:
        return MPI_INT16_T;
    case XTA_U16:
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
    case XTA_BYTES:
        return cell_bytes == 1 ? MPI_BYTE : MPI_DATATYPE_NULL;
    default:
        return MPI_DATATYPE_NULL;
    }
}
