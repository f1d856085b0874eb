/* The session, and the frame of every collective call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/session.h"

#include <ga.h>
#include <stdio.h>

#include "pexta/pexta.h"

xta__session xta__pexta = {.comm = MPI_COMM_NULL};

/* ---- the frame ---- */

void xta__arguments_add(xta__arguments *arguments, const char *name, int64_t value)
{
    arguments->names[arguments->n] = name;
    arguments->values[arguments->n++] = value;
}

void xta__arguments_add_all(xta__arguments *arguments, const char *name, int n,
                            const int64_t values[])
{
    for (int k = 0; k < n && k < PEXTA_MAX_NDIM; k++) {
        xta__arguments_add(arguments, name, values != NULL ? values[k] : 0);
    }
    xta__arguments_add(arguments, name, values != NULL);
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
    if (xta__pexta.debug && xta__pexta.rank == 0) {
        fprintf(stderr, "pexta: %s\n", call);
    }
    GA_Sync();
    return xta_agree_on(xta__pexta.comm, call, a->n, a->names, a->values, err);
}

xta__disk *xta__enter_with(const char *call, int p_a, xta_status *status)
{
    xta__arguments arguments = {0};
    xta__disk *disk = NULL;

    xta__arguments_add(&arguments, "p_a", p_a);
    *status = xta__enter(call, &arguments);
    if (*status == XTA_OK) {
        // The same on all ranks, since the handles are.
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

int PEXTA_Set_default_config(int numfiles, int numioprocs)
{
    xta__arguments arguments = {0};
    xta_status status = XTA_OK;

    xta__arguments_add(&arguments, "numfiles", numfiles);
    xta__arguments_add(&arguments, "numioprocs", numioprocs);
    status = xta__enter("PEXTA_Set_default_config", &arguments);
    if (status == XTA_OK) {
        xta__pexta.io_ranks = numioprocs > 0 ? numioprocs : 0;
    }
    return (int)status;
}

void PEXTA_Set_debug(int flag)
{
    xta__pexta.debug = flag != 0;
}

/* ---- queries by the DRA names ---- */

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
