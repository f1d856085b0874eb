/* Many small chunks: 10^6 chunks of 4 KiB written one by one and in large boxes, opened, read at
 * random, and extended. Peers: HDF5 through H5Dwrite, HDF5 through H5Dwrite_chunk (its fastest
 * call, which bypasses its cache), and a plain loop of 4 KiB pwrites into a new file. Nothing is
 * synced in a timed part; between the sides the disk is given time to finish.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "peer_hdf5.h"

#define CHUNK_BYTES ((size_t)4096)
#define CHUNK_CELLS (CHUNK_BYTES / sizeof(double))
#define READS       10000
#define OPENINGS    9

typedef enum way { OURS, OURS_BOXES, HDF5, HDF5_BOXES, HDF5_DIRECT, PLAIN, N_METHODS } way;

static const char *const FILES[N_METHODS] = {"chunks",    "chunks",    "chunks.h5",
                                             "chunks.h5", "chunks.h5", "chunks.raw"};
static const int64_t CHUNK[2] = {32, 16};

typedef struct chunks {
    int64_t rows; // of chunks
    int64_t columns;
    double *cells; // of one strip
    int64_t strip; // rows of chunks in a strip
    xta_array *ours;
    peer_hdf5 theirs;
    int plain;
} chunks;

/* Each cell holds the number of its chunk and its own position in the chunk, so that a chunk is
 * cheap to make and to check. */
static void make_chunk(int64_t number, double cells[])
{
    for (size_t i = 0; i < CHUNK_CELLS; i++) {
        cells[i] = (double)number * 1024 + (double)i;
    }
}

static void check_chunk(int64_t number, const double cells[], const char *who)
{
    for (size_t i = 0; i < CHUNK_CELLS; i++) {
        if (cells[i] != (double)number * 1024 + (double)i) {
            bench_die("wrong data from %s in chunk %lld", who, (long long)number);
        }
    }
}

static xta_box chunk_box(const chunks *test, int64_t number)
{
    int64_t lo[2] = {number / test->columns * CHUNK[0], number % test->columns * CHUNK[1]};
    return bench_box(2, lo, CHUNK);
}

static void bounds_of(const chunks *test, int64_t bounds[])
{
    bounds[0] = test->rows * CHUNK[0];
    bounds[1] = test->columns * CHUNK[1];
}

static void create(chunks *test, way how)
{
    int64_t bounds[2];
    const char *path = bench_path(FILES[how]);
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    bounds_of(test, bounds);
    if (how == OURS || how == OURS_BOXES) {
        options.chunk = CHUNK;
        bench_remove_array(path);
        BENCH_XTA(xta_array_create(path, XTA_F64, 2, bounds, &options, &test->ours, &bench_error));
    } else if (how == PLAIN) {
        bench_remove(path);
        test->plain = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
        if (test->plain < 0) {
            bench_die("cannot create %s", path);
        }
    } else {
        bench_remove(path);
        peer_create(&test->theirs, path, H5T_NATIVE_DOUBLE, 2, bounds, CHUNK);
    }
}

static void close_side(chunks *test, way how, bool remove)
{
    const char *path = bench_path(FILES[how]);

    if (how == OURS || how == OURS_BOXES) {
        BENCH_XTA(xta_array_close(test->ours, &bench_error));
    } else if (how == PLAIN) {
        close(test->plain);
    } else {
        peer_close(&test->theirs);
    }
    if (remove && (how == OURS || how == OURS_BOXES)) {
        bench_remove_array(path);
    } else if (remove) {
        bench_remove(path);
    }
}

static void write_chunk(chunks *test, way how, int64_t number, const double cells[])
{
    xta_box box = chunk_box(test, number);
    hsize_t corner[2] = {(hsize_t)box.lo[0], (hsize_t)box.lo[1]};

    if (how == OURS) {
        BENCH_XTA(xta_array_write(test->ours, &box, NULL, cells, &bench_error));
    } else if (how == HDF5) {
        peer_write(&test->theirs, &box, cells);
    } else if (how == HDF5_DIRECT) {
        BENCH_H5(H5Dwrite_chunk(test->theirs.dataset, H5P_DEFAULT, 0, corner, CHUNK_BYTES, cells));
    } else if (pwrite(test->plain, cells, CHUNK_BYTES, (off_t)number * (off_t)CHUNK_BYTES) !=
               (ssize_t)CHUNK_BYTES) {
        bench_die("cannot write %s", bench_path(FILES[how]));
    }
}

