/* Frames of a camera: 256 x 256 uint16, appended one by one to chunks that are deep in time
 * (16 x 64 x 64), while another process polls for new ones and reads them. The time of one frame is
 * measured: the median, and the slowest of a hundred, of a thousand, and of all.
 *
 * Sides take turns frame by frame: XTA (xta_array_append), HDF5 in SWMR mode (H5Dset_extent,
 * H5Dwrite, and H5Dflush, as its readers otherwise do not see the frame), zarr-python if it is
 * installed (one append), and a plain write of the same bytes at the end of a flat file, the cost
 * of the disk and the machine alone. After each frame the file of every side is consistent for
 * readers. Nothing is synced.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "peer_hdf5.h"

enum { SIDE = 256, DEEP = 16, WIDE = 64, FRAME_CELLS = SIDE * SIDE, OURS = 0, PLAIN, HDF5, ZARR };

#define FRAME_BYTES (FRAME_CELLS * sizeof(uint16_t))

static const char *const names[] = {"XTA", "write (flat file)", "HDF5 (SWMR; flushed)",
                                    "zarr-python"};

typedef struct camera {
    int n_frames, n_sides;
    uint16_t *frame;
    xta_array *ours;
    int plain;
    hid_t file, dataset, memory_space;
    FILE *to_zarr, *from_zarr;
    pid_t zarr;
    double *seconds[4];
} camera;

/* The values of frame number k. */
static void fill_frame(int64_t k, uint16_t *frame)
{
    for (int i = 0; i < FRAME_CELLS; i++) {
        frame[i] = (uint16_t)(k * 31 + i);
    }
}

static void check_frame(int64_t k, const uint16_t *frame, const char *who)
{
    for (int i = 0; i < FRAME_CELLS; i++) {
        if (frame[i] != (uint16_t)(k * 31 + i)) {
            bench_die("%s: frame %lld, cell %d is wrong", who, (long long)k, i);
        }
    }
}

/* ---- the readers: processes of their own ---- */

static void pause_a_little(void)
{
    const struct timespec pause = {0, 2000000};

    nanosleep(&pause, NULL);
}

