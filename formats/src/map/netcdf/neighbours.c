/* The other variables along dimensions that grow.
 *
 * A NetCDF dimension is shared. Where it grows at the back all its variables become longer; where
 * it grows at the front, their cells are moved so that they stay beside their coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "map/netcdf/neighbours.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/origin.h"
#include "map/attributes.h"
#include "map/netcdf/handle_netcdf.h"
#include "netcdf/library.h"
#include "util/try.h"
#include "util/vector.h"

/* One search through all groups of the file. */
typedef struct search {
    const netcdf_source *source;
    const xta_mapping *map;
    xta_box was;
    xta_box now;
    map_neighbours *out;
} search;

/* The axis of the mapped variable with this dimension; -1: none. */
static int axis_of(const netcdf_source *source, int dimension)
{
    for (int d = 0; d < source->ndim; d++) {
        if (source->dimension[d] == dimension) {
            return d;
        }
    }
    return -1;
}

static xta_status refuse_type(const search *s, const char *name, xta_error *err)
{
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: a dimension grows at the front, and variable %s, which has it too, "
                         "has cells that cannot be moved (strings, compounds); grow at the back, "
                         "or map a copy of the variable with dimensions of its own",
                         s->source->path, name);
}

/* Bytes of a cell that can be moved as it lies; 0: it cannot. */
static size_t movable_bytes(int group, nc_type type)
{
    size_t bytes = 0;
    int class = NC_NAT;
    if (type < NC_FIRSTUSERTYPEID) {
        return type != NC_STRING && nc_inq_type(group, type, NULL, &bytes) == NC_NOERR ? bytes : 0;
    }
    bool good = nc_inq_user_type(group, type, NULL, &bytes, NULL, NULL, &class) == NC_NOERR &&
                (class == NC_ENUM || class == NC_OPAQUE) && bytes <= MAP_MOST_TYPE_BYTES;
    return good ? bytes : 0;
}

static void read_chunk(map_move *move)
{
    int storage = NC_CONTIGUOUS;
    size_t chunk[NC_MAX_VAR_DIMS];
    bool chunked = nc_inq_var_chunking(move->group, move->variable, &storage, chunk) == NC_NOERR &&
                   storage == NC_CHUNKED;
    for (int d = 0; d < move->was.ndim; d++) {
        move->chunk[d] = chunked && chunk[d] > 0 ? (int64_t)chunk[d] : 1;
    }
}

static xta_status note_move(search *s, const map_move *move, xta_error *err)
{
    map_neighbours *out = s->out;
    if (!XTA__RESERVE(out->moves, out->moves_capacity, out->n_moves + 1)) {
        return xta__bridge_no_memory(s->source->path, err);
    }
    out->moves[out->n_moves++] = *move;
    return XTA_OK;
}

static xta_status check_variable(search *s, int group, int variable, xta_error *err)
{
    char name[NC_MAX_NAME + 1];
    int ids[NC_MAX_VAR_DIMS];
    int ndim = 0;
    nc_type type;
    bool grows = false;
    bool moves = false;
    map_move move = {.group = group, .variable = variable};
    int code = nc_inq_var(group, variable, name, &type, &ndim, ids, NULL);
    for (int d = 0; d < ndim && d < XTA_MAX_NDIM && code == NC_NOERR; d++) {
        size_t length = 0;
        int axis = axis_of(s->source, ids[d]);
        code = nc_inq_dimlen(group, ids[d], &length);
        move.was.hi[d] = (int64_t)length;
        move.shift[d] = axis >= 0 ? s->was.lo[axis] - s->now.lo[axis] : 0;
        move.now[d] = axis >= 0 ? s->now.hi[axis] - s->now.lo[axis] : (int64_t)length;
        moves = moves || move.shift[d] > 0;
        grows = grows || move.now[d] > (int64_t)length;
    }
    bool itself = group == s->source->group && variable == s->source->variable;
    if (code != NC_NOERR || itself || !grows) {
        return xta__netcdf_status(code, s->source->path, "cannot look at its neighbours", err);
    }
    move.was.ndim = ndim;
    move.cell_bytes = movable_bytes(group, type);
    bool movable = move.cell_bytes > 0 && ndim <= XTA_MAX_NDIM;
    if (moves && !movable) {
        return refuse_type(s, name, err);
    }
    if (!movable && (type != NC_STRING || ndim > XTA_MAX_NDIM)) {
        return XTA_OK; // NetCDF lengthens it, as far as it can
    }
    read_chunk(&move);
    return note_move(s, &move, err);
}

