/* The header of a NIfTI file: converting it to attributes, and attributes to a header.
 *
 * What follows from the cells (dim, datatype, bitpix, vox_offset) is generated anew. An array's
 * coordinates belong to the cell at 0, so an export of a box moves the origins of both transforms
 * and of time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "nifti/header.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "nifti/fields.h"

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

/* NIfTI's number for a type; 0: none. */
static int datatype_of(xta_type type, size_t cell_bytes)
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

static bool add_axes(const nifti_2_header *header, bridge_description *what)
{
    bool good = true;
    for (int axis = 0; axis < what->ndim && good; axis++) {
        const char *unit = axis < 3 ? unit_of_space(XYZT_TO_SPACE(header->xyzt_units))
                                    : unit_of_time(XYZT_TO_TIME(header->xyzt_units));
        what->name[axis] = xta__bridge_copy(axis_names[axis]);
        if (unit != NULL && axis < 4) {
            what->unit[axis] = xta__copy_foreign_name(unit);
            good = what->unit[axis] != NULL;
        }
        good = good && what->name[axis] != NULL;
    }
    return good;
}

xta_status xta__nifti_read_header(const nifti_head *head, const unsigned char *extensions,
                                  size_t n_extensions, const char *path, bridge_description *what,
                                  xta_error *err)
{
    const nifti_2_header *header = &head->two;
    if (header->dim[0] < 1 || header->dim[0] > NIFTI_MOST_NDIM) {
        return xta_error_set(err, XTA_EFORMAT, 0,
                             "%s: its header tells of %lld axes; NIfTI has 1 to 7", path,
                             (long long)header->dim[0]);
    }
    what->ndim = (int)header->dim[0];
    for (int axis = 0; axis < what->ndim; axis++) {
        what->bounds[axis] = header->dim[axis + 1];
        what->slow[axis] = what->ndim - 1 - axis;
        if (what->bounds[axis] < 1) {
            return xta_error_set(err, XTA_EFORMAT, 0,
                                 "%s: its header tells of %lld cells on axis %d", path,
                                 (long long)header->dim[axis + 1], axis);
        }
    }
    what->order = XTA_COLUMN;
    if (!type_to_xta(header->datatype, what)) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: has cells of NIfTI's type %d, which XTA does not have", path,
                             header->datatype);
    }
    bool good = add_axes(header, what) && xta__nifti_add_fields(head, what);
    if (good && n_extensions > 0) {
        good = xta__description_add(what, XTA_ON_ARRAY, NIFTI_EXTENSIONS, XTA_U8, n_extensions,
                                    extensions) != NULL;
    }
    return good ? XTA_OK : xta__bridge_no_memory(path, err);
}

/* ---- a header from attributes ---- */

/* Set the lengths of the axes; entries beyond the last axis are the source's, else 1. */
static void set_dim(const bridge_description *what, nifti_2_header *header)
{
    bool kept = header->dim[0] == what->ndim;
    header->dim[0] = what->ndim;
    for (int k = 1; k <= NIFTI_MOST_NDIM; k++) {
        if (k <= what->ndim) {
            header->dim[k] = what->bounds[k - 1];
        } else if (!kept) {
            header->dim[k] = 1;
        }
    }
}

/* The transform by quaternion, as NIfTI defines it: rotation times cell sizes, the third of which
 * has the sign `qfac` = pixdim[0]. */
static void quaternion_matrix(const nifti_2_header *h, double m[3][3])
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

/* Convert origins, which refer to the array's cell 0, to the first cell of the file. */
static void move_origin(const bridge_description *what, nifti_2_header *h)
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
    double *rows[3] = {h->srow_x, h->srow_y, h->srow_z};
    double *offsets[3] = {&h->qoffset_x, &h->qoffset_y, &h->qoffset_z};
    quaternion_matrix(h, m);
    for (int i = 0; i < 3; i++) {
        double *row = rows[i];
        double shift = m[i][0] * at[0] + m[i][1] * at[1] + m[i][2] * at[2];
        row[3] += row[0] * at[0] + row[1] * at[1] + row[2] * at[2];
        *offsets[i] += h->qform_code > 0 ? shift : 0;
    }
    h->toffset += at[3] * h->pixdim[4];
}

static xta_status check_shape(const bridge_description *what, const char *path, int version,
                              int datatype, xta_error *err)
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
        if (what->bounds[axis] < 1 || (version == 1 && what->bounds[axis] > INT16_MAX)) {
            return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                 "%s: axis %d: NIfTI-%d has axes of 1 to %s cells, not %lld; "
                                 "export a box%s",
                                 path, axis, version, version == 1 ? "32767" : "2^63 - 1",
                                 (long long)what->bounds[axis], version == 1 ? ", or NIfTI-2" : "");
        }
    }
    return XTA_OK;
}

/* The requested version; else the source's, or one that can hold the bounds. */
static int choose_version(const bridge_description *what, int asked)
{
    const bridge_attribute *sizes = xta__description_find(what, XTA_ON_ARRAY, NIFTI_OWN "pixdim");
    bool second = sizes != NULL && sizes->type == XTA_F64;
    for (int axis = 0; axis < what->ndim; axis++) {
        second = second || what->bounds[axis] > INT16_MAX;
    }
    return asked != 0 ? asked : second ? 2 : 1;
}

/* A header for cells that do not come from an image: cells of size 1, no transform. */
static void plain_header(nifti_head *head)
{
    memset(head, 0, sizeof *head);
    head->one.regular = 'r';
    for (int k = 0; k < 8; k++) {
        head->two.pixdim[k] = 1;
    }
    head->two.scl_slope = 1;
}

xta_status xta__nifti_make_header(const bridge_description *what, const char *path, int version,
                                  unsigned char **bytes, size_t *n, xta_error *err)
{
    nifti_head head;
    const bridge_attribute *extensions =
        xta__description_find(what, XTA_ON_ARRAY, NIFTI_EXTENSIONS);
    const bridge_attribute *scale = xta__description_find(what, XTA_ON_ARRAY, "scale_factor");
    int datatype = datatype_of(what->type, what->cell_bytes);
    version = choose_version(what, version);
    xta_status status = check_shape(what, path, version, datatype, err);
    if (status != XTA_OK) {
        return status;
    }
    plain_header(&head);
    head.version = version;
    xta__nifti_get_fields(what, &head);
    if (scale != NULL && xta__description_find(what, XTA_ON_ARRAY, NIFTI_OWN "scl_slope") == NULL) {
        const bridge_attribute *offset = xta__description_find(what, XTA_ON_ARRAY, "add_offset");
        head.two.scl_slope = xta__attribute_number(scale, 0, 1);
        head.two.scl_inter = xta__attribute_number(offset, 0, 0);
    }
    bool more = extensions != NULL && extensions->type == XTA_U8 && extensions->count >= 4 &&
                extensions->count < NIFTI_MOST_HEAD;
    size_t header_bytes = version == 1 ? sizeof head.one : sizeof head.two;
    *n = header_bytes + (more ? extensions->count : 4);
    *bytes = calloc(*n, 1);
    if (*bytes == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    set_dim(what, &head.two);
    move_origin(what, &head.two);
    head.two.datatype = (int16_t)datatype;
    head.two.bitpix = (int16_t)(8 * what->cell_bytes);
    head.two.vox_offset = (int64_t)*n;
    xta__nifti_narrow(&head);
    memcpy(*bytes, version == 1 ? (void *)&head.one : (void *)&head.two, header_bytes);
    if (more) {
        memcpy(*bytes + header_bytes, extensions->values, extensions->count);
    }
    return XTA_OK;
}
