/* Begin and end, and the frame of every collective call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/inner.h"

#include <ga-mpi.h>
#include <ga.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MEMORY ((uint64_t)256 << 20)

xta__session xta__pexta = {.comm = MPI_COMM_NULL};

/* ---- the frame ---- */

void xta__take(xta__arguments *arguments, const char *name, int64_t value)
{
    arguments->names[arguments->n] = name;
    arguments->values[arguments->n++] = value;
}

void xta__take_all(xta__arguments *arguments, const char *name, int n, const int64_t values[])
{
    for (int k = 0; k < n && k < PEXTA_MAX_NDIM; k++) {
        xta__take(arguments, name, values != NULL ? values[k] : 0);
    }
    xta__take(arguments, name, values != NULL);
}

xta_status xta__enter(const char *call, const xta__arguments *arguments)
{
    static const xta__arguments none = {0};
    const xta__arguments *a = arguments != NULL ? arguments : &none;
    xta_error *err = &xta__pexta.last;

    xta__clear(err);
    if (!xta__pexta.begun) {
        return xta__fail(err, XTA_EARG, 0, "%s: call PEXTA_Init first", call);
    }
    GA_Sync();
    return xta_agree_on(xta__pexta.comm, call, a->n, a->names, a->values, err);
}

xta__disk *xta__enter_with(const char *call, int p_a, xta_status *status)
{
    xta__arguments arguments = {0};
    xta__disk *disk = NULL;

    xta__take(&arguments, "p_a", p_a);
    *status = xta__enter(call, &arguments);
    if (*status == XTA_OK) {
        // The same on all ranks, as the handles are.
        disk = xta__disk_of(p_a, &xta__pexta.last);
        *status = disk != NULL ? XTA_OK : XTA_EARG;
    }
    return disk;
}

int xta__leave(xta_status status)
{
    status = xta_agree(xta__pexta.comm, status, &xta__pexta.last);
    if (status == XTA_OK) {
        xta__clear(&xta__pexta.last);
    }
    return (int)status;
}

const char *PEXTA_Error_text(void)
{
    return xta__pexta.last.status == XTA_OK ? "" : xta__pexta.last.text;
}

const xta_error *PEXTA_Error(void)
{
    return &xta__pexta.last;
}

/* ---- begin and end ---- */

static uint64_t memory_limit(double max_memory)
{
    if (!(max_memory > 0)) {
        return DEFAULT_MEMORY;
    }
    return max_memory < 9e18 ? (uint64_t)max_memory : (uint64_t)1 << 62;
}

/* Whether files are to be used as from several machines: the ranks are on such, or any of them has
 * XTA_PEXTA_IO=calls in its environment. Collective. */
static xta_status look_apart(xta__session *s, xta_error *err)
{
    const char *wanted = getenv("XTA_PEXTA_IO");
    bool calls = wanted != NULL && strcmp(wanted, "calls") == 0;
    xta_status status = XTA_OK;
    int here = 0, apart = 0;
    MPI_Comm machine;

    if (wanted != NULL && !calls && wanted[0] != '\0' && strcmp(wanted, "auto") != 0) {
        status = xta__fail(err, XTA_EARG, 0,
                           "PEXTA_Init: the variable XTA_PEXTA_IO is \"%.40s\"; give auto or calls",
                           wanted);
    }
    MPI_Comm_split_type(s->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    apart = calls || here < s->n_ranks;
    MPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_INT, MPI_MAX, s->comm);
    s->apart = apart != 0;
    return xta_agree(s->comm, status, err);
}

