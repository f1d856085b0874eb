/* The notice: what rank 0 broadcasts when its part of a collective call is done.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PARALLEL_AGREE_NOTICE_H
#define XTA_PARALLEL_AGREE_NOTICE_H

#include <mpi.h>

#include "private/array.h"

/* A payload of at most so many bytes is sent with the notice itself. */
#define XTA__NOTICE_BYTES 1008

/* The result of rank 0, which alone has worked since the ranks met: its `status` and text on all
 * ranks, or, with XTA_OK, its payload, which on the other ranks has a capacity of XTA__NOTICE_BYTES
 * bytes. Collective. XTA_ENOMEM (longer payloads only): of any rank, on all. */
xta_status xta__notify(MPI_Comm comm, int rank, xta_status status, xta__bytes *payload,
                       xta_error *err);

#endif
