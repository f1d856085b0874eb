/* Reading an array through the GDAL driver, beside the library itself, in one process and turn by
 * turn: 1 GiB of float32 in the page cache (XTA_BENCH_SMALL=1: 16 MiB).
 *
 * Windows are whole lines of 64 MiB of a band, all bands of a part of the lines, and pixels of all
 * bands together, which both sides read into the same memory. GDAL_DRIVER_PATH names the folder of
 * the driver; XTA_BENCH_DIR that of the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <gdal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/xta.h>

#include "bench.h"

enum { TURNS = 9, BANDS = 4 };

/* The array: BANDS bands of n x n cells. */
typedef struct subject {
    xta_array *array;
    GDALDatasetH dataset;
    GDALDatasetH sets; /* of the multidimensional API */
    GDALMDArrayH cells;
    int n;
    int lines; /* of a window of one band */
    float *memory;
} subject;

static xta_error error;

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "bench_gdal: %s: %s %s\n", what, error.text, CPLGetLastErrorMsg());
        exit(1);
    }
}

/* ---- windows ---- */

/* Lines of one band after the other. */
static void library_lines(const subject *s)
{
    for (int band = 0; band < BANDS; band++) {
        for (int y = 0; y < s->n; y += s->lines) {
            int64_t lo[] = {band, y, 0}, hi[] = {band + 1, y + s->lines, s->n};
            xta_box box = xta_box_make(3, lo, hi);
            check(xta_array_read(s->array, &box, NULL, s->memory, &error) == XTA_OK, "read");
        }
    }
}

static void gdal_lines(const subject *s)
{
    for (int band = 0; band < BANDS; band++) {
        GDALRasterBandH of = GDALGetRasterBand(s->dataset, band + 1);
        for (int y = 0; y < s->n; y += s->lines) {
            check(GDALRasterIO(of, GF_Read, 0, y, s->n, s->lines, s->memory, s->n, s->lines,
                               GDT_Float32, 0, 0) == CE_None,
                  "RasterIO");
        }
    }
}

/* All bands of a quarter of the lines, band after band. */
static void library_bands(const subject *s)
{
    for (int y = 0; y < s->n; y += s->lines / BANDS) {
        int64_t lo[] = {0, y, 0}, hi[] = {BANDS, y + s->lines / BANDS, s->n};
        xta_box box = xta_box_make(3, lo, hi);
        check(xta_array_read(s->array, &box, NULL, s->memory, &error) == XTA_OK, "read");
    }
}

static void gdal_bands(const subject *s)
{
    int lines = s->lines / BANDS;
    for (int y = 0; y < s->n; y += lines) {
        check(GDALDatasetRasterIO(s->dataset, GF_Read, 0, y, s->n, lines, s->memory, s->n, lines,
                                  GDT_Float32, BANDS, NULL, 0, 0, 0) == CE_None,
              "RasterIO of all bands");
    }
}

static void multidim_bands(const subject *s)
{
    int lines = s->lines / BANDS;
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate(GDT_Float32);
    for (int y = 0; y < s->n; y += lines) {
        GUInt64 start[] = {0, (GUInt64)y, 0};
        size_t counts[] = {BANDS, (size_t)lines, (size_t)s->n};
        check(GDALMDArrayRead(s->cells, start, counts, NULL, NULL, type, s->memory, NULL, 0),
              "MDArray");
    }
    GDALExtendedDataTypeRelease(type);
}

/* The same, with the bands of a pixel beside each other in memory. */
static void library_pixels(const subject *s)
{
    int64_t strides[] = {sizeof(float), (int64_t)(BANDS * sizeof(float)) * s->n,
                         BANDS * sizeof(float)};
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    options.strides = strides;
    for (int y = 0; y < s->n; y += s->lines / BANDS) {
        int64_t lo[] = {0, y, 0}, hi[] = {BANDS, y + s->lines / BANDS, s->n};
        xta_box box = xta_box_make(3, lo, hi);
        check(xta_array_read(s->array, &box, &options, s->memory, &error) == XTA_OK, "read");
    }
}

static void gdal_pixels(const subject *s)
{
    int lines = s->lines / BANDS, cell = sizeof(float);
    for (int y = 0; y < s->n; y += lines) {
        check(GDALDatasetRasterIO(s->dataset, GF_Read, 0, y, s->n, lines, s->memory, s->n, lines,
                                  GDT_Float32, BANDS, NULL, BANDS * cell, BANDS * cell * s->n,
                                  cell) == CE_None,
              "RasterIO of pixels");
    }
}

/* ---- the run ---- */