static xta_status check_group(search *s, int group, xta_error *err)
{
    xta_status status = XTA_OK;
    int n = 0;
    int *groups = NULL;
    XTA_TRY(xta__netcdf_status(nc_inq_nvars(group, &n), s->source->path,
                               "cannot look at its neighbours", err));
    for (int v = 0; v < n; v++) {
        XTA_TRY(check_variable(s, group, v, err));
    }
    if (nc_inq_grps(group, &n, NULL) != NC_NOERR || n == 0) {
        goto done;
    }
    groups = calloc((size_t)n, sizeof *groups);
    if (groups == NULL || nc_inq_grps(group, &n, groups) != NC_NOERR) {
        status = xta__bridge_no_memory(s->source->path, err);
        goto done;
    }
    for (int k = 0; k < n; k++) {
        XTA_TRY(check_group(s, groups[k], err));
    }
done:
    free(groups);
    return status;
}

/* ---- coordinates ---- */

/* Values there at the places of their cells, those that the array has, else fill. */
static xta_status compute_coordinates(const search *s, int axis, xta_type type, map_coordinates *c,
                                      xta_error *err)
{
    xta_status status = XTA_OK;
    size_t cell_bytes = xta_type_bytes(type);
    size_t start = 0;
    size_t n_old = (size_t)(s->was.hi[axis] - s->was.lo[axis]);
    bool same = s->was.lo[axis] == s->now.lo[axis] && s->was.hi[axis] == s->now.hi[axis];
    int no_fill = 0;
    char *old = calloc(n_old + 1, cell_bytes);
    char *values = calloc((size_t)c->length + 1, cell_bytes);
    c->values = values;
    if (values == NULL || old == NULL) {
        status = xta__bridge_no_memory(s->source->path, err);
        goto done;
    }
    int code = nc_inq_var_fill(c->group, c->variable, &no_fill, values);
    for (int64_t k = 1; k < c->length; k++) {
        memcpy(values + (size_t)k * cell_bytes, values, cell_bytes);
    }
    if (code == NC_NOERR && n_old > 0) {
        code = nc_get_vara(c->group, c->variable, &start, &n_old, old);
    }
    XTA_TRY(xta__netcdf_status(code, s->source->path, "cannot read its coordinates", err));
    memcpy(values + (size_t)(s->was.lo[axis] - s->now.lo[axis]) * cell_bytes, old,
           n_old * cell_bytes);
    XTA_TRY(xta__mapping_axis_values(s->map->array, axis, s->now.lo[axis], s->now.hi[axis], type,
                                     values, err));
    if (same && memcmp(old, values, n_old * cell_bytes) == 0) {
        c->length = 0; // nothing to write
    }
done:
    free(old);
    return status;
}

static xta_status add_coordinates(search *s, int axis, int group, int variable, xta_type type,
                                  xta_error *err)
{
    map_neighbours *out = s->out;
    if (!XTA__RESERVE(out->coordinates, out->coordinates_capacity, out->n_coordinates + 1)) {
        return xta__bridge_no_memory(s->source->path, err);
    }
    map_coordinates *c = &out->coordinates[out->n_coordinates++];
    *c = (map_coordinates){group, variable, s->now.hi[axis] - s->now.lo[axis], NULL};
    return compute_coordinates(s, axis, type, c, err);
}

static xta_status find_coordinates(search *s, xta_error *err)
{
    xta_status status = XTA_OK;
    for (int axis = 0; axis < s->source->ndim; axis++) {
        int group = 0;
        int variable = 0;
        nc_type type = NC_NAT;
        bool found = axis_of(s->source, s->source->dimension[axis]) == axis &&
                     xta__netcdf_find_coordinate(s->source, axis, &group, &variable) &&
                     nc_inq_vartype(group, variable, &type) == NC_NOERR;
        bool itself = group == s->source->group && variable == s->source->variable;
        xta_type ours = found ? xta__netcdf_to_xta(type) : XTA_TYPE_SAME;
        if (ours != XTA_TYPE_SAME && ours != XTA_BYTES && !itself) {
            XTA_TRY(add_coordinates(s, axis, group, variable, ours, err));
        }
    }
done:
    return status;
}

