/* What is open, and where ranks meet.
 *
 *   [DRX]         here
 *   -----         ----
 *   DRXMDHdl      struct drxmp_array: a description, or xta_parallel, the array in its files
 *   DRXMDMemHdl   struct drxmp_memory: xta_zone_memory, the zones in memory
 *   DRXType       MPI_Datatype, and its counterpart in xta_type
 *   DRXComm       MPI_Comm
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drxmp/session.h"

#include <stdlib.h>
#include <string.h>

/* The paper's library has a terminate call, so there is one instance in a process. */
static struct {
    bool begun;
    xta__rendezvous all; // over a duplicate of the communicator it began with
    xta_parallel_options options;
    struct drxmp_array *arrays;
    int64_t n_arrays;    // the greatest number given
    uintptr_t n_handles; // given since the process began
    char last_error[XTA_ERROR_TEXT_BYTES];
} drx;

/* ---- answers ---- */

int xta__drx_answer(DRXMPStatus *status, xta_status result, int64_t count, const xta_error *err)
{
    if (result == XTA_OK) {
        drx.last_error[0] = '\0';
    } else {
        memcpy(drx.last_error, err->text, sizeof drx.last_error);
    }
    if (status != NULL) {
        memset(status, 0, sizeof *status);
        status->error = (int)result;
        status->count = result == XTA_OK ? count : 0;
        memcpy(status->text, drx.last_error, sizeof status->text);
    }
    return (int)result;
}

const char *DRXMP_Last_error(void)
{
    return drx.last_error;
}

xta_status xta__drx_missing(const char *call, const char *what, xta_error *err)
{
    return xta__fail(err, XTA_EARG, 0, "%s: the %s is missing (NULL)", call, what);
}

static xta_status no_array_handle(const char *call, xta_error *err)
{
    return xta__fail(err, XTA_EARG, 0,
                     "%s: the array handle is none that is in use; give one that DRXMP_Init or "
                     "DRXMP_Open made, and that is not closed",
                     call);
}

static xta_status no_memory_handle(const char *call, xta_error *err)
{
    return xta__fail(err, XTA_EARG, 0,
                     "%s: the memory handle is none that is in use; give one that "
                     "DRXMP_Distribution made for this array",
                     call);
}

static xta_status no_files(const char *call, xta_error *err)
{
    return xta__fail(err, XTA_ESTATE, 0,
                     "%s: the array is described but has no file yet; call DRXMP_Create or "
                     "DRXMP_Open first",
                     call);
}

/* ---- the session ---- */

xta_status xta__drx_mpi_runs(const char *call, xta_error *err)
{
    int started = 0, ended = 0;

    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    if (started && !ended) {
        return XTA_OK;
    }
    return xta__fail(err, XTA_ESTATE, 0, "%s: call it between MPI_Init and MPI_Finalize", call);
}

xta_status xta__drx_begun(const char *call, xta_error *err)
{
    if (drx.begun || drx.arrays != NULL) {
        return xta__drx_mpi_runs(call, err);
    }
    return xta__fail(err, XTA_ESTATE, 0,
                     "%s: call DRXMP_Init or DRXMP_Open first, and not after DRXMP_Terminate",
                     call);
}

bool xta__drx_has_session(void)
{
    return drx.begun;
}

DRXComm xta__drx_comm_of(const struct drxmp_array *array)
{
    if (array == NULL) {
        return drx.begun ? drx.all.comm : MPI_COMM_NULL;
    }
    bool described = array->ranks.comm != MPI_COMM_NULL;
    return described ? array->ranks.comm : xta_parallel_comm(array->parallel);
}

const xta_parallel_options *xta__drx_options(void)
{
    static const xta_parallel_options none = XTA_PARALLEL_OPTIONS_INIT;

    return drx.begun ? &drx.options : &none;
}

static bool same_ranks(DRXComm one, DRXComm other)
{
    int relation = MPI_UNEQUAL;

    MPI_Comm_compare(one, other, &relation);
    return relation == MPI_IDENT || relation == MPI_CONGRUENT;
}

xta_status xta__drx_meet_over(const char *call, DRXComm comm, xta_status mine, DRXComm *there,
                              xta_error *err)
{
    DRXComm all = drx.begun ? drx.all.comm : MPI_COMM_WORLD;
    bool everybody = comm == MPI_COMM_NULL || same_ranks(comm, all);
    xta_error other = {0};
    xta_status status = XTA_OK;

    *there = everybody ? all : comm;
    if (everybody && drx.begun && drx.all.timeout_s > 0) {
        status = xta__rendezvous_wait(&drx.all, call, &other);
    }
    if (status == XTA_OK) {
        status = xta_agree_on(*there, call, 0, NULL, NULL, &other);
    }
    if (status != XTA_OK) {
        *err = other;
        return status;
    }
    return xta_agree(*there, mine, err);
}

