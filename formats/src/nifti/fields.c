/* The fields of a NIfTI header, of both versions.
 *
 * Each field is the attribute `nifti/FIELD`, of the type it has in the file, so that an export can
 * write the same header. NIfTI-2 has the fields of NIfTI-1 in wider types and another order, except
 * some that come from ANALYZE; all calculations use it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "nifti/fields.h"

#include <stddef.h>
#include <string.h>

#include "description/description.h"
#include "util/bytes.h"

typedef struct field {
    const char *name;
    size_t offset[2];
    /* XTA_TEXT: characters, usually ended by a zero; XTA_TYPE_SAME: the version lacks the field */
    xta_type type[2];
    size_t count;
} field;

#define BOTH(name, first, second, count)                                                   \
    {                                                                                      \
        NIFTI_OWN #name, {offsetof(nifti_1_header, name), offsetof(nifti_2_header, name)}, \
            {first, second}, count                                                         \
    }
#define FIRST(name, type, count)                                                           \
    {                                                                                      \
        NIFTI_OWN #name, {offsetof(nifti_1_header, name), 0}, {type, XTA_TYPE_SAME}, count \
    }

static const field fields[] = {
    FIRST(data_type, XTA_TEXT, 10),
    FIRST(db_name, XTA_TEXT, 18),
    FIRST(extents, XTA_I32, 1),
    FIRST(session_error, XTA_I16, 1),
    FIRST(regular, XTA_U8, 1),
    BOTH(dim_info, XTA_U8, XTA_U8, 1),
    BOTH(dim, XTA_I16, XTA_I64, 8),
    BOTH(intent_p1, XTA_F32, XTA_F64, 1),
    BOTH(intent_p2, XTA_F32, XTA_F64, 1),
    BOTH(intent_p3, XTA_F32, XTA_F64, 1),
    BOTH(intent_code, XTA_I16, XTA_I32, 1),
    BOTH(slice_start, XTA_I16, XTA_I64, 1),
    BOTH(pixdim, XTA_F32, XTA_F64, 8),
    BOTH(scl_slope, XTA_F32, XTA_F64, 1),
    BOTH(scl_inter, XTA_F32, XTA_F64, 1),
    BOTH(slice_end, XTA_I16, XTA_I64, 1),
    BOTH(slice_code, XTA_U8, XTA_I32, 1),
    BOTH(xyzt_units, XTA_U8, XTA_I32, 1),
    BOTH(cal_max, XTA_F32, XTA_F64, 1),
    BOTH(cal_min, XTA_F32, XTA_F64, 1),
    BOTH(slice_duration, XTA_F32, XTA_F64, 1),
    BOTH(toffset, XTA_F32, XTA_F64, 1),
    FIRST(glmax, XTA_I32, 1),
    FIRST(glmin, XTA_I32, 1),
    BOTH(descrip, XTA_TEXT, XTA_TEXT, 80),
    BOTH(aux_file, XTA_TEXT, XTA_TEXT, 24),
    BOTH(qform_code, XTA_I16, XTA_I32, 1),
    BOTH(sform_code, XTA_I16, XTA_I32, 1),
    BOTH(quatern_b, XTA_F32, XTA_F64, 1),
    BOTH(quatern_c, XTA_F32, XTA_F64, 1),
    BOTH(quatern_d, XTA_F32, XTA_F64, 1),
    BOTH(qoffset_x, XTA_F32, XTA_F64, 1),
    BOTH(qoffset_y, XTA_F32, XTA_F64, 1),
    BOTH(qoffset_z, XTA_F32, XTA_F64, 1),
    BOTH(srow_x, XTA_F32, XTA_F64, 4),
    BOTH(srow_y, XTA_F32, XTA_F64, 4),
    BOTH(srow_z, XTA_F32, XTA_F64, 4),
    BOTH(intent_name, XTA_TEXT, XTA_TEXT, 16),
};

#define N_FIELDS (sizeof fields / sizeof fields[0])

static size_t bytes_of(const field *f, int version)
{
    xta_type type = f->type[version - 1];
    return f->count * (type == XTA_TEXT ? 1 : xta_type_bytes(type));
}

void xta__nifti_swap_bytes(nifti_2_header *header)
{
    unsigned char bytes[sizeof *header];
    memcpy(bytes, header, sizeof bytes);
    xta__swap_bytes(bytes + offsetof(nifti_2_header, sizeof_hdr), 4, 4);
    xta__swap_bytes(bytes + offsetof(nifti_2_header, datatype), 2, 2);
    xta__swap_bytes(bytes + offsetof(nifti_2_header, bitpix), 2, 2);
    xta__swap_bytes(bytes + offsetof(nifti_2_header, vox_offset), 8, 8);
    for (size_t k = 0; k < N_FIELDS; k++) {
        xta_type type = fields[k].type[1];
        if (type != XTA_TEXT && type != XTA_TYPE_SAME) {
            xta__swap_bytes(bytes + fields[k].offset[1], bytes_of(&fields[k], 2),
                            xta_type_bytes(type));
        }
    }
    memcpy(header, bytes, sizeof bytes);
}

