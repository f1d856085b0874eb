/* The notice: what rank 0 broadcasts when its part of a collective call is done.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_AGREE_NOTICE_H
#define XTA_PARALLEL_AGREE_NOTICE_H

#include <mpi.h>

#include "private/array.h"

/* A payload of at most so many bytes is sent with the notice itself. */
#define XTA__NOTICE_BYTES 1008

/* Give all ranks the result of rank 0, which alone has worked since the ranks met: its `status` and
 * text or, with XTA_OK, its payload. On the other ranks `payload` has a capacity of
 * XTA__NOTICE_BYTES bytes. Collective. XTA_ENOMEM on all ranks if any of them has no memory for a
 * longer payload. */
xta_status xta__notify(MPI_Comm comm, int rank, xta_status status, xta__bytes *payload,
                       xta_error *err);

#endif
