/* What module xta calls for data sets.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "glue/dataset.h"

#include <stdlib.h>
#include <string.h>

#include <xta/dataset_append.h>

#include "glue/fill.h"
#include "util/checked.h"
#include "util/try.h"
#include "util/vector.h"

/* How often members are opened while others change the set. */
enum { MOST_ATTEMPTS = 100 };

/* Open all members, until no step has fallen in between. Members that disagree about a dimension
 * for good are no reason to refuse the set. */
static xta_status open_members(xta_dataset *set, xta_error *err)
{
    for (int k = 0; k < MOST_ATTEMPTS; k++) {
        bool changed = false;
        size_t n = 0;
        (void)!xta_dataset_dimension_count(set, &n, NULL);
        xta_status status = xta_dataset_refresh(set, &changed, err);
        if (status != XTA_OK || !changed) {
            return status;
        }
    }
    return xta_error_set(err, XTA_EBUSY, 0,
                         "%s: other processes have changed it each of %d times that it was read; "
                         "open it again",
                         xta_dataset_path(set), MOST_ATTEMPTS);
}

xta_status xtaf_dataset_open(const char *path, int writable, xta_dataset **out, xta_error *err)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;

    options.writable = writable != 0;
    xta_status status = xta_dataset_open(path, &options, out, err);
    if (status == XTA_OK) {
        status = open_members(*out, err);
    }
    if (status != XTA_OK) {
        xta_dataset_close(*out, NULL);
        *out = NULL;
    }
    return status;
}

xta_status xtaf_dataset_set_dimension(xta_dataset *set, const char *name, int64_t lower,
                                      int64_t length, int unlimited, int regular, double origin,
                                      double step, xta_error *err)
{
    xta_dimension d = {
        .name = name, .lo = lower, .hi = lower + length, .unlimited = unlimited != 0};

    if (regular) {
        d.coordinates = XTA_COORDINATES_REGULAR;
        d.regular = (xta_regular){.type = XTA_F64, .origin.f = origin, .step.f = step};
    }
    return xta_dataset_set_dimension(set, &d, err);
}

xta_status xtaf_dataset_dimension(xta_dataset *set, const char *name, int64_t *lower,
                                  int64_t *upper, xta_error *err)
{
    xta_dimension d = {0};
    xta_status status = xta_dataset_dimension(set, name, &d, err);

    *lower = d.lo;
    *upper = d.hi - 1;
    return status;
}

xta_status xtaf_dataset_add_member(xta_dataset *set, const char *name, int type, int ndim,
                                   const char *dimensions, const int64_t chunk[],
                                   const CFI_cdesc_t *fill, int cell_bytes, xta_error *err)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const char *names[XTA_MAX_NDIM] = {NULL};
    int64_t chunks[XTA_MAX_NDIM];
    uint8_t cell[16];
    char *lines = xta__strdup(dimensions);
    xta_status status = XTA_OK;

    if (lines == NULL || ndim < 1 || ndim > XTA_MAX_NDIM) {
        XTA_TRY(xta_error_set(err, lines == NULL ? XTA_ENOMEM : XTA_EARG, 0,
                              "%s: member %s: %d dimensions; want 1 to %d", xta_dataset_path(set),
                              name, ndim, XTA_MAX_NDIM));
    }
    XTA_TRY(xta__fortran_names(lines, ndim, names, err));
    if (chunk != NULL) {
        xta__fortran_reverse(ndim, chunk, chunks);
        options.chunk = chunks;
    }
    if (fill != NULL) {
        XTA_TRY(xta__fortran_fill(fill, (xta_type)type, cell_bytes, cell, &options.fill, err));
    }
    options.cell_bytes = (uint32_t)cell_bytes;
    status = xta_dataset_add_member(set, name, (xta_type)type, ndim, names, &options, NULL, err);

done:
    free(lines);
    return status;
}

xta_status xtaf_dataset_extend(xta_dataset *set, const char *dimension, int front, int64_t by,
                               xta_error *err)
{
    const xta_dimension_growth growth = {dimension, front ? XTA_FRONT : XTA_BACK, by};

    return xta_dataset_extend(set, &growth, 1, err);
}

xta_status xtaf_dataset_refresh(xta_dataset *set, int *changed, xta_error *err)
{
    bool any = false;
    xta_status status = xta_dataset_refresh(set, &any, err);

    *changed = any;
    return status;
}

/* ---- slabs ---- */

