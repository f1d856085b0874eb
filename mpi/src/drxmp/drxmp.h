/* What the files behind <xta/drxmp.h> share.
 *
 * What is open stands in a list, so that a handle that is not open is distinguished from
 * one that is, without reading what it points at. Arrays and memory handles have numbers that are
 * the same on all ranks. A collective call begins by comparing them: a rank without a good handle
 * brings 0, so the ranks differ, or all of them know.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_DRXMP_DRXMP_H
#define XTA_DRXMP_DRXMP_H

#include <xta/drxmp.h>

#include "parallel/handle/handle.h"

struct drxmp_memory {
    int64_t number; /* among those of its array */
    struct drxmp_array *array;
    xta_zone_memory *zones;
    xta_box bounds;  /* that the zones were made for */
    xta_order order; /* of the dense array that holds a zone */
    struct drxmp_memory *next;
};

struct drxmp_array {
    int64_t number;
    xta_parallel *parallel;
    bool everybody; /* its ranks are those of DRXMP_Init, in the same order */
    struct drxmp_memory *memories;
    int64_t n_memories;       /* made so far */
    xta_zones *zones;         /* BLOCK, of zones_bounds; NULL before they are asked for */
    xta_box zones_bounds;     /* in cells */
    struct drxmp_array *next; /* opened later */
};

/* Fill in `status`, unless it is DRXMP_STATUS_IGNORE. Returns `result`. */
int xta__drx_answer(DRXMPStatus *status, xta_status result, int64_t count, const xta_error *err);

/* The open array, or memory handle of an array, behind a handle; NULL where there is none. */
struct drxmp_array *xta__drx_array(const struct drxmp_array *handle);
struct drxmp_memory *xta__drx_memory_of(const struct drxmp_array *array,
                                        const struct drxmp_memory *handle);
struct drxmp_memory *xta__drx_memory(const struct drxmp_memory *handle);

/* First in every collective call on handles: all ranks have come (or the time limit is over), to
 * the same call, with the same array and, if `with_memory`, the same memory handle, and these are
 * open. */
xta_status xta__drx_meet(const char *call, const struct drxmp_array *array, bool with_memory,
                         const struct drxmp_memory *memory, xta_error *err);

/* The same for a call of one rank, without any communication: between DRXMP_Init and
 * DRXMP_Terminate, with an open array, or an open memory handle. */
xta_status xta__drx_check(const char *call, const struct drxmp_array *array, xta_error *err);
xta_status xta__drx_check_memory(const char *call, const struct drxmp_memory *memory,
                                 xta_error *err);

#endif