typedef void reader(const subject *s);

typedef struct task {
    const subject *subject;
    reader *read;
} task;

static double run(void *state, int repetition)
{
    const task *t = state;
    double start = bench_now();
    (void)repetition;
    t->read(t->subject);
    return bench_now() - start;
}

/* The last window of both is the same. */
static void check_cells(const subject *s, reader *library, reader *gdal)
{
    size_t bytes = (size_t)s->lines * (size_t)s->n * sizeof(float);
    float *copy = malloc(bytes);
    check(copy != NULL, "memory");
    memset(s->memory, 0, bytes);
    library(s);
    memcpy(copy, s->memory, bytes);
    memset(s->memory, 0, bytes);
    gdal(s);
    check(memcmp(copy, s->memory, bytes) == 0, "GDAL gives other cells than the library");
    free(copy);
}

static void measure(const subject *s, const char *what, reader *library, reader *gdal)
{
    double seconds[2], gigabytes = 1e-9 * BANDS * sizeof(float) * s->n * (double)s->n;
    task tasks[2] = {{s, gdal}, {s, library}};
    const bench_side sides[2] = {{run, &tasks[0]}, {run, &tasks[1]}};
    check_cells(s, library, gdal);
    bench_alternate(sides, 2, TURNS, seconds);
    bench_row row = {.name = what,
                     .metric = "read",
                     .ours = gigabytes / seconds[0],
                     .peer_name = "the library",
                     .peer = gigabytes / seconds[1],
                     .unit = "GB/s",
                     .sense = BENCH_RATE,
                     .target = 0.8};
    bench_print(&row);
}

static void create(subject *s, const char *path)
{
    int64_t bounds[] = {BANDS, s->n, s->n};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const char *names[] = {"band", "y", "x"};
    int64_t chunk[] = {1, 512, 512};
    options.names = names;
    options.chunk = chunk;
    check(xta_array_create(path, XTA_F32, 3, bounds, &options, &s->array, &error) == XTA_OK,
          "create");
    for (int band = 0; band < BANDS; band++) {
        for (int y = 0; y < s->n; y += s->lines) {
            int64_t lo[] = {band, y, 0}, hi[] = {band + 1, y + s->lines, s->n};
            xta_box box = xta_box_make(3, lo, hi);
            for (size_t k = 0; k < (size_t)s->lines * (size_t)s->n; k++) {
                s->memory[k] = (float)(k % 1000003) + (float)band;
            }
            check(xta_array_write(s->array, &box, NULL, s->memory, &error) == XTA_OK, "write");
        }
    }
}

static void open_all(subject *s, const char *path)
{
    char file[4096];
    snprintf(file, sizeof file, "%s.xmd", path);
    check(xta_array_close(s->array, &error) == XTA_OK, "close");
    check(xta_array_open(path, NULL, &s->array, &error) == XTA_OK, "open");
    s->dataset = GDALOpen(file, GA_ReadOnly);
    check(s->dataset != NULL, "GDALOpen");
    s->sets = GDALOpenEx(file, GDAL_OF_MULTIDIM_RASTER, NULL, NULL, NULL);
    check(s->sets != NULL, "GDALOpenEx");
    GDALGroupH group = GDALDatasetGetRootGroup(s->sets);
    s->cells = GDALGroupOpenMDArray(group, "bench_gdal", NULL);
    GDALGroupRelease(group);
    check(s->cells != NULL, "OpenMDArray");
}

int main(void)
{
    subject s = {.n = bench_small() ? 1024 : 8192};
    const char *path = bench_path("bench_gdal");
    s.lines = s.n < 2048 ? s.n : 2048;
    s.memory = malloc((size_t)s.lines * (size_t)s.n * sizeof(float));
    check(s.memory != NULL, "memory");
    GDALAllRegister();
    check(GDALGetDriverByName("XTA") != NULL, "GDAL_DRIVER_PATH: no driver XTA");
    bench_begin("gdal");
    bench_remove_array(path);
    create(&s, path);
    open_all(&s, path);
    measure(&s, "lines of a band", library_lines, gdal_lines);
    measure(&s, "all bands", library_bands, gdal_bands);
    measure(&s, "pixels of all bands", library_pixels, gdal_pixels);
    measure(&s, "multidimensional", library_bands, multidim_bands);
    GDALMDArrayRelease(s.cells);
    GDALClose(s.sets);
    GDALClose(s.dataset);
    check(xta_array_close(s.array, &error) == XTA_OK, "close");
    bench_remove_array(path);
    free(s.memory);
    return 0;
}
