/* Cold reads: boxes of a file of which nothing is in memory, compared with what its disk can do.
 *
 * A cube of float64 in chunks of 64^3 (2 MiB). Before each read all pages of the file are dropped,
 * and the file is reopened. For comparison, O_DIRECT reads the chunks that the box touches, several
 * in flight, in file order, and so does pread; HDF5 reads the same box of a file of its own. All
 * take turns, repetition by repetition. For planes and scattered cells O_DIRECT also reads only the
 * pages that hold them (`pages`), which is the minimum that can be read. Bytes are those that came
 * from the disk, calls are read calls, both as the system counts them for the process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bench.h"
#include "peer_hdf5.h"

enum { CHUNK = 64, REPETITIONS = 7, SIDES = 9, IN_FLIGHT = 8 };

#define CHUNK_BYTES ((size_t)CHUNK * CHUNK * CHUNK * sizeof(double))
#define PAGE        ((size_t)4096)

/* The first four measure the disk; the best of them counts. */
typedef enum side_number {
    DIRECT_1,
    DIRECT_4,
    DIRECT_8,
    PAGES,
    PREAD,
    MAPPED,
    MAPPED_2,
    CACHED,
    HDF5
} side_number;

static const char *const side_names[SIDES] = {"O_DIRECT, 1 in flight",
                                              "O_DIRECT, 4 in flight",
                                              "O_DIRECT, 8 in flight",
                                              "O_DIRECT of the pages alone",
                                              "pread",
                                              "mapped",
                                              "mapped by 2 threads",
                                              "cached",
                                              "HDF5"};

typedef struct range {
    uint64_t begin, bytes;
} range;

typedef struct cube {
    int64_t side;
    double *cells;  // large enough for all cases
    char *anywhere; // of the same size, for O_DIRECT
    const char *path, *hdf5_path;
    char data[1024];
    uint64_t origin;
} cube;

typedef struct cost {
    double seconds, bytes, calls, faults;
} cost;

/* ---- what the disk can do ---- */

typedef struct reading {
    const cube *test;
    const range *ranges;
    size_t n;
    int fd;
    atomic_size_t next;
} reading;

static void *read_ranges(void *user)
{
    reading *r = user;

    for (size_t k = atomic_fetch_add(&r->next, 1); k < r->n; k = atomic_fetch_add(&r->next, 1)) {
        uint64_t bytes = r->ranges[k].bytes;
        char *to = r->test->anywhere + k * bytes; // all are of one length
        if (pread(r->fd, to, bytes, (off_t)r->ranges[k].begin) != (ssize_t)bytes) {
            bench_die("%s: cannot be read", r->test->data);
        }
    }
    return NULL;
}

static void read_plain(const cube *test, const range ranges[], size_t n, int threads, int fd)
{
    reading r = {.test = test, .ranges = ranges, .n = n, .fd = fd};
    pthread_t others[IN_FLIGHT];

    for (int k = 1; k < threads; k++) {
        if (pthread_create(&others[k], NULL, read_ranges, &r) != 0) {
            bench_die("no thread can be made");
        }
    }
    read_ranges(&r);
    for (int k = 1; k < threads; k++) {
        pthread_join(others[k], NULL);
    }
}

/* ---- where the cells of a box are ---- */

static int compare_ranges(const void *a, const void *b)
{
    uint64_t left = ((const range *)a)->begin, right = ((const range *)b)->begin;

    return left < right ? -1 : left > right;
}

