/* The chunks of an HDF5 dataset as they are stored, with their filters undone here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hdf5/raw/raw_chunks.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "common/copy_box.h"
#include "hdf5/base/library.h"
#include "hdf5/base/types.h"
#include "util/os.h"

enum { MOST_THREADS = 7 }; /* beside the calling one */

struct raw_chunks {
    hid_t dataset;
    int ndim;
    int64_t length[XTA_MAX_NDIM], shape[XTA_MAX_NDIM];
    size_t cell_bytes, chunk_cells;
    chunk_filters filters;
    int n_filters;
};

/* ---- which datasets ---- */

/* Whether cells have the same bytes in the file and in memory. */
static bool has_plain_cells(hid_t dataset, size_t cell_bytes)
{
    hid_t type = H5Dget_type(dataset);
    H5T_class_t class = H5Tget_class(type);
    bool number = class == H5T_INTEGER || class == H5T_FLOAT;
    hid_t memory = number ? xta__hdf5_memory_type(type) : H5I_INVALID_HID;
    bool plain = memory >= 0 && H5Tequal(type, memory) > 0 && H5Tget_size(type) == cell_bytes;

    if (memory >= 0) {
        H5Tclose(memory);
    }
    H5Tclose(type);
    return plain;
}

/* Shuffle, then deflate; either may lack. */
static bool note_filters(hid_t properties, raw_chunks *raw)
{
    raw->n_filters = H5Pget_nfilters(properties);
    for (int k = 0; k < raw->n_filters; k++) {
        unsigned flags = 0, config = 0;
        size_t n_values = 0;
        H5Z_filter_t id =
            H5Pget_filter2(properties, (unsigned)k, &flags, &n_values, NULL, 0, NULL, &config);
        if (id == H5Z_FILTER_SHUFFLE && k == 0) {
            raw->filters.shuffled = true;
        } else if (id == H5Z_FILTER_DEFLATE && !raw->filters.deflated) {
            raw->filters.deflated = true;
        } else {
            return false;
        }
    }
    return raw->n_filters >= 0;
}

static bool note_shape(hid_t dataset, hid_t properties, raw_chunks *raw)
{
    hsize_t chunk[H5S_MAX_RANK], length[H5S_MAX_RANK];
    unsigned options = 1;
    hid_t space = H5Dget_space(dataset);
    // Chunks that reach beyond the bounds may be stored without filters, by request.
    bool good = H5Sget_simple_extent_ndims(space) == raw->ndim && raw->ndim > 0 &&
                H5Sget_simple_extent_dims(space, length, NULL) == raw->ndim &&
                H5Pget_layout(properties) == H5D_CHUNKED &&
                H5Pget_chunk(properties, raw->ndim, chunk) == raw->ndim &&
                H5Pget_chunk_opts(properties, &options) >= 0 && options == 0;

    H5Sclose(space);
    raw->chunk_cells = 1;
    for (int axis = 0; good && axis < raw->ndim; axis++) {
        raw->length[axis] = (int64_t)length[axis];
        raw->shape[axis] = (int64_t)chunk[axis];
        raw->chunk_cells *= chunk[axis]; // below 2^32 bytes, says HDF5
    }
    return good;
}

raw_chunks *xta__raw_chunks_open(int64_t file, const char *path, int ndim, size_t cell_bytes)
{
    raw_chunks *raw = calloc(1, sizeof *raw);

    if (raw == NULL) {
        return NULL;
    }
    raw->ndim = ndim;
    raw->cell_bytes = cell_bytes;
    xta__hdf5_enter();
    raw->dataset = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t properties = raw->dataset >= 0 ? H5Dget_create_plist(raw->dataset) : H5I_INVALID_HID;
    bool good = properties >= 0 && has_plain_cells(raw->dataset, cell_bytes) &&
                note_shape(raw->dataset, properties, raw) && note_filters(properties, raw);
    if (properties >= 0) {
        H5Pclose(properties);
    }
    xta__hdf5_leave();
    if (!good) {
        xta__raw_chunks_close(raw);
        return NULL;
    }
    return raw;
}

