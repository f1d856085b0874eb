/* Growth: what an extension costs, whether the 10,000th costs more than the 10th, planes appended
 * with their cells, and cubic growth.
 *
 * A bare H5Dset_extent changes only HDF5's memory, and nobody else may have the file open; a bare
 * xta_array_extend appends a record that other processes see at once. Two XTA handles are compared
 * with it: a shared one, while others may grow the array as well, and that of an exclusive writer,
 * which keeps the lock as HDF5 does. The rows say what was compared: bare calls, then with H5Fflush
 * (after which other processes can see the new bounds), then with both sides synced to the disk.
 * All three are measured in turn, in one process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "peer_hdf5.h"

#define REPETITIONS 5
#define PLANE       256

typedef enum followed_by { NOTHING, FLUSH, SYNC } followed_by;

/* Extensions by one chunk, on the axes in turn or all on the first axis. */
typedef struct extending {
    int ndim;
    int n;
    bool one_axis;
    followed_by after;
    int64_t start;  // cells on each axis before the first extension
    int64_t chunk;  // a side
    double *cells;  // values of these cells, if they are written first
    double *each_s; // seconds of each extension of the latest run; NULL: only their sum
} extending;

static const int64_t CHUNK[3] = {16, 16, 16};

static void check_extensions(const extending *test, xta_array *array)
{
    xta_box bounds = xta_array_bounds(array);
    int64_t steps = 0;

    for (int axis = 0; axis < test->ndim; axis++) {
        steps += (bounds.hi[axis] - test->start) / test->chunk;
    }
    if (steps != test->n) {
        bench_die("the array shows %lld extensions instead of %d", (long long)steps, test->n);
    }
}

/* Reading the clock takes half as long as an extension, so it is read after each extension only if
 * asked for. */
static double note_time(extending *test, int i, double start)
{
    if (test->each_s == NULL) {
        return start;
    }
    double now = bench_now();
    test->each_s[i] = now - start;
    return now;
}

static double run_ours(extending *test, bool exclusive)
{
    const char *path = bench_path("extend");
    int64_t bounds[3] = {test->start, test->start, test->start};
    int64_t chunk[3] = {test->chunk, test->chunk, test->chunk};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = chunk;
    options.exclusive_writer = exclusive;
    bench_remove_array(path);
    BENCH_XTA(xta_array_create(path, XTA_F64, test->ndim, bounds, &options, &array, &bench_error));
    if (test->cells != NULL) {
        xta_box all = xta_array_bounds(array);
        BENCH_XTA(xta_array_write(array, &all, NULL, test->cells, &bench_error));
        BENCH_XTA(xta_array_sync(array, &bench_error));
    }
    double begin = bench_now();
    double start = begin;
    for (int i = 0; i < test->n; i++) {
        int axis = test->one_axis ? 0 : i % test->ndim;
        xta_growth growth = {axis, XTA_BACK, test->chunk};
        BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
        if (test->after == SYNC) {
            BENCH_XTA(xta_array_sync(array, &bench_error));
        }
        start = note_time(test, i, start);
    }
    double taken = bench_now() - begin;
    check_extensions(test, array);
    BENCH_XTA(xta_array_close(array, &bench_error));
    bench_remove_array(path);
    return taken;
}

static double run_shared(void *state, int repetition)
{
    (void)repetition;
    return run_ours(state, false);
}

static double run_exclusive(void *state, int repetition)
{
    (void)repetition;
    return run_ours(state, true);
}

