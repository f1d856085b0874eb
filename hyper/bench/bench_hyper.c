/* The XTA side of the hyperspectral bench: seconds for each step on a scene in an array file, and
 * for an append of the last tenth of its lines against a full run.
 *
 *     bench_hyper SCENE ENDMEMBERS.csv SCRATCH THREADS STEP...
 *
 * prints `step,xta,seconds` for each step, the best of three runs, each on a scene opened anew (so
 * that the library reads the cube from the page cache, while the peers have it in memory), and with
 * the step `append` lines `append-NAME,full,seconds` and `append-NAME,append,seconds`. SCRATCH is
 * an array to be made for the append; it is deleted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/amee.h>
#include <xta/endmembers.h>
#include <xta/moments.h>
#include <xta/scene_map.h>
#include <xta/spectra.h>
#include <xta/unmix.h>
#include <xta/xta.h>

#include "bench.h"

enum { RUNS = 3, SKEWERS = 1000 };

static xta_error why;
static const xta_spectra *endmembers;

static void must(xta_status status)
{
    if (status != XTA_OK) {
        fprintf(stderr, "bench_hyper: %s: %s\n", xta_status_name(status), why.text);
        exit(1);
    }
}

static xta_scene *open_scene(xta_array *array, int threads)
{
    xta_scene *scene = NULL;
    xta_scene_options o = XTA_SCENE_OPTIONS_INIT;
    o.n_threads = threads;
    must(xta_scene_open(array, &o, &scene, &why));
    return scene;
}

/* State of a step between a full run and an update; each step uses its own member. */
typedef struct kept {
    xta_moments *moments;
    xta_ppi *ppi;
    xta_simplex *simplex;
    xta_amee *amee;
    xta_array *map;
    int64_t labelled_to; /* lines of the map that are done */
} kept;

static void step_moments(xta_scene *scene, kept *k)
{
    if (k->moments == NULL) {
        must(xta_moments_new(NULL, &k->moments, &why));
    }
    must(xta_moments_update(k->moments, scene, &why));
}

static void step_pct(xta_scene *scene, kept *k)
{
    xta_basis *basis = NULL;
    step_moments(scene, k);
    must(xta_pct(k->moments, NULL, &basis, &why));
    xta_basis_free(basis);
}

static void step_ppi(xta_scene *scene, kept *k)
{
    if (k->ppi == NULL) {
        xta_ppi_options o = XTA_PPI_OPTIONS_INIT;
        o.n_skewers = SKEWERS;
        must(xta_ppi_new(&o, &k->ppi, &why));
    }
    must(xta_ppi_update(k->ppi, scene, &why));
}

static void step_nfindr(xta_scene *scene, kept *k)
{
    if (k->simplex == NULL) {
        xta_simplex_options o = XTA_SIMPLEX_OPTIONS_INIT;
        o.n = endmembers->n_spectra;
        must(xta_simplex_new(&o, &k->simplex, &why));
    }
    must(xta_simplex_update(k->simplex, scene, &why));
}

static void run_amee(xta_scene *scene, kept *k, int iterations)
{
    if (k->amee == NULL) {
        xta_amee_options o = XTA_AMEE_OPTIONS_INIT;
        o.iterations = iterations;
        must(xta_amee_new(&o, &k->amee, &why));
    }
    must(xta_amee_update(k->amee, scene, &why));
}

static void step_amee(xta_scene *scene, kept *k)
{
    run_amee(scene, k, 1);
}

static void step_amee3(xta_scene *scene, kept *k)
{
    run_amee(scene, k, 3);
}

/* The map for labels or abundances, with the current bounds of the scene. */
static void open_map(xta_scene *scene, kept *k, size_t n_layers, xta_type type)
{
    if (k->map == NULL) {
        xta_scene_map_options o = XTA_SCENE_MAP_OPTIONS_INIT;
        o.type = type;
        o.n_layers = n_layers;
        must(xta_scene_map_open(scene, &o, &k->map, &why));
        k->labelled_to = xta_scene_inquire(scene).line_lo;
    } else {
        must(xta_scene_map_grow(scene, k->map, &why));
    }
}

static void step_labels(xta_scene *scene, kept *k)
{
    open_map(scene, k, 0, XTA_U16);
    const int64_t lines[2] = {k->labelled_to, xta_scene_inquire(scene).line_hi};
    must(xta_label_scene(scene, lines, endmembers->n_spectra, endmembers->values, k->map, NULL,
                         &why));
    k->labelled_to = lines[1];
}

static void step_fcls(xta_scene *scene, kept *k)
{
    xta_unmixer *unmixer = NULL;
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;
    open_map(scene, k, endmembers->n_spectra, XTA_F32);
    maps.abundances = k->map;
    must(xta_unmixer_new(endmembers->n_spectra, endmembers->n_bands, endmembers->values, NULL,
                         &unmixer, &why));
    must(xta_unmix_scene(scene, NULL, unmixer, &maps, &why));
    xta_unmixer_free(unmixer);
}

