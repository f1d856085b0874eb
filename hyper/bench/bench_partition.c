/* Spectral against spatial partitioning of a scene ([CXA] 9.1): one cube, stored by three chunk
 * shapes and divided among processes accordingly.
 *
 *     bench_partition [SCENE]
 *
 * SCENE is an array of three axes, lines, samples, bands; without one a cube is made up. It is
 * stored in chunks of whole images of one band (spectral), of whole spectra of a block of pixels
 * (spatial), and between the two (hybrid). Measured for 1, 2 and 4 processes:
 *
 *   pixels   each process reads the spectra of its lines and projects them on skewers, as PPI does
 *   images   each process reads its lines of the images of some bands
 *   angles   the spectral angle of all pixels to one spectrum, where each process has the slice of
 *            the cube that the partition gives it: bands (spectral), lines (spatial), or both;
 *            sums of pixels whose bands are with several processes are exchanged
 *
 * The peer is the storage, or the partition, that the thesis advises for the work: spatial for
 * pixels and angles, spectral for images. All angles are compared.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

enum { SPECTRAL, SPATIAL, HYBRID, N_PARTITIONS };
enum { PIXELS, IMAGES, ANGLES };
enum { MOST_PROCESSES = 4, SKEWERS = 8, LINES_AT_ONCE = 16, N_IMAGES = 8, REPETITIONS = 5 };

static const char *const partitions[N_PARTITIONS] = {"spectral", "spatial", "hybrid"};
static const char *const files[N_PARTITIONS] = {"slice-spectral", "slice-spatial", "slice-hybrid"};
static const int counts[] = {1, 2, 4};

static int64_t lines, samples, bands;

/* Between the processes. `slice_sums` has two sums for each pixel, and one such list for each slice
 * of the bands. */
typedef struct meeting {
    pthread_barrier_t barrier;
    double seconds;
    uint64_t bytes[MOST_PROCESSES];
    double found[MOST_PROCESSES]; /* so that no work is left out */
} meeting;

static meeting *shared;
static double *slice_sums;
static double *angles;

static void *shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        bench_die("no shared memory");
    }
    return memory;
}

/* ---- the cube ---- */

/* Materials that lie in patches, each with a smooth spectrum, and noise. */
static void make_cube(int16_t *cube)
{
    uint64_t state = 9;
    for (int64_t pixel = 0; pixel < lines * samples; pixel++) {
        int64_t material = (pixel / samples / 24 + pixel % samples / 24 * 3) % 12;
        for (int64_t band = 0; band < bands; band++) {
            double value = 2000 + 900 * sin(0.03 * (double)((material + 1) * band)) +
                           (double)bench_below(&state, 60);
            cube[pixel * bands + band] = (int16_t)value;
        }
    }
}

static int16_t *read_scene(const char *path)
{
    xta_array *array = NULL;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = XTA_I16;
    BENCH_XTA(xta_array_open(path, NULL, &array, &bench_error));
    xta_box box = xta_array_bounds(array);
    if (box.ndim != 3) {
        bench_die("%s: has %d axes; give lines, samples, bands", path, box.ndim);
    }
    lines = box.hi[0] - box.lo[0];
    samples = box.hi[1] - box.lo[1];
    bands = box.hi[2] - box.lo[2];
    int16_t *cube = bench_memory((size_t)(lines * samples * bands) * sizeof *cube);
    BENCH_XTA(xta_array_read(array, &box, &io, cube, &bench_error));
    BENCH_XTA(xta_array_close(array, &bench_error));
    return cube;
}

