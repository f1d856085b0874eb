/* An open array, with the bounds that its users see from the opening on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/array.h"

#include <cpl_error.h>
#include <cstring>

#include <xta/attribute.h>

#include "base/error.h"

namespace xta_gdal
{

bool Array::inquire()
{
    xta_error err = {};
    if (failed(xta_array_inquire(handle, &info, &err), err)) {
        return false;
    }
    box = info.bounds;
    writable = info.writable;
    return true;
}

ArrayPtr Array::open(const std::string &path, const OpenMode &mode)
{
    xta_error err = {};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    ArrayPtr array(new Array);
    options.writable = mode.update;
    options.access = mode.access;
    if (failed(xta_array_open(path.c_str(), &options, &array->handle, &err), err) ||
        !array->inquire()) {
        return nullptr;
    }
    return array;
}

ArrayPtr Array::member(const DataSetPtr &set, const std::string &name)
{
    xta_error err = {};
    ArrayPtr array(new Array);
    array->set = set;
    if (failed(xta_dataset_member(set->handle, name.c_str(), &array->handle, &err), err) ||
        !array->inquire()) {
        return nullptr;
    }
    // The moment is that of the data set: a change of attributes may have shown later growth.
    for (int axis = 0; axis < array->box.ndim; axis++) {
        const DimensionFacts *facts = set->dimension(xta_axis_name(array->handle, axis));
        if (facts != nullptr) {
            array->box.lo[axis] = facts->lo;
            array->box.hi[axis] = facts->hi;
        }
    }
    return array;
}

ArrayPtr Array::take(xta_array *handle)
{
    ArrayPtr array(new Array);
    array->handle = handle;
    return array->inquire() ? array : nullptr;
}

bool Array::close()
{
    xta_error err = {};
    xta_array *own = set == nullptr ? handle : nullptr;
    bool synced = set == nullptr || handle == nullptr || sync();
    handle = nullptr;
    return !failed(xta_array_close(own, &err), err) && synced;
}

Array::~Array()
{
    close();
}

bool Array::sync() const
{
    xta_error err = {};
    return !writable || !failed(xta_array_sync(handle, &err), err);
}

std::string Array::axis_name(int axis) const
{
    const char *name = xta_axis_name(handle, axis);
    return name[0] != '\0' ? name : "axis_" + std::to_string(axis);
}

/* ---- cells ---- */

bool Array::read(const xta_box &wanted, const xta_io_options &options, void *out) const
{
    xta_error err = {};
    xta_status status = xta_array_read(handle, &wanted, &options, out, &err);
    if (status == XTA_EBOX && xta_box_contains(&box, &wanted)) {
        return read_remaining(wanted, options, out);
    }
    return !failed(status, err);
}

bool Array::write(const xta_box &wanted, const xta_io_options &options, const void *in) const
{
    xta_error err = {};
    return !failed(xta_array_write(handle, &wanted, &options, in, &err), err);
}

/* Set all cells of the caller's memory to the fill value. `n`: cells on each axis. */
static void fill_memory(const int64_t n[], int ndim, const int64_t strides[], const void *cell,
                        size_t cell_bytes, char *out)
{
    int64_t at[XTA_MAX_NDIM] = {0};
    int axis = 0;
    while (axis >= 0) {
        std::memcpy(out, cell, cell_bytes);
        axis = ndim - 1;
        while (axis >= 0 && ++at[axis] == n[axis]) {
            out -= (n[axis] - 1) * strides[axis];
            at[axis--] = 0;
        }
        if (axis >= 0) {
            out += strides[axis];
        }
    }
}

/* Another process has removed cells, and this handle has seen it (a change of attributes does
 * that): they read as fill values, as with a handle that has not. */
bool Array::read_remaining(const xta_box &wanted, const xta_io_options &options, void *out) const
{
    char cell[65536] = {0};
    int64_t n[XTA_MAX_NDIM];
    char *first = static_cast<char *>(out);
    xta_box now = xta_array_bounds(handle);
    xta_box rest = xta_box_intersect(&wanted, &now);
    xta_type type = options.type == XTA_TYPE_SAME ? info.type : options.type;
    size_t cell_bytes = type == XTA_BYTES ? info.cell_bytes : xta_type_bytes(type);
    xta_error err = {};
    const void *fill = xta_array_fill_value(handle);
    if (type == info.type) {
        std::memcpy(cell, fill, cell_bytes);
    } else if (xta_type_convert(info.type, fill, type, cell, 1, nullptr) != XTA_OK) {
        CPLError(CE_Failure, CPLE_IllegalArg, "%s: the fill value is no %s", xta_array_path(handle),
                 xta_type_name(type));
        return false;
    }
    for (int axis = 0; axis < wanted.ndim; axis++) {
        int64_t step = options.step != nullptr ? options.step[axis] : 1;
        n[axis] = (wanted.hi[axis] - wanted.lo[axis] + step - 1) / step;
        // The first cell of the steps that is left.
        int64_t skipped = (rest.lo[axis] - wanted.lo[axis] + step - 1) / step;
        rest.lo[axis] = wanted.lo[axis] + skipped * step;
        first += skipped * options.strides[axis];
    }
    fill_memory(n, wanted.ndim, options.strides, cell, cell_bytes, static_cast<char *>(out));
    return xta_box_empty(&rest) ||
           !failed(xta_array_read(handle, &rest, &options, first, &err), err);
}

/* ---- coordinates ---- */

Coordinates coordinates_of(const Array &array, int axis)
{
    xta_coordinates *found = nullptr;
    if (xta_coordinates_read(array.handle, axis, &found, nullptr) != XTA_OK) {
        return nullptr;
    }
    Coordinates coordinates(found, FreeCoordinates());
    bool covers = xta_coordinates_lo(found) <= array.box.lo[axis] &&
                  xta_coordinates_hi(found) >= array.box.hi[axis];
    return covers ? coordinates : nullptr;
}

} // namespace xta_gdal