static xta_status keep_options(const xta_parallel_options *options, xta_error *err)
{
    xta_parallel_options kept = XTA_PARALLEL_OPTIONS_INIT;

    xta_status status = xta_options_read(&kept, sizeof kept, options, "xta_parallel_options", err);
    if (status != XTA_OK) {
        return status;
    }
    kept.has_info = kept.has_info && kept.info != MPI_INFO_NULL;
    if (kept.has_info) {
        MPI_Info theirs = kept.info;
        MPI_Info_dup(theirs, &kept.info);
    }
    drx.options = kept;
    drx.all.timeout_s = kept.timeout_s;
    return XTA_OK;
}

static void forget(void)
{
    if (drx.options.has_info) {
        MPI_Info_free(&drx.options.info);
    }
    MPI_Comm_free(&drx.all.comm);
    memset(&drx.options, 0, sizeof drx.options);
    memset(&drx.all, 0, sizeof drx.all);
    drx.begun = false;
}

xta_status xta__drx_begin(const char *call, DRXComm comm, const xta_parallel_options *options,
                          xta_error *err)
{
    xta_status status = xta__drx_mpi_runs(call, err);

    if (status != XTA_OK) {
        return status;
    }
    if (drx.begun) {
        return xta__fail(err, XTA_ESTATE, 0, "%s: begun already; call DRXMP_Terminate first", call);
    }
    if (comm == MPI_COMM_NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "%s: the communicator is MPI_COMM_NULL; give that of all ranks", call);
    }
    MPI_Comm_dup(comm, &drx.all.comm);
    MPI_Comm_rank(drx.all.comm, &drx.all.rank);
    MPI_Comm_size(drx.all.comm, &drx.all.n_ranks);
    status = xta_agree(drx.all.comm, keep_options(options, err), err);
    if (status == XTA_OK) {
        drx.begun = true;
    } else {
        forget();
    }
    return status;
}

xta_status xta__drx_begin_if_all(const char *call, DRXComm comm, xta_error *err)
{
    bool begin = !drx.begun && same_ranks(comm, MPI_COMM_WORLD);

    return begin ? xta__drx_begin(call, comm, NULL, err) : XTA_OK;
}

/* The first failure of several steps that are all taken. */
static void note_failure(xta_status *first, xta_error *err, xta_status status,
                         const xta_error *later)
{
    if (*first == XTA_OK && status != XTA_OK) {
        *first = status;
        *err = *later;
    }
}

xta_status xta__drx_end(const char *call, xta_error *err)
{
    xta_error later = {0};
    xta_status status = xta__drx_begun(call, err);

    if (status == XTA_OK && drx.begun && drx.all.timeout_s > 0) {
        status = xta__rendezvous_wait(&drx.all, call, err);
    }
    if (status == XTA_OK && drx.begun) {
        status = xta_agree_on(drx.all.comm, call, 0, NULL, NULL, err);
    }
    if (status != XTA_OK) {
        return status;
    }
    // All ranks opened the arrays they share in the same order, and so they close them.
    while (drx.arrays != NULL) {
        note_failure(&status, err, xta__drx_close(drx.arrays, &later), &later);
    }
    if (drx.begun) {
        // Arrays of some of the ranks can fail on those alone.
        status = xta_agree(drx.all.comm, status, err);
        forget();
    }
    return status;
}

/* ---- handles ---- */

/* The next number, as an address that no variable without a value holds by chance. */
static uintptr_t next_handle(void)
{
    return (uintptr_t)&drx + 1 + 2 * drx.n_handles++;
}

struct drxmp_array *xta__drx_array(DRXMDHdl handle)
{
    struct drxmp_array *array = drx.arrays;

    while (array != NULL && array->handle != handle) {
        array = array->next;
    }
    return array;
}

struct drxmp_memory *xta__drx_memory_of(const struct drxmp_array *array, DRXMDMemHdl handle)
{
    struct drxmp_memory *memory = array == NULL ? NULL : array->memories;

    while (memory != NULL && memory->handle != handle) {
        memory = memory->next;
    }
    return memory;
}

struct drxmp_memory *xta__drx_memory(DRXMDMemHdl handle)
{
    struct drxmp_memory *memory = NULL;

    for (struct drxmp_array *array = drx.arrays; array != NULL && memory == NULL;
         array = array->next) {
        memory = xta__drx_memory_of(array, handle);
    }
    return memory;
}

/* Where the ranks of an array meet; those without an array meet where the session's do. NULL where
 * there is no such place. */
static xta__rendezvous *meeting_of(struct drxmp_array *array)
{
    if (array == NULL || array->everybody) {
        return drx.begun ? &drx.all : NULL;
    }
    if (array->ranks.comm != MPI_COMM_NULL) {
        return &array->ranks;
    }
    return &array->parallel->rendezvous;
}

