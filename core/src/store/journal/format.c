/* Records to bytes and back. Every field is checked here, since a file may hold anything; what
 * depends on the state of the array (an axis's length, say) is checked where the record is applied.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/format.h"

#include <stdlib.h>
#include <string.h>

#include "store/journal/fields.h"

void xta__swap_cells(xta_type type, void *cells, size_t bytes)
{
    xta__swap_bytes(cells, bytes, XTA__BIG_ENDIAN ? xta__type_unit(type) : 1);
}

/* ---- constants, shared by CREATE and CHECKPOINT ---- */

/* The numbers of layouts in files. 1 was reserved for sealed slots and is retired. */
enum { LAYOUT_HEADERLESS = 0, LAYOUT_DIRECT = 2 };

static void add_constants(const xta__constants *constants, int ndim, xta__bytes *out)
{
    add_u32(out, (uint32_t)ndim);
    add_u16(out, (unsigned)constants->type);
    add_u8(out, (unsigned)constants->order);
    add_u8(out, constants->layout == XTA_HEADERLESS ? LAYOUT_HEADERLESS : LAYOUT_DIRECT);
    add_u32(out, constants->cell_bytes);
    add_u8(out, (unsigned)constants->policy);
    add_u8(out, 0); // codec: layout `direct` has none
    add_u16(out, 0);
    add_u32(out, constants->policy_amount);
    add_u32(out, 0);
    add_u64(out, constants->alignment_bytes);
    add_u64(out, constants->slot_bytes);
    if (constants->layout != XTA_HEADERLESS) {
        add_u64(out, constants->data_offset);
        add_u64(out, 0);
        add_u64(out, 0);
    }
    size_t begin = out->n;
    xta__bytes_add(out, constants->fill, constants->cell_bytes);
    if (!out->failed) {
        xta__swap_cells(constants->type, out->bytes + begin, constants->cell_bytes);
    }
    add_padding(out);
}

static xta_status check_constants(const xta__constants *c, int ndim, unsigned codec,
                                  const char **why)
{
    size_t fixed = xta_type_bytes(c->type);

    if (ndim < 1 || ndim > XTA_MAX_NDIM) {
        return corrupt(why, "the number of axes is out of range");
    }
    if (!xta__is_cell_type(c->type) || (c->type != XTA_BYTES && c->cell_bytes != fixed) ||
        c->cell_bytes == 0 || c->cell_bytes > 65535) {
        return corrupt(why, "the element type is unknown");
    }
    if (c->order > XTA_HILBERT) {
        return corrupt(why, "the order of cells is unknown");
    }
    if (codec != 0) {
        return corrupt(why, "the codec is not one this version knows");
    }
    if (c->policy > XTA_SHELL || c->alignment_bytes == 0 || c->slot_bytes == 0) {
        return corrupt(why, "policy, alignment or slot length is out of range");
    }
    if (c->layout == XTA_DIRECT && (c->data_offset == 0 || c->data_offset >= XTA__OFFSET_LIMIT ||
                                    c->data_offset % XTA__DATA_OFFSET_UNIT != 0)) {
        return corrupt(why, "the data offset is no multiple of 4096, or is out of range");
    }
    return XTA_OK;
}

static xta_status read_constants(reader *in, const uint8_t *begin, xta__constants *c, int *ndim,
                                 const char **why)
{
    *ndim = (int)read_u32(in);
    c->type = (xta_type)read_u16(in);
    c->order = (xta_order)read_u8(in);
    unsigned layout = read_u8(in);
    c->cell_bytes = read_u32(in);
    c->policy = (xta_policy)read_u8(in);
    unsigned codec = read_u8(in);
    read_u16(in);
    c->policy_amount = read_u32(in);
    read_u32(in);
    c->alignment_bytes = read_u64(in);
    c->slot_bytes = read_u64(in);
    c->data_offset = 0;
    c->fill = NULL;
    if (!in->truncated && layout != LAYOUT_HEADERLESS && layout != LAYOUT_DIRECT) {
        return corrupt(why, "the layout is not one this version knows");
    }
    c->layout = layout == LAYOUT_DIRECT ? XTA_DIRECT : XTA_HEADERLESS;
    if (c->layout == XTA_DIRECT) {
        c->data_offset = read_u64(in);
        read_u64(in);
        read_u64(in);
    }
    if (in->truncated) {
        return corrupt(why, "the record is too short");
    }
    xta_status status = check_constants(c, *ndim, codec, why);
    if (status != XTA_OK) {
        return status;
    }
    const uint8_t *fill = read_bytes(in, c->cell_bytes);
    skip_padding(in, begin);
    if (in->truncated) {
        return corrupt(why, "the record is too short");
    }
    c->fill = xta__calloc(1, c->cell_bytes);
    if (c->fill == NULL) {
        return XTA_ENOMEM;
    }
    memcpy(c->fill, fill, c->cell_bytes);
    xta__swap_cells(c->type, c->fill, c->cell_bytes);
    return XTA_OK;
}