/* The elements of one member. */
typedef struct slab_member {
    char *name;
    CFI_CDESC_T(CFI_MAX_RANK) values; // a copy of the descriptor
} slab_member;

struct xtaf_slab {
    slab_member *members;
    size_t n, capacity;
};

xtaf_slab *xtaf_slab_new(void)
{
    return calloc(1, sizeof(xtaf_slab));
}

void xtaf_slab_free(xtaf_slab *slab)
{
    for (size_t k = 0; slab != NULL && k < slab->n; k++) {
        free(slab->members[k].name);
    }
    if (slab != NULL) {
        free(slab->members);
    }
    free(slab);
}

xta_status xtaf_slab_add(xtaf_slab *slab, const char *member, const CFI_cdesc_t *values,
                         xta_error *err)
{
    char *name = xta__strdup(member);

    if (slab == NULL || name == NULL || !XTA__RESERVE(slab->members, slab->capacity, slab->n + 1)) {
        free(name);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a slab of member %s", member);
    }
    slab_member *m = &slab->members[slab->n++];
    m->name = name;
    memset(&m->values, 0, sizeof m->values);
    memcpy(&m->values, values,
           offsetof(CFI_cdesc_t, dim) + (size_t)values->rank * sizeof values->dim[0]);
    return XTA_OK;
}

/* How a member's elements lie, and how many there are along the dimension. */
static xta_status describe_member(xta_dataset *set, const char *dimension, const slab_member *m,
                                  fortran_transfer *transfer, int64_t *by, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_array *array = NULL;
    const CFI_cdesc_t *values = (const CFI_cdesc_t *)&m->values;
    int axis = 0;

    XTA_TRY(xta_dataset_member(set, m->name, &array, err));
    XTA_TRY(xta_axis_find(array, dimension, &axis, err));
    XTA_TRY(xta__fortran_transfer(array, values, NULL, NULL, transfer, err));
    const xta_box bounds = xta_array_bounds(array);
    for (int k = 0; k < bounds.ndim; k++) {
        int64_t n = transfer->box.hi[k] - transfer->box.lo[k];
        if (k != axis && n != bounds.hi[k] - bounds.lo[k]) {
            XTA_TRY(xta_error_set(err, XTA_EBOX, 0,
                                  "%s: %lld elements along %s, which has %lld cells; a slab along "
                                  "%s takes all cells of the others",
                                  xta_array_path(array), (long long)n, xta_axis_name(array, k),
                                  (long long)(bounds.hi[k] - bounds.lo[k]), dimension));
        }
    }
    int64_t n = transfer->box.hi[axis] - transfer->box.lo[axis];
    if (*by >= 0 && n != *by) {
        XTA_TRY(xta_error_set(err, XTA_EBOX, 0,
                              "%s: %lld elements along %s, other members of the slab have %lld",
                              xta_array_path(array), (long long)n, dimension, (long long)*by));
    }
    *by = n;

done:
    return status;
}

xta_status xtaf_dataset_append(xta_dataset *set, const char *dimension, int front,
                               const xtaf_slab *slab, const double coordinates[], int64_t n,
                               int64_t *first, xta_error *err)
{
    const size_t n_members = slab != NULL ? slab->n : 0;
    fortran_transfer *transfers = xta__calloc(n_members + 1, sizeof *transfers);
    xta_member_cells *cells = xta__calloc(n_members + 1, sizeof *cells);
    xta_new_coordinates given = {.n = n, .type = XTA_F64, .values = coordinates};
    xta_dataset_slab whole = {.dimension = dimension, .side = front ? XTA_FRONT : XTA_BACK};
    int64_t by = coordinates != NULL ? n : -1;
    xta_status status = XTA_OK;

    if (transfers == NULL || cells == NULL) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_dataset_path(set)));
    }
    for (size_t k = 0; k < n_members; k++) {
        XTA_TRY(describe_member(set, dimension, &slab->members[k], &transfers[k], &by, err));
        cells[k] = (xta_member_cells){.member = slab->members[k].name,
                                      .options = &transfers[k].options,
                                      .cells = transfers[k].memory};
    }
    whole.by = by > 0 ? by : 0;
    whole.coordinates = coordinates != NULL ? &given : NULL;
    whole.cells = cells;
    whole.n_cells = n_members;
    status = xta_dataset_append(set, &whole, first, err);

done:
    free(transfers);
    free(cells);
    return status;
}