static xta_status meet(const char *call, struct drxmp_array *array, bool with_memory,
                       const struct drxmp_memory *memory, xta_error *err)
{
    static const char *const names[] = {"the array handle (0: none is in use)",
                                        "the memory handle (0: none is in use)"};
    int64_t numbers[2] = {array == NULL ? 0 : array->number, memory == NULL ? 0 : memory->number};
    xta__rendezvous *ranks = meeting_of(array);
    xta_status status = xta__drx_begun(call, err);

    if (status != XTA_OK || ranks == NULL) {
        return status; // no array, and nobody to ask: the caller refuses that
    }
    if (ranks->timeout_s > 0) {
        status = xta__rendezvous_wait(ranks, call, err);
    }
    if (status == XTA_OK) {
        status = xta_agree_on(ranks->comm, call, with_memory ? 2 : 1, names, numbers, err);
    }
    return status;
}

/* After meeting all ranks have the same numbers, so in what follows they all fail or none does. */

xta_status xta__drx_meet(const char *call, struct drxmp_array *array, bool with_memory,
                         const struct drxmp_memory *memory, xta_error *err)
{
    xta_status status = meet(call, array, with_memory, memory, err);

    if (status == XTA_OK && array != NULL && array->parallel == NULL) {
        return no_files(call, err);
    }
    if (status == XTA_OK && with_memory && memory == NULL) {
        return no_memory_handle(call, err);
    }
    return status == XTA_OK && array == NULL ? no_array_handle(call, err) : status;
}

xta_status xta__drx_meet_any(const char *call, struct drxmp_array *array, xta_error *err)
{
    xta_status status = meet(call, array, false, NULL, err);

    return status == XTA_OK && array == NULL ? no_array_handle(call, err) : status;
}

xta_status xta__drx_meet_none(const char *call, struct drxmp_array *array, xta_error *err)
{
    return meet(call, array, false, NULL, err);
}

xta_status xta__drx_check_any(const char *call, const struct drxmp_array *array, xta_error *err)
{
    xta_status status = xta__drx_begun(call, err);

    return status == XTA_OK && array == NULL ? no_array_handle(call, err) : status;
}

xta_status xta__drx_check(const char *call, const struct drxmp_array *array, xta_error *err)
{
    xta_status status = xta__drx_check_any(call, array, err);

    return status == XTA_OK && array->parallel == NULL ? no_files(call, err) : status;
}

xta_status xta__drx_check_memory(const char *call, const struct drxmp_memory *memory,
                                 xta_error *err)
{
    xta_status status = xta__drx_begun(call, err);

    return status == XTA_OK && memory == NULL ? no_memory_handle(call, err) : status;
}

/* ---- what is open ---- */

DRXMDHdl xta__drx_add_array(struct drxmp_array *array, DRXComm comm)
{
    struct drxmp_array **last = &drx.arrays;

    array->handle = (DRXMDHdl)next_handle();
    array->number = drx.n_arrays + 1;
    MPI_Allreduce(MPI_IN_PLACE, &array->number, 1, MPI_INT64_T, MPI_MAX, comm);
    drx.n_arrays = array->number;
    array->everybody = drx.begun && same_ranks(comm, drx.all.comm);
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = array;
    return array->handle;
}

xta_status xta__drx_free_memory(struct drxmp_array *array, struct drxmp_memory *memory,
                                xta_error *err)
{
    struct drxmp_memory **at = &array->memories;

    while (*at != memory) {
        at = &(*at)->next;
    }
    *at = memory->next;
    xta_status status = xta_zone_memory_free(memory->zones, err);
    free(memory);
    return status;
}

xta_status xta__drx_close(struct drxmp_array *array, xta_error *err)
{
    struct drxmp_array **at = &drx.arrays;
    xta_status status = XTA_OK;
    xta_error later = {0};

    while (array->memories != NULL) {
        note_failure(&status, err, xta__drx_free_memory(array, array->memories, &later), &later);
    }
    if (array->parallel != NULL) {
        note_failure(&status, err, xta_parallel_close(array->parallel, &later), &later);
    }
    if (array->ranks.comm != MPI_COMM_NULL) {
        MPI_Comm_free(&array->ranks.comm);
    }
    while (*at != array) {
        at = &(*at)->next;
    }
    *at = array->next;
    xta_zones_free(array->zones);
    free(array);
    return status;
}

xta_status xta__drx_add_memory(const char *call, struct drxmp_array *array,
                               const xta_distribution *distribution, xta_order order,
                               DRXMDMemHdl *handle, xta_error *err)
{
    struct drxmp_memory *made = xta__calloc(1, sizeof *made);
    xta_status status = XTA_OK;

    if (handle == NULL) {
        status = xta__drx_missing(call, "place for the handle", err);
    } else if (made == NULL) {
        status = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", call);
    }
    status = xta_agree(xta_parallel_comm(array->parallel), status, err);
    if (status == XTA_OK) {
        status = xta_zone_memory_new(array->parallel, distribution, order, &made->zones, err);
    }
    if (status != XTA_OK) {
        free(made);
        return status;
    }
    made->handle = (DRXMDMemHdl)next_handle();
    made->array = array;
    made->order = order;
    made->number = ++array->n_memories;
    made->bounds = xta_parallel_bounds(array->parallel);
    made->next = array->memories;
    array->memories = made;
    *handle = made->handle;
    return XTA_OK;
}