/* Read the newest frame repeatedly until n frames are there. */
static void read_ours(int n)
{
    uint16_t *frame = bench_memory(FRAME_BYTES);
    xta_array *array = NULL;
    int64_t seen = 0;

    BENCH_XTA(xta_array_open(bench_path("frames"), NULL, &array, &bench_error));
    while (seen < n) {
        bool changed = false;
        BENCH_XTA(xta_array_refresh(array, &changed, &bench_error));
        xta_box box = xta_array_bounds(array);
        if (box.hi[0] > seen) {
            seen = box.hi[0];
            box.lo[0] = seen - 1;
            BENCH_XTA(xta_array_read(array, &box, NULL, frame, &bench_error));
            check_frame(seen - 1, frame, "XTA");
        }
        pause_a_little();
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
    free(frame);
}

static void read_hdf5(int n)
{
    uint16_t *frame = bench_memory(FRAME_BYTES);
    const hsize_t one[3] = {1, SIDE, SIDE};
    hid_t access = BENCH_H5(H5Pcreate(H5P_FILE_ACCESS));
    BENCH_H5(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    hid_t file =
        BENCH_H5(H5Fopen(bench_path("frames.h5"), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access));
    hid_t dataset = BENCH_H5(H5Dopen2(file, "frames", H5P_DEFAULT));
    hid_t memory = BENCH_H5(H5Screate_simple(3, one, NULL));
    hsize_t seen = 0;

    while (seen < (hsize_t)n) {
        hsize_t lengths[3];
        BENCH_H5(H5Drefresh(dataset));
        hid_t space = BENCH_H5(H5Dget_space(dataset));
        BENCH_H5(H5Sget_simple_extent_dims(space, lengths, NULL));
        if (lengths[0] > seen) {
            const hsize_t first[3] = {lengths[0] - 1, 0, 0};
            seen = lengths[0];
            BENCH_H5(H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, one, NULL));
            BENCH_H5(H5Dread(dataset, H5T_NATIVE_UINT16, memory, space, H5P_DEFAULT, frame));
        }
        BENCH_H5(H5Sclose(space));
        pause_a_little();
    }
    // A frame seen before the last one may be one whose length arrived before its cells.
    check_frame(n - 1, frame, "HDF5");
    BENCH_H5(H5Sclose(memory));
    BENCH_H5(H5Dclose(dataset));
    BENCH_H5(H5Fclose(file));
    BENCH_H5(H5Pclose(access));
    free(frame);
}

/* A process that waits for a byte, and reads until all frames are there. */
static pid_t start_reader(void (*body)(int n), int n, int *go)
{
    int ends[2];
    char byte;

    if (pipe(ends) != 0) {
        bench_die("no pipe");
    }
    fflush(stdout);
    pid_t pid = fork();
    if (pid < 0) {
        bench_die("no process for a reader");
    }
    if (pid != 0) {
        close(ends[0]);
        *go = ends[1];
        return pid;
    }
    close(ends[1]);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (read(ends[0], &byte, 1) == 1) {
        body(n);
    }
    _exit(0);
}

static void end_reader(pid_t pid, const char *who)
{
    int status = 0;

    if (waitpid(pid, &status, 0) != pid || status != 0) {
        bench_die("the reader of %s failed", who);
    }
}

static void let_go(int go)
{
    if (write(go, "g", 1) != 1) {
        bench_die("a reader cannot be started");
    }
    close(go);
}

/* ---- the writers ---- */

static void create_ours(camera *c)
{
    const int64_t bounds[3] = {0, SIDE, SIDE}, chunk[3] = {DEEP, WIDE, WIDE};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk;
    bench_remove_array(bench_path("frames"));
    BENCH_XTA(xta_array_create(bench_path("frames"), XTA_U16, 3, bounds, &options, &c->ours,
                               &bench_error));
}

static void append_ours(camera *c, int k)
{
    const xta_growth growth = {.axis = 0, .side = XTA_BACK, .by = 1};

    (void)k;
    BENCH_XTA(xta_array_append(c->ours, &growth, NULL, c->frame, NULL, &bench_error));
}

static void append_plain(camera *c, int k)
{
    if (pwrite(c->plain, c->frame, FRAME_BYTES, (off_t)FRAME_BYTES * k) != (ssize_t)FRAME_BYTES) {
        bench_die("the flat file cannot be written");
    }
}

static void create_hdf5(camera *c)
{
    const hsize_t lengths[3] = {0, SIDE, SIDE}, limits[3] = {H5S_UNLIMITED, SIDE, SIDE};
    const hsize_t chunk[3] = {DEEP, WIDE, WIDE}, one[3] = {1, SIDE, SIDE};
    hid_t access = BENCH_H5(H5Pcreate(H5P_FILE_ACCESS));
    hid_t creation = BENCH_H5(H5Pcreate(H5P_DATASET_CREATE));
    hid_t dataset_access = BENCH_H5(H5Pcreate(H5P_DATASET_ACCESS));
    hid_t space = BENCH_H5(H5Screate_simple(3, lengths, limits));

    bench_remove(bench_path("frames.h5"));
    BENCH_H5(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    BENCH_H5(H5Pset_chunk(creation, 3, chunk));
    // A prime number of slots, far more than the chunks that fit.
    BENCH_H5(H5Pset_chunk_cache(dataset_access, 51203, BENCH_CACHE_BYTES, 0.75));
    c->file = BENCH_H5(H5Fcreate(bench_path("frames.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    c->dataset = BENCH_H5(H5Dcreate2(c->file, "frames", H5T_NATIVE_UINT16, space, H5P_DEFAULT,
                                     creation, dataset_access));
    BENCH_H5(H5Fstart_swmr_write(c->file));
    c->memory_space = BENCH_H5(H5Screate_simple(3, one, NULL));
    BENCH_H5(H5Sclose(space));
    BENCH_H5(H5Pclose(dataset_access));
    BENCH_H5(H5Pclose(creation));
    BENCH_H5(H5Pclose(access));
}

static void append_hdf5(camera *c, int k)
{
    const hsize_t lengths[3] = {(hsize_t)k + 1, SIDE, SIDE};
    const hsize_t first[3] = {(hsize_t)k, 0, 0}, one[3] = {1, SIDE, SIDE};

    BENCH_H5(H5Dset_extent(c->dataset, lengths));
    hid_t space = BENCH_H5(H5Dget_space(c->dataset));
    BENCH_H5(H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, one, NULL));
    BENCH_H5(
        H5Dwrite(c->dataset, H5T_NATIVE_UINT16, c->memory_space, space, H5P_DEFAULT, c->frame));
    BENCH_H5(H5Sclose(space));
    BENCH_H5(H5Dflush(c->dataset));
}

/* python3 with zarr, which appends a frame for each line it gets and replies with the time in
 * seconds. */
static bool start_zarr(camera *c)
{
    int to[2], from[2];
    char line[64];

    if (pipe(to) != 0 || pipe(from) != 0) {
        bench_die("no pipe");
    }
    fflush(stdout);
    c->zarr = fork();
    if (c->zarr < 0) {
        bench_die("no process for zarr-python");
    }
    if (c->zarr == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        execlp("/usr/bin/python3", "python3", BENCH_SOURCE_DIR "/frames_zarr.py",
               bench_path("frames.zarr"), (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    c->to_zarr = fdopen(to[1], "w");
    c->from_zarr = fdopen(from[0], "r");
    if (c->to_zarr == NULL || c->from_zarr == NULL ||
        fgets(line, sizeof line, c->from_zarr) == NULL) {
        fprintf(stderr, "frames: python3 has no zarr; its rows are left out\n");
        return false;
    }
    return true;
}

static double append_zarr(camera *c, int k)
{
    char line[64];

    fprintf(c->to_zarr, "%d\n", k);
    fflush(c->to_zarr);
    if (fgets(line, sizeof line, c->from_zarr) == NULL) {
        bench_die("zarr-python has failed");
    }
    return strtod(line, NULL);
}

static double append_by(camera *c, int side, int k)
{
    static void (*const append[])(camera * c, int k) = {append_ours, append_plain, append_hdf5};

    if (side == ZARR) {
        return append_zarr(c, k);
    }
    double start = bench_now();
    append[side](c, k);
    return bench_now() - start;
}

/* ---- the times ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static void report(camera *c)
{
    static const struct {
        const char *name;
        double part;
    } parts[] = {{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}, {"worst", 1}};

    for (int side = 0; side < c->n_sides; side++) {
        qsort(c->seconds[side], (size_t)c->n_frames, sizeof(double), by_value);
    }
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        int at = (int)(parts[k].part * (c->n_frames - 1));
        for (int side = 1; side < c->n_sides; side++) {
            bench_print(&(bench_row){"frame of 256 x 256 uint16; chunk 16 x 64 x 64", parts[k].name,
                                     c->seconds[OURS][at] * 1e6, names[side],
                                     c->seconds[side][at] * 1e6, "us", BENCH_TIME, 0});
        }
    }
}

static void close_all(camera *c)
{
    BENCH_XTA(xta_array_close(c->ours, &bench_error));
    BENCH_H5(H5Sclose(c->memory_space));
    BENCH_H5(H5Dclose(c->dataset));
    BENCH_H5(H5Fclose(c->file));
    close(c->plain);
    fclose(c->from_zarr);
    bench_remove_array(bench_path("frames"));
    bench_remove(bench_path("frames.h5"));
    bench_remove(bench_path("frames.raw"));
    for (int side = 0; side < 4; side++) {
        free(c->seconds[side]);
    }
    free(c->frame);
}

int main(void)
{
    camera c = {.n_frames = bench_small() ? 2000 : 20000};
    int go_ours = -1, go_hdf5 = -1;

    bench_begin("frames");
    // Before any file is open: HDF5 must not be in use across a fork.
    pid_t ours = start_reader(read_ours, c.n_frames, &go_ours);
    pid_t hdf5 = start_reader(read_hdf5, c.n_frames, &go_hdf5);
    c.n_sides = start_zarr(&c) ? 4 : 3;
    c.frame = bench_memory(FRAME_BYTES);
    for (int side = 0; side < 4; side++) {
        c.seconds[side] = bench_memory((size_t)c.n_frames * sizeof(double));
    }
    create_ours(&c);
    create_hdf5(&c);
    c.plain = open(bench_path("frames.raw"), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    let_go(go_ours);
    let_go(go_hdf5);
    bench_settle();
    for (int k = 0; k < c.n_frames; k++) {
        fill_frame(k, c.frame);
        for (int turn = 0; turn < c.n_sides; turn++) {
            int side = (k + turn) % c.n_sides;
            c.seconds[side][k] = append_by(&c, side, k);
        }
    }
    end_reader(ours, "XTA");
    end_reader(hdf5, "HDF5");
    // At the end of its input zarr-python checks its last frame and exits.
    fclose(c.to_zarr);
    if (c.n_sides > ZARR) {
        end_reader(c.zarr, "zarr-python");
    } else {
        waitpid(c.zarr, NULL, 0);
    }
    report(&c);
    close_all(&c);
    return 0;
}