/* Chunk by chunk in file order. Making a chunk's cells (0.1 us) is timed on all sides alike. */
static double write_chunks(chunks *test, way how)
{
    double cells[CHUNK_CELLS];
    double start = bench_now();

    for (int64_t number = 0; number < test->rows * test->columns; number++) {
        make_chunk(number, cells);
        write_chunk(test, how, number, cells);
    }
    return bench_now() - start;
}

/* The cells of a strip of chunks, as the array sees them. */
static void make_strip(chunks *test, int64_t first_row)
{
    double *cell = test->cells;
    int64_t columns = test->columns * CHUNK[1];

    for (int64_t i = first_row * CHUNK[0]; i < (first_row + test->strip) * CHUNK[0]; i++) {
        for (int64_t j = 0; j < columns; j++) {
            int64_t number = i / CHUNK[0] * test->columns + j / CHUNK[1];
            *cell++ = (double)(number * 1024 + i % CHUNK[0] * CHUNK[1] + j % CHUNK[1]);
        }
    }
}

static double write_strips(chunks *test, way how)
{
    double taken = 0;

    for (int64_t row = 0; row < test->rows; row += test->strip) {
        int64_t lo[2] = {row * CHUNK[0], 0};
        int64_t length[2] = {test->strip * CHUNK[0], test->columns * CHUNK[1]};
        xta_box box = bench_box(2, lo, length);
        make_strip(test, row);
        double start = bench_now();
        if (how == OURS_BOXES) {
            BENCH_XTA(xta_array_write(test->ours, &box, NULL, test->cells, &bench_error));
        } else {
            peer_write(&test->theirs, &box, test->cells);
        }
        taken += bench_now() - start;
    }
    return taken;
}

static void read_chunk(chunks *test, way how, int64_t number, double cells[])
{
    xta_box box = chunk_box(test, number);

    if (how == OURS || how == OURS_BOXES) {
        BENCH_XTA(xta_array_read(test->ours, &box, NULL, cells, &bench_error));
    } else if (how == PLAIN) {
        if (pread(test->plain, cells, CHUNK_BYTES, (off_t)number * (off_t)CHUNK_BYTES) !=
            (ssize_t)CHUNK_BYTES) {
            bench_die("cannot read %s", bench_path(FILES[how]));
        }
    } else {
        peer_read(&test->theirs, &box, cells);
    }
}

static double read_random(chunks *test, way how, uint64_t random)
{
    static double cells[READS][CHUNK_CELLS];
    static int64_t numbers[READS];

    for (int i = 0; i < READS; i++) {
        numbers[i] = bench_below(&random, test->rows * test->columns);
    }
    memset(cells, 0, sizeof cells);
    double start = bench_now();
    for (int i = 0; i < READS; i++) {
        read_chunk(test, how, numbers[i], cells[i]);
    }
    double taken = bench_now() - start;
    for (int i = 0; i < READS; i++) {
        check_chunk(numbers[i], cells[i], FILES[how]);
    }
    return taken;
}

static void print(const char *metric, double ours, const char *peer, double theirs, double target)
{
    static char name[64];
    snprintf(name, sizeof name, "%s chunks of 4 KiB", bench_small() ? "10^5" : "10^6");
    bench_print(&(bench_row){name, metric, ours, peer, theirs, "us", BENCH_TIME, target});
}

static void compare_writing(chunks *test)
{
    double seconds[N_METHODS][3];
    double median[N_METHODS];
    int repetitions = 3;
    double scale = 1e6 / (double)(test->rows * test->columns);

    for (int repetition = 0; repetition < repetitions; repetition++) {
        for (int turn = 0; turn < N_METHODS; turn++) {
            // A different side goes first each time: a later side runs while the system still
            // writes out the data of the others, and is slowed down by that.
            way how = (way)((turn + 2 * repetition) % N_METHODS);
            bool boxes = how == OURS_BOXES || how == HDF5_BOXES;
            create(test, how);
            bench_settle();
            seconds[how][repetition] = boxes ? write_strips(test, how) : write_chunks(test, how);
            read_random(test, how, 5);
            close_side(test, how, true);
        }
    }
    for (way how = OURS; how < N_METHODS; how++) {
        median[how] = bench_median(seconds[how], repetitions) * scale;
    }
    print("chunk written (one by one)", median[OURS], "HDF5", median[HDF5], 3);
    print("chunk written (one by one)", median[OURS], "HDF5 (H5Dwrite_chunk)", median[HDF5_DIRECT],
          0);
    print("chunk written (one by one)", median[OURS], "pwrite of 4 KiB into a new file",
          median[PLAIN], 0.7);
    print("chunk written (in large boxes)", median[OURS_BOXES], "HDF5", median[HDF5_BOXES], 3);
    print("chunk written (in large boxes)", median[OURS_BOXES], "pwrite of 4 KiB into a new file",
          median[PLAIN], 0.7);
}

