/* Chunks along curves, and chunks whose order differs from that of memory: a cube of float64 in
 * chunks of 64^3, read and written as a whole and in boxes of 64^3 at any place, from row-major
 * memory.
 *
 * Compared with the library, taking turns with it: a naive copy of the same bytes from the mapped
 * data file, and HDF5, whose chunks are row-major. For curves the naive copy goes cell by cell
 * through a table of positions into a dense chunk, whose rows are then copied to memory; for
 * column-major chunks it copies square tiles of 16 x 16 cells. The library did the same before it
 * copied in blocks, only slower: here the compiler knows that there are three axes and eight bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench.h"
#include "peer_hdf5.h"

#define CHUNK       64
#define CHUNK_CELLS ((size_t)CHUNK * CHUNK * CHUNK)
#define SQUARE      16
#define BOXES       24
#define REPETITIONS 7

typedef struct cube {
    const char *name;
    xta_array *array;
    uint32_t *position; // of each cell of a chunk
    uint64_t *first;    // cells of the data file before each chunk
    double *file;       // the data file, mapped
    size_t file_bytes;
} cube;

typedef struct curves {
    int64_t side;
    double *cells;
    double *scratch; // one chunk
    peer_hdf5 theirs;
    xta_box boxes[BOXES];
    int n_boxes;
    bool write;
    const cube *now;
} curves;

/* The part of a box in one chunk: cells [lo, hi) of the array, and the box they go to. */
typedef struct part {
    int64_t lo[3], hi[3];
    const xta_box *box;
    const double *chunk;
} part;

static size_t within(const int64_t coord[3])
{
    return (size_t)((coord[0] % CHUNK * CHUNK + coord[1] % CHUNK) * CHUNK + coord[2] % CHUNK);
}

static double *in_memory(const xta_box *box, double *cells, int64_t i, int64_t j, int64_t k)
{
    int64_t rows = box->hi[1] - box->lo[1], columns = box->hi[2] - box->lo[2];

    return cells + ((i - box->lo[0]) * rows + (j - box->lo[1])) * columns + (k - box->lo[2]);
}

/* Through the table of positions into a dense chunk, then row by row. */
static void plain_curve(const curves *test, const part *p, double *cells)
{
    size_t n = 0, row = (size_t)(p->hi[2] - p->lo[2]);

    for (int64_t i = p->lo[0]; i < p->hi[0]; i++) {
        for (int64_t j = p->lo[1]; j < p->hi[1]; j++) {
            for (int64_t k = p->lo[2]; k < p->hi[2]; k++) {
                const int64_t coord[3] = {i, j, k};
                test->scratch[n++] = p->chunk[test->now->position[within(coord)]];
            }
        }
    }
    n = 0;
    for (int64_t i = p->lo[0]; i < p->hi[0]; i++) {
        for (int64_t j = p->lo[1]; j < p->hi[1]; j++, n += row) {
            memcpy(in_memory(p->box, cells, i, j, p->lo[2]), test->scratch + n,
                   row * sizeof *cells);
        }
    }
}

/* A square tile of axes 0 and 2 from (i, k) on, clipped to the part. */
static void plain_square(const part *p, int64_t i, int64_t j, int64_t k, double *cells)
{
    int64_t i_end = i + SQUARE < p->hi[0] ? i + SQUARE : p->hi[0];
    int64_t k_end = k + SQUARE < p->hi[2] ? k + SQUARE : p->hi[2];

    for (; i < i_end; i++) {
        double *to = in_memory(p->box, cells, i, j, k);
        const double *from = p->chunk + i % CHUNK + j % CHUNK * CHUNK;
        for (int64_t c = k; c < k_end; c++) {
            *to++ = from[c % CHUNK * CHUNK * CHUNK];
        }
    }
}

static void plain_columns(const part *p, double *cells)
{
    for (int64_t j = p->lo[1]; j < p->hi[1]; j++) {
        for (int64_t i = p->lo[0]; i < p->hi[0]; i += SQUARE) {
            for (int64_t k = p->lo[2]; k < p->hi[2]; k += SQUARE) {
                plain_square(p, i, j, k, cells);
            }
        }
    }
}

