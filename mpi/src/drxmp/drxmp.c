/* The DRX-MP names of [DRX] IV.C over <xta/parallel.h>: handles, life and structure. Handles are
 * checked, errors are translated; nothing else is done here.
 *
 *   [DRX]         here
 *   -----         ----
 *   DRXMDHdl      xta_parallel: the array in its file
 *   DRXMDMemHdl   xta_zone_memory: the zones in memory
 *   DRXType       MPI_Datatype, and its counterpart in xta_type
 *   DRXComm       MPI_Comm
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drxmp/drxmp.h"

#include <stdlib.h>
#include <string.h>

#include "drxmp/type.h"

/* The paper's library has an init and a terminate call, so there is one instance in a process. */
static struct {
    bool begun;
    xta__rendezvous all; // over a duplicate of the communicator of DRXMP_Init
    xta_parallel_options options;
    struct drxmp_array *arrays;
    int64_t n_arrays; // the greatest number given
} drx;

/* ---- answers ---- */

int xta__drx_answer(DRXMPStatus *status, xta_status result, int64_t count, const xta_error *err)
{
    if (status != NULL) {
        memset(status, 0, sizeof *status);
        status->error = (int)result;
        status->count = result == XTA_OK ? count : 0;
        if (result != XTA_OK) {
            memcpy(status->text, err->text, sizeof status->text);
        }
    }
    return (int)result;
}

static xta_status not_begun(const char *call, xta_error *err)
{
    return xta__fail(err, XTA_ESTATE, 0, "%s: call DRXMP_Init first, and not after DRXMP_Terminate",
                     call);
}

static xta_status no_array_handle(const char *call, xta_error *err)
{
    return xta__fail(err, XTA_EARG, 0,
                     "%s: the array handle is not open; give one that DRXMP_Open or DRXMP_Create "
                     "made",
                     call);
}

static xta_status no_memory_handle(const char *call, xta_error *err)
{
    return xta__fail(err, XTA_EARG, 0,
                     "%s: the memory handle is not open; give one that DRXMP_Distribution made for "
                     "this array",
                     call);
}

/* ---- handles ---- */

struct drxmp_array *xta__drx_array(const struct drxmp_array *handle)
{
    struct drxmp_array *array = drx.arrays;

    while (array != NULL && array != handle) {
        array = array->next;
    }
    return array;
}

struct drxmp_memory *xta__drx_memory_of(const struct drxmp_array *array,
                                        const struct drxmp_memory *handle)
{
    struct drxmp_memory *memory = array == NULL ? NULL : array->memories;

    while (memory != NULL && memory != handle) {
        memory = memory->next;
    }
    return memory;
}

struct drxmp_memory *xta__drx_memory(const struct drxmp_memory *handle)
{
    struct drxmp_memory *memory = NULL;
    struct drxmp_array *array = drx.arrays;

    while (array != NULL && memory == NULL) {
        memory = xta__drx_memory_of(array, handle);
        array = array->next;
    }
    return memory;
}

xta_status xta__drx_meet(const char *call, const struct drxmp_array *array, bool with_memory,
                         const struct drxmp_memory *memory, xta_error *err)
{
    static const char *const names[] = {"the array handle (0: none is open)",
                                        "the memory handle (0: none is open)"};
    int64_t numbers[2] = {array == NULL ? 0 : array->number, memory == NULL ? 0 : memory->number};
    xta_status status = XTA_OK;

    if (!drx.begun) {
        return not_begun(call, err);
    }
    bool everybody = array == NULL || array->everybody;
    xta__rendezvous *ranks = everybody ? &drx.all : &array->parallel->rendezvous;
    if (ranks->timeout_s > 0) {
        XTA_TRY(xta__rendezvous_wait(ranks, call, err));
    }
    XTA_TRY(xta_agree_on(ranks->comm, call, with_memory ? 2 : 1, names, numbers, err));
    // From here on all ranks have the same numbers, so they all fail or none does.
    if (with_memory && memory == NULL) {
        status = no_memory_handle(call, err);
    } else if (array == NULL) {
        status = no_array_handle(call, err);
    }

done:
    return status;
}