static double run_hdf5(void *state, int repetition)
{
    extending *test = state;
    const char *path = bench_path("extend.h5");
    int64_t zero[3] = {0};
    int64_t bounds[3] = {test->start, test->start, test->start};
    int64_t chunk[3] = {test->chunk, test->chunk, test->chunk};
    peer_hdf5 peer;
    (void)repetition;

    peer_create(&peer, path, H5T_NATIVE_DOUBLE, test->ndim, bounds, chunk);
    if (test->cells != NULL) {
        xta_box all = bench_box(test->ndim, zero, bounds);
        peer_write(&peer, &all, test->cells);
        peer_sync(&peer);
    }
    double begin = bench_now();
    double start = begin;
    for (int i = 0; i < test->n; i++) {
        int axis = test->one_axis ? 0 : i % test->ndim;
        bounds[axis] += test->chunk;
        peer_set_extent(&peer, bounds);
        if (test->after == FLUSH) {
            peer_flush(&peer);
        } else if (test->after == SYNC) {
            peer_sync(&peer);
        }
        start = note_time(test, i, start);
    }
    double taken = bench_now() - begin;
    peer_close(&peer);
    bench_remove(path);
    return taken;
}

static void compare_extending(const char *name, extending *test, double target)
{
    static const char *const peers[] = {"H5Dset_extent", "H5Dset_extent + H5Fflush",
                                        "H5Dset_extent + H5Fflush + fsync"};
    static const char *const metrics[][2] = {
        {"extension (shared handle)", "extension and sync (shared handle)"},
        {"extension (exclusive writer)", "extension and sync (exclusive writer)"}};
    bench_side sides[] = {{run_shared, test}, {run_exclusive, test}, {run_hdf5, test}};
    double seconds[3];
    double scale = 1e6 / test->n;

    bench_settle();
    bench_alternate(sides, 3, REPETITIONS, seconds);
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        // The target is for the handle that has the file to itself, as HDF5 has.
        bench_print(&(bench_row){name, metrics[exclusive][test->after == SYNC],
                                 seconds[exclusive] * scale, peers[test->after], seconds[2] * scale,
                                 "us", BENCH_TIME, exclusive == 1 ? target : 0});
    }
}

static void compare_empty(void)
{
    extending in_turn = {.ndim = 3, .n = 2000, .start = 16, .chunk = 16};
    extending one_axis = {.ndim = 3, .n = 2000, .start = 16, .chunk = 16, .one_axis = true};

    for (followed_by after = NOTHING; after <= FLUSH; after++) {
        in_turn.after = one_axis.after = after;
        compare_extending("no cells written; 2000 extensions of 3 axes in turn", &in_turn, 0);
        compare_extending("no cells written; 2000 extensions of one axis", &one_axis, 0);
    }
    in_turn.after = SYNC;
    in_turn.n = 60;
    compare_extending("no cells written; 60 extensions of 3 axes in turn", &in_turn, 0);
}

/* An array whose cells are written: HDF5 visits all chunks of its cache at each extension. */
static void compare_in_use(int64_t chunk, bool default_cache)
{
    const char *cache = default_cache ? " (HDF5 cache 1 MiB)" : "";
    int64_t side = 256;
    int64_t zero[3] = {0};
    int64_t length[3] = {side, side, side};
    xta_box all = bench_box(3, zero, length);
    extending test = {.ndim = 3, .n = 90, .start = side, .chunk = chunk};
    char name[120];

    peer_use_default_cache(default_cache);
    test.cells = bench_memory((size_t)(side * side * side) * sizeof(double));
    bench_fill(&all, test.cells);
    snprintf(name, sizeof name,
             "256^3 f64 written; chunk %lld^3; 90 extensions of 3 axes in turn%s", (long long)chunk,
             cache);
    for (followed_by after = NOTHING; after <= FLUSH; after++) {
        test.after = after;
        compare_extending(name, &test, 10);
    }
    test.after = SYNC;
    test.n = 30;
    snprintf(name, sizeof name,
             "256^3 f64 written; chunk %lld^3; 30 extensions of 3 axes in turn%s", (long long)chunk,
             cache);
    compare_extending(name, &test, 0);
    free(test.cells);
    peer_use_default_cache(false);
}