void xta__raw_chunks_close(raw_chunks *raw)
{
    if (raw != NULL && raw->dataset >= 0) {
        xta__hdf5_enter();
        H5Dclose(raw->dataset);
        xta__hdf5_leave();
    }
    free(raw);
}

const int64_t *xta__raw_chunks_shape(const raw_chunks *raw)
{
    return raw->shape;
}

/* ---- reading ---- */

/* The stored bytes of the chunk whose first cell is `first`: into scratch->stored, or to `whole`,
 * if they are the cells themselves and that is not NULL. The number of bytes; 0: none. */
static size_t read_stored(const raw_chunks *raw, chunk_scratch *scratch, const int64_t first[],
                          unsigned char *whole)
{
    hsize_t offset[XTA_MAX_NDIM], bytes = 0;
    uint32_t skipped = 0;

    for (int axis = 0; axis < raw->ndim; axis++) {
        offset[axis] = (hsize_t)first[axis];
    }
    xta__hdf5_enter();
    bool good = H5Dget_chunk_storage_size(raw->dataset, offset, &bytes) >= 0 && bytes > 0;
    good = good && (raw->n_filters > 0 || bytes == raw->chunk_cells * raw->cell_bytes);
    bool direct = whole != NULL && raw->n_filters == 0;
    good = good &&
           (direct ||
            xta__chunk_scratch_reserve(&scratch->stored, &scratch->stored_bytes, (size_t)bytes)) &&
           H5Dread_chunk(raw->dataset, H5P_DEFAULT, offset, &skipped,
                         direct ? whole : scratch->stored) >= 0;
    xta__hdf5_leave();
    // A filter that was of no use is skipped where that is permitted.
    return good && skipped == 0 ? (size_t)bytes : 0;
}

/* The cells of a chunk that lie in the box. */
static bool read_chunk(const raw_chunks *raw, chunk_scratch *scratch, const int64_t first[],
                       const xta_box *box, unsigned char *cells)
{
    int64_t shape[XTA_MAX_NDIM], in_chunk[XTA_MAX_NDIM], in_box[XTA_MAX_NDIM], count[XTA_MAX_NDIM];
    bool same = true; // the box is the chunk

    for (int axis = 0; axis < raw->ndim; axis++) {
        int64_t lo = first[axis] > box->lo[axis] ? first[axis] : box->lo[axis];
        int64_t hi = first[axis] + raw->shape[axis];
        hi = hi < box->hi[axis] ? hi : box->hi[axis];
        shape[axis] = box->hi[axis] - box->lo[axis];
        in_chunk[axis] = lo - first[axis];
        in_box[axis] = lo - box->lo[axis];
        count[axis] = hi - lo;
        same = same && count[axis] == raw->shape[axis] && count[axis] == shape[axis];
    }
    size_t stored = read_stored(raw, scratch, first, same ? cells : NULL);
    if (stored == 0 || (same && raw->n_filters == 0)) {
        return stored != 0;
    }
    unsigned char *decoded = same ? cells : scratch->stored;
    if (raw->n_filters > 0) {
        if (!same && !xta__chunk_scratch_reserve(&scratch->chunk, &scratch->chunk_bytes,
                                                 raw->chunk_cells * raw->cell_bytes)) {
            return false;
        }
        decoded = same ? cells : scratch->chunk;
        if (!xta__chunk_unfilter(&raw->filters, scratch, stored, decoded, raw->chunk_cells,
                                 raw->cell_bytes)) {
            return false;
        }
    }
    if (!same) {
        cell_view from = {.bytes = decoded}, to = {.bytes = cells};
        xta__view_rows(&from, raw->ndim, raw->shape, in_chunk, raw->cell_bytes);
        xta__view_rows(&to, raw->ndim, shape, in_box, raw->cell_bytes);
        xta__copy_view(&from, &to, raw->ndim, count, raw->cell_bytes);
    }
    return true;
}