/* The chunks of a box, in file order. */
static size_t find_chunks(const cube *test, xta_array *array, const xta_box *box, int64_t step,
                          range ranges[])
{
    int64_t c[3], first[3], end[3], by = step > CHUNK ? step / CHUNK : 1;
    size_t n = 0;

    for (int axis = 0; axis < 3; axis++) {
        first[axis] = box->lo[axis] / CHUNK;
        end[axis] = (box->hi[axis] - 1) / CHUNK + 1;
    }
    for (c[0] = first[0]; c[0] < end[0]; c[0] += by) {
        for (c[1] = first[1]; c[1] < end[1]; c[1] += by) {
            for (c[2] = first[2]; c[2] < end[2]; c[2] += by) {
                uint64_t address = 0;
                BENCH_XTA(xta_array_chunk_address(array, c, &address, &bench_error));
                ranges[n++] = (range){test->origin + address * CHUNK_BYTES, CHUNK_BYTES};
            }
        }
    }
    qsort(ranges, n, sizeof ranges[0], compare_ranges);
    return n;
}

/* In each chunk, the pages that hold cells of the box; these cells are its bytes [from, from +
 * n). */
static size_t find_pages(const range chunks[], size_t n_chunks, size_t from, size_t n,
                         range pages[])
{
    size_t begin = from / PAGE * PAGE, end = (from + n + PAGE - 1) / PAGE * PAGE;

    for (size_t k = 0; k < n_chunks; k++) {
        pages[k] = (range){chunks[k].begin + begin, end - begin};
    }
    return n_chunks;
}

/* ---- counting ---- */

static double number_in(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at != NULL ? (double)strtoull(at + strlen(name), NULL, 10) : 0;
}

static cost count_now(void)
{
    char text[1024] = "";
    struct rusage usage;
    FILE *file = fopen("/proc/self/io", "r");
    size_t n = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file != NULL) {
        fclose(file);
    }
    text[n] = '\0';
    getrusage(RUSAGE_SELF, &usage);
    return (cost){.bytes = number_in(text, "\nread_bytes: "),
                  .calls = number_in(text, "syscr: "),
                  .faults = (double)(usage.ru_minflt + usage.ru_majflt)};
}

static void drop_pages(const char *path)
{
    int fd = open(path, O_RDONLY);

    if (fd < 0 || fdatasync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0) {
        bench_die("%s: its pages cannot be dropped", path);
    }
    close(fd);
}

static void end_cost(cost *c, const cost *before, double start)
{
    c->seconds = bench_now() - start;
    cost after = count_now();
    c->bytes = after.bytes - before->bytes;
    c->calls = after.calls - before->calls;
    c->faults = after.faults - before->faults;
}

/* ---- one read ---- */

typedef struct shape {
    const char *name;
    int64_t lo[3], length[3]; // a length of 0 is the whole side
    int64_t step;
    size_t from, bytes; // of each chunk, if they are contiguous; 0: not compared
} shape;

typedef struct wanted {
    xta_box box;
    int64_t step[3];
    range *chunks, *pages;
    size_t n_chunks, n_pages;
} wanted;

static cost read_ours(const cube *test, const wanted *w, int side)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_array *array = NULL;
    cost c;

    options.access = side == CACHED ? XTA_ACCESS_CACHED : XTA_ACCESS_MAPPED;
    options.cache_bytes = BENCH_CACHE_BYTES;
    io.threads = side == MAPPED_2 ? 2 : 1;
    io.step = w->step;
    BENCH_XTA(xta_array_open(test->path, &options, &array, &bench_error));
    drop_pages(test->data);
    cost before = count_now();
    double start = bench_now();
    BENCH_XTA(xta_array_read(array, &w->box, &io, test->cells, &bench_error));
    end_cost(&c, &before, start);
    BENCH_XTA(xta_array_close(array, &bench_error));
    if (w->step[0] == 1) {
        bench_verify(&w->box, test->cells, side_names[side]);
    }
    return c;
}

static cost read_hdf5(const cube *test, const wanted *w)
{
    const int64_t chunk[3] = {CHUNK, CHUNK, CHUNK};
    peer_hdf5 peer;
    cost c;

    peer_open(&peer, test->hdf5_path, H5T_NATIVE_DOUBLE, 3, chunk);
    drop_pages(test->hdf5_path);
    cost before = count_now();
    double start = bench_now();
    peer_read(&peer, &w->box, test->cells);
    end_cost(&c, &before, start);
    peer_close(&peer);
    bench_verify(&w->box, test->cells, "HDF5");
    return c;
}

