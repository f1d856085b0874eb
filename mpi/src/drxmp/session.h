/* What the calls of <xta/drxmp.h> and <xta/drxmpx.h> share: what is open, and where ranks meet.
 *
 * A handle is a number in the place of a pointer and never points at anything. What is open stands
 * in a list, so a handle that is not open is distinguished from one that is, and a number is never
 * given twice, so a copy of a closed handle is never another array's. Arrays and memory handles
 * have other numbers that are the same on all ranks. A collective call begins by comparing these: a
 * rank without a good handle brings 0, so the ranks differ, or all of them know.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DRXMP_SESSION_H
#define XTA_DRXMP_SESSION_H

#include <xta/drxmpx.h>

#include "parallel/handle/handle.h"

struct drxmp_memory {
    DRXMDMemHdl handle;
    int64_t number; /* among those of its array */
    struct drxmp_array *array;
    xta_zone_memory *zones;
    xta_box bounds;  /* that the zones were made for */
    xta_order order; /* of the dense array that holds a zone */
    struct drxmp_memory *next;
};

/* What DRXMP_Init is told. */
typedef struct xta__drx_description {
    int ndim; /* 0: nothing but the communicator */
    DRXType mpi_type;
    xta_type type;
    uint32_t cell_bytes; /* of XTA_BYTES */
    int64_t bounds[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM]; /* 0: to be chosen, on all axes */
} xta__drx_description;

struct drxmp_array {
    DRXMDHdl handle;
    int64_t number;
    xta_parallel *parallel; /* NULL: described, without files */
    bool everybody;         /* its ranks are those of the session, in the same order */
    xta__rendezvous ranks;  /* of DRXMP_Init; without it `comm` is MPI_COMM_NULL */
    xta__drx_description described;
    DRXMDHdr header; /* as it was last asked for */
    struct drxmp_memory *memories;
    int64_t n_memories;       /* made so far */
    xta_zones *zones;         /* BLOCK, of zones_bounds; NULL before they are asked for */
    xta_box zones_bounds;     /* in cells */
    struct drxmp_array *next; /* opened later */
};

/* Fill in `status`, unless it is DRXMP_STATUS_IGNORE, and DRXMP_Last_error. Returns `result`. */
int xta__drx_answer(DRXMPStatus *status, xta_status result, int64_t count, const xta_error *err);

/* ---- the session ---- */

/* XTA_ESTATE unless MPI has been initialised and not finalised. */
xta_status xta__drx_mpi_runs(const char *call, xta_error *err);

/* XTA_ESTATE before the session has begun, if no array is described either. */
xta_status xta__drx_begun(const char *call, xta_error *err);

/* Begin, over a duplicate of `comm`; collective over it. XTA_ESTATE if it has begun. */
xta_status xta__drx_begin(const char *call, DRXComm comm, const xta_parallel_options *options,
                          xta_error *err);

/* Begin with the defaults if `comm` has all ranks and the session has not begun: programs that
 * never call DRXMPX_Init have one from their first array of all ranks on. Collective over `comm`.
 */
xta_status xta__drx_begin_if_all(const char *call, DRXComm comm, xta_error *err);

/* Close everything and end. Collective. */
xta_status xta__drx_end(const char *call, xta_error *err);

/* Whether ranks without an array have a place to meet. */
bool xta__drx_has_session(void);

/* First in every collective call that has a communicator and no array yet: the ranks have come (or
 * the time limit of the session is over), to the same call, and none has found anything wrong;
 * `mine` is this rank's own, with its text in `err`. They meet at `*there`: on the session's
 * communicator, for its ranks and for a rank without one; before there is a session, on
 * MPI_COMM_WORLD for its ranks. */
xta_status xta__drx_meet_over(const char *call, DRXComm comm, xta_status mine, DRXComm *there,
                              xta_error *err);

/* That of an array; NULL: that of the session, MPI_COMM_NULL without one. */
DRXComm xta__drx_comm_of(const struct drxmp_array *array);

/* For the arrays of the session. */
const xta_parallel_options *xta__drx_options(void);

/* ---- handles ---- */

/* The array, or memory handle of an array, behind a handle; NULL where there is none. */
struct drxmp_array *xta__drx_array(DRXMDHdl handle);
struct drxmp_memory *xta__drx_memory_of(const struct drxmp_array *array, DRXMDMemHdl handle);
struct drxmp_memory *xta__drx_memory(DRXMDMemHdl handle);

/* First in every collective call on handles: all ranks have come (or the time limit is over), to
 * the same call, with the same array and, if `with_memory`, the same memory handle, and these are
 * good. `xta__drx_meet_any` leaves out whether the array has files; `xta__drx_meet_none` also
 * whether there is one at all. */
xta_status xta__drx_meet(const char *call, struct drxmp_array *array, bool with_memory,
                         const struct drxmp_memory *memory, xta_error *err);
xta_status xta__drx_meet_any(const char *call, struct drxmp_array *array, xta_error *err);
xta_status xta__drx_meet_none(const char *call, struct drxmp_array *array, xta_error *err);

/* The same for a call of one rank, without any communication: an array with files, or a memory
 * handle. */
xta_status xta__drx_check(const char *call, const struct drxmp_array *array, xta_error *err);
xta_status xta__drx_check_any(const char *call, const struct drxmp_array *array, xta_error *err);
xta_status xta__drx_check_memory(const char *call, const struct drxmp_memory *memory,
                                 xta_error *err);

/* XTA_EARG: something that a call needs is missing. */
xta_status xta__drx_missing(const char *call, const char *what, xta_error *err);

/* ---- what is open ---- */

/* Number an array, give it a handle and put it into the list. Collective over `comm`. */
DRXMDHdl xta__drx_add_array(struct drxmp_array *array, DRXComm comm);

/* Close an array, with whatever it has, and free it. Collective over its ranks. */
xta_status xta__drx_close(struct drxmp_array *array, xta_error *err);

/* Make zones and their handle. Collective, after the ranks have met. */
xta_status xta__drx_add_memory(const char *call, struct drxmp_array *array,
                               const xta_distribution *distribution, xta_order order,
                               DRXMDMemHdl *handle, xta_error *err);

/* Free zones of an array. Collective. */
xta_status xta__drx_free_memory(struct drxmp_array *array, struct drxmp_memory *memory,
                                xta_error *err);

#endif
