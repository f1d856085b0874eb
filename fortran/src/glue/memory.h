/* Fortran arrays of any type and rank, by the descriptors that a compiler passes, as memory for the
 * calls of the library.
 *
 * Axes are counted in the opposite order: the first index of a Fortran array, which runs fastest,
 * is the last axis. Lists of one item for each axis come in the order of Fortran.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORTRAN_GLUE_MEMORY_H
#define XTA_FORTRAN_GLUE_MEMORY_H

#include <ISO_Fortran_binding.h>

#include <xta/array.h>

/* A transfer between an array and the memory of a Fortran array. `options` points into it, so it is
 * not copied. */
typedef struct fortran_transfer {
    void *memory;
    xta_box box;
    xta_io_options options;
    int64_t strides[XTA_MAX_NDIM];
    int64_t steps[XTA_MAX_NDIM];
} fortran_transfer;

/* Copy a list of `n` items in the opposite order. */
void xta__fortran_reverse(int n, const int64_t from[], int64_t to[]);

/* The axis of the library for a number of Fortran's, from 1; -1 for 0, which is the array itself,
 * if `least` is 0 and not 1. XTA_EARG: there is no such axis. */
xta_status xta__fortran_axis(const xta_array *array, int number, int least, int *axis,
                             xta_error *err);

/* The type of the elements. XTA_ETYPE: cells have none like it. */
xta_status xta__fortran_type(const CFI_cdesc_t *values, size_t *bytes, xta_type *type,
                             xta_error *err);

/* Describe a transfer of the elements of `values`, which has at most as many indices as the array
 * axes (the last ones, the slowest, are then single cells), to or from the box that begins at
 * `lower`; NULL: at the first cell. `steps`: between cells; NULL: 1. */
xta_status xta__fortran_transfer(const xta_array *array, const CFI_cdesc_t *values,
                                 const int64_t lower[], const int64_t steps[],
                                 fortran_transfer *out, xta_error *err);

#endif
