/* The header of a NIfTI-1 image and the attributes that keep it.
 *
 * Each field is the attribute `nifti/FIELD`, so that an export gives the header back. What follows
 * from the cells (dim, datatype, bitpix, vox_offset) is made anew. An array's coordinates belong to
 * the cell at 0, so an export of a box moves the origins of both transforms and of time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "nifti.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct field {
    const char *name;
    size_t offset;
    xta_type type; /* XTA_TEXT: characters ended by a zero, if they are */
    size_t count;
} field;

#define F(name, type, count)                                         \
    {                                                                \
        NIFTI_OWN #name, offsetof(nifti_1_header, name), type, count \
    }

static const field fields[] = {
    F(data_type, XTA_TEXT, 10),   F(db_name, XTA_TEXT, 18),     F(extents, XTA_I32, 1),
    F(session_error, XTA_I16, 1), F(regular, XTA_U8, 1),        F(dim_info, XTA_U8, 1),
    F(dim, XTA_I16, 8),           F(intent_p1, XTA_F32, 1),     F(intent_p2, XTA_F32, 1),
    F(intent_p3, XTA_F32, 1),     F(intent_code, XTA_I16, 1),   F(slice_start, XTA_I16, 1),
    F(pixdim, XTA_F32, 8),        F(scl_slope, XTA_F32, 1),     F(scl_inter, XTA_F32, 1),
    F(slice_end, XTA_I16, 1),     F(slice_code, XTA_U8, 1),     F(xyzt_units, XTA_U8, 1),
    F(cal_max, XTA_F32, 1),       F(cal_min, XTA_F32, 1),       F(slice_duration, XTA_F32, 1),
    F(toffset, XTA_F32, 1),       F(glmax, XTA_I32, 1),         F(glmin, XTA_I32, 1),
    F(descrip, XTA_TEXT, 80),     F(aux_file, XTA_TEXT, 24),    F(qform_code, XTA_I16, 1),
    F(sform_code, XTA_I16, 1),    F(quatern_b, XTA_F32, 1),     F(quatern_c, XTA_F32, 1),
    F(quatern_d, XTA_F32, 1),     F(qoffset_x, XTA_F32, 1),     F(qoffset_y, XTA_F32, 1),
    F(qoffset_z, XTA_F32, 1),     F(srow_x, XTA_F32, 4),        F(srow_y, XTA_F32, 4),
    F(srow_z, XTA_F32, 4),        F(intent_name, XTA_TEXT, 16),
};

#define N_FIELDS (sizeof fields / sizeof fields[0])

static const char *const axis_names[NIFTI_MOST_NDIM] = {"x", "y", "z", "t", "u", "v", "w"};

static const struct {
    int foreign;
    xta_type ours;
    size_t cell_bytes;
} types[] = {
    {DT_UINT8, XTA_U8, 1},    {DT_INT16, XTA_I16, 2},     {DT_INT32, XTA_I32, 4},
    {DT_FLOAT32, XTA_F32, 4}, {DT_COMPLEX64, XTA_C64, 8}, {DT_FLOAT64, XTA_F64, 8},
    {DT_INT8, XTA_I8, 1},     {DT_UINT16, XTA_U16, 2},    {DT_UINT32, XTA_U32, 4},
    {DT_INT64, XTA_I64, 8},   {DT_UINT64, XTA_U64, 8},    {DT_COMPLEX128, XTA_C128, 16},
    {DT_RGB24, XTA_BYTES, 3}, {DT_RGBA32, XTA_BYTES, 4},  {DT_UINT8, XTA_BOOL, 1},
};

#define N_TYPES (sizeof types / sizeof types[0])

int xta__nifti_from_xta(xta_type type, size_t cell_bytes)
{
    for (size_t k = 0; k < N_TYPES; k++) {
        if (types[k].ours == type && types[k].cell_bytes == cell_bytes) {
            return types[k].foreign;
        }
    }
    return 0;
}

static bool type_to_xta(int foreign, bridge_description *what)
{
    for (size_t k = 0; k < N_TYPES; k++) {
        if (types[k].foreign == foreign) {
            what->type = types[k].ours;
            what->cell_bytes = types[k].cell_bytes;
            return true;
        }
    }
    return false;
}

static const char *unit_of_space(int code)
{
    static const char *const names[] = {NULL, "m", "mm", "um"};
    return code >= 1 && code <= 3 ? names[code] : NULL;
}

static const char *unit_of_time(int code)
{
    switch (code) {
    case NIFTI_UNITS_SEC:
        return "s";
    case NIFTI_UNITS_MSEC:
        return "ms";
    case NIFTI_UNITS_USEC:
        return "us";
    case NIFTI_UNITS_HZ:
        return "Hz";
    case NIFTI_UNITS_PPM:
        return "ppm";
    case NIFTI_UNITS_RADS:
        return "rad/s";
    default:
        return NULL;
    }
}

