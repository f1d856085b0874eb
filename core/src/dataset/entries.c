/* The entries of a data set, and their form in the journal (docs/FORMAT.md, "Data sets").
 *
 *   payload of CHANGE, CHECKPOINT    u32 number of items, u32 zero, the items
 *   item    u32 bytes of the item, u8 kind, u8 what is done (1 put, 2 remove), u16 bytes of owner,
 *           u16 bytes of name, u16 zero, u32 zero; owner, name, padding to 8; what is put:
 *     attribute    u16 type, u16 zero, u32 bytes of a value, u64 number of values, values, padding
 *     dimension    u32 flags (1 unlimited, 2 regular), u32 type of coordinates, i64 lo, i64 hi,
 *                  origin, step
 *     member       u32 flags (1 being added), u32 zero
 *     group        nothing
 *     sources      notes of a dimension (sources.h)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataset/entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "coordinates/regular.h"
#include "store/journal/fields.h"
#include "util/text.h"
#include "util/vector.h"

enum {
    ITEM_HEAD_BYTES = 16,
    PUT = 1,
    REMOVE = 2,
    FLAG_UNLIMITED = 1,
    FLAG_REGULAR = 2,
    FLAG_UNFINISHED = 1
};

/* Names are found by searching the list: a file must not be able to make it so long that this
 * becomes expensive. */
#define MOST_ENTRIES 65536

/* ---- lists ---- */

static void release(xta__entry *entry)
{
    if (--entry->n_owners == 0) {
        free(entry->owner);
        free(entry->name);
        free((void *)(uintptr_t)entry->attribute.values);
        free(entry);
    }
}

void xta__entries_clear(xta__entries *entries)
{
    for (size_t k = 0; k < entries->n; k++) {
        release(entries->items[k]);
    }
    free(entries->items);
    xta__sources_clear(&entries->sources);
    memset(entries, 0, sizeof *entries);
}

xta_status xta__entries_copy(const xta__entries *from, xta__entries *out)
{
    *out = (xta__entries){0};
    if (!XTA__RESERVE(out->items, out->capacity, from->n + 1)) {
        return XTA_ENOMEM;
    }
    for (size_t k = 0; k < from->n; k++) {
        out->items[k] = from->items[k];
        out->items[k]->n_owners++;
    }
    out->n = from->n;
    xta__sources_share(&from->sources, &out->sources);
    return XTA_OK;
}

static size_t position_of(const xta__entries *entries, xta__entry_kind kind, const char *owner,
                          const char *name)
{
    size_t k = 0;

    while (k < entries->n &&
           (entries->items[k]->kind != kind || strcmp(entries->items[k]->name, name) != 0 ||
            strcmp(entries->items[k]->owner, owner) != 0)) {
        k++;
    }
    return k;
}

const xta__entry *xta__entries_find(const xta__entries *entries, xta__entry_kind kind,
                                    const char *owner, const char *name)
{
    size_t k = position_of(entries, kind, owner, name);

    return k < entries->n ? entries->items[k] : NULL;
}

/* ---- encoding ---- */

void xta__change_start(xta__bytes *change)
{
    add_u32(change, 0);
    add_u32(change, 0);
}

/* The head of an item; returns where it begins. */
static size_t begin_item(xta__bytes *change, xta__entry_kind kind, unsigned what, const char *owner,
                         const char *name)
{
    size_t at = change->n;

    add_u32(change, 0);
    add_u8(change, (unsigned)kind);
    add_u8(change, what);
    add_u16(change, (unsigned)strlen(owner));
    add_u16(change, (unsigned)strlen(name));
    add_u16(change, 0);
    add_u32(change, 0);
    xta__bytes_add(change, owner, strlen(owner));
    xta__bytes_add(change, name, strlen(name));
    add_padding(change);
    return at;
}

static void end_item(xta__bytes *change, size_t at)
{
    add_padding(change);
    if (!change->failed) {
        xta__put_u32(change->bytes + at, (uint32_t)(change->n - at));
        xta__put_u32(change->bytes, xta__get_u32(change->bytes) + 1);
    }
}