int PEXTA_Init(int max_arrays, double max_array_size, double total_disk_space, double max_memory)
{
    xta__session *s = &xta__pexta;
    const char *const names[] = {"max_memory"};
    int64_t value = (int64_t)memory_limit(max_memory);
    xta_status status = XTA_OK;

    (void)max_arrays;
    (void)max_array_size;
    (void)total_disk_space;
    xta__clear(&s->last);
    if (s->begun) {
        status = xta__enter("PEXTA_Init", NULL);
        return (int)xta__fail(&s->last, status != XTA_OK ? status : XTA_EEXIST, 0,
                              "PEXTA_Init: it has begun already; call PEXTA_Terminate first");
    }
    GA_Sync();
    if (MPI_Comm_dup(GA_MPI_Comm(), &s->comm) != MPI_SUCCESS) {
        return xta__fail(&s->last, XTA_EFOREIGN, 0, "PEXTA_Init: MPI gives no communicator");
    }
    status = xta_agree_on(s->comm, "PEXTA_Init", 1, names, &value, &s->last);
    if (status == XTA_OK && GA_Nnodes() == 1) {
        status = xta_launcher_check(&s->last);
    }
    MPI_Comm_rank(s->comm, &s->rank);
    MPI_Comm_size(s->comm, &s->n_ranks);
    // Its status is that of all ranks by now.
    status = status == XTA_OK ? look_apart(s, &s->last) : status;
    if (status != XTA_OK) {
        MPI_Comm_free(&s->comm);
        return (int)status;
    }
    s->max_memory = (uint64_t)value;
    s->io_ranks = 0;
    s->begun = true;
    xta__clear(&s->last);
    return XTA_OK;
}

int PEXTA_Terminate(void)
{
    xta__session *s = &xta__pexta;
    xta_status status = XTA_OK;

    if (!s->begun) {
        return XTA_OK;
    }
    status = xta__enter("PEXTA_Terminate", NULL);
    if (status != XTA_OK) {
        return (int)status;
    }
    status = xta__complete_all(NULL, &s->last);
    while (s->disks != NULL) {
        status = xta__close_disk(s->disks, status, &s->last);
    }
    int code = xta__leave(status);
    xta__worker_stop();
    MPI_Comm_free(&s->comm);
    s->begun = false;
    return code;
}

int PEXTA_Set_default_config(int numfiles, int numioprocs)
{
    xta__arguments arguments = {0};
    xta_status status = XTA_OK;

    xta__take(&arguments, "numfiles", numfiles);
    xta__take(&arguments, "numioprocs", numioprocs);
    status = xta__enter("PEXTA_Set_default_config", &arguments);
    if (status == XTA_OK) {
        xta__pexta.io_ranks = numioprocs > 0 ? numioprocs : 0;
    }
    return (int)status;
}

/* ---- what the DRA names ask ---- */

bool xta__pexta_begun(void)
{
    return xta__pexta.begun;
}

int xta__pexta_io_ranks(void)
{
    return xta__pexta.io_ranks;
}

xta__disk *xta__disk_of(int p_a, xta_error *err)
{
    xta__disk *disk = xta__pexta.disks;

    while (disk != NULL && disk->handle != p_a) {
        disk = disk->next;
    }
    if (disk == NULL) {
        xta__fail(err, XTA_EARG, 0, "there is no open array %d; Create and Open give handles", p_a);
    }
    return disk;
}

int xta__pexta_next(int p_a)
{
    const xta__disk *disk = xta__pexta.disks;

    while (disk != NULL && disk->handle <= p_a) {
        disk = disk->next;
    }
    return disk != NULL ? disk->handle : 0;
}

bool xta__pexta_facts_of(int p_a, xta__pexta_facts *facts)
{
    const xta__disk *disk = xta__disk_of(p_a, NULL);

    if (disk == NULL) {
        return false;
    }
    *facts = (xta__pexta_facts){.name = disk->name,
                                .filename = disk->filename,
                                .path = disk->path,
                                .mode = disk->mode,
                                .type = disk->type,
                                .ndim = disk->ndim,
                                .cell_bytes = disk->cell_bytes,
                                .array = disk->array};
    for (int axis = 0; axis < disk->ndim; axis++) {
        facts->dims[axis] = disk->bounds.hi[axis] - disk->bounds.lo[axis];
        facts->chunk[axis] = disk->chunk[axis];
    }
    for (const xta__request *r = xta__pexta.requests; r != NULL; r = r->next) {
        facts->n_requests += r->move.disk == disk && !r->complete;
    }
    return true;
}