/* Characters are a text if nothing but zeros follows the first zero; else bytes, or the header
 * could not be given back. */
static bool add_field(const field *f, const unsigned char *header, bridge_description *what)
{
    const unsigned char *at = header + f->offset;
    if (f->type != XTA_TEXT) {
        return xta__bridge_add(what, XTA_ON_ARRAY, f->name, f->type, f->count, at) != NULL;
    }
    const unsigned char *end = memchr(at, 0, f->count);
    size_t n = end != NULL ? (size_t)(end - at) : f->count;
    bool clean = true;
    for (size_t k = 0; k < f->count; k++) {
        clean = clean && (k < n ? at[k] >= 32 && at[k] < 127 : at[k] == 0);
    }
    return xta__bridge_add(what, XTA_ON_ARRAY, f->name, clean ? XTA_TEXT : XTA_U8,
                           clean ? n : f->count, at) != NULL;
}

static bool add_axes(const nifti_1_header *header, bridge_description *what)
{
    bool good = true;
    for (int axis = 0; axis < what->ndim && good; axis++) {
        const char *unit = axis < 3 ? unit_of_space(XYZT_TO_SPACE(header->xyzt_units))
                                    : unit_of_time(XYZT_TO_TIME(header->xyzt_units));
        what->name[axis] = xta__bridge_copy(axis_names[axis]);
        if (unit != NULL && axis < 4) {
            what->unit[axis] = xta__bridge_copy(unit);
            good = what->unit[axis] != NULL;
        }
        good = good && what->name[axis] != NULL;
    }
    return good;
}

xta_status xta__nifti_describe(const nifti_1_header *header, const unsigned char *extensions,
                               size_t n_extensions, const char *path, bridge_description *what,
                               xta_error *err)
{
    unsigned char bytes[sizeof *header];
    memcpy(bytes, header, sizeof bytes);
    what->ndim = header->dim[0];
    if (what->ndim < 1 || what->ndim > NIFTI_MOST_NDIM) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: its header tells of %d axes; NIfTI has 1 to 7", path, what->ndim);
    }
    for (int axis = 0; axis < what->ndim; axis++) {
        what->bounds[axis] = header->dim[axis + 1];
        what->slow[axis] = what->ndim - 1 - axis;
        if (what->bounds[axis] < 1) {
            return xta_error_set(err, XTA_EFORMAT, 0, "%s: its header tells of %d cells on axis %d",
                                 path, header->dim[axis + 1], axis);
        }
    }
    what->order = XTA_COLUMN;
    if (!type_to_xta(header->datatype, what)) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: has cells of NIfTI's type %d, which XTA does not have", path,
                             header->datatype);
    }
    bool good = add_axes(header, what);
    for (size_t k = 0; k < N_FIELDS && good; k++) {
        good = add_field(&fields[k], bytes, what);
    }
    if (good && n_extensions > 0) {
        good = xta__bridge_add(what, XTA_ON_ARRAY, NIFTI_EXTENSIONS, XTA_U8, n_extensions,
                               extensions) != NULL;
    }
    return good ? XTA_OK : xta__bridge_no_memory(path, err);
}

/* ---- and back ---- */

static void get_field(const field *f, const bridge_description *what, unsigned char *header)
{
    const bridge_attribute *a = xta__bridge_find(what, XTA_ON_ARRAY, f->name);
    unsigned char *at = header + f->offset;
    bool text = f->type == XTA_TEXT && a != NULL && (a->type == XTA_TEXT || a->type == XTA_U8);
    if (text && a->count <= f->count) {
        memset(at, 0, f->count);
        memcpy(at, a->values, a->count);
    } else if (a != NULL && a->type == f->type && a->count == f->count) {
        memcpy(at, a->values, f->count * a->cell_bytes);
    }
}

/* Lengths of the axes; entries behind the last one as the source had them, else 1. */
static void set_dim(const bridge_description *what, nifti_1_header *header)
{
    bool kept = header->dim[0] == what->ndim;
    header->dim[0] = (short)what->ndim;
    for (int k = 1; k <= NIFTI_MOST_NDIM; k++) {
        if (k <= what->ndim) {
            header->dim[k] = (short)what->bounds[k - 1];
        } else if (!kept) {
            header->dim[k] = 1;
        }
    }
}

/* The transform by quaternion, of NIfTI's definition: rotation times cell sizes, the third of which
 * has the sign `qfac` = pixdim[0]. */
