/* One status for all ranks, and one call.
 *
 * Every collective call has three parts: meet (agree on the call, its arguments and everybody's
 * first checks), the work, and agree (one status for all). Nobody leaves in between.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_AGREE_AGREE_H
#define XTA_PARALLEL_AGREE_AGREE_H

#include <stdbool.h>
#include <stdint.h>

#include <xta/parallel.h>

/* Which call a rank is in. */
typedef enum xta__call {
    XTA__CALL_CREATE,
    XTA__CALL_OPEN,
    XTA__CALL_SYNC,
    XTA__CALL_CLOSE,
    XTA__CALL_EXTEND,
    XTA__CALL_SHRINK,
    XTA__CALL_ADD_AXIS,
    XTA__CALL_REFRESH,
    XTA__CALL_READ_ALL,
    XTA__CALL_WRITE_ALL,
    XTA__CALL_READ_ALL_BEGIN,
    XTA__CALL_WRITE_ALL_BEGIN,
    XTA__CALL_ALL_END,
    XTA__N_CALLS
} xta__call;

/* Its name in messages, "xta_parallel_open" and so on. */
const char *xta__call_name(xta__call call);

/* An argument that must be the same on all ranks. The arguments of one call are told apart by their
 * position. */
typedef struct xta__argument {
    const char *name;
    int64_t value;
} xta__argument;

enum { XTA__MOST_ARGUMENTS = 3 * 2 * XTA_MAX_NDIM + 8 };

/* What a rank brings to a collective call. */
typedef struct xta__meeting {
    xta__call call;
    xta_status mine; /* this rank's own checks */
    int n;
    xta__argument arguments[XTA__MOST_ARGUMENTS];
} xta__meeting;

void xta__argue(xta__meeting *meeting, const char *name, int64_t value);

/* Hints: all keys with their values, in any order. */
void xta__argue_info(xta__meeting *meeting, MPI_Info info);

/* Called first in a collective call without a handle: returns the same status on all ranks. `err`
 * holds this rank's text if `mine` is a failure. Calls with a handle use xta__meet
 * (handle/handle.h). */
xta_status xta__meet_on(MPI_Comm comm, const xta__meeting *meeting, xta_error *err);

/* Turn MPI's description of a failed call into an error. */
xta_status xta__mpi_failed(xta_error *err, const char *path, const char *what, int code);

/* Whether all ranks run on one machine. Collective. */
bool xta__on_one_machine(MPI_Comm comm);

#endif
