/* What module xta calls for arrays. Numbers of axes are from 1 in Fortran's order, 0 for the array;
 * lists are in that order, too. NULL stands for an argument that is absent. Each function that can
 * fail returns a status and fills in the error; the contracts are those of <xta/array.h>.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORTRAN_GLUE_ARRAY_H
#define XTA_FORTRAN_GLUE_ARRAY_H

#include "glue/memory.h"

/* `step` < 0: the latest one. */
xta_status xtaf_array_open(const char *path, int writable, int64_t step, xta_array **out,
                           xta_error *err);
/* `names`: one on each line, in Fortran's order. `fill`: one element. */
xta_status xtaf_array_create(const char *path, int type, int ndim, const int64_t shape[],
                             const int64_t chunk[], const char *names, const CFI_cdesc_t *fill,
                             int cell_bytes, xta_array **out, xta_error *err);
/* First and last cell of each axis; `ndim` is that of the array. */
void xtaf_array_bounds(const xta_array *array, int64_t lower[], int64_t upper[]);
xta_status xtaf_array_change(xta_array *array, int number, int front, int64_t by, int shrink,
                             xta_error *err);
/* Append the elements of `values`, which has all indices, along an axis. `first`: the first of the
 * new cells. */
xta_status xtaf_array_append(xta_array *array, int number, int front, const CFI_cdesc_t *values,
                             int64_t *first, xta_error *err);
xta_status xtaf_array_read(xta_array *array, const int64_t lower[], const int64_t steps[],
                           const CFI_cdesc_t *values, xta_error *err);
xta_status xtaf_array_write(xta_array *array, const int64_t lower[], const int64_t steps[],
                            const CFI_cdesc_t *values, xta_error *err);
xta_status xtaf_array_refresh(xta_array *array, int *changed, xta_error *err);
/* The box that labels select: its first cell and lengths. XTA_EUNSUPPORTED: it is no box. */
xta_status xtaf_array_select(xta_array *array, const char *text, int64_t lower[], int64_t shape[],
                             xta_error *err);
/* The number of the axis with a name. */
xta_status xtaf_axis_find(xta_array *array, const char *name, int *number, xta_error *err);

#endif
