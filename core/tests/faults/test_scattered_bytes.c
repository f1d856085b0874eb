/* Bytes that scattered writes send to the device: at most four times those of plain calls for the
 * same bytes, counted by the device itself.
 *
 * The array and the plain file lie on an image that on_image.sh has mounted ($XTA_TEST_DISK); the
 * device below it counts the sectors that were written.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "support/skip.h"

enum { SIDE = 320, CHUNK = 64, CHUNKS = SIDE / CHUNK, PLACES = 10000 };

static test_folder folder;
static char path[TEST_PATH_BYTES], plain_path[TEST_PATH_BYTES];
static xta_error err;

static void must(bool well, const char *what)
{
    if (!well) {
        fprintf(stderr, "test_scattered_bytes: %s: %s\n", what, err.text);
        exit(1);
    }
}

static uint64_t sectors_written(void)
{
    char name[128];
    struct stat facts;
    unsigned long long fields[7] = {0};

    must(stat(folder.path, &facts) == 0, "stat");
    snprintf(name, sizeof name, "/sys/dev/block/%u:%u/stat", major(facts.st_dev),
             minor(facts.st_dev));
    FILE *file = fopen(name, "r");
    must(file != NULL, name);
    int n = fscanf(file, "%llu %llu %llu %llu %llu %llu %llu", &fields[0], &fields[1], &fields[2],
                   &fields[3], &fields[4], &fields[5], &fields[6]);
    fclose(file);
    must(n == 7, "the device's counters");
    return fields[6];
}

/* The offset of the cell in a file with the chunks one after another. */
static off_t place_of(const int64_t at[3])
{
    int64_t chunk = 0, within = 0;

    for (int axis = 0; axis < 3; axis++) {
        chunk = chunk * CHUNKS + at[axis] / CHUNK;
        within = within * CHUNK + at[axis] % CHUNK;
    }
    return (off_t)((chunk * CHUNK * CHUNK * CHUNK + within) * (int64_t)sizeof(double));
}

static void write_plain(int fd, const xta_box *box, const double *cells)
{
    int64_t at[3] = {0, 0, box->lo[2]};
    size_t row = (size_t)(box->hi[2] - box->lo[2]);

    for (at[0] = box->lo[0]; at[0] < box->hi[0]; at[0]++) {
        for (at[1] = box->lo[1]; at[1] < box->hi[1]; at[1]++) {
            ssize_t n = (ssize_t)(row * sizeof cells[0]);
            must(pwrite(fd, cells, (size_t)n, place_of(at)) == n, "pwrite");
            cells += row;
        }
    }
}

/* Sectors that writing 10,000 boxes of `length`^3 cells, each within a chunk, sends to the
 * device. */
static uint64_t scatter(xta_array *array, int fd, int64_t length, uint64_t seed)
{
    test_random rnd = test_random_make(seed, (uint64_t)length);
    double cells[64];

    for (int k = 0; k < 64; k++) {
        cells[k] = k + 0.5;
    }
    sync();
    uint64_t before = sectors_written();
    for (int k = 0; k < PLACES; k++) {
        xta_box box = {.ndim = 3};
        for (int axis = 0; axis < 3; axis++) {
            box.lo[axis] = test_random_in(&rnd, 0, CHUNKS - 1) * CHUNK +
                           test_random_in(&rnd, 0, CHUNK - length);
            box.hi[axis] = box.lo[axis] + length;
        }
        if (array == NULL) {
            write_plain(fd, &box, cells);
        } else if (length == 1) {
            must(xta_array_put(array, box.lo, cells, &err) == XTA_OK, "put");
        } else {
            must(xta_array_write(array, &box, NULL, cells, &err) == XTA_OK, "write");
        }
    }
    if (array != NULL) {
        must(xta_array_sync(array, &err) == XTA_OK, "sync");
    } else {
        must(fdatasync(fd) == 0, "fdatasync");
    }
    return sectors_written() - before;
}

static xta_array *make_array(void)
{
    const int64_t lengths[3] = {SIDE, SIDE, SIDE}, chunk[3] = {CHUNK, CHUNK, CHUNK};
    const xta_box all = {.ndim = 3, .hi = {SIDE, SIDE, SIDE}};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    double *cells = malloc(sizeof *cells * SIDE * SIDE * SIDE);

    must(cells != NULL, "memory");
    for (size_t k = 0; k < (size_t)SIDE * SIDE * SIDE; k++) {
        cells[k] = (double)k;
    }
    options.chunk = chunk;
    options.access = XTA_ACCESS_MAPPED;
    must(xta_array_create(path, XTA_F64, 3, lengths, &options, &array, &err) == XTA_OK, "create");
    must(xta_array_write(array, &all, NULL, cells, &err) == XTA_OK, "write");
    must(xta_array_sync(array, &err) == XTA_OK, "sync");
    free(cells);
    return array;
}

static int make_plain(void)
{
    const size_t piece = (size_t)2 << 20;
    char *bytes = calloc(1, piece);
    int fd = open(plain_path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    must(fd >= 0 && bytes != NULL, plain_path);
    memset(bytes, 1, piece);
    for (size_t at = 0; at < sizeof(double) * SIDE * SIDE * SIDE; at += piece) {
        must(pwrite(fd, bytes, piece, (off_t)at) == (ssize_t)piece, "pwrite");
    }
    must(fdatasync(fd) == 0, "fdatasync");
    free(bytes);
    return fd;
}

int main(void)
{
    const char *disk = getenv("XTA_TEST_DISK");
    uint64_t seed = test_seed("test_scattered_bytes", 20261124);
    int n_failed = 0;

    if (disk == NULL) {
        test_skip("bytes to the device: no disk is named; run it by on_image.sh");
        return test_end(0);
    }
    snprintf(folder.path, sizeof folder.path, "%s", disk);
    test_folder_join(&folder, "a", path);
    test_folder_join(&folder, "plain", plain_path);
    xta_array *array = make_array();
    int plain = make_plain();
    for (int64_t length = 1; length <= 4; length += 3) {
        uint64_t theirs = scatter(NULL, plain, length, seed);
        uint64_t ours = scatter(array, -1, length, seed);
        printf("%d places of %d^3 cells: %.1f MB to the device, by plain calls %.1f MB\n", PLACES,
               (int)length, (double)ours * 512e-6, (double)theirs * 512e-6);
        n_failed += theirs == 0 || ours > 4 * theirs;
    }
    must(xta_array_close(array, &err) == XTA_OK, "close");
    close(plain);
    return n_failed;
}