void xta__change_put_attribute(xta__bytes *change, const char *owner,
                               const xta_attribute *attribute)
{
    size_t at = begin_item(change, XTA__ENTRY_ATTRIBUTE, PUT, owner, attribute->name);
    size_t cell_bytes =
        attribute->type == XTA_BYTES ? attribute->cell_bytes : xta_type_bytes(attribute->type);
    size_t bytes = attribute->count * cell_bytes;

    add_u16(change, (unsigned)attribute->type);
    add_u16(change, 0);
    add_u32(change, (uint32_t)cell_bytes);
    add_u64(change, attribute->count);
    xta__bytes_add(change, attribute->values, bytes);
    if (!change->failed) {
        xta__swap_cells(attribute->type, change->bytes + change->n - bytes, bytes);
    }
    end_item(change, at);
}

/* A number of a coordinate as 64 bits. */
static void add_coordinate(xta__bytes *change, xta_coordinate number)
{
    uint64_t bits;

    memcpy(&bits, &number, sizeof bits);
    add_u64(change, bits);
}

void xta__change_put_dimension(xta__bytes *change, const xta_dimension *dimension)
{
    bool regular = dimension->coordinates == XTA_COORDINATES_REGULAR;
    size_t at = begin_item(change, XTA__ENTRY_DIMENSION, PUT, "", dimension->name);

    add_u32(change, (dimension->unlimited ? FLAG_UNLIMITED : 0u) | (regular ? FLAG_REGULAR : 0u));
    add_u32(change, regular ? (uint32_t)dimension->regular.type : 0);
    add_u64(change, (uint64_t)dimension->lo);
    add_u64(change, (uint64_t)dimension->hi);
    add_coordinate(change, regular ? dimension->regular.origin : (xta_coordinate){0});
    add_coordinate(change, regular ? dimension->regular.step : (xta_coordinate){0});
    end_item(change, at);
}

void xta__change_put_member(xta__bytes *change, const char *name, bool unfinished)
{
    size_t at = begin_item(change, XTA__ENTRY_MEMBER, PUT, "", name);

    add_u32(change, unfinished ? FLAG_UNFINISHED : 0);
    add_u32(change, 0);
    end_item(change, at);
}

void xta__change_put_group(xta__bytes *change, const char *name)
{
    end_item(change, begin_item(change, XTA__ENTRY_GROUP, PUT, "", name));
}

void xta__change_remove(xta__bytes *change, xta__entry_kind kind, const char *owner,
                        const char *name)
{
    end_item(change, begin_item(change, kind, REMOVE, owner, name));
}

void xta__change_remove_dimension(xta__bytes *change, const xta__entries *entries, const char *name)
{
    xta__change_remove(change, XTA__ENTRY_DIMENSION, "", name);
    xta__change_remove(change, XTA__ENTRY_SOURCES, "", name);
    for (size_t k = 0; k < entries->n; k++) {
        const xta__entry *e = entries->items[k];
        if (e->kind == XTA__ENTRY_ATTRIBUTE && strcmp(e->owner, name) == 0) {
            xta__change_remove(change, XTA__ENTRY_ATTRIBUTE, name, e->name);
        }
    }
}

void xta__change_add_source(xta__bytes *change, const xta_dataset_source *note)
{
    size_t at = begin_item(change, XTA__ENTRY_SOURCES, PUT, "", note->dimension);

    xta__source_encode(change, note, "");
    end_item(change, at);
}

/* The notes of all dimensions: an item for each stretch of one dimension. */
static void put_sources(xta__bytes *change, const xta__sources *sources, bool anew)
{
    const xta_dataset_source *before = NULL;
    size_t at = 0;

    for (size_t k = 0; anew && k < xta__sources_dimension_count(sources); k++) {
        xta__change_remove(change, XTA__ENTRY_SOURCES, "", xta__sources_dimension(sources, k));
    }
    for (size_t k = 0; k < sources->n; k++) {
        const xta_dataset_source *note = xta__sources_at(sources, k);
        bool begins = before == NULL || strcmp(before->dimension, note->dimension) != 0;
        if (begins && before != NULL) {
            end_item(change, at);
        }
        if (begins) {
            at = begin_item(change, XTA__ENTRY_SOURCES, PUT, "", note->dimension);
        }
        xta__source_encode(change, note, begins ? "" : before->source);
        before = note;
    }
    if (before != NULL) {
        end_item(change, at);
    }
}

