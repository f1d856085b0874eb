/* Reading bytes of flat files: which cells they belong to, in which boxes, and those at the ends of
 * which only some bytes are wanted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/flat.h>

#include <stdlib.h>
#include <string.h>

#include "flat/layout/byte_swap.h"
#include "flat/layout/cell_ranges.h"
#include "flat/sources.h"
#include "util/try.h"

/* Bytes that are read, and then swapped while the processor's caches hold them. */
enum { SWAPPED_BYTES = 256 << 10 };

/* The end of a piece of [first, end) to be swapped at once. It is a border between slabs (the cells
 * of the last few axes) as large as they fit, so that few pieces are more than one box. */
static uint64_t end_of_piece(const flat_source *source, uint64_t first, uint64_t end)
{
    const xta_box *box = &source->box;
    const uint64_t most = SWAPPED_BYTES / source->cell_bytes;
    uint64_t slab = 1;

    if (source->swap_bytes <= 1 || end - first <= most) {
        return end;
    }
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        uint64_t length = (uint64_t)(box->hi[axis] - box->lo[axis]);
        if (length > most / slab) {
            break;
        }
        slab *= length;
    }
    return (first + most) / slab * slab;
}

/* Read whole cells of a source, which are `first` and those that follow in row-major order. */
static xta_status read_piece(const flat_source *source, uint64_t first, uint64_t n, uint8_t *out,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    xta__cell_range range = {&source->box, first, first + n};
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    xta_box box;
    uint64_t n_cells = 0;
    uint8_t *at = out;

    options.type = source->type == XTA_BYTES ? XTA_TYPE_SAME : source->type;
    if (source->array == NULL) {
        int64_t lo = source->lo + (int64_t)first;
        xta_regular_values(&source->regular, lo, lo + (int64_t)n, out);
    }
    while (source->array != NULL && xta__cell_range_next(&range, &box, &n_cells)) {
        XTA_TRY(xta_array_read(source->array, &box, &options, at, err));
        at += n_cells * source->cell_bytes;
    }
    if (source->swap_bytes > 1) {
        xta__swap_numbers(out, n * source->cell_bytes, source->swap_bytes);
    }

done:
    return status;
}

static xta_status read_cells(const flat_source *source, uint64_t first, uint64_t n, uint8_t *out,
                             xta_error *err)
{
    xta_status status = XTA_OK;

    for (uint64_t end = first + n; first < end;) {
        uint64_t next = end_of_piece(source, first, end);
        XTA_TRY(read_piece(source, first, next - first, out, err));
        out += (next - first) * source->cell_bytes;
        first = next;
    }

done:
    return status;
}

/* Read `n` bytes of one cell, from its byte `skip` on. */
static xta_status read_cut_cell(const flat_source *source, uint64_t cell, size_t skip, size_t n,
                                uint8_t *out, xta_error *err)
{
    xta_status status = XTA_OK;
    uint8_t small[16], *bytes = small;

    if (source->cell_bytes > sizeof small) {
        bytes = malloc(source->cell_bytes);
        if (bytes == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "no memory for a cell of %zu bytes",
                             source->cell_bytes);
        }
    }
    XTA_TRY(read_cells(source, cell, 1, bytes, err));
    memcpy(out, bytes + skip, n);

done:
    if (bytes != small) {
        free(bytes);
    }
    return status;
}

/* Read `n` bytes of a source, from its byte `from` on. */
static xta_status read_source(const flat_source *source, uint64_t from, size_t n, uint8_t *out,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    const size_t unit = source->cell_bytes;

    if (source->bytes != NULL) {
        memcpy(out, source->bytes + from, n);
        return XTA_OK;
    }
    if (from % unit != 0) {
        size_t skip = (size_t)(from % unit), cut = n < unit - skip ? n : unit - skip;
        XTA_TRY(read_cut_cell(source, from / unit, skip, cut, out, err));
        from += cut;
        out += cut;
        n -= cut;
    }
    if (n >= unit) {
        XTA_TRY(read_cells(source, from / unit, n / unit, out, err));
    }
    if (n % unit != 0) {
        XTA_TRY(
            read_cut_cell(source, from / unit + n / unit, 0, n % unit, out + n / unit * unit, err));
    }

done:
    return status;
}

xta_status xta_flat_read(xta_flat *flat, uint64_t offset, size_t n, void *buffer, size_t *n_read,
                         xta_error *err)
{
    xta_status status = XTA_OK;
    uint8_t *out = buffer;
    uint64_t end = offset < flat->n_bytes ? flat->n_bytes : offset;

    xta__clear(err);
    *n_read = 0;
    end = n < end - offset ? offset + n : end;
    for (size_t k = xta__flat_find(flat, offset); offset < end; k++) {
        const flat_source *source = k < flat->n_sources ? &flat->sources[k] : NULL;
        uint64_t begin = source != NULL && source->offset < end ? source->offset : end;
        if (begin > offset) {
            memset(out + *n_read, 0, (size_t)(begin - offset)); // padding
            *n_read += (size_t)(begin - offset);
            offset = begin;
        }
        if (offset < end) {
            uint64_t left = source->offset + source->n_bytes - offset;
            size_t some = (size_t)(left < end - offset ? left : end - offset);
            XTA_TRY(read_source(source, offset - source->offset, some, out + *n_read, err));
            *n_read += some;
            offset += some;
        }
    }

done:
    return status;
}
