/* Arrays that grow in files; see grown_array.h. The conventional array and the one without chunks
 * use the calls of the system, as the thesis does (6.1); the former is rewritten in pieces of
 * several MiB, so that it costs one sequential pass over the old file and the new one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "axial_vectors.h"
#include "bench.h"
#include "grown_array.h"
#include "peer_hdf5.h"

enum { PIECE_CELLS = 1 << 20 };

static const int64_t CHUNK[3][GROWN_MAX_AXES] = {{32, 32}, {32, 32, 32}, {16, 16, 16, 16}};

static void write_cells(int file, const double *cells, int64_t n, int64_t at)
{
    const char *bytes = (const char *)cells;

    for (int64_t done = 0; done < n * 8;) {
        ssize_t once = pwrite(file, bytes + done, (size_t)(n * 8 - done), (off_t)(at * 8 + done));
        if (once <= 0) {
            bench_die("cannot write cells");
        }
        done += once;
    }
}

static void read_cells(int file, double *cells, int64_t n, int64_t at)
{
    char *bytes = (char *)cells;

    for (int64_t done = 0; done < n * 8;) {
        ssize_t once = pread(file, bytes + done, (size_t)(n * 8 - done), (off_t)(at * 8 + done));
        if (once <= 0) {
            bench_die("cannot read cells");
        }
        done += once;
    }
}

static int new_file(const char *path)
{
    int file = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);

    if (file < 0) {
        bench_die("cannot create %s", path);
    }
    return file;
}

/* Conventional. */

typedef struct conventional {
    int64_t length[GROWN_MAX_AXES];
    int file;
    double *old, *new; // pieces of the two files
    int64_t capacity;  // cells of `new`
} conventional;

static void conventional_create(grown_array *array, const xta_box *box)
{
    conventional *c = bench_memory(sizeof *c);
    uint64_t n = 0;
    double *cells = grown_fill(box, &n);

    *c = (conventional){.file = new_file(bench_path("row.raw"))};
    memcpy(c->length, box->hi, sizeof c->length);
    write_cells(c->file, cells, (int64_t)n, 0);
    free(cells);
    array->state = c;
}

/* Runs of `old` cells, and after each `added` cells of the slab, into a new file. */
static void rewrite(conventional *c, int64_t runs, int64_t old, int64_t added, const double *slab)
{
    int64_t new = old + added, at_once = PIECE_CELLS / new > 0 ? PIECE_CELLS / new : 1;
    int file = new_file(bench_path("row.raw.new"));

    if (at_once * new > c->capacity) {
        free(c->old);
        free(c->new);
        c->capacity = at_once * new;
        c->old = bench_memory((size_t)c->capacity * sizeof(double));
        c->new = bench_memory((size_t)c->capacity * sizeof(double));
    }
    for (int64_t i = 0; i < runs; i += at_once) {
        int64_t n = runs - i < at_once ? runs - i : at_once;
        read_cells(c->file, c->old, n * old, i * old);
        grown_spread(c->new, c->old, n, old, new);
        grown_spread(c->new + old, slab + i * added, n, added, new);
        write_cells(file, c->new, n * new, i * new);
    }
    close(c->file);
    c->file = file;
    if (rename(bench_path("row.raw.new"), bench_path("row.raw")) != 0) {
        bench_die("cannot replace row.raw");
    }
}

static void conventional_extend(grown_array *array, int axis, const xta_box *slab,
                                const double *cells)
{
    conventional *c = array->state;
    int64_t runs = 1, old = 1;

    for (int j = 0; j < array->k; j++) {
        *(j < axis ? &runs : &old) *= c->length[j];
    }
    int64_t added = old / c->length[axis] * (slab->hi[axis] - slab->lo[axis]);
    if (axis == 0) {
        write_cells(c->file, cells, added, old);
    } else {
        rewrite(c, runs, old, added, cells);
    }
    c->length[axis] = slab->hi[axis];
}

static void conventional_write(grown_array *array, int axis, const xta_box *slab,
                               const double *cells)
{
    (void)array;
    (void)axis;
    (void)slab;
    (void)cells;
}

static double conventional_get(grown_array *array, const int64_t coord[])
{
    const conventional *c = array->state;
    int64_t address = 0;
    double cell = 0;

    for (int j = 0; j < array->k; j++) {
        address = address * c->length[j] + coord[j];
    }
    read_cells(c->file, &cell, 1, address);
    return cell;
}

static void conventional_destroy(grown_array *array)
{
    conventional *c = array->state;

    close(c->file);
    bench_remove(bench_path("row.raw"));
    free(c->old);
    free(c->new);
    free(c);
}

/* Axial vectors, without chunks: a segment is appended to the file. */

typedef struct axial_file {
    axial_vectors vectors;
    int file;
    double *segment;
    size_t capacity;
} axial_file;

static void axial_create(grown_array *array, const xta_box *box)
{
    axial_file *a = bench_memory(sizeof *a);
    uint64_t n = 0;
    double *cells = grown_fill(box, &n);

    *a = (axial_file){.file = new_file(bench_path("axial.raw"))};
    axial_init(&a->vectors, array->k, box->hi, false);
    write_cells(a->file, cells, (int64_t)n, 0);
    free(cells);
    array->state = a;
}