static void store(const int16_t *cube)
{
    const int64_t chunks[N_PARTITIONS][3] = {{lines, samples, 1}, {16, 16, bands}, {64, 64, 16}};
    const int64_t bounds[3] = {lines, samples, bands};
    for (int way = 0; way < N_PARTITIONS; way++) {
        xta_create_options how = XTA_CREATE_OPTIONS_INIT;
        xta_array *array = NULL;
        how.chunk = chunks[way];
        bench_remove_array(bench_path(files[way]));
        BENCH_XTA(xta_array_create(bench_path(files[way]), XTA_I16, 3, bounds, &how, &array,
                                   &bench_error));
        xta_box all = xta_array_bounds(array);
        BENCH_XTA(xta_array_write(array, &all, NULL, cube, &bench_error));
        BENCH_XTA(xta_array_close(array, &bench_error));
    }
    bench_settle();
}

/* ---- the work of one process ---- */

/* The k-th of n slice_sums of a length. */
static void slice_of(int64_t length, int k, int n, int64_t *lo, int64_t *hi)
{
    *lo = length * k / n;
    *hi = length * (k + 1) / n;
}

static void read_box(xta_array *array, const int64_t lo[3], const int64_t hi[3], int16_t *cells)
{
    xta_box box = xta_box_make(3, lo, hi);
    BENCH_XTA(xta_array_read(array, &box, NULL, cells, &bench_error));
}

/* One pixel on all skewers, which are made of 1 and -1. */
static void project(const int16_t *pixel, double best[SKEWERS])
{
    for (int s = 0; s < SKEWERS; s++) {
        int64_t dot = 0;
        for (int64_t band = 0; band < bands; band++) {
            int64_t sign = ((band >> s) & 1) * 2 - 1;
            dot += sign * pixel[band];
        }
        best[s] = (double)dot > best[s] ? (double)dot : best[s];
    }
}

/* The largest projections on skewers, of the lines of this process. */
static double work_pixels(xta_array *array, int rank, int n, int16_t *cells)
{
    int64_t lo = 0, hi = 0;
    double best[SKEWERS] = {0}, sum = 0;
    slice_of(lines, rank, n, &lo, &hi);
    for (int64_t line = lo; line < hi; line += LINES_AT_ONCE) {
        int64_t end = line + LINES_AT_ONCE < hi ? line + LINES_AT_ONCE : hi;
        read_box(array, (int64_t[]){line, 0, 0}, (int64_t[]){end, samples, bands}, cells);
        for (int64_t pixel = 0; pixel < (end - line) * samples; pixel++) {
            project(cells + pixel * bands, best);
        }
    }
    for (int s = 0; s < SKEWERS; s++) {
        sum += best[s];
    }
    return sum;
}

static double work_images(xta_array *array, int rank, int n, int16_t *cells)
{
    int64_t lo = 0, hi = 0;
    double sum = 0;
    slice_of(lines, rank, n, &lo, &hi);
    for (int k = 0; k < N_IMAGES; k++) {
        int64_t band = bands * k / N_IMAGES;
        read_box(array, (int64_t[]){lo, 0, band}, (int64_t[]){hi, samples, band + 1}, cells);
        sum += cells[0];
    }
    return sum;
}

/* How many slice_sums the bands are divided into; the lines are into n / this. */
static int band_slices(int way, int n)
{
    return way == SPECTRAL ? n : way == HYBRID && n >= 4 ? 2 : 1;
}

/* Sums over the bands of this process, of products with the reference and of squares. */
static void sum_bands(const int16_t *cells, int64_t n_pixels, int64_t first, int64_t n_bands,
                      double *sums)
{
    for (int64_t pixel = 0; pixel < n_pixels; pixel++) {
        double dot = 0, square = 0;
        for (int64_t band = 0; band < n_bands; band++) {
            double x = cells[pixel * n_bands + band];
            dot += x * (double)(1000 + first + band);
            square += x * x;
        }
        sums[2 * pixel] = dot;
        sums[2 * pixel + 1] = square;
    }
}