static void compare_opening(chunks *test)
{
    double ours[OPENINGS];
    double theirs[OPENINGS];
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    options.writable = true;
    for (int i = 0; i < OPENINGS; i++) {
        double start = bench_now();
        BENCH_XTA(xta_array_open(bench_path(FILES[OURS]), &options, &test->ours, &bench_error));
        ours[i] = bench_now() - start;
        start = bench_now();
        peer_open(&test->theirs, bench_path(FILES[HDF5]), H5T_NATIVE_DOUBLE, 2, CHUNK);
        theirs[i] = bench_now() - start;
        if (i < OPENINGS - 1) {
            close_side(test, OURS, false);
            close_side(test, HDF5, false);
        }
    }
    print("open", bench_median(ours, OPENINGS) * 1e6, "HDF5", bench_median(theirs, OPENINGS) * 1e6,
          0);
}

static void compare_reading(chunks *test)
{
    static const way METHODS[3] = {OURS, HDF5, PLAIN};
    double seconds[3][5];

    for (int repetition = 0; repetition < 5; repetition++) {
        for (int turn = 0; turn < 3; turn++) {
            int side = (turn + repetition) % 3;
            seconds[side][repetition] =
                read_random(test, METHODS[side], 100 + (uint64_t)repetition) / READS * 1e6;
        }
    }
    double ours = bench_median(seconds[0], 5);
    print("random chunk read", ours, "HDF5", bench_median(seconds[1], 5), 0);
    print("random chunk read", ours, "pread of 4 KiB", bench_median(seconds[2], 5), 0);
}

/* The median time of an XTA growth, in microseconds. */
static double extend_ours(chunks *test)
{
    double seconds[100];

    for (int i = 0; i < 100; i++) {
        xta_growth growth = {i % 2, XTA_BACK, CHUNK[i % 2]};
        double start = bench_now();
        BENCH_XTA(xta_array_extend(test->ours, &growth, 1, NULL, &bench_error));
        seconds[i] = bench_now() - start;
    }
    return bench_median(seconds, 100) * 1e6;
}

/* Each side by itself, so that neither pays for what the other leaves in the caches. HDF5 has the
 * file to itself, as an exclusive writer has in XTA. */
static void compare_extension(chunks *test)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    int64_t bounds[2];
    double theirs[2][100];
    double shared = extend_ours(test);

    close_side(test, OURS, false);
    options.writable = true;
    options.exclusive_writer = true;
    BENCH_XTA(xta_array_open(bench_path(FILES[OURS]), &options, &test->ours, &bench_error));
    double exclusive = extend_ours(test);
    bounds_of(test, bounds);
    for (int flushed = 0; flushed < 2; flushed++) {
        for (int i = 0; i < 100; i++) {
            bounds[i % 2] += CHUNK[i % 2];
            double start = bench_now();
            peer_set_extent(&test->theirs, bounds);
            if (flushed == 1) {
                peer_flush(&test->theirs);
            }
            theirs[flushed][i] = (bench_now() - start) * 1e6;
        }
    }
    double bare = bench_median(theirs[0], 100), flush = bench_median(theirs[1], 100);
    print("extension (shared handle)", shared, "H5Dset_extent", bare, 0);
    print("extension (exclusive writer)", exclusive, "H5Dset_extent", bare, 10);
    print("extension (shared handle)", shared, "H5Dset_extent + H5Fflush", flush, 0);
    print("extension (exclusive writer)", exclusive, "H5Dset_extent + H5Fflush", flush, 10);
}

int main(void)
{
    static chunks test;

    bench_begin("chunks");
    test.rows = 1000;
    test.columns = bench_small() ? 100 : 1000;
    test.strip = bench_small() ? 500 : 100;
    test.cells = bench_memory((size_t)(test.strip * test.columns) * CHUNK_BYTES);
    compare_writing(&test);

    static const way KEPT[3] = {OURS, HDF5, PLAIN};
    for (int side = 0; side < 3; side++) {
        create(&test, KEPT[side]);
        write_chunks(&test, KEPT[side]);
        if (KEPT[side] != PLAIN) {
            close_side(&test, KEPT[side], false);
        }
    }
    bench_settle();
    compare_opening(&test);
    compare_reading(&test);
    compare_extension(&test);
    for (int side = 0; side < 3; side++) {
        close_side(&test, KEPT[side], true);
    }
    free(test.cells);
    return 0;
}
