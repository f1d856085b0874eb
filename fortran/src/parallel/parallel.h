/* What module xta_parallel calls; as glue/array.h. A communicator comes as Fortran's handle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORTRAN_PARALLEL_PARALLEL_H
#define XTA_FORTRAN_PARALLEL_PARALLEL_H

#include <xta/parallel.h>

#include "glue/memory.h"

xta_status xtaf_parallel_open(MPI_Fint comm, const char *path, int writable, xta_parallel **out,
                              xta_error *err);
xta_status xtaf_parallel_create(MPI_Fint comm, const char *path, int type, int ndim,
                                const int64_t shape[], const int64_t chunk[], const char *names,
                                const CFI_cdesc_t *fill, int cell_bytes, xta_parallel **out,
                                xta_error *err);
xta_status xtaf_parallel_change(xta_parallel *p, int number, int front, int64_t by, int shrink,
                                xta_error *err);
xta_status xtaf_parallel_refresh(xta_parallel *p, int *changed, xta_error *err);
/* Collective; a rank whose `values` have no elements takes part without cells. */
xta_status xtaf_parallel_read_all(xta_parallel *p, const int64_t lower[], const int64_t steps[],
                                  const CFI_cdesc_t *values, xta_error *err);
xta_status xtaf_parallel_write_all(xta_parallel *p, const int64_t lower[], const int64_t steps[],
                                   const CFI_cdesc_t *values, xta_error *err);

#endif
