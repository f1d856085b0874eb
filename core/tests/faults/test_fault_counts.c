/* Page faults of boxes whose pages a handle touches for the first time: at most two for each 2 MiB
 * of the file, whatever is in the page cache, counting populated pages.
 *
 * A cube in chunks of 2 MiB, written by one call, and one written by single planes, so that its
 * page cache has small folios. Each is reopened for each box, with its pages in memory and clean
 * (of the first cube only: small ones that are in memory stay small), and with its pages dropped.
 * Where the system has no folios of 2 MiB on this file system, this is skipped.
 *
 * In a file whose pages are small, a write has at most the faults of the pages it stores into. An
 * open through the cache has few faults, however many chunks the cache could hold, and a cache that
 * is filled after another one was closed has few, too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/skip.h"

enum { CHUNK = 64, LENGTH = 256, N_BOXES = 6 };

#define UNIT ((size_t)2 << 20)

static test_folder folder;
static char path[TEST_PATH_BYTES], data[TEST_PATH_BYTES + 8];
static xta_error err;
static double *cells;

static const struct {
    const char *name;
    xta_box box;
} boxes[N_BOXES] = {
    {"4^3", {.ndim = 3, .lo = {62, 61, 63}, .hi = {66, 65, 67}}},
    {"16^3", {.ndim = 3, .lo = {5, 7, 9}, .hi = {21, 23, 25}}},
    {"64^3", {.ndim = 3, .lo = {30, 40, 50}, .hi = {94, 104, 114}}},
    {"128^3", {.ndim = 3, .lo = {31, 17, 33}, .hi = {159, 145, 161}}},
    {"plane of axis 1", {.ndim = 3, .lo = {0, 99, 0}, .hi = {LENGTH, 100, LENGTH}}},
    {"plane of axis 2", {.ndim = 3, .lo = {0, 0, 99}, .hi = {LENGTH, LENGTH, 100}}},
};

static void must(xta_status status, const char *what)
{
    if (status != XTA_OK) {
        fprintf(stderr, "test_fault_counts: %s: %s\n", what, err.text);
        exit(1);
    }
}

static long faults_now(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

/* Make all pages of a file clean, and perhaps drop them. */
static void sync_pages(const char *name, bool drop)
{
    int fd = open(name, O_RDONLY);

    if (fd < 0 || fdatasync(fd) != 0 ||
        (drop && posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)) {
        fprintf(stderr, "test_fault_counts: %s: pages cannot be synced or dropped\n", name);
        exit(1);
    }
    close(fd);
}

/* Bring all pages of the data file into memory, one by one, after they were dropped. */
static void bring_single_pages(void)
{
    char page[4096];
    int fd = open(data, O_RDONLY);

    if (fd < 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM) != 0) {
        fprintf(stderr, "test_fault_counts: %s: pages cannot be brought\n", data);
        exit(1);
    }
    for (off_t at = 0; pread(fd, page, sizeof page, at) > 0; at += (off_t)sizeof page) {}
    close(fd);
}

/* Whether this system maps 2 MiB of a file by one fault here. */
static bool has_large_folios(void)
{
    const char *name = test_folder_path(&folder, "probe");
    char *bytes = calloc(1, 4 * UNIT);

    test_file_write(name, bytes, 4 * UNIT);
    free(bytes);
    sync_pages(name, true);
    int fd = open(name, O_RDWR);
    char *map = mmap(NULL, 4 * UNIT, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED || madvise(map, 4 * UNIT, MADV_HUGEPAGE) != 0) {
        return false;
    }
    char *unit = map + (UNIT - (uintptr_t)map % UNIT) % UNIT;
    long before = faults_now();
    for (size_t at = 0; at < UNIT; at += 4096) {
        *(volatile char *)(unit + at) = 1;
    }
    long n = faults_now() - before;
    munmap(map, 4 * UNIT);
    close(fd);
    return n <= 2;
}

static void make_cube(bool at_once)
{
    const int64_t lengths[3] = {LENGTH, LENGTH, LENGTH}, chunk[3] = {CHUNK, CHUNK, CHUNK};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = chunk;
    options.access = XTA_ACCESS_MAPPED;
    must(xta_array_create(path, XTA_F64, 3, lengths, &options, &array, &err), "create");
    for (int64_t k = 0; k < LENGTH; k += at_once ? LENGTH : 1) {
        xta_box box = {
            .ndim = 3, .lo = {k, 0, 0}, .hi = {k + (at_once ? LENGTH : 1), LENGTH, LENGTH}};
        must(xta_array_write(array, &box, NULL, cells, &err), "write");
    }
    must(xta_array_close(array, &err), "close");
}

static long units_of(const xta_box *box)
{
    long n = 1;

    for (int axis = 0; axis < 3; axis++) {
        n *= (box->hi[axis] - 1) / CHUNK - box->lo[axis] / CHUNK + 1;
    }
    return n;
}

/* Pages of 4 KiB that cells of a box lie on. */
static long pages_of(const xta_box *box)
{
    enum { SIDE = LENGTH / CHUNK, CHUNK_PAGES = CHUNK * CHUNK * CHUNK * 8 / 4096 };
    static bool seen[SIDE][SIDE][SIDE][CHUNK_PAGES];
    long n = 0;

    memset(seen, 0, sizeof seen);
    for (int64_t x = box->lo[0]; x < box->hi[0]; x++) {
        for (int64_t y = box->lo[1]; y < box->hi[1]; y++) {
            for (int64_t z = box->lo[2]; z < box->hi[2]; z++) {
                int64_t cell = (x % CHUNK * CHUNK + y % CHUNK) * CHUNK + z % CHUNK;
                bool *page = &seen[x / CHUNK][y / CHUNK][z / CHUNK][cell * 8 / 4096];
                n += !*page;
                *page = true;
            }
        }
    }
    return n;
}