/* The chunk `at` of a box; false if there is no such chunk. */
static bool next_part(const curves *test, const xta_box *box, int64_t at[3], part *p)
{
    int64_t chunks = test->side / CHUNK, number = 0;

    p->box = box;
    for (int axis = 0; axis < 3; axis++) {
        int64_t begin = at[axis] * CHUNK, end = begin + CHUNK;
        p->lo[axis] = begin > box->lo[axis] ? begin : box->lo[axis];
        p->hi[axis] = end < box->hi[axis] ? end : box->hi[axis];
        number = number * chunks + at[axis];
    }
    if (at[0] * CHUNK >= box->hi[0]) {
        return false;
    }
    p->chunk = test->now->file + test->now->first[number];
    for (int axis = 2; axis >= 0; axis--) {
        if (++at[axis] * CHUNK < box->hi[axis] || axis == 0) {
            break;
        }
        at[axis] = box->lo[axis] / CHUNK;
    }
    return true;
}

static void plain_read(const curves *test, const xta_box *box, double *cells)
{
    int64_t at[3] = {box->lo[0] / CHUNK, box->lo[1] / CHUNK, box->lo[2] / CHUNK};
    part p;

    while (next_part(test, box, at, &p)) {
        if (test->now->position != NULL) {
            plain_curve(test, &p, cells);
        } else {
            plain_columns(&p, cells);
        }
    }
}

static size_t cells_of(const xta_box *box)
{
    return (size_t)((box->hi[0] - box->lo[0]) * (box->hi[1] - box->lo[1]) *
                    (box->hi[2] - box->lo[2]));
}

typedef void move_box(const curves *test, const xta_box *box, double *cells);

static void move_ours(const curves *test, const xta_box *box, double *cells)
{
    if (test->write) {
        BENCH_XTA(xta_array_write(test->now->array, box, NULL, cells, &bench_error));
    } else {
        BENCH_XTA(xta_array_read(test->now->array, box, NULL, cells, &bench_error));
    }
}

static void move_hdf5(const curves *test, const xta_box *box, double *cells)
{
    peer_hdf5 *peer = (peer_hdf5 *)(uintptr_t)&test->theirs;

    if (test->write) {
        peer_write(peer, box, cells);
    } else {
        peer_read(peer, box, cells);
    }
}

static double run_boxes(const curves *test, move_box *move, const char *who)
{
    double *cells = test->cells;

    for (int i = 0; i < test->n_boxes; i++) {
        if (test->write) {
            bench_fill(&test->boxes[i], cells);
        } else {
            memset(cells, 0, cells_of(&test->boxes[i]) * sizeof *cells);
        }
        cells += cells_of(&test->boxes[i]);
    }
    cells = test->cells;
    double start = bench_now();
    for (int i = 0; i < test->n_boxes; i++) {
        move(test, &test->boxes[i], cells);
        cells += cells_of(&test->boxes[i]);
    }
    double taken = bench_now() - start;
    cells = test->cells;
    for (int i = 0; i < test->n_boxes; i++) {
        bench_verify(&test->boxes[i], cells, who);
        cells += cells_of(&test->boxes[i]);
    }
    return taken;
}

static double run_ours(void *state, int repetition)
{
    (void)repetition;
    return run_boxes(state, move_ours, "xta");
}

static double run_plain(void *state, int repetition)
{
    (void)repetition;
    return run_boxes(state, plain_read, "the plain way");
}

static double run_hdf5(void *state, int repetition)
{
    (void)repetition;
    return run_boxes(state, move_hdf5, "HDF5");
}

static void compare(curves *test, const char *what, double target)
{
    bench_side sides[] = {{run_ours, test}, {run_hdf5, test}, {run_plain, test}};
    const char *metric = test->write ? "write" : "read";
    double seconds[3], bytes = 0;
    char name[96];

    for (int i = 0; i < test->n_boxes; i++) {
        bytes += (double)cells_of(&test->boxes[i]) * sizeof(double);
    }
    bench_settle();
    bench_alternate(sides, test->write ? 2 : 3, REPETITIONS, seconds);
    double rate = bytes / 1e9;
    snprintf(name, sizeof name, "%s chunks; %s", test->now->name, what);
    bench_print(&(bench_row){name, metric, rate / seconds[0], "HDF5 (row-major chunks)",
                             rate / seconds[1], "GB/s", BENCH_RATE, 0});
    if (!test->write) {
        bench_print(
            &(bench_row){name, metric, rate / seconds[0],
                         test->now->position != NULL ? "a table; cell by cell" : "square tiles",
                         rate / seconds[2], "GB/s", BENCH_RATE, target});
    }
}

