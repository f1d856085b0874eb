/* What module xta calls for data sets; as glue/array.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORTRAN_GLUE_DATASET_H
#define XTA_FORTRAN_GLUE_DATASET_H

#include <xta/dataset.h>

#include "glue/memory.h"

/* All members are opened, at one step. XTA_EBUSY: others have changed the set each time that it was
 * read. */
xta_status xtaf_dataset_open(const char *path, int writable, xta_dataset **out, xta_error *err);
/* Cells [lower, lower + length); with `regular`, coordinates from `origin`, at cell 0, by
 * `step`. */
xta_status xtaf_dataset_set_dimension(xta_dataset *set, const char *name, int64_t lower,
                                      int64_t length, int unlimited, int regular, double origin,
                                      double step, xta_error *err);
xta_status xtaf_dataset_dimension(xta_dataset *set, const char *name, int64_t *lower,
                                  int64_t *upper, xta_error *err);
/* `dimensions`: one on each line, in Fortran's order. */
xta_status xtaf_dataset_add_member(xta_dataset *set, const char *name, int type, int ndim,
                                   const char *dimensions, const int64_t chunk[],
                                   const CFI_cdesc_t *fill, int cell_bytes, xta_error *err);
xta_status xtaf_dataset_extend(xta_dataset *set, const char *dimension, int front, int64_t by,
                               xta_error *err);
xta_status xtaf_dataset_refresh(xta_dataset *set, int *changed, xta_error *err);

/* A slab to append: the elements of several members. */
typedef struct xtaf_slab xtaf_slab;
xtaf_slab *xtaf_slab_new(void);
void xtaf_slab_free(xtaf_slab *slab);
/* The elements stay where they are, and are read by xtaf_dataset_append. */
xta_status xtaf_slab_add(xtaf_slab *slab, const char *member, const CFI_cdesc_t *values,
                         xta_error *err);
/* `coordinates`: `n` of them; NULL: regular ones go on, or there are none. */
xta_status xtaf_dataset_append(xta_dataset *set, const char *dimension, int front,
                               const xtaf_slab *slab, const double coordinates[], int64_t n,
                               int64_t *first, xta_error *err);

#endif