/* The median cost of the extensions [first, first + 11). */
static double around(const double seconds[], int first)
{
    double some[11];
    memcpy(some, seconds + first, sizeof some);
    return bench_median(some, 11);
}

/* Whether extensions become more expensive as they accumulate; in 2-d they alternate between the
 * axes, so that each adds a record. */
static void compare_first_and_last(double (*run)(void *, int), const char *name, double target)
{
    extending test = {.ndim = 2, .n = 10010, .start = 16, .chunk = 16};
    double tenth[REPETITIONS];
    double last[REPETITIONS];

    test.each_s = bench_memory((size_t)test.n * sizeof(double));
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        run(&test, repetition);
        tenth[repetition] = around(test.each_s, 5);
        last[repetition] = around(test.each_s, 9995);
    }
    free(test.each_s);
    bench_print(&(bench_row){name, "the 10000th extension", bench_median(last, REPETITIONS) * 1e6,
                             "the 10th", bench_median(tenth, REPETITIONS) * 1e6, "us", BENCH_COST,
                             target});
}

/* Planes of 256 x 256 float64 appended one by one. */
typedef struct appending {
    int64_t n;
    double *plane;
} appending;

static const int64_t PLANE_CHUNK[3] = {16, 64, 64};

static void make_plane(const appending *test, int64_t at, xta_box *box)
{
    int64_t lo[3] = {at, 0, 0};
    int64_t length[3] = {1, PLANE, PLANE};
    *box = bench_box(3, lo, length);
    bench_fill(box, test->plane);
}