static void quaternion_matrix(const nifti_1_header *h, double m[3][3])
{
    double b = h->quatern_b;
    double c = h->quatern_c;
    double d = h->quatern_d;
    double rest = 1 - (b * b + c * c + d * d);
    double a = rest > 0 ? sqrt(rest) : 0;
    double size[3] = {h->pixdim[1], h->pixdim[2], h->pixdim[3]};
    const double r[3][3] = {
        {a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
        {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
        {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - c * c - b * b},
    };
    size[2] = h->pixdim[0] < 0 ? -size[2] : size[2];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            m[i][k] = r[i][k] * size[k];
        }
    }
}

/* Origins are those of the array's cell 0; they become those of the first cell of the file. */
static void move_origin(const bridge_description *what, nifti_1_header *h)
{
    double at[NIFTI_MOST_NDIM] = {0};
    double m[3][3];
    bool moved = false;
    for (int axis = 0; axis < what->ndim; axis++) {
        at[axis] = (double)what->lo[axis];
        moved = moved || what->lo[axis] != 0;
    }
    if (!moved) {
        return;
    }
    float *rows[3] = {h->srow_x, h->srow_y, h->srow_z};
    float *offsets[3] = {&h->qoffset_x, &h->qoffset_y, &h->qoffset_z};
    quaternion_matrix(h, m);
    for (int i = 0; i < 3; i++) {
        const float *row = rows[i];
        rows[i][3] = (float)(row[3] + row[0] * at[0] + row[1] * at[1] + row[2] * at[2]);
        double shift = m[i][0] * at[0] + m[i][1] * at[1] + m[i][2] * at[2];
        *offsets[i] = (float)(*offsets[i] + (h->qform_code > 0 ? shift : 0));
    }
    h->toffset = (float)(h->toffset + at[3] * h->pixdim[4]);
}

static xta_status check_shape(const bridge_description *what, const char *path, int datatype,
                              xta_error *err)
{
    if (datatype == 0) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: NIfTI has no cells of type %s with %zu bytes; convert them, or "
                             "export to npy",
                             path, xta_type_name(what->type), what->cell_bytes);
    }
    if (what->ndim > NIFTI_MOST_NDIM) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0, "%s: NIfTI has up to 7 axes, not %d", path,
                             what->ndim);
    }
    for (int axis = 0; axis < what->ndim; axis++) {
        if (what->bounds[axis] < 1 || what->bounds[axis] > INT16_MAX) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: axis %d: NIfTI-1 has axes of 1 to 32767 cells, not %lld; "
                                 "export a box",
                                 path, axis, (long long)what->bounds[axis]);
        }
    }
    return XTA_OK;
}

/* A header for cells that never were an image: cells of size 1, no transform. */
static void plain_header(unsigned char *header)
{
    nifti_1_header h;
    memset(&h, 0, sizeof h);
    h.regular = 'r';
    for (int k = 0; k < 8; k++) {
        h.pixdim[k] = 1;
    }
    h.scl_slope = 1;
    memcpy(header, &h, sizeof h);
}

xta_status xta__nifti_head(const bridge_description *what, const char *path, unsigned char **head,
                           size_t *n, xta_error *err)
{
    nifti_1_header header;
    unsigned char bytes[sizeof header];
    const bridge_attribute *extensions = xta__bridge_find(what, XTA_ON_ARRAY, NIFTI_EXTENSIONS);
    const bridge_attribute *scale = xta__bridge_find(what, XTA_ON_ARRAY, "scale_factor");
    int datatype = xta__nifti_from_xta(what->type, what->cell_bytes);
    xta_status status = check_shape(what, path, datatype, err);
    if (status != XTA_OK) {
        return status;
    }
    plain_header(bytes);
    for (size_t k = 0; k < N_FIELDS; k++) {
        get_field(&fields[k], what, bytes);
    }
    memcpy(&header, bytes, sizeof header);
    if (scale != NULL && xta__bridge_find(what, XTA_ON_ARRAY, NIFTI_OWN "scl_slope") == NULL) {
        const bridge_attribute *offset = xta__bridge_find(what, XTA_ON_ARRAY, "add_offset");
        header.scl_slope = (float)xta__bridge_number_of(scale, 0, 1);
        header.scl_inter = (float)xta__bridge_number_of(offset, 0, 0);
    }
    bool more = extensions != NULL && extensions->type == XTA_U8 && extensions->count >= 4 &&
                extensions->count < NIFTI_MOST_HEAD;
    size_t total = sizeof header + (more ? extensions->count : 4);
    header.sizeof_hdr = (int)sizeof header;
    set_dim(what, &header);
    move_origin(what, &header);
    header.datatype = (short)datatype;
    header.bitpix = (short)(8 * what->cell_bytes);
    header.vox_offset = (float)total;
    memcpy(header.magic, "n+1", 4);
    *head = calloc(total, 1);
    if (*head == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    memcpy(*head, &header, sizeof header);
    if (more) {
        memcpy(*head + sizeof header, extensions->values, extensions->count);
    }
    *n = total;
    return XTA_OK;
}
