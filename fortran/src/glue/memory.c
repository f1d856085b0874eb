/* Fortran arrays of any type and rank as memory for the calls of the library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "glue/memory.h"

#include <stdbool.h>
#include <string.h>

void xta__fortran_reverse(int n, const int64_t from[], int64_t to[])
{
    for (int k = 0; k < n; k++) {
        to[n - 1 - k] = from[k];
    }
}

xta_status xta__fortran_axis(const xta_array *array, int number, int least, int *axis,
                             xta_error *err)
{
    int ndim = xta_array_ndim(array);

    if (number < least || number > ndim) {
        return xta_error_set(err, XTA_EARG, 0, "%s: axis %d; it has axes 1 to %d",
                             xta_array_path(array), number, ndim);
    }
    *axis = number == 0 ? -1 : ndim - number;
    return XTA_OK;
}

xta_status xta__fortran_type(const CFI_cdesc_t *values, size_t *bytes, xta_type *type,
                             xta_error *err)
{
    static const struct {
        CFI_type_t theirs;
        xta_type ours;
    } types[] = {
        {CFI_type_int8_t, XTA_I8},         {CFI_type_int16_t, XTA_I16},
        {CFI_type_int32_t, XTA_I32},       {CFI_type_int64_t, XTA_I64},
        {CFI_type_float, XTA_F32},         {CFI_type_double, XTA_F64},
        {CFI_type_float_Complex, XTA_C64}, {CFI_type_double_Complex, XTA_C128},
        {CFI_type_Bool, XTA_BOOL},         {CFI_type_char, XTA_BYTES},
    };

    *bytes = values->elem_len;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        bool fits = types[k].ours == XTA_BYTES || values->elem_len == xta_type_bytes(types[k].ours);
        if (types[k].theirs == values->type && fits) {
            *type = types[k].ours;
            return XTA_OK;
        }
    }
    return xta_error_set(err, XTA_ETYPE, 0,
                         "elements of %zu bytes of a type that no cells have; use integers of 8 to "
                         "64 bits, real32, real64, complex of these, logical(c_bool) or characters",
                         values->elem_len);
}

static xta_status check_rank(const xta_array *array, const CFI_cdesc_t *values, xta_error *err)
{
    return values->rank <= xta_array_ndim(array)
               ? XTA_OK
               : xta_error_set(err, XTA_EARG, 0,
                               "%s: the array has %d axes, the Fortran array %d indices; give one "
                               "of at most as many",
                               xta_array_path(array), xta_array_ndim(array), (int)values->rank);
}

/* The last index of an assumed-size array, `values(*)`, has no length. */
static xta_status check_size(const CFI_cdesc_t *values, xta_error *err)
{
    return values->rank == 0 || values->dim[values->rank - 1].extent >= 0
               ? XTA_OK
               : xta_error_set(err, XTA_EARG, 0,
                               "an assumed-size array has no last length; pass a section with both "
                               "bounds, as values(1:n)");
}

/* The end of `n` cells from one on. False: beyond the numbers of cells. */
static bool end_of(int64_t lo, int64_t n, int64_t step, int64_t *hi)
{
    int64_t reach = 0;

    *hi = lo;
    return n <= 0 || (!__builtin_mul_overflow(n - 1, step, &reach) &&
                      !__builtin_add_overflow(reach, (int64_t)1, &reach) &&
                      !__builtin_add_overflow(lo, reach, hi));
}

/* Characters are cells of as many bytes. */
static xta_status check_characters(const xta_array *array, const CFI_cdesc_t *values, xta_type type,
                                   xta_error *err)
{
    bool wrong = type == XTA_BYTES && xta_array_type(array) == XTA_BYTES &&
                 xta_array_cell_bytes(array) != values->elem_len;

    return !wrong ? XTA_OK
                  : xta_error_set(err, XTA_ETYPE, 0,
                                  "%s: cells of %zu bytes, characters of length %zu; the lengths "
                                  "must be the same",
                                  xta_array_path(array), xta_array_cell_bytes(array),
                                  values->elem_len);
}

xta_status xta__fortran_transfer(const xta_array *array, const CFI_cdesc_t *values,
                                 const int64_t lower[], const int64_t steps[],
                                 fortran_transfer *out, xta_error *err)
{
    const int ndim = xta_array_ndim(array);
    const xta_box bounds = xta_array_bounds(array);
    size_t bytes = 0;
    xta_type type = XTA_TYPE_SAME;
    int64_t dense = (int64_t)values->elem_len;
    bool contiguous = true;
    xta_status status = xta__fortran_type(values, &bytes, &type, err);

    *out = (fortran_transfer){.memory = values->base_addr, .box = {.ndim = ndim}};
    status = status == XTA_OK ? check_rank(array, values, err) : status;
    status = status == XTA_OK ? check_size(values, err) : status;
    status = status == XTA_OK ? check_characters(array, values, type, err) : status;
    for (int k = 0; k < ndim && status == XTA_OK; k++) {
        const int axis = ndim - 1 - k;
        const bool has = k < values->rank;
        const int64_t n = has ? values->dim[k].extent : 1;
        const int64_t step = steps != NULL ? steps[k] : 1;
        out->steps[axis] = step;
        out->strides[axis] = has ? values->dim[k].sm : dense;
        out->box.lo[axis] = lower != NULL ? lower[k] : bounds.lo[axis];
        if (!end_of(out->box.lo[axis], n, step, &out->box.hi[axis])) {
            status = xta_error_set(err, XTA_EBOX, 0,
                                   "%s: axis %d: %lld cells from %lld on, with a step of %lld, end "
                                   "beyond all cells",
                                   xta_array_path(array), k + 1, (long long)n,
                                   (long long)out->box.lo[axis], (long long)step);
        }
        contiguous = contiguous && (n <= 1 || out->strides[axis] == dense);
        dense *= n;
    }
    out->options = (xta_io_options)XTA_IO_OPTIONS_INIT;
    out->options.type = type == XTA_BYTES ? XTA_TYPE_SAME : type;
    if (type == XTA_BYTES && xta_array_type(array) != XTA_BYTES && status == XTA_OK) {
        status = xta_error_set(err, XTA_ETYPE, 0, "%s: its cells are numbers, not characters",
                               xta_array_path(array));
    }
    out->options.strides = contiguous ? NULL : out->strides;
    out->options.step = steps != NULL ? out->steps : NULL;
    return status;
}