xta_status xta__drx_check(const char *call, const struct drxmp_array *array, xta_error *err)
{
    if (!drx.begun) {
        return not_begun(call, err);
    }
    return array == NULL ? no_array_handle(call, err) : XTA_OK;
}

xta_status xta__drx_check_memory(const char *call, const struct drxmp_memory *memory,
                                 xta_error *err)
{
    if (!drx.begun) {
        return not_begun(call, err);
    }
    return memory == NULL ? no_memory_handle(call, err) : XTA_OK;
}

/* ---- begin and end ---- */

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
    memset(&drx, 0, sizeof drx);
}

/* Errors that can be found before there is a communicator. */
static xta_status may_begin(DRXComm comm, xta_error *err)
{
    int started = 0, ended = 0;

    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    if (!started || ended) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "DRXMP_Init: call it between MPI_Init and MPI_Finalize");
    }
    if (drx.begun) {
        return xta__fail(err, XTA_ESTATE, 0,
                         "DRXMP_Init: begun already; call DRXMP_Terminate first");
    }
    if (comm == MPI_COMM_NULL) {
        return xta__fail(err, XTA_EARG, 0,
                         "DRXMP_Init: the communicator is MPI_COMM_NULL; give that of all ranks");
    }
    return XTA_OK;
}

int DRXMP_Init(DRXComm comm, const xta_parallel_options *options, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_status result = may_begin(comm, &err);

    if (result != XTA_OK) {
        return xta__drx_answer(status, result, 0, &err);
    }
    MPI_Comm_dup(comm, &drx.all.comm);
    MPI_Comm_rank(drx.all.comm, &drx.all.rank);
    MPI_Comm_size(drx.all.comm, &drx.all.n_ranks);
    result = xta_agree(drx.all.comm, keep_options(options, &err), &err);
    if (result == XTA_OK) {
        drx.begun = true;
    } else {
        forget();
    }
    return xta__drx_answer(status, result, 0, &err);
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

static xta_status free_memory(struct drxmp_memory *memory, xta_error *err)
{
    struct drxmp_memory **at = &memory->array->memories;

    while (*at != memory) {
        at = &(*at)->next;
    }
    *at = memory->next;
    xta_status status = xta_zone_memory_free(memory->zones, err);
    free(memory);
    return status;
}

static xta_status close_array(struct drxmp_array *array, xta_error *err)
{
    struct drxmp_array **at = &drx.arrays;
    xta_status status = XTA_OK;
    xta_error later = {0};

    while (array->memories != NULL) {
        note_failure(&status, err, free_memory(array->memories, &later), &later);
    }
    note_failure(&status, err, xta_parallel_close(array->parallel, &later), &later);
    while (*at != array) {
        at = &(*at)->next;
    }
    *at = array->next;
    xta_zones_free(array->zones);
    free(array);
    return status;
}

int DRXMP_Terminate(DRXMPStatus *status)
{
    xta_error err = {0}, later = {0};
    xta_status result = XTA_OK;

    if (!drx.begun) {
        return xta__drx_answer(status, not_begun("DRXMP_Terminate", &err), 0, &err);
    }
    if (drx.all.timeout_s > 0) {
        result = xta__rendezvous_wait(&drx.all, "DRXMP_Terminate", &err);
    }
    if (result == XTA_OK) {
        result = xta_agree_on(drx.all.comm, "DRXMP_Terminate", 0, NULL, NULL, &err);
    }
    if (result != XTA_OK) {
        return xta__drx_answer(status, result, 0, &err);
    }
    // All ranks opened the arrays they share in the same order, and so they close them.
    while (drx.arrays != NULL) {
        note_failure(&result, &err, close_array(drx.arrays, &later), &later);
    }
    // Arrays of some of the ranks can fail on those alone.
    result = xta_agree(drx.all.comm, result, &err);
    forget();
    return xta__drx_answer(status, result, 0, &err);
}

/* ---- arrays ---- */

/* Whether these are the ranks of DRXMP_Init in the same order; no communicator counts as that. */
static bool is_of_everybody(DRXComm comm)
{
    int relation = MPI_IDENT;

    if (comm != MPI_COMM_NULL) {
        MPI_Comm_compare(comm, drx.all.comm, &relation);
    }
    return relation == MPI_IDENT || relation == MPI_CONGRUENT;
}

/* What DRXMP_Create and DRXMP_Open begin with: the checks of all ranks, `mine` among them, and a
 * place for the array. */
static xta_status begin_array(const char *call, DRXMDHdl *out, const char *name, DRXComm comm,
                              xta_status mine, struct drxmp_array **array, xta_error *err)
{
    xta_error other = {0};

    *array = NULL;
    if (out != NULL) {
        *out = DRXMD_NULL;
    }
    if (!drx.begun) {
        return not_begun(call, err);
    }
    *array = xta__calloc(1, sizeof **array);
    if (out == NULL || name == NULL || comm == MPI_COMM_NULL) {
        mine = xta__fail(err, XTA_EARG, 0, "%s: the %s is missing", call,
                         out == NULL    ? "place for the handle"
                         : name == NULL ? "name"
                                        : "communicator");
    } else if (*array == NULL) {
        mine = xta__fail(err, XTA_ENOMEM, 0, "%s: no memory", call);
    }
    // A rank without a communicator meets the others where they can know.
    DRXComm there = is_of_everybody(comm) ? drx.all.comm : comm;
    xta_status together = xta_agree_on(there, call, 0, NULL, NULL, &other);
    if (together != XTA_OK) {
        *err = other;
        return together;
    }
    return xta_agree(there, mine, err);
}

/* The end of both: put the array, if it is open, into the list. */
static xta_status end_array(xta_status result, xta_parallel *parallel, struct drxmp_array *array,
                            DRXComm comm, DRXMDHdl *out)
{
    struct drxmp_array **last = &drx.arrays;

    if (result != XTA_OK) {
        free(array);
        return result;
    }
    array->parallel = parallel;
    array->number = drx.n_arrays + 1;
    MPI_Allreduce(MPI_IN_PLACE, &array->number, 1, MPI_INT64_T, MPI_MAX, comm);
    drx.n_arrays = array->number;
    array->everybody = is_of_everybody(comm);
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = array;
    *out = array;
    return XTA_OK;
}

int DRXMP_Create(DRXMDHdl *array, const char *name, DRXComm comm, DRXType type, int ndim,
                 const int64_t bounds[], const int64_t chunk[], DRXMPStatus *status)
{
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_error err = {0};
    xta_status result = XTA_OK;
    xta_parallel *parallel = NULL;
    struct drxmp_array *made = NULL;
    xta_type cell = xta__drx_type(type, &create.cell_bytes);

    create.chunk = chunk;
    if (cell == XTA_TYPE_SAME) {
        result = xta__fail(&err, XTA_ETYPE, 0,
                           "DRXMP_Create: %s: XTA has no such cells; give a type of numbers that "
                           "MPI names, or MPI_BYTE, alone or contiguous",
                           name == NULL ? "" : name);
    }
    result = begin_array("DRXMP_Create", array, name, comm, result, &made, &err);
    if (result == XTA_OK) {
        result = xta_parallel_create(comm, name, cell, ndim, bounds, &create, &drx.options,
                                     &parallel, &err);
    }
    result = end_array(result, parallel, made, comm, array);
    return xta__drx_answer(status, result, 0, &err);
}

int DRXMP_Open(DRXMDHdl *array, const char *name, DRXComm comm, int mode, DRXMPStatus *status)
{
    xta_error err = {0};
    xta_status result = XTA_OK;
    xta_parallel *parallel = NULL;
    struct drxmp_array *made = NULL;

    if (mode != DRXMP_RDONLY && mode != DRXMP_RDWR) {
        result = xta__fail(&err, XTA_EARG, 0,
                           "DRXMP_Open: %s: the mode is %d; give DRXMP_RDONLY or DRXMP_RDWR",
                           name == NULL ? "" : name, mode);
    }
    result = begin_array("DRXMP_Open", array, name, comm, result, &made, &err);
    if (result == XTA_OK) {
        xta_parallel_options options = drx.options;
        options.writable = mode == DRXMP_RDWR;
        result = xta_parallel_open(comm, name, &options, &parallel, &err);
    }
    result = end_array(result, parallel, made, comm, array);
    return xta__drx_answer(status, result, 0, &err);
}

int DRXMP_Close(DRXMDHdl *array, DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_array *open = array == NULL ? NULL : xta__drx_array(*array);

    xta_status result = xta__drx_meet("DRXMP_Close", open, false, NULL, &err);
    if (result == XTA_OK) {
        *array = DRXMD_NULL;
        result = close_array(open, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
}

xta_parallel *DRXMP_Array(DRXMDHdl array)
{
    struct drxmp_array *open = xta__drx_array(array);

    return open == NULL ? NULL : open->parallel;
}

/* ---- structure ---- */

int DRXMP_Extend(DRXMDHdl array, int n, const int axis[], const int64_t by[], DRXMPStatus *status)
{
    enum { MOST = 2 * XTA_MAX_NDIM };
    xta_growth growths[MOST];
    xta_error err = {0};
    struct drxmp_array *open = xta__drx_array(array);
    // No growths, and more than there can be, are refused below, on all ranks.
    int given = axis == NULL || by == NULL ? 0 : n;

    memset(growths, 0, sizeof growths);
    for (int k = 0; given <= MOST && k < given; k++) {
        int64_t least = -INT64_MAX;
        growths[k].axis = axis[k];
        growths[k].side = by[k] < 0 ? XTA_FRONT : XTA_BACK;
        growths[k].by = by[k] < least ? INT64_MAX : by[k] < 0 ? -by[k] : by[k];
    }
    xta_status result = xta__drx_meet("DRXMP_Extend", open, false, NULL, &err);
    if (result == XTA_OK) {
        result = xta_parallel_extend(open->parallel, growths, given, NULL, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
}

int DRXMP_Distribution(DRXMDHdl array, const xta_distribution *distribution, xta_order order,
                       DRXMDMemHdl *memory, DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_array *open = xta__drx_array(array);
    struct drxmp_memory *made = NULL;

    if (memory != NULL) {
        *memory = DRXMDMEM_NULL;
    }
    xta_status result = xta__drx_meet("DRXMP_Distribution", open, false, NULL, &err);
    if (result == XTA_OK) {
        made = xta__calloc(1, sizeof *made);
        if (memory == NULL) {
            result = xta__fail(&err, XTA_EARG, 0,
                               "DRXMP_Distribution: the place for the handle is missing");
        } else if (made == NULL) {
            result = xta__fail(&err, XTA_ENOMEM, 0, "DRXMP_Distribution: no memory");
        }
        result = xta_agree(xta_parallel_comm(open->parallel), result, &err);
    }
    if (result == XTA_OK) {
        result = xta_zone_memory_new(open->parallel, distribution, order, &made->zones, &err);
    }
    if (result != XTA_OK) {
        free(made);
        return xta__drx_answer(status, result, 0, &err);
    }
    made->array = open;
    made->order = order;
    made->number = ++open->n_memories;
    made->bounds = xta_parallel_bounds(open->parallel);
    made->next = open->memories;
    open->memories = made;
    *memory = made;
    return xta__drx_answer(status, XTA_OK, 0, &err);
}

int DRXMP_Free(DRXMDMemHdl *memory, DRXMPStatus *status)
{
    xta_error err = {0};
    struct drxmp_memory *open = memory == NULL ? NULL : xta__drx_memory(*memory);
    struct drxmp_array *array = open == NULL ? NULL : open->array;

    xta_status result = xta__drx_meet("DRXMP_Free", array, true, open, &err);
    if (result == XTA_OK) {
        *memory = DRXMDMEM_NULL;
        result = free_memory(open, &err);
    }
    return xta__drx_answer(status, result, 0, &err);
}