/* ---- CREATE ---- */

void xta__encode_create(const xta__create_record *record, xta__bytes *out)
{
    add_constants(&record->constants, record->ndim, out);
    for (int axis = 0; axis < record->ndim; axis++) {
        add_u64(out, (uint64_t)record->chunk[axis]);
        add_u64(out, (uint64_t)record->bounds[axis]);
    }
}

xta_status xta__decode_create(const xta__record *record, xta__create_record *out, const char **why)
{
    reader in = {.at = record->payload, .end = record->payload + record->payload_bytes};
    xta_status status = read_constants(&in, record->payload, &out->constants, &out->ndim, why);

    if (status != XTA_OK) {
        return status;
    }
    for (int axis = 0; axis < out->ndim; axis++) {
        out->chunk[axis] = (int64_t)read_u64(&in);
        out->bounds[axis] = (int64_t)read_u64(&in);
    }
    if (in.truncated || in.at != in.end) {
        free(out->constants.fill);
        return corrupt(why, "the record has a wrong length");
    }
    return XTA_OK;
}

/* ---- EXTEND, SHRINK ---- */

void xta__encode_growth(const xta__growth_record *record, xta__bytes *out)
{
    size_t n = 8 + 16 * ((size_t)record->n_growths + (size_t)record->n_allocations);
    uint8_t *at = xta__bytes_reserve(out, n);

    if (at == NULL) {
        return;
    }
    out->n += n;
    xta__put_u32(at, (uint32_t)record->n_growths);
    xta__put_u32(at + 4, (uint32_t)record->n_allocations);
    at += 8;
    for (int k = 0; k < record->n_growths; k++, at += 16) {
        xta__put_u32(at, (uint32_t)record->growths[k].axis);
        xta__put_u32(at + 4, (uint32_t)record->growths[k].side);
        xta__put_u64(at + 8, (uint64_t)record->growths[k].by);
    }
    for (int k = 0; k < record->n_allocations; k++, at += 16) {
        xta__put_u32(at, (uint32_t)record->allocations[k].axis);
        xta__put_u32(at + 4, (uint32_t)record->allocations[k].side);
        xta__put_u64(at + 8, record->allocations[k].n);
    }
}

XTA__HOT size_t xta__encode_one_growth(const xta_growth *growth,
                                       const xta__chunk_growth *allocation,
                                       uint8_t payload[XTA__ONE_GROWTH_BYTES])
{
    xta__put_u32(payload, 1);
    xta__put_u32(payload + 4, allocation->n > 0 ? 1 : 0);
    xta__put_u32(payload + 8, (uint32_t)growth->axis);
    xta__put_u32(payload + 12, (uint32_t)growth->side);
    xta__put_u64(payload + 16, (uint64_t)growth->by);
    xta__put_u32(payload + 24, (uint32_t)allocation->axis);
    xta__put_u32(payload + 28, (uint32_t)allocation->side);
    xta__put_u64(payload + 32, allocation->n);
    return allocation->n > 0 ? XTA__ONE_GROWTH_BYTES : XTA__ONE_GROWTH_BYTES - 16;
}

