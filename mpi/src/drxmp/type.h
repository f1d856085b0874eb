/* Element types of MPI and of XTA.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DRXMP_TYPE_H
#define XTA_DRXMP_TYPE_H

#include <stdint.h>

#include <xta/array.h>
#include <xta/drxmp.h>

/* The counterpart of an MPI type; XTA_TYPE_SAME if it has none. `cell_bytes` is for XTA_BYTES. */
xta_type xta__drx_type(DRXType type, uint32_t *cell_bytes);

/* XTA_ETYPE, for a type without one. */
xta_status xta__drx_no_type(const char *call, xta_error *err);

/* The inverse; MPI_DATATYPE_NULL if MPI has none. */
DRXType xta__drx_mpi_type(xta_type type, size_t cell_bytes);

#endif