/* Convert numbers to another type; those that do not fit leave the target unchanged. */
static void convert_numbers(xta_type from_type, const void *from, xta_type to_type, void *to,
                            size_t count)
{
    _Alignas(16) unsigned char values[64];
    xta_status status = xta_type_convert(from_type, from, to_type, values, count, NULL);
    if (status == XTA_OK) {
        memcpy(to, values, count * xta_type_bytes(to_type));
    }
}

/* Copy every field that both versions have from one header to the other. */
static void move_all(nifti_head *head, int from)
{
    unsigned char *bytes[2] = {(unsigned char *)&head->one, (unsigned char *)&head->two};
    int to = 1 - from;
    for (size_t k = 0; k < N_FIELDS; k++) {
        const field *f = &fields[k];
        if (f->type[1] == XTA_TYPE_SAME) {
            continue;
        }
        if (f->type[0] == XTA_TEXT) {
            memcpy(bytes[to] + f->offset[to], bytes[from] + f->offset[from], f->count);
        } else {
            _Alignas(16) unsigned char aligned[64];
            memcpy(aligned, bytes[from] + f->offset[from], bytes_of(f, from + 1));
            convert_numbers(f->type[from], aligned, f->type[to], bytes[to] + f->offset[to],
                            f->count);
        }
    }
}

void xta__nifti_widen(nifti_head *head)
{
    memset(&head->two, 0, sizeof head->two);
    move_all(head, 0);
    head->two.sizeof_hdr = (int32_t)sizeof head->two;
    head->two.datatype = head->one.datatype;
    head->two.bitpix = head->one.bitpix;
    head->two.vox_offset = (int64_t)head->one.vox_offset;
}

void xta__nifti_narrow(nifti_head *head)
{
    static const char magic[8] = {'n', '+', '2', '\0', '\r', '\n', '\032', '\n'};
    head->two.sizeof_hdr = (int32_t)sizeof head->two;
    memcpy(head->two.magic, magic, sizeof magic);
    if (head->version == 1) {
        move_all(head, 1);
        head->one.sizeof_hdr = (int)sizeof head->one;
        head->one.datatype = head->two.datatype;
        head->one.bitpix = head->two.bitpix;
        head->one.vox_offset = (float)head->two.vox_offset;
        memcpy(head->one.magic, "n+1", 4);
    }
}

/* ---- attributes ---- */

/* Characters become a text if only zeros follow the first zero; else bytes, since the header could
 * otherwise not be reproduced. */
static bool add_field(const field *f, xta_type type, const unsigned char *at,
                      bridge_description *what)
{
    if (type != XTA_TEXT) {
        return xta__description_add(what, XTA_ON_ARRAY, f->name, type, f->count, at) != NULL;
    }
    const unsigned char *end = memchr(at, 0, f->count);
    size_t n = end != NULL ? (size_t)(end - at) : f->count;
    bool clean = true;
    for (size_t k = 0; k < f->count; k++) {
        clean = clean && (k < n ? at[k] >= 32 && at[k] < 127 : at[k] == 0);
    }
    return xta__description_add(what, XTA_ON_ARRAY, f->name, clean ? XTA_TEXT : XTA_U8,
                                clean ? n : f->count, at) != NULL;
}

bool xta__nifti_add_fields(const nifti_head *head, bridge_description *what)
{
    int v = head->version - 1;
    const unsigned char *bytes =
        v == 0 ? (const unsigned char *)&head->one : (const unsigned char *)&head->two;
    bool good = true;
    for (size_t k = 0; k < N_FIELDS && good; k++) {
        const field *f = &fields[k];
        good = f->type[v] == XTA_TYPE_SAME || add_field(f, f->type[v], bytes + f->offset[v], what);
    }
    return good;
}

/* Set a field of the wider header, or one that only version 1 has. */
static void get_field(const field *f, const bridge_attribute *a, nifti_head *head)
{
    int v = f->type[1] != XTA_TYPE_SAME ? 1 : 0;
    unsigned char *at =
        (v == 0 ? (unsigned char *)&head->one : (unsigned char *)&head->two) + f->offset[v];
    if (f->type[v] == XTA_TEXT) {
        if ((a->type == XTA_TEXT || a->type == XTA_U8) && a->count <= f->count) {
            memset(at, 0, f->count);
            memcpy(at, a->values, a->count);
        }
    } else if (a->count == f->count && a->type != XTA_TEXT && a->type != XTA_BYTES) {
        convert_numbers(a->type, a->values, f->type[v], at, f->count);
    }
}

void xta__nifti_get_fields(const bridge_description *what, nifti_head *head)
{
    for (size_t k = 0; k < N_FIELDS; k++) {
        const bridge_attribute *a = xta__description_find(what, XTA_ON_ARRAY, fields[k].name);
        if (a != NULL) {
            get_field(&fields[k], a, head);
        }
    }
}
