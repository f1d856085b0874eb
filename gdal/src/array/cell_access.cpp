/* Cells of an array in memory of GDAL's: one call of the library, then GDAL converts if it must.
 *
 * If the type in memory is another one, cells are converted through scratch memory: the box is
 * divided along its first axes into pieces of at most PIECE_BYTES where its last axes allow it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/cell_access.h"

#include <algorithm>
#include <climits>
#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_vsi.h>
#include <cstdlib>
#include <memory>

namespace xta_gdal
{

constexpr int64_t PIECE_BYTES = 8 << 20;

namespace
{

struct FreeMemory {
    void operator()(char *memory) const
    {
        VSIFree(memory);
    }
};
using Memory = std::unique_ptr<char, FreeMemory>;

/* A transfer whose cells GDAL converts. */
struct Conversion {
    const Array &array;
    const CellAccess &access;
    const SeenAs &seen;
    bool write;
    char *scratch;
    int64_t n[XTA_MAX_NDIM]; /* cells of the piece on each axis */
};

} // namespace

static int64_t steps(const CellAccess &access, int axis)
{
    int64_t cells = access.box.hi[axis] - access.box.lo[axis];
    return (cells + access.step[axis] - 1) / access.step[axis];
}

static xta_io_options options_of(const CellAccess &access, const SeenAs &seen)
{
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    options.type = seen.memory;
    options.strides = access.strides;
    options.step = access.step;
    return options;
}

/* Copy the cells of a piece between scratch memory, which is dense, and `out`, row by row. */
static void convert_piece(const Conversion &c, char *out)
{
    int last = c.access.box.ndim - 1;
    int bytes = GDALGetDataTypeSizeBytes(c.seen.gdal);
    int stride = static_cast<int>(c.access.strides[last]);
    int64_t at[XTA_MAX_NDIM] = {0};
    char *dense = c.scratch;
    int axis = 0;
    while (axis >= 0) {
        if (c.write) {
            GDALCopyWords64(out, c.access.type, stride, dense, c.seen.gdal, bytes, c.n[last]);
        } else {
            GDALCopyWords64(dense, c.seen.gdal, bytes, out, c.access.type, stride, c.n[last]);
        }
        dense += c.n[last] * bytes;
        axis = last - 1;
        while (axis >= 0 && ++at[axis] == c.n[axis]) {
            out -= (c.n[axis] - 1) * c.access.strides[axis];
            at[axis--] = 0;
        }
        if (axis >= 0) {
            out += c.access.strides[axis];
        }
    }
}

/* Transfer a piece: `from` its first cell on each axis, in steps from the first cell of the box. */
static bool move_piece(Conversion &c, const int64_t from[], char *out)
{
    CellAccess dense = c.access;
    int64_t stride = GDALGetDataTypeSizeBytes(c.seen.gdal);
    for (int axis = c.access.box.ndim - 1; axis >= 0; axis--) {
        dense.box.lo[axis] += from[axis] * c.access.step[axis];
        dense.box.hi[axis] = dense.box.lo[axis] + (c.n[axis] - 1) * c.access.step[axis] + 1;
        dense.strides[axis] = stride;
        stride *= c.n[axis];
        out += from[axis] * c.access.strides[axis];
    }
    xta_io_options options = options_of(dense, c.seen);
    if (c.write) {
        convert_piece(c, out);
        return c.array.write(dense.box, options, c.scratch);
    }
    if (!c.array.read(dense.box, options, c.scratch)) {
        return false;
    }
    convert_piece(c, out);
    return true;
}

/* The shape of the pieces: whole last axes as far as PIECE_BYTES goes. Returns its bytes. */
static int64_t choose_pieces(const CellAccess &access, int64_t cell_bytes, int64_t n[])
{
    int64_t bytes = cell_bytes;
    for (int axis = access.box.ndim - 1; axis >= 0; axis--) {
        n[axis] = std::min(steps(access, axis), std::max<int64_t>(PIECE_BYTES / bytes, 1));
        bytes *= n[axis];
    }
    return bytes;
}

static bool move_converted(const Array &array, const CellAccess &access, const SeenAs &seen,
                           bool write, char *out)
{
    Conversion c = {array, access, seen, write, nullptr, {0}};
    int64_t shape[XTA_MAX_NDIM];
    int64_t from[XTA_MAX_NDIM] = {0};
    if (std::abs(access.strides[access.box.ndim - 1]) > INT_MAX) {
        CPLError(CE_Failure, CPLE_NotSupported,
                 "%s: cells of the last axis are too far apart in memory to be converted; read "
                 "them as %s",
                 xta_array_path(array.handle), GDALGetDataTypeName(seen.gdal));
        return false;
    }
    int64_t bytes = choose_pieces(access, GDALGetDataTypeSizeBytes(seen.gdal), shape);
    Memory scratch(static_cast<char *>(VSI_MALLOC_VERBOSE(static_cast<size_t>(bytes))));
    c.scratch = scratch.get();
    bool good = scratch != nullptr;
    int axis = 0;
    while (good && axis >= 0) {
        for (int k = 0; k < access.box.ndim; k++) {
            c.n[k] = std::min(shape[k], steps(access, k) - from[k]);
        }
        good = move_piece(c, from, out);
        axis = access.box.ndim - 1;
        while (axis >= 0 && (from[axis] += shape[axis]) >= steps(access, axis)) {
            from[axis--] = 0;
        }
    }
    return good;
}

static bool is_empty(const CellAccess &access)
{
    return xta_box_empty(&access.box);
}

bool read_cells(const Array &array, const CellAccess &access, const SeenAs &seen, void *out)
{
    if (is_empty(access)) {
        return true;
    }
    if (access.type != seen.gdal) {
        return move_converted(array, access, seen, false, static_cast<char *>(out));
    }
    return array.read(access.box, options_of(access, seen), out);
}

bool write_cells(const Array &array, const CellAccess &access, const SeenAs &seen, const void *in)
{
    if (is_empty(access)) {
        return true;
    }
    if (access.type != seen.gdal) {
        char *from = static_cast<char *>(const_cast<void *>(in));
        return move_converted(array, access, seen, true, from);
    }
    return array.write(access.box, options_of(access, seen), in);
}

} // namespace xta_gdal