/* Angles of pixels [lo, hi), from the sums of all slice_sums. */
static void close_angles(int64_t lo, int64_t hi, int n_slices)
{
    double reference = 0;
    for (int64_t band = 0; band < bands; band++) {
        reference += (double)(1000 + band) * (double)(1000 + band);
    }
    for (int64_t pixel = lo; pixel < hi; pixel++) {
        double dot = 0, square = 0;
        for (int slice = 0; slice < n_slices; slice++) {
            dot += slice_sums[2 * (slice * lines * samples + pixel)];
            square += slice_sums[2 * (slice * lines * samples + pixel) + 1];
        }
        double cosine = dot / sqrt(square * reference);
        angles[pixel] = acos(cosine < 1 ? cosine : 1);
    }
}

/* Returns the bytes of sums that this process gets from others. */
static uint64_t work_angles(xta_array *array, int way, int rank, int n, int16_t *cells)
{
    int n_slices = band_slices(way, n);
    int slice = rank % n_slices, block = rank / n_slices, n_blocks = n / n_slices;
    int64_t lo = 0, hi = 0, first = 0, end = 0, from = 0, to = 0;
    slice_of(lines, block, n_blocks, &lo, &hi);
    slice_of(bands, slice, n_slices, &first, &end);
    double *sums = slice_sums + 2 * slice * lines * samples;
    for (int64_t line = lo; line < hi; line += LINES_AT_ONCE) {
        int64_t last = line + LINES_AT_ONCE < hi ? line + LINES_AT_ONCE : hi;
        read_box(array, (int64_t[]){line, 0, first}, (int64_t[]){last, samples, end}, cells);
        sum_bands(cells, (last - line) * samples, first, end - first, sums + 2 * line * samples);
    }
    pthread_barrier_wait(&shared->barrier);
    slice_of((hi - lo) * samples, slice, n_slices, &from, &to);
    close_angles(lo * samples + from, lo * samples + to, n_slices);
    return (uint64_t)(to - from) * 2 * sizeof(double) * (uint64_t)(n_slices - 1);
}

/* ---- processes ---- */

typedef struct task {
    int kind;
    int way;
    int n;
} task;

_Noreturn static void child(const task *t, int rank)
{
    xta_array *array = NULL;
    int16_t *cells = bench_memory((size_t)(lines * samples * bands) * sizeof *cells);
    BENCH_XTA(xta_array_open(bench_path(files[t->way]), NULL, &array, &bench_error));
    pthread_barrier_wait(&shared->barrier);
    double began = bench_now();
    if (t->kind == PIXELS) {
        shared->found[rank] = work_pixels(array, rank, t->n, cells);
    } else if (t->kind == IMAGES) {
        shared->found[rank] = work_images(array, rank, t->n, cells);
    } else {
        shared->bytes[rank] = work_angles(array, t->way, rank, t->n, cells);
    }
    pthread_barrier_wait(&shared->barrier);
    if (rank == 0) {
        shared->seconds = bench_now() - began;
    }
    BENCH_XTA(xta_array_close(array, &bench_error));
    _exit(0);
}

static double run(void *state, int repetition)
{
    const task *t = state;
    pthread_barrierattr_t attribute;
    (void)repetition;
    pthread_barrierattr_init(&attribute);
    pthread_barrierattr_setpshared(&attribute, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&shared->barrier, &attribute, (unsigned)t->n);
    memset(shared->bytes, 0, sizeof shared->bytes);
    fflush(stdout);
    for (int rank = 0; rank < t->n; rank++) {
        pid_t pid = fork();
        if (pid == 0) {
            child(t, rank);
        } else if (pid < 0) {
            bench_die("cannot start a process");
        }
    }
    for (int rank = 0; rank < t->n; rank++) {
        int code = 0;
        if (wait(&code) < 0 || code != 0) {
            bench_die("a process failed");
        }
    }
    pthread_barrier_destroy(&shared->barrier);
    return shared->seconds;
}

static void print_rows(const char *work, int n, int best, const double seconds[])
{
    char name[40], peer[40];
    for (int way = 0; way < N_PARTITIONS; way++) {
        snprintf(name, sizeof name, "%s on %d processes", partitions[way], n);
        snprintf(peer, sizeof peer, "%s", partitions[best]);
        if (way != best) {
            bench_print(
                &(bench_row){name, work, seconds[way], peer, seconds[best], "s", BENCH_TIME, 0});
        }
    }
}