static cost read_side(const cube *test, const wanted *w, int side)
{
    static const int in_flight[] = {1, 4, IN_FLIGHT, IN_FLIGHT, 1};
    cost c;

    if (side >= MAPPED) {
        return side == HDF5 ? read_hdf5(test, w) : read_ours(test, w, side);
    }
    int fd = open(test->data, O_RDONLY | (side == PREAD ? 0 : O_DIRECT));
    if (fd < 0) {
        bench_die("%s: cannot be opened for O_DIRECT", test->data);
    }
    drop_pages(test->data);
    cost before = count_now();
    double start = bench_now();
    read_plain(test, side == PAGES ? w->pages : w->chunks, side == PAGES ? w->n_pages : w->n_chunks,
               in_flight[side], fd);
    end_cost(&c, &before, start);
    close(fd);
    return c;
}

/* ---- the table ---- */

static bool is_compared(const wanted *w, int side)
{
    return !(side == PAGES && w->n_pages == 0) && !(side == HDF5 && w->step[0] > 1);
}

static void print_side(const char *name, int side, const cost *ours, const cost *best,
                       const cost *pages)
{
    char metric[80];
    double target = side == PREAD || side == HDF5 ? 0 : 0.9;

    snprintf(metric, sizeof metric, "%s: cold read", side_names[side]);
    bench_print(&(bench_row){name, metric, ours->seconds, "O_DIRECT", best->seconds, "s",
                             BENCH_TIME, target});
    if (pages != NULL) {
        bench_print(&(bench_row){name, metric, ours->seconds, "O_DIRECT of the pages alone",
                                 pages->seconds, "s", BENCH_TIME, 0});
    }
    snprintf(metric, sizeof metric, "%s: from the disk", side_names[side]);
    bench_print(&(bench_row){name, metric, ours->bytes, "O_DIRECT", best->bytes, "bytes",
                             BENCH_COST, target > 0 ? 1.02 : 0});
    snprintf(metric, sizeof metric, "%s: read calls", side_names[side]);
    bench_print(
        &(bench_row){name, metric, ours->calls, "O_DIRECT", best->calls, "calls", BENCH_COST, 0});
    snprintf(metric, sizeof metric, "%s: faults", side_names[side]);
    bench_print(&(bench_row){name, metric, ours->faults, "O_DIRECT", best->faults, "faults",
                             BENCH_COST, 0});
}

static void compare(const cube *test, const shape *s, const wanted *w)
{
    double seconds[SIDES][REPETITIONS];
    cost costs[SIDES] = {0};
    int best = DIRECT_1;

    for (int r = -1; r < REPETITIONS; r++) {
        for (int turn = 0; turn < SIDES; turn++) {
            int side = (r + 1 + turn) % SIDES;
            if (is_compared(w, side)) {
                costs[side] = read_side(test, w, side);
                seconds[side][r > 0 ? r : 0] = costs[side].seconds;
            }
        }
    }
    for (int side = 0; side < SIDES; side++) {
        costs[side].seconds = is_compared(w, side) ? bench_median(seconds[side], REPETITIONS) : 0;
        best = side <= DIRECT_8 && costs[side].seconds < costs[best].seconds ? side : best;
    }
    for (int side = PREAD; side < SIDES; side++) {
        if (is_compared(w, side)) {
            print_side(s->name, side, &costs[side], &costs[best],
                       w->n_pages > 0 ? &costs[PAGES] : NULL);
        }
    }
}