static xta_status read_growth(reader *in, int ndim, xta__growth_record *out, const char **why)
{
    uint32_t n_growths = read_u32(in), n_allocations = read_u32(in);
    const size_t most_growths = sizeof out->growths / sizeof out->growths[0];
    const size_t most_allocations = sizeof out->allocations / sizeof out->allocations[0];

    if (in->truncated || n_growths < 1 || n_growths > most_growths ||
        n_allocations > most_allocations ||
        (uint64_t)(in->end - in->at) != 16 * ((uint64_t)n_growths + n_allocations)) {
        return corrupt(why, "the record has a wrong length");
    }
    out->n_growths = (int)n_growths;
    out->n_allocations = (int)n_allocations;
    for (uint32_t k = 0; k < n_growths + n_allocations; k++) {
        uint32_t axis = read_u32(in), side = read_u32(in);
        uint64_t n = read_u64(in);
        if (axis >= (uint32_t)ndim || side > XTA_FRONT || n >= (uint64_t)XTA__COORD_LIMIT) {
            return corrupt(why, "an axis, a side or an amount is out of range");
        }
        if (k < n_growths) {
            out->growths[k] =
                (xta_growth){.axis = (int)axis, .side = (xta_side)side, .by = (int64_t)n};
        } else {
            out->allocations[k - n_growths] =
                (xta__chunk_growth){.axis = (int)axis, .side = (xta_side)side, .n = n};
        }
    }
    return XTA_OK;
}

xta_status xta__decode_growth(const xta__record *record, int ndim, xta__growth_record *out,
                              const char **why)
{
    reader in = {.at = record->payload, .end = record->payload + record->payload_bytes};

    return read_growth(&in, ndim, out, why);
}

/* ---- PREPARE, COMMIT, SETTLED ---- */

void xta__encode_prepare(const xta__prepare_record *record, xta__bytes *out)
{
    size_t n = strlen(record->path);

    xta__bytes_add(out, record->group, XTA__UUID_BYTES);
    xta__bytes_add(out, record->leader, XTA__UUID_BYTES);
    add_u32(out, (uint32_t)n);
    add_u32(out, 0);
    xta__bytes_add(out, record->path, n);
    add_padding(out);
    xta__encode_growth(&record->growth, out);
}

xta_status xta__decode_prepare(const xta__record *record, int ndim, xta__prepare_record *out,
                               const char **why)
{
    reader in = {.at = record->payload, .end = record->payload + record->payload_bytes};

    memcpy(out->group, read_bytes(&in, XTA__UUID_BYTES), XTA__UUID_BYTES);
    memcpy(out->leader, read_bytes(&in, XTA__UUID_BYTES), XTA__UUID_BYTES);
    uint32_t n = read_u32(&in);
    read_u32(&in);
    if (in.truncated || n < 1 || n > XTA__MAX_PATH_BYTES) {
        return corrupt(why, "the path of the leader is out of range");
    }
    const uint8_t *path = read_bytes(&in, n);
    skip_padding(&in, record->payload);
    if (in.truncated || memchr(path, 0, n) != NULL) {
        return corrupt(why, "the path of the leader is out of range");
    }
    memcpy(out->path, path, n);
    out->path[n] = '\0';
    return read_growth(&in, ndim, &out->growth, why);
}

void xta__encode_group(const uint8_t group[XTA__UUID_BYTES], xta__bytes *out)
{
    xta__bytes_add(out, group, XTA__UUID_BYTES);
}

xta_status xta__decode_group(const xta__record *record, uint8_t group[XTA__UUID_BYTES],
                             const char **why)
{
    if (record->payload_bytes != XTA__UUID_BYTES) {
        return corrupt(why, "the record has a wrong length");
    }
    memcpy(group, record->payload, XTA__UUID_BYTES);
    return XTA_OK;
}

/* ---- ADD_AXIS ---- */

void xta__encode_axis(const xta__axis_record *record, xta__bytes *out)
{
    add_u32(out, (uint32_t)record->position);
    add_u32(out, (uint32_t)strlen(record->name));
    xta__bytes_add(out, record->name, strlen(record->name));
}

xta_status xta__decode_axis(const xta__record *record, int ndim, xta__axis_record *out,
                            const char **why)
{
    reader in = {.at = record->payload, .end = record->payload + record->payload_bytes};
    uint32_t position = read_u32(&in), length = read_u32(&in);

    if (in.truncated || position > (uint32_t)ndim || ndim >= XTA_MAX_NDIM ||
        !read_name(&in, length, out->name) || in.at != in.end) {
        return corrupt(why, "the position or the name of the new axis is out of range");
    }
    out->position = (int)position;
    return XTA_OK;
}

/* ---- CHECKPOINT ---- */

void xta__encode_nested(unsigned type, const uint8_t *payload, size_t n, xta__bytes *out)
{
    add_u32(out, type);
    add_u32(out, (uint32_t)n);
    xta__bytes_add(out, payload, n);
    add_padding(out);
}