/* Faults of one box in excess of `more` and two for each unit. */
static int judge(int k, bool write, const char *state, long more)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    options.access = XTA_ACCESS_MAPPED;
    must(xta_array_open(path, &options, &array, &err), "open");
    long before = faults_now();
    must(write ? xta_array_write(array, &boxes[k].box, NULL, cells, &err)
               : xta_array_read(array, &boxes[k].box, NULL, cells, &err),
         "move");
    long n = faults_now() - before, units = units_of(&boxes[k].box);
    must(xta_array_close(array, &err), "close");
    // Faults of the process's own tables when a window is opened.
    bool well = n <= 2 * units + more + 4;
    printf("%s, %s, %s: %ld faults for %ld units%s\n", state, boxes[k].name,
           write ? "written" : "read", n, units, well ? "" : ": TOO MANY");
    return !well;
}

static int judge_small_pages(void)
{
    int n_failed = 0;

    make_cube(true);
    // Code, stack and memory that the process has not touched yet cause faults too.
    (void)judge(1, true, "not counted", 1000);
    for (int k = 0; k < N_BOXES; k++) {
        sync_pages(data, true);
        bring_single_pages();
        n_failed += judge(k, true, "single pages", pages_of(&boxes[k].box));
    }
    test_pair_remove(path);
    return n_failed;
}

/* A cache for chunks of six bytes has room for a million of them. */
static int judge_opens(void)
{
    enum { N = 100, MOST_FOR_EACH = 16 };
    xta_create_options made = XTA_CREATE_OPTIONS_INIT;
    xta_open_options how = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    uint8_t cell = 0;
    long before = 0;

    made.chunk = (int64_t[]){2, 3};
    how.access = XTA_ACCESS_CACHED;
    must(xta_array_create(path, XTA_U8, 2, (int64_t[]){20, 30}, &made, &array, &err), "create");
    must(xta_array_close(array, &err), "close");
    for (int k = 0; k < 2 * N; k++) {
        if (k == N) {
            before = faults_now();
        }
        must(xta_array_open(path, &how, &array, &err), "open");
        must(xta_array_get(array, (int64_t[]){7, 8}, &cell, &err), "get");
        must(xta_array_close(array, &err), "close");
    }
    long n = faults_now() - before;
    printf("%d opens through the cache: %ld faults%s\n", N, n,
           n <= N * MOST_FOR_EACH ? "" : ": TOO MANY");
    test_pair_remove(path);
    return n > N * MOST_FOR_EACH;
}

/* Fill an array of 32 MiB whose cells stay in a cache until it is closed. Returns the faults of the
 * write. */
static long faults_of_cache(void)
{
    enum { SIDE = 1024, PLANES = 8 };
    static const int64_t bounds[3] = {PLANES, SIDE, SIDE}, chunk[3] = {1, 64, 128};
    const xta_box all = {.ndim = 3, .hi = {PLANES, SIDE, SIDE}};
    xta_create_options made = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    made.chunk = chunk;
    made.access = XTA_ACCESS_CACHED;
    made.cache_bytes = (uint64_t)64 << 20;
    must(xta_array_create(path, XTA_F32, 3, bounds, &made, &array, &err), "create");
    long before = faults_now();
    must(xta_array_write(array, &all, NULL, cells, &err), "write");
    long n = faults_now() - before;
    must(xta_array_close(array, &err), "close");
    test_pair_remove(path);
    return n;
}

/* The process keeps the memory of a closed cache, so that the 8192 pages of 32 MiB need no
 * fault. */
static int judge_caches_in_turn(void)
{
    enum { MOST = 40 };
    long first = faults_of_cache(), second = faults_of_cache(), third = faults_of_cache();
    bool well = second <= MOST && third <= MOST;

    printf("32 MiB through three caches in turn: %ld, %ld, %ld faults%s\n", first, second, third,
           well ? "" : ": TOO MANY");
    return !well;
}

int main(void)
{
    size_t n = sizeof(double) * LENGTH * LENGTH * LENGTH;

    test_folder_make(&folder);
    test_folder_join(&folder, "a", path);
    snprintf(data, sizeof data, "%s.xta", path);
    cells = malloc(n);
    if (cells == NULL) {
        return 1;
    }
    memset(cells, 1, n);
    int n_failed = judge_opens() + judge_caches_in_turn() + judge_small_pages();
    if (!has_large_folios()) {
        test_skip("page faults: no folios of 2 MiB in %s", folder.path);
        test_folder_remove(&folder);
        return test_end(n_failed);
    }
    for (int pass = 0; pass < 3; pass++) {
        static const char *const states[] = {"written at once, in memory",
                                             "written at once, dropped", "by planes, dropped"};
        make_cube(pass < 2);
        for (int k = 0; k < 2 * N_BOXES; k++) {
            sync_pages(data, pass > 0);
            n_failed += judge(k / 2, k % 2 != 0, states[pass], 0);
        }
        test_pair_remove(path);
    }
    free(cells);
    test_folder_remove(&folder);
    return n_failed;
}