void xta__change_put_all(xta__bytes *change, const xta__entries *entries, bool anew)
{
    for (size_t k = 0; k < entries->n; k++) {
        const xta__entry *e = entries->items[k];
        switch (e->kind) {
        case XTA__ENTRY_ATTRIBUTE:
            xta__change_put_attribute(change, e->owner, &e->attribute);
            break;
        case XTA__ENTRY_DIMENSION:
            xta__change_put_dimension(change, &e->dimension);
            break;
        case XTA__ENTRY_MEMBER:
            xta__change_put_member(change, e->name, e->unfinished);
            break;
        default:
            xta__change_put_group(change, e->name);
            break;
        }
    }
    put_sources(change, &entries->sources, anew);
}

/* ---- decoding ---- */

/* The length and the head of the item at `at`. */
typedef struct item {
    xta__entry_kind kind;
    unsigned what;
    char owner[XTA__MAX_NAME_BYTES + 1];
    char name[XTA__MAX_NAME_BYTES + 1];
    reader put; /* what follows the name */
} item;

static xta_status decode_item(reader *in, item *out, const char **why)
{
    const uint8_t *begin = in->at;
    uint32_t bytes = read_u32(in);

    if (in->truncated || bytes < ITEM_HEAD_BYTES || bytes % 8 != 0 ||
        bytes - 4 > (uint64_t)(in->end - in->at)) {
        return corrupt(why, "the length of an item is out of range");
    }
    reader own = {.at = in->at, .end = begin + bytes};
    in->at = own.end;
    out->kind = (xta__entry_kind)read_u8(&own);
    out->what = read_u8(&own);
    unsigned n_owner = read_u16(&own), n_name = read_u16(&own);
    read_u16(&own);
    read_u32(&own);
    if (out->kind < XTA__ENTRY_ATTRIBUTE || out->kind > XTA__ENTRY_SOURCES ||
        (out->what != PUT && out->what != REMOVE)) {
        return corrupt(why, "the kind of an item is out of range");
    }
    if (!read_name(&own, n_owner, out->owner) || !read_name(&own, n_name, out->name) ||
        n_name == 0 || (n_owner > 0 && out->kind != XTA__ENTRY_ATTRIBUTE)) {
        return corrupt(why, "the name of an item is out of range");
    }
    skip_padding(&own, begin);
    out->put = own;
    return XTA_OK;
}

static xta_status decode_attribute(reader *in, xta__entry *entry, const char **why)
{
    xta_attribute *a = &entry->attribute;
    unsigned type = read_u16(in);
    uint64_t bytes = 0;

    read_u16(in);
    uint32_t cell_bytes = read_u32(in);
    uint64_t count = read_u64(in);
    if (in->truncated || (!xta__is_cell_type(type) && type != XTA_TEXT) || cell_bytes == 0 ||
        cell_bytes > 65535 || (type != XTA_BYTES && cell_bytes != xta_type_bytes((xta_type)type)) ||
        !xta__mul_u64(count, cell_bytes, &bytes) || bytes > XTA__MAX_ATTRIBUTE_BYTES) {
        return corrupt(why, "type or length of an attribute is out of range");
    }
    const uint8_t *values = read_bytes(in, bytes);
    if (in->truncated) {
        return corrupt(why, "the values of an attribute are too short");
    }
    uint8_t *copy = malloc(bytes + 1);
    if (copy == NULL) {
        return XTA_ENOMEM;
    }
    if (bytes > 0) {
        memcpy(copy, values, bytes);
    }
    copy[bytes] = 0;
    xta__swap_cells((xta_type)type, copy, bytes);
    *a = (xta_attribute){.name = entry->name,
                         .type = (xta_type)type,
                         .cell_bytes = cell_bytes,
                         .count = (size_t)count,
                         .values = copy};
    return XTA_OK;
}

static xta_coordinate read_coordinate(reader *in)
{
    uint64_t bits = read_u64(in);
    xta_coordinate number;

    memcpy(&number, &bits, sizeof number);
    return number;
}

