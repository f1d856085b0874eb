/* Cubes in memory as scenes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "property/hyper_cube.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static xta_status read_cells(void *context, const int64_t lo[3], const int64_t hi[3], double *cells,
                             xta_error *error)
{
    const hyper_cube *c = context;
    (void)error;

    for (int64_t l = lo[0]; l < hi[0]; l++) {
        for (int64_t s = lo[1]; s < hi[1]; s++) {
            size_t at = ((size_t)(l + c->zero) * c->n_samples + (size_t)s) * c->n_bands;
            size_t n = (size_t)(hi[2] - lo[2]);
            memcpy(cells, c->cells + at + (size_t)lo[2], n * sizeof *cells);
            cells += n;
        }
    }
    return XTA_OK;
}

static xta_status new_bounds(void *context, int64_t lo[3], int64_t hi[3], xta_error *error)
{
    const hyper_cube *c = context;
    (void)error;

    lo[0] = c->lo - c->zero;
    hi[0] = c->hi - c->zero;
    return XTA_OK;
}

xta_scene *hyper_cube_open(hyper_cube *c, int n_threads, uint64_t memory,
                           const xta_communicator *communicator, xta_error *error)
{
    static const double nodata = -9999;
    xta_scene_options options = XTA_SCENE_OPTIONS_INIT;
    xta_scene_source source = {.struct_size = sizeof source,
                               .context = c,
                               .name = "cube",
                               .lo = {c->lo - c->zero, 0, 0},
                               .hi = {c->hi - c->zero, (int64_t)c->n_samples, (int64_t)c->n_bands},
                               .type = c->whole ? XTA_I16 : XTA_F64,
                               .read = read_cells,
                               .refresh = new_bounds};
    xta_scene *scene = NULL;

    options.n_threads = n_threads;
    options.memory_bytes = memory;
    options.communicator = communicator;
    options.nodata = &nodata;
    options.n_nodata = 1;
    if (xta_scene_of_source(&source, &options, &scene, error) != XTA_OK) {
        fprintf(stderr, "%s\n", error->text);
        return NULL;
    }
    return scene;
}

hyper_cube hyper_cube_make(test_random *r, size_t n_lines, size_t n_samples, size_t n_bands,
                           bool whole)
{
    hyper_cube c = {.n_lines = n_lines, .n_samples = n_samples, .n_bands = n_bands};
    size_t n = n_lines * n_samples;
    double material[5 * 64];

    c.whole = whole;
    c.hi = (int64_t)n_lines;
    c.cells = malloc(n * n_bands * sizeof(double));
    c.valid = malloc(n);
    for (size_t k = 0; k < 5 * n_bands; k++) {
        material[k] = (double)test_random_in(r, -20, 3000);
    }
    for (size_t k = 0; k < n; k++) {
        size_t a = (k / n_samples / 5 + k % n_samples / 7) % 5;
        size_t b = (size_t)test_random_in(r, 0, 4);
        double share = test_random_chance(r, 30) ? (double)test_random_in(r, 0, 100) / 100 : 0;
        /* Each line has a pixel with data, or its bands would be omitted from the scene. */
        int kind = (int)test_random_in(r, k % n_samples == 0 ? 7 : 0, 99);
        c.valid[k] = kind >= 4;
        for (size_t band = 0; band < n_bands; band++) {
            double v =
                (1 - share) * material[a * n_bands + band] + share * material[b * n_bands + band];
            v += kind < 60 || !whole ? (double)test_random_in(r, -30, 30) : 0;
            v = kind < 4 ? -9999 : kind < 7 ? 0 : v;
            c.cells[k * n_bands + band] = whole ? rint(v) : v / 3000;
        }
        if (!c.valid[k]) {
            c.cells[k * n_bands] = -9999;
        }
    }
    return c;
}

void hyper_cube_free(hyper_cube *c)
{
    free(c->cells);
    free(c->valid);
}