static void axial_extend(grown_array *array, int axis, const xta_box *slab, const double *unused)
{
    axial_file *a = array->state;

    (void)unused;
    axial_grow(&a->vectors, axis, slab->hi[axis] - slab->lo[axis]);
}

static void axial_write(grown_array *array, int axis, const xta_box *slab, const double *cells)
{
    axial_file *a = array->state;
    uint64_t n = 0;

    if (xta_box_cells(slab, &n) != XTA_OK) {
        bench_die("too many cells");
    }
    if (n > a->capacity) {
        free(a->segment);
        a->capacity = (size_t)n;
        a->segment = bench_memory(a->capacity * sizeof a->segment[0]);
    }
    grown_segment_order(array->k, axis, slab, cells, a->segment);
    write_cells(a->file, a->segment, (int64_t)n, (int64_t)(a->vectors.n_cells - n));
}

static double axial_get(grown_array *array, const int64_t coord[])
{
    const axial_file *a = array->state;
    double cell = 0;

    read_cells(a->file, &cell, 1, (int64_t)axial_address(&a->vectors, coord));
    return cell;
}

static void axial_destroy(grown_array *array)
{
    axial_file *a = array->state;

    close(a->file);
    bench_remove(bench_path("axial.raw"));
    free(a->segment);
    axial_clear(&a->vectors);
    free(a);
}

/* XTA. */

static void xta_create(grown_array *array, const xta_box *box)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    double *cells = grown_fill(box, NULL);
    xta_array *handle = NULL;

    options.chunk = CHUNK[array->k - 2];
    bench_remove_array(bench_path("grown"));
    BENCH_XTA(xta_array_create(bench_path("grown"), XTA_F64, array->k, box->hi, &options, &handle,
                               &bench_error));
    BENCH_XTA(xta_array_write(handle, box, NULL, cells, &bench_error));
    free(cells);
    array->state = handle;
}

static void xta_extend(grown_array *array, int axis, const xta_box *slab, const double *unused)
{
    xta_growth growth = {axis, XTA_BACK, slab->hi[axis] - slab->lo[axis]};

    (void)unused;
    BENCH_XTA(xta_array_extend(array->state, &growth, 1, NULL, &bench_error));
}

static void xta_write(grown_array *array, int axis, const xta_box *slab, const double *cells)
{
    (void)axis;
    BENCH_XTA(xta_array_write(array->state, slab, NULL, cells, &bench_error));
}

static double xta_get(grown_array *array, const int64_t coord[])
{
    double cell = 0;

    BENCH_XTA(xta_array_get(array->state, coord, &cell, &bench_error));
    return cell;
}

static void xta_destroy(grown_array *array)
{
    BENCH_XTA(xta_array_close(array->state, &bench_error));
    bench_remove_array(bench_path("grown"));
}

/* HDF5. */

typedef struct hdf5_file {
    peer_hdf5 peer;
    int64_t length[GROWN_MAX_AXES];
} hdf5_file;

static void hdf5_create(grown_array *array, const xta_box *box)
{
    hdf5_file *h = bench_memory(sizeof *h);
    double *cells = grown_fill(box, NULL);

    memcpy(h->length, box->hi, sizeof h->length);
    peer_create(&h->peer, bench_path("grown.h5"), H5T_NATIVE_DOUBLE, array->k, h->length,
                CHUNK[array->k - 2]);
    peer_write(&h->peer, box, cells);
    free(cells);
    array->state = h;
}

static void hdf5_extend(grown_array *array, int axis, const xta_box *slab, const double *unused)
{
    hdf5_file *h = array->state;

    (void)unused;
    h->length[axis] = slab->hi[axis];
    peer_set_extent(&h->peer, h->length);
    peer_see_bounds(&h->peer);
}

static void hdf5_write(grown_array *array, int axis, const xta_box *slab, const double *cells)
{
    hdf5_file *h = array->state;

    (void)axis;
    peer_write(&h->peer, slab, cells);
}

static double hdf5_get(grown_array *array, const int64_t coord[])
{
    static const int64_t one[GROWN_MAX_AXES] = {1, 1, 1, 1};
    hdf5_file *h = array->state;
    xta_box box = bench_box(array->k, coord, one);
    double cell = 0;

    peer_read(&h->peer, &box, &cell);
    return cell;
}

static void hdf5_destroy(grown_array *array)
{
    hdf5_file *h = array->state;

    peer_close(&h->peer);
    bench_remove(bench_path("grown.h5"));
    free(h);
}

static const grown_form conventional_form = {"conventional",      conventional_create,
                                             conventional_extend, conventional_write,
                                             conventional_get,    conventional_destroy};
static const grown_form axial_form = {"axial vectors", axial_create, axial_extend,
                                      axial_write,     axial_get,    axial_destroy};
static const grown_form xta_form = {"XTA", xta_create, xta_extend, xta_write, xta_get, xta_destroy};
static const grown_form hdf5_form = {"HDF5",     hdf5_create, hdf5_extend,
                                     hdf5_write, hdf5_get,    hdf5_destroy};

const grown_form *const grown_in_files[] = {&conventional_form, &axial_form, &hdf5_form, &xta_form,
                                            NULL};