static xta_status decode_dimension(reader *in, xta__entry *entry, const char **why)
{
    xta_dimension *d = &entry->dimension;
    uint32_t flags = read_u32(in), type = read_u32(in);

    d->name = entry->name;
    d->unlimited = (flags & FLAG_UNLIMITED) != 0;
    d->lo = (int64_t)read_u64(in);
    d->hi = (int64_t)read_u64(in);
    d->regular.origin = read_coordinate(in);
    d->regular.step = read_coordinate(in);
    if (in->truncated || d->lo > d->hi || d->lo <= -XTA__COORD_LIMIT || d->hi >= XTA__COORD_LIMIT ||
        (flags & ~(uint32_t)(FLAG_UNLIMITED | FLAG_REGULAR)) != 0) {
        return corrupt(why, "the bounds of a dimension are out of range");
    }
    if ((flags & FLAG_REGULAR) == 0) {
        d->regular = (xta_regular){0};
        return XTA_OK;
    }
    d->coordinates = XTA_COORDINATES_REGULAR;
    d->regular.type = (xta_type)type;
    return type <= 255 && xta_regular_check(&d->regular, 0, 0, NULL) == XTA_OK
               ? XTA_OK
               : corrupt(why, "the coordinates of a dimension are out of range");
}

static xta_status decode_put(item *from, xta__entry *entry, const char **why)
{
    switch (from->kind) {
    case XTA__ENTRY_ATTRIBUTE:
        return decode_attribute(&from->put, entry, why);
    case XTA__ENTRY_DIMENSION:
        return decode_dimension(&from->put, entry, why);
    case XTA__ENTRY_MEMBER:
        entry->unfinished = (read_u32(&from->put) & FLAG_UNFINISHED) != 0;
        read_u32(&from->put);
        return from->put.truncated ? corrupt(why, "the entry of a member is too short") : XTA_OK;
    default:
        return XTA_OK;
    }
}

static xta_status put_item(xta__entries *entries, item *from, const char **why)
{
    xta_status status = XTA_OK;
    xta__entry *entry = xta__calloc(1, sizeof *entry);

    if (entry == NULL) {
        return XTA_ENOMEM;
    }
    *entry = (xta__entry){.n_owners = 1,
                          .kind = from->kind,
                          .owner = xta__strdup(from->owner),
                          .name = xta__strdup(from->name)};
    if (entry->owner == NULL || entry->name == NULL) {
        XTA_TRY(XTA_ENOMEM);
    }
    XTA_TRY(decode_put(from, entry, why));
    size_t k = position_of(entries, from->kind, from->owner, from->name);
    if (k < entries->n) {
        release(entries->items[k]);
    } else if (entries->n >= MOST_ENTRIES) {
        XTA_TRY(corrupt(why, "there are more than 65536 entries"));
    } else if (!XTA__RESERVE(entries->items, entries->capacity, entries->n + 1)) {
        XTA_TRY(XTA_ENOMEM);
    } else {
        entries->n++;
    }
    entries->items[k] = entry;
    entry = NULL;

done:
    if (entry != NULL) {
        release(entry);
    }
    return status;
}

static xta_status remove_item(xta__entries *entries, const item *what)
{
    if (what->kind == XTA__ENTRY_SOURCES) {
        return xta__sources_remove(&entries->sources, what->name);
    }
    size_t k = position_of(entries, what->kind, what->owner, what->name);
    if (k < entries->n) {
        release(entries->items[k]);
        memmove(&entries->items[k], &entries->items[k + 1],
                (entries->n - k - 1) * sizeof entries->items[0]);
        entries->n--;
    }
    return XTA_OK;
}

static xta_status apply_item(xta__entries *entries, item *one, const char **why)
{
    if (one->what != PUT) {
        return remove_item(entries, one);
    }
    return one->kind == XTA__ENTRY_SOURCES
               ? xta__sources_decode(&entries->sources, one->name, one->put.at,
                                     (size_t)(one->put.end - one->put.at), why)
               : put_item(entries, one, why);
}

xta_status xta__entries_apply(xta__entries *entries, const uint8_t *payload, size_t n,
                              const char **why)
{
    reader in = {.at = payload, .end = payload + n};
    uint32_t n_items = read_u32(&in);
    xta_status status = XTA_OK;
    item *one = malloc(sizeof *one);

    read_u32(&in);
    *why = "no memory for an entry";
    if (one == NULL) {
        XTA_TRY(XTA_ENOMEM);
    }
    for (uint32_t k = 0; k < n_items; k++) {
        XTA_TRY(decode_item(&in, one, why));
        XTA_TRY(apply_item(entries, one, why));
    }
    if (in.truncated || in.at != in.end) {
        XTA_TRY(corrupt(why, "the record has a wrong length"));
    }

done:
    free(one);
    return status;
}