static void compare_cube(curves *test, const cube *one, double target)
{
    const int64_t zero[3] = {0, 0, 0}, all[3] = {test->side, test->side, test->side};
    const int64_t length[3] = {CHUNK, CHUNK, CHUNK};
    uint64_t random = 7;

    test->now = one;
    test->n_boxes = 1;
    test->boxes[0] = bench_box(3, zero, all);
    test->write = false;
    compare(test, "whole array", target);
    test->write = true;
    compare(test, "whole array", 0);
    test->n_boxes = BOXES;
    for (int i = 0; i < BOXES; i++) {
        int64_t lo[3];
        for (int axis = 0; axis < 3; axis++) {
            lo[axis] = bench_below(&random, test->side - CHUNK + 1);
        }
        test->boxes[i] = bench_box(3, lo, length);
    }
    test->write = false;
    compare(test, "box 64^3 anywhere", 0);
    test->write = true;
    compare(test, "box 64^3 anywhere", 0);
}

/* The offset of each chunk, and of each cell in it, for the naive copy. */
static void find_cells(curves *test, cube *one, bool curve, const char *path)
{
    int64_t chunks = test->side / CHUNK;
    char data[4096];
    xta_location location;

    snprintf(data, sizeof data, "%s.xta", path);
    int file = open(data, O_RDONLY);
    off_t end = file >= 0 ? lseek(file, 0, SEEK_END) : -1;
    one->file_bytes = end > 0 ? (size_t)end : 0;
    one->file = end > 0 ? mmap(NULL, one->file_bytes, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    if (one->file == MAP_FAILED) {
        bench_die("cannot map %s", data);
    }
    close(file);
    one->first = bench_memory((size_t)(chunks * chunks * chunks) * sizeof one->first[0]);
    one->position = curve ? bench_memory(CHUNK_CELLS * sizeof one->position[0]) : NULL;
    for (int64_t q = 0; q < chunks * chunks * chunks; q++) {
        int64_t coord[3] = {q / chunks / chunks * CHUNK, q / chunks % chunks * CHUNK,
                            q % chunks * CHUNK};
        BENCH_XTA(xta_array_locate(one->array, coord, &location, &bench_error));
        one->first[q] = location.offset / sizeof(double) - location.position;
    }
    for (int64_t i = 0; curve && i < (int64_t)CHUNK_CELLS; i++) {
        int64_t coord[3] = {i / CHUNK / CHUNK, i / CHUNK % CHUNK, i % CHUNK};
        BENCH_XTA(xta_array_locate(one->array, coord, &location, &bench_error));
        one->position[i] = (uint32_t)location.position;
    }
}

static void make_cube(curves *test, cube *one, xta_order order, const xta_box *all)
{
    const int64_t chunk[3] = {CHUNK, CHUNK, CHUNK};
    const char *path = bench_path("curve");
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    options.order = order;
    bench_remove_array(path);
    BENCH_XTA(xta_array_create(path, XTA_F64, 3, all->hi, &options, &one->array, &bench_error));
    BENCH_XTA(xta_array_write(one->array, all, NULL, test->cells, &bench_error));
    find_cells(test, one, order != XTA_COLUMN, path);
}

static void drop_cube(cube *one)
{
    munmap(one->file, one->file_bytes);
    free(one->first);
    free(one->position);
    BENCH_XTA(xta_array_close(one->array, &bench_error));
    bench_remove_array(bench_path("curve"));
}

int main(void)
{
    static const struct {
        const char *name;
        xta_order order;
        double target;
    } orders[] = {
        {"column-major", XTA_COLUMN, 1.5}, {"Morton", XTA_MORTON, 3}, {"Hilbert", XTA_HILBERT, 3}};
    static curves test;
    const int64_t zero[3] = {0, 0, 0}, chunk[3] = {CHUNK, CHUNK, CHUNK};

    bench_begin("curves");
    test.side = bench_small() ? 256 : 512;
    const int64_t bounds[3] = {test.side, test.side, test.side};
    xta_box all = bench_box(3, zero, bounds);
    test.cells = bench_memory(cells_of(&all) * sizeof(double));
    test.scratch = bench_memory(CHUNK_CELLS * sizeof(double));
    bench_fill(&all, test.cells);
    peer_create(&test.theirs, bench_path("curves.h5"), H5T_NATIVE_DOUBLE, 3, bounds, chunk);
    peer_write(&test.theirs, &all, test.cells);
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        cube one = {.name = orders[k].name};
        bench_fill(&all, test.cells);
        make_cube(&test, &one, orders[k].order, &all);
        compare_cube(&test, &one, orders[k].target);
        drop_cube(&one);
    }
    peer_close(&test.theirs);
    bench_remove(bench_path("curves.h5"));
    free(test.cells);
    free(test.scratch);
    return 0;
}