static void compare_shape(const cube *test, const shape *s, range *chunks, range *pages)
{
    wanted w = {.chunks = chunks, .pages = pages, .step = {s->step, s->step, s->step}};
    xta_array *array = NULL;
    int64_t length[3];

    for (int axis = 0; axis < 3; axis++) {
        length[axis] = s->length[axis] > 0 ? s->length[axis] : test->side - s->lo[axis];
        if (s->lo[axis] + length[axis] > test->side) {
            return; // of the large cube only
        }
    }
    w.box = bench_box(3, s->lo, length);
    BENCH_XTA(xta_array_open(test->path, NULL, &array, &bench_error));
    w.n_chunks = find_chunks(test, array, &w.box, s->step, chunks);
    w.n_pages = s->bytes > 0 ? find_pages(chunks, w.n_chunks, s->from, s->bytes, pages) : 0;
    BENCH_XTA(xta_array_close(array, &bench_error));
    compare(test, s, &w);
}

static void make_files(cube *test)
{
    const int64_t bounds[3] = {test->side, test->side, test->side};
    const int64_t chunk[3] = {CHUNK, CHUNK, CHUNK}, zero[3] = {0, 0, 0};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_array_info info;
    xta_box all = bench_box(3, zero, bounds);
    peer_hdf5 peer;

    bench_fill(&all, test->cells);
    options.chunk = chunk;
    bench_remove_array(test->path);
    BENCH_XTA(xta_array_create(test->path, XTA_F64, 3, bounds, &options, &array, &bench_error));
    BENCH_XTA(xta_array_write(array, &all, NULL, test->cells, &bench_error));
    BENCH_XTA(xta_array_sync(array, &bench_error));
    BENCH_XTA(xta_array_inquire(array, &info, &bench_error));
    test->origin = info.data_offset;
    BENCH_XTA(xta_array_close(array, &bench_error));
    peer_create(&peer, test->hdf5_path, H5T_NATIVE_DOUBLE, 3, bounds, chunk);
    peer_write(&peer, &all, test->cells);
    peer_sync(&peer);
    peer_close(&peer);
    bench_settle();
}

int main(void)
{
    static const shape shapes[] = {
        {"whole array", {0, 0, 0}, {0, 0, 0}, 1, 0, 0},
        {"64 MiB unaligned", {13, 13, 13}, {203, 203, 203}, 1, 0, 0},
        {"plane of axis 0",
         {99, 0, 0},
         {1, 0, 0},
         1,
         (size_t)35 * CHUNK * CHUNK * 8,
         (size_t)CHUNK * CHUNK * 8},
        {"plane of axis 1", {0, 99, 0}, {0, 1, 0}, 1, 0, 0},
        {"plane of axis 2", {0, 0, 99}, {0, 0, 1}, 1, 0, 0},
        {"a cell of every 8th chunk",
         {5, 5, 5},
         {0, 0, 0},
         2 * CHUNK,
         ((size_t)5 * CHUNK * CHUNK + 5 * CHUNK + 5) * 8,
         8},
    };
    cube test = {.side = bench_small() ? 256 : 512};
    size_t bytes = (size_t)(test.side * test.side * test.side) * sizeof(double);
    range *chunks = bench_memory(bytes / CHUNK_BYTES * sizeof *chunks);
    range *pages = bench_memory(bytes / CHUNK_BYTES * sizeof *pages);

    bench_begin("cold");
    test.path = bench_path("cold");
    snprintf(test.data, sizeof test.data, "%s.xta", test.path);
    test.hdf5_path = bench_path("cold.h5");
    test.cells = bench_memory(bytes);
    test.anywhere = aligned_alloc(CHUNK_BYTES, bytes);
    if (test.anywhere == NULL) {
        bench_die("no memory for %zu bytes", bytes);
    }
    memset(test.anywhere, 1, bytes);
    make_files(&test);
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        compare_shape(&test, &shapes[k], chunks, pages);
    }
    bench_remove_array(test.path);
    bench_remove(test.hdf5_path);
    free(pages);
    free(chunks);
    free(test.anywhere);
    free(test.cells);
    return 0;
}
