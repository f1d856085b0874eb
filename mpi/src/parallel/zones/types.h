/* The types of cells as MPI has them, and comparing unsigned cells where MPI cannot.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_ZONES_TYPES_H
#define XTA_PARALLEL_ZONES_TYPES_H

#include <mpi.h>
#include <stdbool.h>

#include <xta/type.h>

/* The MPI type of the units that cells of a type consist of. */
MPI_Datatype xta__unit_of(xta_type type);

/* Whether MPI_MIN or MPI_MAX of this MPI is wrong for cells of an unsigned type. */
bool xta__unsigned_is_flawed(xta_type type, MPI_Datatype unit);

/* inout[k] = the lesser (or the greater) of both, for unsigned cells. */
void xta__combine_unsigned(xta_type type, bool lesser, const void *in, void *inout, size_t n);

#endif