static void measure(int kind, const char *work, int n, int best)
{
    task tasks[N_PARTITIONS];
    bench_side sides[N_PARTITIONS];
    double seconds[N_PARTITIONS];
    for (int way = 0; way < N_PARTITIONS; way++) {
        tasks[way] = (task){kind, way, n};
        sides[way] = (bench_side){run, &tasks[way]};
    }
    bench_alternate(sides, N_PARTITIONS, bench_small() ? 1 : REPETITIONS, seconds);
    print_rows(work, n, best, seconds);
}

/* The bytes that were exchanged must be those that the partition implies: two sums for each pixel
 * and each slice of its bands but one; none of spatial partitions. And the angles must be those of
 * one process. */
static void check_exchange(int n, const double *expected)
{
    char name[40];
    double exchanged[N_PARTITIONS];
    for (int way = 0; way < N_PARTITIONS; way++) {
        task t = {ANGLES, way, n};
        double bytes = 0;
        memset(angles, 0, (size_t)(lines * samples) * sizeof angles[0]);
        run(&t, 0);
        for (int rank = 0; rank < n; rank++) {
            bytes += (double)shared->bytes[rank];
        }
        for (int64_t pixel = 0; pixel < lines * samples; pixel++) {
            if (!(fabs(angles[pixel] - expected[pixel]) < 1e-9)) {
                bench_die("%s, %d processes: another angle of pixel %lld", partitions[way], n,
                          (long long)pixel);
            }
        }
        double implied = 16.0 * (double)(lines * samples) * (band_slices(way, n) - 1);
        if (bytes != implied) {
            bench_die("%s on %d processes: %.0f bytes were exchanged, not %.0f", partitions[way], n,
                      bytes, implied);
        }
        exchanged[way] = bytes;
    }
    for (int way = 0; way < N_PARTITIONS; way++) {
        snprintf(name, sizeof name, "%s on %d processes", partitions[way], n);
        if (exchanged[way] > 0) {
            bench_print(&(bench_row){name, "angles: bytes exchanged for each pixel",
                                     exchanged[way] / (double)(lines * samples), "spatial",
                                     exchanged[SPATIAL], "B", BENCH_TIME, 0});
        }
    }
}

int main(int argc, char **argv)
{
    int16_t *cube = NULL;
    bench_begin("partition");
    if (argc > 1) {
        cube = read_scene(argv[1]);
    } else {
        lines = bench_small() ? 64 : 512;
        samples = bench_small() ? 50 : 217;
        bands = bench_small() ? 40 : 204;
        cube = bench_memory((size_t)(lines * samples * bands) * sizeof *cube);
        make_cube(cube);
    }
    printf("# %s: %lld lines, %lld samples, %lld bands, i16\n", argc > 1 ? argv[1] : "made up",
           (long long)lines, (long long)samples, (long long)bands);
    size_t n_pixels = (size_t)(lines * samples);
    shared = shared_memory(sizeof *shared);
    slice_sums = shared_memory(2 * n_pixels * MOST_PROCESSES * sizeof *slice_sums);
    angles = shared_memory(n_pixels * sizeof *angles);
    double *expected = bench_memory(n_pixels * sizeof *expected);
    store(cube);
    free(cube);
    run(&(task){ANGLES, SPATIAL, 1}, 0);
    memcpy(expected, angles, n_pixels * sizeof *expected);
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        measure(PIXELS, "pixels: read and project", counts[k], SPATIAL);
        measure(IMAGES, "images: read", counts[k], SPECTRAL);
        measure(ANGLES, "angles: read and sum and exchange", counts[k], SPATIAL);
        check_exchange(counts[k], expected);
    }
    for (int way = 0; way < N_PARTITIONS; way++) {
        bench_remove_array(bench_path(files[way]));
    }
    free(expected);
    return 0;
}
