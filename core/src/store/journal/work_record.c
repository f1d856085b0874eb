/* The records of unfinished work: who fills which box from what.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/journal/work_record.h"

#include <stdlib.h>

#include "store/journal/fields.h"

enum { CREATED_ARRAY = 1 };

void xta__encode_work(const xta__work_record *record, xta__bytes *out)
{
    size_t host = strlen(record->host), source = strlen(record->source);

    xta__bytes_add(out, record->id, XTA__UUID_BYTES);
    add_u32(out, record->verb);
    add_u32(out, record->created ? CREATED_ARRAY : 0);
    add_u64(out, record->process);
    add_u64(out, (uint64_t)record->begun);
    add_u32(out, record->boot);
    add_u16(out, (unsigned)host);
    add_u16(out, (unsigned)source);
    xta__bytes_add(out, record->host, host);
    xta__bytes_add(out, record->source, source);
    add_padding(out);
    for (int axis = 0; axis < record->box.ndim; axis++) {
        add_u64(out, (uint64_t)record->box.lo[axis]);
        add_u64(out, (uint64_t)record->box.hi[axis]);
        add_u64(out, (uint64_t)record->before.lo[axis]);
        add_u64(out, (uint64_t)record->before.hi[axis]);
    }
}

static bool interval_is_sound(int64_t lo, int64_t hi)
{
    return lo <= hi && lo > -XTA__COORD_LIMIT && hi < XTA__COORD_LIMIT;
}

static bool read_text(reader *in, size_t n, char *text)
{
    const uint8_t *bytes = read_bytes(in, n);

    if (in->truncated || memchr(bytes, 0, n) != NULL) {
        return false;
    }
    memcpy(text, bytes, n);
    text[n] = '\0';
    return true;
}

xta_status xta__decode_work(const xta__record *record, int ndim, xta__work_record *out,
                            const char **why)
{
    reader in = {.at = record->payload, .end = record->payload + record->payload_bytes};

    memset(out, 0, sizeof *out);
    memcpy(out->id, read_bytes(&in, XTA__UUID_BYTES), XTA__UUID_BYTES);
    out->verb = read_u32(&in);
    out->created = (read_u32(&in) & CREATED_ARRAY) != 0;
    out->process = read_u64(&in);
    out->begun = (int64_t)read_u64(&in);
    out->boot = read_u32(&in);
    size_t host = read_u16(&in), source = read_u16(&in);
    if (in.truncated || host >= sizeof out->host || source >= sizeof out->source ||
        !read_text(&in, host, out->host) || !read_text(&in, source, out->source)) {
        return corrupt(why, "the texts of unfinished work are out of range");
    }
    skip_padding(&in, record->payload);
    out->box.ndim = out->before.ndim = ndim;
    for (int axis = 0; axis < ndim; axis++) {
        out->box.lo[axis] = (int64_t)read_u64(&in);
        out->box.hi[axis] = (int64_t)read_u64(&in);
        out->before.lo[axis] = (int64_t)read_u64(&in);
        out->before.hi[axis] = (int64_t)read_u64(&in);
        if (!interval_is_sound(out->box.lo[axis], out->box.hi[axis]) ||
            !interval_is_sound(out->before.lo[axis], out->before.hi[axis])) {
            return corrupt(why, "the box of unfinished work is out of range");
        }
    }
    if (in.truncated || in.at != in.end) {
        return corrupt(why, "the record has a wrong length");
    }
    return XTA_OK;
}

void xta__encode_work_end(const uint8_t id[XTA__UUID_BYTES], bool taken_back, xta__bytes *out)
{
    xta__bytes_add(out, id, XTA__UUID_BYTES);
    add_u32(out, taken_back ? 1 : 0);
    add_u32(out, 0);
}

xta_status xta__decode_work_end(const xta__record *record, uint8_t id[XTA__UUID_BYTES],
                                const char **why)
{
    reader in = {.at = record->payload, .end = record->payload + record->payload_bytes};

    memcpy(id, read_bytes(&in, XTA__UUID_BYTES), XTA__UUID_BYTES);
    uint32_t outcome = read_u32(&in);
    read_u32(&in);
    if (in.truncated || in.at != in.end || outcome > 1) {
        return corrupt(why, "the record has a wrong length, or an unknown outcome");
    }
    return XTA_OK;
}