xta_status xta__decode_nested(const uint8_t **at, const uint8_t *end, xta__record *out)
{
    reader in = {.at = *at, .end = end};
    const uint8_t *begin = *at;

    out->type = read_u32(&in);
    out->payload_bytes = read_u32(&in);
    out->payload = read_bytes(&in, out->payload_bytes);
    skip_padding(&in, begin);
    if (in.truncated) {
        return XTA_ECORRUPT;
    }
    *at = in.at;
    return XTA_OK;
}

void xta__encode_checkpoint(const xta__checkpoint_record *record, xta__bytes *out)
{
    add_constants(&record->constants, record->ndim, out);
    for (int axis = 0; axis < record->ndim; axis++) {
        add_u64(out, (uint64_t)record->chunk[axis]);
        add_u64(out, (uint64_t)record->bounds.lo[axis]);
        add_u64(out, (uint64_t)record->bounds.hi[axis]);
        add_u64(out, (uint64_t)record->reached.lo[axis]);
        add_u64(out, (uint64_t)record->reached.hi[axis]);
        add_u64(out, (uint64_t)record->first.lo[axis]);
        add_u64(out, (uint64_t)record->first.hi[axis]);
    }
    add_u64(out, record->n_steps);
    add_u64(out, record->n_chunks);
    add_u32(out, record->n_records);
    add_u32(out, record->n_nested);
    for (uint32_t k = 0; k < record->n_records; k++) {
        const xta__axial_record *axial = &record->records[k];
        add_u64(out, axial->base);
        add_u32(out, (uint32_t)axial->axis);
        add_u32(out, (uint32_t)axial->side | (axial->initial ? 2u : 0u));
    }
    xta__bytes_add(out, record->nested, record->nested_bytes);
}

static xta_status read_records(reader *in, xta__checkpoint_record *out, const char **why)
{
    if (out->n_records > (uint64_t)(in->end - in->at) / 16) {
        return corrupt(why, "the checkpoint announces more axial records than it has room for");
    }
    out->records = xta__calloc(out->n_records, sizeof out->records[0]);
    if (out->records == NULL) {
        return XTA_ENOMEM;
    }
    for (uint32_t k = 0; k < out->n_records; k++) {
        out->records[k].base = read_u64(in);
        uint32_t axis = read_u32(in), side = read_u32(in);
        if (axis >= (uint32_t)out->ndim || side > 3) {
            return corrupt(why, "an axial record is out of range");
        }
        out->records[k].axis = (int)axis;
        out->records[k].side = (xta_side)(side & 1);
        out->records[k].initial = (side & 2) != 0;
    }
    return XTA_OK;
}

xta_status xta__decode_checkpoint(const xta__record *record, xta__checkpoint_record *out,
                                  const char **why)
{
    reader in = {.at = record->payload, .end = record->payload + record->payload_bytes};

    memset(out, 0, sizeof *out);
    xta_status status = read_constants(&in, record->payload, &out->constants, &out->ndim, why);
    if (status != XTA_OK) {
        return status;
    }
    out->bounds.ndim = out->reached.ndim = out->first.ndim = out->ndim;
    for (int axis = 0; axis < out->ndim; axis++) {
        out->chunk[axis] = (int64_t)read_u64(&in);
        out->bounds.lo[axis] = (int64_t)read_u64(&in);
        out->bounds.hi[axis] = (int64_t)read_u64(&in);
        out->reached.lo[axis] = (int64_t)read_u64(&in);
        out->reached.hi[axis] = (int64_t)read_u64(&in);
        out->first.lo[axis] = (int64_t)read_u64(&in);
        out->first.hi[axis] = (int64_t)read_u64(&in);
    }
    out->n_steps = read_u64(&in);
    out->n_chunks = read_u64(&in);
    out->n_records = read_u32(&in);
    out->n_nested = read_u32(&in);
    status = in.truncated ? corrupt(why, "the record is too short") : read_records(&in, out, why);
    if (status != XTA_OK) {
        free(out->constants.fill);
        free(out->records);
        memset(out, 0, sizeof *out);
        return status;
    }
    out->nested = in.at;
    out->nested_bytes = (size_t)(in.end - in.at);
    return XTA_OK;
}