/* The chunks of a box, which threads take one by one. */
typedef struct chunk_walk {
    const raw_chunks *raw;
    const xta_box *box;
    unsigned char *cells;
    uint64_t n_chunks;
    _Atomic uint64_t next;
    atomic_bool failed;
} chunk_walk;

/* False: HDF5 has to read the box. */
static bool begin_walk(const raw_chunks *raw, const xta_box *box, unsigned char *cells,
                       chunk_walk *walk)
{
    walk->raw = raw;
    walk->box = box;
    walk->cells = cells;
    walk->n_chunks = 1;
    for (int axis = 0; axis < raw->ndim; axis++) {
        int64_t shape = raw->shape[axis];
        // A variable can be shorter than its dimension.
        if (box->hi[axis] > raw->length[axis]) {
            return false;
        }
        walk->n_chunks *= (uint64_t)((box->hi[axis] - 1) / shape - box->lo[axis] / shape + 1);
    }
    return true;
}

/* The first cell of chunk number `k` of the box, in row order. */
static void find_chunk(const chunk_walk *walk, uint64_t k, int64_t first[])
{
    const raw_chunks *raw = walk->raw;

    for (int axis = raw->ndim - 1; axis >= 0; axis--) {
        int64_t shape = raw->shape[axis], lo = walk->box->lo[axis] / shape;
        uint64_t n = (uint64_t)((walk->box->hi[axis] - 1) / shape - lo + 1);
        first[axis] = (lo + (int64_t)(k % n)) * shape;
        k /= n;
    }
}

static void read_chunks(chunk_walk *walk, chunk_scratch *scratch)
{
    int64_t first[XTA_MAX_NDIM];
    uint64_t k = 0;

    while (!atomic_load(&walk->failed) && (k = atomic_fetch_add(&walk->next, 1)) < walk->n_chunks) {
        find_chunk(walk, k, first);
        if (!read_chunk(walk->raw, scratch, first, walk->box, walk->cells)) {
            atomic_store(&walk->failed, true);
        }
    }
}

static void *run_reader(void *user)
{
    chunk_scratch scratch = {0};

    read_chunks(user, &scratch);
    xta__chunk_scratch_free(&scratch);
    return NULL;
}

bool xta__raw_chunks_read(const raw_chunks *raw, chunk_scratch *scratch, const xta_box *box,
                          unsigned char *cells)
{
    chunk_walk walk = {0};

    if (!begin_walk(raw, box, cells, &walk)) {
        return false;
    }
    read_chunks(&walk, scratch);
    return !atomic_load(&walk.failed);
}

bool xta__raw_chunks_read_by_threads(const raw_chunks *raw, const xta_box *box,
                                     unsigned char *cells)
{
    chunk_walk walk = {0};
    pthread_t thread[MOST_THREADS];
    uint64_t n = 0, wanted = (uint64_t)xta__processors();
    int n_threads = 0;

    if (!begin_walk(raw, box, cells, &walk) || xta_box_cells(box, &n) != XTA_OK) {
        return false;
    }
    uint64_t suffices = n / 4 / raw->chunk_cells;
    if (suffices == 0) {
        return false;
    }
    wanted = wanted < suffices ? wanted : suffices;
    wanted = wanted < walk.n_chunks ? wanted : walk.n_chunks;
    // The caller is one of them.
    while (n_threads < MOST_THREADS && (uint64_t)n_threads + 1 < wanted &&
           xta__thread_start_elsewhere(&thread[n_threads], run_reader, &walk)) {
        n_threads++;
    }
    run_reader(&walk);
    for (int k = 0; k < n_threads; k++) {
        pthread_join(thread[k], NULL);
    }
    return !atomic_load(&walk.failed);
}

/* ---- files ---- */

int64_t xta__raw_chunks_open_file(const char *path)
{
    xta__hdf5_enter();
    hid_t file = H5Fis_hdf5(path) > 0 ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    xta__hdf5_leave();
    return file;
}

void xta__raw_chunks_close_file(int64_t file)
{
    if (file >= 0) {
        xta__hdf5_enter();
        H5Fclose(file);
        xta__hdf5_leave();
    }
}