static double append_ours(void *state, int repetition)
{
    appending *test = state;
    const char *path = bench_path("append");
    int64_t bounds[3] = {0, PLANE, PLANE};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_growth growth = {0, XTA_BACK, 1};
    xta_box box;
    double taken = 0;
    (void)repetition;

    options.chunk = PLANE_CHUNK;
    bench_remove_array(path);
    bench_settle();
    BENCH_XTA(xta_array_create(path, XTA_F64, 3, bounds, &options, &array, &bench_error));
    for (int64_t i = 0; i < test->n; i++) {
        make_plane(test, i, &box);
        double start = bench_now();
        BENCH_XTA(xta_array_append(array, &growth, NULL, test->plane, NULL, &bench_error));
        taken += bench_now() - start;
    }
    for (int64_t i = 0; i < test->n; i += 97) {
        make_plane(test, i, &box);
        memset(test->plane, 0, PLANE * PLANE * sizeof(double));
        BENCH_XTA(xta_array_read(array, &box, NULL, test->plane, &bench_error));
        bench_verify(&box, test->plane, "xta_array_append");
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
    bench_remove_array(path);
    return taken;
}

static double append_hdf5(void *state, int repetition)
{
    appending *test = state;
    const char *path = bench_path("append.h5");
    int64_t bounds[3] = {0, PLANE, PLANE};
    peer_hdf5 peer;
    xta_box box;
    double taken = 0;
    (void)repetition;

    bench_settle();
    peer_create(&peer, path, H5T_NATIVE_DOUBLE, 3, bounds, PLANE_CHUNK);
    for (int64_t i = 0; i < test->n; i++) {
        make_plane(test, i, &box);
        bounds[0]++;
        double start = bench_now();
        peer_set_extent(&peer, bounds);
        peer_see_bounds(&peer);
        peer_write(&peer, &box, test->plane);
        taken += bench_now() - start;
    }
    for (int64_t i = 0; i < test->n; i += 97) {
        make_plane(test, i, &box);
        memset(test->plane, 0, PLANE * PLANE * sizeof(double));
        peer_read(&peer, &box, test->plane);
        bench_verify(&box, test->plane, "HDF5");
    }
    peer_close(&peer);
    bench_remove(path);
    return taken;
}

static double append_plain(void *state, int repetition)
{
    appending *test = state;
    const char *path = bench_path("append.raw");
    size_t bytes = PLANE * PLANE * sizeof(double);
    xta_box box;
    double taken = 0;
    (void)repetition;

    bench_remove(path);
    bench_settle();
    int file = open(path, O_CREAT | O_TRUNC | O_RDWR, 0644);
    for (int64_t i = 0; i < test->n; i++) {
        make_plane(test, i, &box);
        double start = bench_now();
        ssize_t written = pwrite(file, test->plane, bytes, (off_t)i * (off_t)bytes);
        taken += bench_now() - start;
        if (written != (ssize_t)bytes) {
            bench_die("cannot write %s", path);
        }
    }
    close(file);
    bench_remove(path);
    return taken;
}

static void compare_appending(int64_t n)
{
    appending test = {.n = n, .plane = bench_memory(PLANE * PLANE * sizeof(double))};
    bench_side sides[] = {{append_ours, &test}, {append_hdf5, &test}, {append_plain, &test}};
    double seconds[3];
    char name[80];
    double scale = 1e6 / (double)n;

    bench_alternate(sides, 3, 3, seconds);
    free(test.plane);
    snprintf(name, sizeof name, "%lld planes of 256x256 f64; chunk 16x64x64", (long long)n);
    bench_print(&(bench_row){name, "append of one plane", seconds[0] * scale, "HDF5",
                             seconds[1] * scale, "us", BENCH_TIME, 0});
    bench_print(&(bench_row){name, "append of one plane", seconds[0] * scale,
                             "pwrite of the plane (flat file)", seconds[2] * scale, "us",
                             BENCH_TIME, 0});
}

/* A cube that grows by one chunk on each axis in turn up to `side` chunks: the time, the file
 * sizes, and the time to open it. */
static void compare_cubic(int64_t side)
{
    int n = 3 * (int)(side - 1);
    const char *ours = bench_path("cubic");
    const char *theirs = bench_path("cubic.h5");
    int64_t bounds[3];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_array_info info;
    peer_hdf5 peer;
    double open_ours[15];
    double open_theirs[15];
    char name[80];

    options.chunk = CHUNK;
    writable.writable = true;
    memcpy(bounds, CHUNK, sizeof bounds);
    bench_remove_array(ours);
    BENCH_XTA(xta_array_create(ours, XTA_F64, 3, bounds, &options, &array, &bench_error));
    peer_create(&peer, theirs, H5T_NATIVE_DOUBLE, 3, bounds, CHUNK);
    for (int i = 0; i < n; i++) {
        xta_growth growth = {i % 3, XTA_BACK, CHUNK[i % 3]};
        bounds[i % 3] += CHUNK[i % 3];
        BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
        peer_set_extent(&peer, bounds);
    }
    BENCH_XTA(xta_array_inquire(array, &info, &bench_error));
    BENCH_XTA(xta_array_close(array, &bench_error));
    peer_close(&peer);
    if (info.n_chunks != (uint64_t)(side * side * side)) {
        bench_die("%llu chunks after cubic growth", (unsigned long long)info.n_chunks);
    }
    for (int i = 0; i < 15; i++) {
        double start = bench_now();
        BENCH_XTA(xta_array_open(ours, &writable, &array, &bench_error));
        open_ours[i] = bench_now() - start;
        BENCH_XTA(xta_array_close(array, &bench_error));
        start = bench_now();
        peer_open(&peer, theirs, H5T_NATIVE_DOUBLE, 3, CHUNK);
        open_theirs[i] = bench_now() - start;
        peer_close(&peer);
    }
    snprintf(name, sizeof name, "cubic growth to %lld^3 chunks", (long long)side);
    double journal = (double)info.journal_bytes;
    bench_print(&(bench_row){name, "bytes of the journal", journal, "the 64 KiB allowed", 65536,
                             "B", BENCH_COST, 1});
    bench_print(&(bench_row){name, "bytes of structure (no cells written)", journal, "HDF5",
                             (double)bench_file_bytes(theirs, NULL), "B", BENCH_TIME, 0});
    double median = bench_median(open_ours, 15) * 1e6;
    bench_print(&(bench_row){name, "open", median, "HDF5", bench_median(open_theirs, 15) * 1e6,
                             "us", BENCH_TIME, 0});
    bench_print(
        &(bench_row){name, "open", median, "the millisecond allowed", 1000, "us", BENCH_COST, 1});
    bench_remove_array(ours);
    bench_remove(theirs);
}

/* Seconds that the first opening in a process takes: its memory is touched for the first time. */
static double open_in_new_process(const char *path)
{
    int ends[2];
    double seconds = -1;

    if (pipe(ends) != 0) {
        bench_die("no pipe");
    }
    pid_t child = fork();
    if (child == 0) {
        xta_array *array = NULL;
        double start = bench_now();
        BENCH_XTA(xta_array_open(path, NULL, &array, &bench_error));
        seconds = bench_now() - start;
        _exit(write(ends[1], &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &seconds, sizeof seconds) != sizeof seconds) {
        bench_die("%s: a process of its own cannot open it", path);
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
    return seconds;
}

/* Whether the cost of opening depends on the history of an array or on its size: single growths of
 * one axis, each a step of the history that can be opened. */
static void open_after(int64_t n)
{
    const char *path = bench_path("history");
    const int64_t bounds[2] = {1, 64}, chunk[2] = {1, 64};
    const xta_growth growth = {0, XTA_BACK, 1};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_array_info info;
    double seconds[15], firsts[15];
    char name[80];

    options.chunk = chunk;
    options.exclusive_writer = true;
    bench_remove_array(path);
    BENCH_XTA(xta_array_create(path, XTA_F64, 2, bounds, &options, &array, &bench_error));
    for (int64_t i = 0; i < n; i++) {
        BENCH_XTA(xta_array_extend(array, &growth, 1, NULL, &bench_error));
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
    for (int i = 0; i < 15; i++) {
        firsts[i] = open_in_new_process(path);
        double start = bench_now();
        BENCH_XTA(xta_array_open(path, NULL, &array, &bench_error));
        seconds[i] = bench_now() - start;
        BENCH_XTA(xta_array_inquire(array, &info, &bench_error));
        if (info.bounds.hi[0] != n + 1) {
            bench_die("%lld rows after %lld growths", (long long)info.bounds.hi[0], (long long)n);
        }
        BENCH_XTA(xta_array_close(array, &bench_error));
    }
    snprintf(name, sizeof name, "%lld extensions of one axis", (long long)n);
    bench_print(&(bench_row){name, "bytes of the journal", (double)info.journal_bytes,
                             "records of 64 bytes alone", 64.0 * (double)n, "B", BENCH_COST, 0});
    bench_print(&(bench_row){name, "open", bench_median(seconds, 15) * 1e6,
                             "the millisecond allowed", 1000, "us", BENCH_COST, 1});
    bench_print(&(bench_row){name, "first open in a process", bench_median(firsts, 15) * 1e6,
                             "the millisecond allowed", 1000, "us", BENCH_COST, 1});
    bench_remove_array(path);
}

int main(void)
{
    bench_begin("extend");
    compare_empty();
    for (int with_default = 0; with_default < 2; with_default++) {
        compare_in_use(8, with_default == 1);
        compare_in_use(16, with_default == 1);
        compare_in_use(32, with_default == 1);
    }
    compare_first_and_last(run_shared, "10000 extensions of 2 axes in turn", 1.5);
    compare_first_and_last(run_exclusive, "10000 extensions of 2 axes in turn (exclusive writer)",
                           1.5);
    compare_first_and_last(run_hdf5, "HDF5: the same", 0);
    compare_cubic(100);
    open_after(1000000);
    compare_appending(bench_small() ? 400 : 2000);
    return 0;
}