static bool moved(const map_move *move)
{
    bool moved = false;
    for (int d = 0; d < move->was.ndim; d++) {
        moved = moved || move->shift[d] > 0;
    }
    return moved;
}

xta_status xta__mapping_neighbours_find(const netcdf_source *source, const xta_mapping *map,
                                        const xta_box *was, map_neighbours *out, xta_error *err)
{
    xta_status status = XTA_OK;
    search s = {source, map, *was, xta_array_bounds(map->array), out};
    uint64_t bytes = 1;
    XTA_TRY(check_group(&s, source->root, err));
    XTA_TRY(find_coordinates(&s, err));
    for (size_t k = 0; k < out->n_moves; k++) {
        bool cells = moved(&out->moves[k]);
        uint64_t need = cells ? xta__mapping_move_bytes(&out->moves[k], map->memory_bytes) : 0;
        need = need > MAP_MOST_TYPE_BYTES ? need : MAP_MOST_TYPE_BYTES;
        bytes = need > bytes ? need : bytes;
    }
    out->buffer = malloc((size_t)bytes);
    if (out->buffer == NULL) {
        status = xta__bridge_no_memory(source->path, err);
    }
done:
    return status;
}

static bool is_coordinate(const map_neighbours *n, const map_move *move)
{
    for (size_t k = 0; k < n->n_coordinates; k++) {
        if (n->coordinates[k].group == move->group &&
            n->coordinates[k].variable == move->variable) {
            return true;
        }
    }
    return false;
}

int xta__mapping_neighbours_write(const map_neighbours *n, uint64_t memory_bytes)
{
    int code = NC_NOERR;
    for (size_t k = 0; k < n->n_moves && code == NC_NOERR; k++) {
        const map_move *move = &n->moves[k];
        if (!is_coordinate(n, move)) {
            code = moved(move) ? xta__mapping_move_cells(move, memory_bytes, n->buffer) : NC_NOERR;
            code = code == NC_NOERR ? xta__mapping_lengthen(move, n->buffer) : code;
        }
    }
    for (size_t k = 0; k < n->n_coordinates && code == NC_NOERR; k++) {
        const map_coordinates *c = &n->coordinates[k];
        size_t start = 0;
        size_t count = (size_t)c->length;
        code = count > 0 ? nc_put_vara(c->group, c->variable, &start, &count, c->values) : NC_NOERR;
    }
    return code;
}

int xta__mapping_put_origin(int group, int variable, int ndim, const int64_t origin[])
{
    int format = 0;
    bool small = true;
    long long numbers[XTA_MAX_NDIM];
    for (int d = 0; d < ndim; d++) {
        numbers[d] = (long long)origin[d];
        small = small && origin[d] >= INT32_MIN && origin[d] <= INT32_MAX;
    }
    nc_inq_format(group, &format);
    bool wide = format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_CDF5;
    nc_type type = wide ? NC_INT64 : small ? NC_INT : NC_DOUBLE;
    return nc_put_att_longlong(group, variable, BRIDGE_ORIGIN, type, (size_t)ndim, numbers);
}

int xta__mapping_neighbours_write_origins(const map_neighbours *n)
{
    int code = NC_NOERR;
    for (size_t k = 0; k < n->n_moves && code == NC_NOERR; k++) {
        const map_move *move = &n->moves[k];
        if (!moved(move)) {
            continue;
        }
        long long numbers[XTA_MAX_NDIM] = {0};
        int64_t origin[XTA_MAX_NDIM];
        size_t count = 0;
        bool there =
            nc_inq_attlen(move->group, move->variable, BRIDGE_ORIGIN, &count) == NC_NOERR &&
            count == (size_t)move->was.ndim &&
            nc_get_att_longlong(move->group, move->variable, BRIDGE_ORIGIN, numbers) == NC_NOERR;
        for (int d = 0; d < move->was.ndim; d++) {
            origin[d] = (there ? (int64_t)numbers[d] : 0) - move->shift[d];
        }
        code = xta__mapping_put_origin(move->group, move->variable, move->was.ndim, origin);
    }
    return code;
}

void xta__mapping_neighbours_clear(map_neighbours *n)
{
    for (size_t k = 0; k < n->n_coordinates; k++) {
        free(n->coordinates[k].values);
    }
    free(n->coordinates);
    free(n->moves);
    free(n->buffer);
    memset(n, 0, sizeof *n);
}