static void forget(kept *k)
{
    xta_moments_free(k->moments);
    xta_ppi_free(k->ppi);
    xta_simplex_free(k->simplex);
    xta_amee_free(k->amee);
    if (k->map != NULL) {
        must(xta_array_close(k->map, &why));
    }
    *k = (kept){0};
}

typedef struct step {
    const char *name;
    void (*run)(xta_scene *scene, kept *k);
    bool appends;
} step;

static const step steps[] = {
    {"moments", step_moments, true}, {"pct", step_pct, true},     {"ppi", step_ppi, true},
    {"nfindr", step_nfindr, false},  {"fcls", step_fcls, false},  {"labels", step_labels, true},
    {"amee", step_amee, true},       {"amee3", step_amee3, true},
};
enum { N_STEPS = sizeof steps / sizeof *steps };

/* Seconds of one step on a scene opened anew, opening included. */
static double once(const step *s, xta_array *array, int threads)
{
    kept k = {0};
    double started = bench_now();
    xta_scene *scene = open_scene(array, threads);
    s->run(scene, &k);
    double seconds = bench_now() - started;
    xta_scene_close(scene);
    forget(&k);
    return seconds;
}

static double best_of(const step *s, xta_array *array, int threads)
{
    double best = 1e300;
    for (int run = 0; run < RUNS; run++) {
        double seconds = once(s, array, threads);
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* An array with the first lines of another. */
static xta_array *first_lines(xta_array *from, const char *path, int64_t n_lines)
{
    xta_array_info info;
    xta_array *to = NULL;
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    must(xta_array_inquire(from, &info, &why));
    xta_box box = info.bounds;
    box.hi[0] = box.lo[0] + n_lines;
    int64_t bounds[3] = {n_lines, box.hi[1] - box.lo[1], box.hi[2] - box.lo[2]};
    uint64_t cells = 0;
    must(xta_box_cells(&box, &cells));
    void *memory = malloc(cells * xta_array_cell_bytes(from));
    if (memory == NULL) {
        exit(1);
    }
    must(xta_array_create(path, xta_array_type(from), 3, bounds, &o, &to, &why));
    must(xta_array_read(from, &box, NULL, memory, &why));
    xta_box all = xta_array_bounds(to);
    must(xta_array_write(to, &all, NULL, memory, &why));
    free(memory);
    return to;
}

static void append_lines(xta_array *to, xta_array *from)
{
    xta_box box = xta_array_bounds(from);
    int64_t have = xta_array_bounds(to).hi[0];
    uint64_t cells = 0;
    box.lo[0] += have;
    must(xta_box_cells(&box, &cells));
    void *memory = malloc(cells * xta_array_cell_bytes(from));
    if (memory == NULL) {
        exit(1);
    }
    must(xta_array_read(from, &box, NULL, memory, &why));
    xta_growth growth = {0, XTA_BACK, box.hi[0] - box.lo[0]};
    must(xta_array_append(to, &growth, NULL, memory, NULL, &why));
    free(memory);
}

/* A tenth of the lines is appended to the analysed scene: the update against a full run. */
static void measure_append(xta_array *array, const char *scratch, int threads)
{
    xta_box bounds = xta_array_bounds(array);
    int64_t n = bounds.hi[0] - bounds.lo[0];
    for (int s = 0; s < N_STEPS; s++) {
        double best = 1e300, full = steps[s].appends ? best_of(steps + s, array, threads) : 0;
        for (int run = 0; steps[s].appends && run < RUNS; run++) {
            kept k = {0};
            xta_array *growing = first_lines(array, scratch, n - n / 10);
            xta_scene *scene = open_scene(growing, threads);
            steps[s].run(scene, &k);
            append_lines(growing, array);
            double started = bench_now();
            must(xta_scene_refresh(scene, NULL, &why));
            steps[s].run(scene, &k);
            double seconds = bench_now() - started;
            best = seconds < best ? seconds : best;
            xta_scene_close(scene);
            forget(&k);
            must(xta_array_close(growing, &why));
            must(xta_array_delete(scratch, &why));
        }
        if (steps[s].appends) {
            printf("append-%s,full,%.5f\nappend-%s,append,%.5f\n", steps[s].name, full,
                   steps[s].name, best);
        }
    }
}

int main(int argc, char **argv)
{
    xta_array *array = NULL;
    xta_spectra spectra = {0};
    if (argc < 6) {
        fprintf(stderr, "usage: bench_hyper SCENE ENDMEMBERS.csv SCRATCH THREADS STEP...\n");
        return 2;
    }
    int threads = atoi(argv[4]);
    must(xta_array_open(argv[1], NULL, &array, &why));
    must(xta_spectra_read(argv[2], NULL, &spectra, &why));
    endmembers = &spectra;
    for (int a = 5; a < argc; a++) {
        if (strcmp(argv[a], "append") == 0) {
            measure_append(array, argv[3], threads);
        }
        for (int s = 0; s < N_STEPS; s++) {
            if (strcmp(argv[a], steps[s].name) == 0) {
                printf("%s,xta,%.5f\n", steps[s].name, best_of(steps + s, array, threads));
                fflush(stdout);
            }
        }
    }
    xta_spectra_free(&spectra);
    must(xta_array_close(array, &why));
    return 0;
}
