/* nprocs: 1 2 4; mpich: 2 */
/* A hyperspectral scene in a global array: what [CXA] Algorithms 8 to 11 are for, in a form that
 * works.
 *
 * First session: a scene is made in a global array and written to disk by PEXTA. It is analysed
 * where it lies, in the memory of all processes: principal components (Algorithm 8), the pixel
 * purity index (9), N-FINDR (10) and AMEE (11). Then another program, which knows nothing of MPI,
 * appends a swath to the file. It contains the first pure pixel of a material that has so far been
 * seen only in mixtures. Second session: the array is read into a global array grown to fit, and
 * the analysis continues: where the mathematics allows, pixels read before are not read again. At
 * the end everything is computed again from the start, and must have the same bits.
 *
 * Usage: mpiexec -n 4 hyper_ga [--small] [folder]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ga-mpi.h>
#include <ga.h>
#include <macdecls.h>
#include <math.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/wait.h>

#include <xta/amee.h>
#include <xta/endmembers.h>
#include <xta/moments.h>
#include <xta/pexta.h>
#include <xta/scene.h>

#include "parallel_example.h"

extern char **environ;

enum { BANDS = 24, MATERIALS = 4, SKEWERS = 200, FIRST = 96, SWATH = 21 };

/* Like TRY, for PEXTA calls; the error text is the same on all ranks. */
#define PTRY(call)                                                                  \
    do {                                                                            \
        if ((call) != 0) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, PEXTA_Error_text()); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                           \
        }                                                                           \
    } while (0)

/* ---- the scene: mixtures of four materials ---- */

/* Where each material is pure; the last one only in the swath that comes later. */
static const int64_t pure[MATERIALS][2] = {{10, 7}, {33, 40}, {70, 21}, {FIRST + 13, 30}};

static double uniform(int64_t line, int64_t sample, int64_t k)
{
    uint64_t h = (uint64_t)(line * 7919 + sample * 104729 + k * 1299709 + 12345);

    for (int round = 0; round < 3; round++) {
        h = (h ^ h >> 31) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return ((double)(h >> 12) + 0.5) * 0x1p-52;
}

/* Reflectance of a material, and of the pixel (line, sample). */
static double spectrum(int material, int64_t band)
{
    return 0.4 + 0.3 * sin(0.21 * (double)((material + 1) * band) + material);
}

static double cell(int64_t line, int64_t sample, int64_t band)
{
    double sum = 0, value = 0;

    for (int k = 0; k < MATERIALS; k++) {
        if (line == pure[k][0] && sample == pure[k][1]) {
            return spectrum(k, band);
        }
    }
    for (int k = 0; k < MATERIALS; k++) {
        double share = 0.2 - log(uniform(line, sample, k));
        value += share * spectrum(k, band);
        sum += share;
    }
    return value / sum;
}

/* ---- the other program ---- */

/* It uses only the serial library; to it the scene is an array like any other. */
static int append(const char *name)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_growth growth = {0, XTA_BACK, SWATH};
    xta_array *array = NULL;
    xta_error err;
    xta_box box;

    options.writable = true;
    if (xta_array_open(name, &options, &array, &err) != XTA_OK ||
        xta_array_extend(array, &growth, 1, &box, &err) != XTA_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    box.lo[0] = box.hi[0] - SWATH;
    size_t n = (size_t)(SWATH * box.hi[1] * BANDS);
    double *cells = malloc(n * sizeof *cells);
    for (size_t k = 0; cells != NULL && k < n; k++) {
        int64_t pixel = (int64_t)(k / BANDS);
        cells[k] = cell(box.lo[0] + pixel / box.hi[1], pixel % box.hi[1], (int64_t)(k % BANDS));
    }
    xta_status status =
        cells == NULL ? XTA_ENOMEM : xta_array_write(array, &box, NULL, cells, &err);
    free(cells);
    if (status != XTA_OK || xta_array_close(array, &err) != XTA_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    return 0;
}

/* Run it, from one rank; the others wait. */
static void let_append(const job *j, const char *program, const path *scene)
{
    char *const arguments[] = {(char *)(uintptr_t)program, (char *)(uintptr_t) "--append",
                               (char *)(uintptr_t)scene->text, NULL};
    int code = 0;
    pid_t child;

    if (j->rank == 0 && (posix_spawn(&child, program, NULL, NULL, arguments, environ) != 0 ||
                         waitpid(child, &code, 0) != child || code != 0)) {
        fprintf(stderr, "%s --append has failed\n", program);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- a global array as a scene ---- */

typedef struct field {
    int ga;
    int64_t n_lines, n_samples;
    uint64_t n_read; // pixels that this rank has asked for
} field;

/* Read any box of the global array, whichever processes hold it; they need not take part. */
static xta_status read_field(void *context, const int64_t lo[3], const int64_t hi[3], double *cells,
                             xta_error *err)
{
    field *f = context;
    int64_t first[3] = {lo[0], lo[1], lo[2]}, last[3] = {hi[0] - 1, hi[1] - 1, hi[2] - 1};
    int64_t lengths[2] = {hi[1] - lo[1], hi[2] - lo[2]};

    (void)err;
    NGA_Get64(f->ga, first, last, cells, lengths);
    f->n_read += (uint64_t)((hi[0] - lo[0]) * (hi[1] - lo[1]));
    return XTA_OK;
}

static xta_status refresh_field(void *context, int64_t lo[3], int64_t hi[3], xta_error *err)
{
    const field *f = context;

    (void)err;
    lo[0] = 0;
    hi[0] = f->n_lines;
    return XTA_OK;
}

static xta_scene *scene_of(field *f, const xta_communicator *communicator)
{
    xta_scene_source source = {.struct_size = sizeof source,
                               .context = f,
                               .name = "global array",
                               .hi = {f->n_lines, f->n_samples, BANDS},
                               .type = XTA_F64,
                               .read = read_field,
                               .refresh = refresh_field};
    xta_scene_options options = XTA_SCENE_OPTIONS_INIT;
    xta_scene *scene = NULL;
    xta_error err;

    options.communicator = communicator;
    TRY(xta_scene_of_source(&source, &options, &scene, &err));
    return scene;
}

/* ---- the analysis ---- */

typedef struct analysis {
    xta_moments *moments;
    xta_ppi *ppi;
    xta_simplex *simplex;
    xta_amee *amee;
} analysis;

static analysis begin(void)
{
    xta_ppi_options ppi = XTA_PPI_OPTIONS_INIT;
    xta_simplex_options simplex = XTA_SIMPLEX_OPTIONS_INIT;
    analysis a;
    xta_error err;

    ppi.n_skewers = SKEWERS;
    ppi.seed = 1;
    simplex.n = MATERIALS;
    TRY(xta_moments_new(NULL, &a.moments, &err));
    TRY(xta_ppi_new(&ppi, &a.ppi, &err));
    TRY(xta_simplex_new(&simplex, &a.simplex, &err));
    TRY(xta_amee_new(NULL, &a.amee, &err));
    return a;
}

static void update(analysis *a, xta_scene *scene)
{
    xta_error err;

    TRY(xta_moments_update(a->moments, scene, &err));
    TRY(xta_ppi_update(a->ppi, scene, &err));
    TRY(xta_simplex_update(a->simplex, scene, &err));
    TRY(xta_amee_update(a->amee, scene, &err));
}

static void end(analysis *a)
{
    xta_moments_free(a->moments);
    xta_ppi_free(a->ppi);
    xta_simplex_free(a->simplex);
    xta_amee_free(a->amee);
}

/* How many of these pixels lie where a material is pure. */
static int n_pure(size_t n, const int64_t *line, const int64_t *sample)
{
    int n_found = 0;

    for (size_t k = 0; k < n; k++) {
        for (int m = 0; m < MATERIALS; m++) {
            n_found += line[k] == pure[m][0] && sample[k] == pure[m][1];
        }
    }
    return n_found;
}

static int found_pure(const analysis *a)
{
    xta_endmembers e = {0};
    xta_error err;

    TRY(xta_simplex_result(a->simplex, &e, &err));
    int n = n_pure(e.n, e.line, e.sample);
    xta_endmembers_free(&e);
    return n;
}

static void report(const job *j, const analysis *a, xta_scene *scene, const char *when)
{
    xta_basis *basis = NULL;
    xta_amee_result amee = {0};
    const xta_ppi_pixel *pixels = NULL;
    double all = 0;
    size_t n = 0;
    xta_error err;

    TRY(xta_pct(a->moments, NULL, &basis, &err));
    TRY(xta_amee_select(a->amee, scene, MATERIALS, NULL, &amee, &err));
    xta_basis_info b = xta_basis_inquire(basis);
    for (size_t k = 0; k < b.n_bands; k++) {
        all += b.eigenvalues[k];
    }
    xta_ppi_pixels(a->ppi, &pixels, &n);
    if (j->rank == 0) {
        double three = b.eigenvalues[0] + b.eigenvalues[1] + b.eigenvalues[2];
        fprintf(j->say,
                "%s, %lld lines: three components hold %.4f %% of the variance; PPI marks %zu "
                "pixels, most often (%lld, %lld); of %d pure pixels N-FINDR finds %d, AMEE %d\n",
                when, (long long)xta_moments_inquire(a->moments).line_hi, 100 * three / all, n,
                (long long)pixels[0].line, (long long)pixels[0].sample, MATERIALS, found_pure(a),
                n_pure(amee.p, amee.line, amee.sample));
    }
    xta_amee_result_clear(&amee);
    xta_basis_free(basis);
}

/* ---- the same bits ---- */

static bool same_doubles(const double *a, const double *b, size_t n)
{
    return memcmp(a, b, n * sizeof *a) == 0;
}

static bool same_moments(const analysis *a, const analysis *b)
{
    double one[BANDS * BANDS], other[BANDS * BANDS];
    xta_error err;

    TRY(xta_moments_covariance(a->moments, one, &err));
    TRY(xta_moments_covariance(b->moments, other, &err));
    return same_doubles(one, other, (size_t)BANDS * BANDS);
}

static bool same_counts(const analysis *a, const analysis *b)
{
    const xta_ppi_pixel *one = NULL, *other = NULL;
    size_t n = 0, m = 0;

    xta_ppi_pixels(a->ppi, &one, &n);
    xta_ppi_pixels(b->ppi, &other, &m);
    return n == m && memcmp(one, other, n * sizeof *one) == 0;
}

static bool same_endmembers(const analysis *a, const analysis *b)
{
    xta_endmembers one = {0}, other = {0};
    xta_error err;

    TRY(xta_simplex_result(a->simplex, &one, &err));
    TRY(xta_simplex_result(b->simplex, &other, &err));
    bool same = one.n == other.n && memcmp(one.line, other.line, one.n * sizeof *one.line) == 0 &&
                memcmp(one.sample, other.sample, one.n * sizeof *one.sample) == 0 &&
                same_doubles(one.score, other.score, one.n);
    xta_endmembers_free(&one);
    xta_endmembers_free(&other);
    return same;
}

static bool same_mei(const analysis *a, const analysis *b, const field *f)
{
    const int64_t lines[2] = {0, f->n_lines}, samples[2] = {0, f->n_samples};
    size_t n = (size_t)(f->n_lines * f->n_samples);
    double *one = doubles((int64_t)n), *other = doubles((int64_t)n);
    xta_error err;

    TRY(xta_amee_read(a->amee, lines, samples, one, &err));
    TRY(xta_amee_read(b->amee, lines, samples, other, &err));
    bool same = same_doubles(one, other, n);
    free(one);
    free(other);
    return same;
}

/* ---- the two sessions ---- */

/* Write the values of cells [lo, hi] to the memory of a block, pixel by pixel. */
static void make_cells(const int64_t lo[3], const int64_t hi[3], const int64_t stride[2],
                       double *cells)
{
    int64_t n_samples = hi[1] - lo[1] + 1, n_pixels = (hi[0] - lo[0] + 1) * n_samples;

    for (int64_t p = 0; p < n_pixels; p++) {
        int64_t l = p / n_samples, s = p % n_samples;
        double *at = cells + (l * stride[0] + s) * stride[1];
        for (int64_t b = lo[2]; b <= hi[2]; b++) {
            at[b - lo[2]] = cell(lo[0] + l, lo[1] + s, b);
        }
    }
}

/* Each rank makes the cells of its block. */
static int make_global(int64_t n_samples)
{
    int64_t dims[3] = {FIRST, n_samples, BANDS}, lo[3], hi[3], stride[2];
    int g = NGA_Create64(C_DBL, 3, dims, (char *)(uintptr_t) "scene", NULL);
    double *cells = NULL;

    if (g == 0) {
        GA_Error((char *)(uintptr_t) "no memory for a global array", 0);
    }
    NGA_Distribution64(g, GA_Nodeid(), lo, hi);
    if (hi[0] >= lo[0] && hi[1] >= lo[1] && hi[2] >= lo[2]) {
        NGA_Access64(g, lo, hi, &cells, stride);
        make_cells(lo, hi, stride, cells);
        NGA_Release_update64(g, lo, hi);
    }
    GA_Sync();
    return g;
}

static void first_session(field *f, const path *scene)
{
    const int64_t dims[3] = {FIRST, f->n_samples, BANDS};
    int p_a;

    f->ga = make_global(f->n_samples);
    f->n_lines = FIRST;
    PTRY(PEXTA_Create64(C_DBL, 3, dims, "scene", scene->text, PEXTA_RW, NULL, f->ga, &p_a));
    PTRY(PEXTA_Write(f->ga, p_a, NULL));
    PTRY(PEXTA_Close(p_a));
}

/* Replace the global array of the first session by one grown to the size of the file. */
static void second_session(field *f, const path *scene)
{
    int64_t dims[PEXTA_MAX_NDIM];
    int p_a, grown;

    PTRY(PEXTA_Open(scene->text, PEXTA_R, &p_a));
    PTRY(PEXTA_Inquire64(p_a, NULL, NULL, dims, NULL, NULL));
    PTRY(PEXTA_Read_grown(f->ga, p_a, NULL, &grown));
    PTRY(PEXTA_Close(p_a));
    GA_Destroy(f->ga);
    f->ga = grown;
    f->n_lines = dims[0];
}

static bool run(job *j, field *f, const char *program)
{
    const path where = path_of(j, "hyper_scene");
    xta_communicator *communicator = NULL;
    xta_error err;

    TRY(xta_communicator_mpi(GA_MPI_Comm(), &communicator, &err));
    first_session(f, &where);
    xta_scene *scene = scene_of(f, communicator);
    analysis a = begin();
    update(&a, scene);
    report(j, &a, scene, "first session");
    bool good = found_pure(&a) == MATERIALS - 1;

    let_append(j, program, &where);
    second_session(f, &where);
    TRY(xta_scene_refresh(scene, NULL, &err));
    update(&a, scene);
    report(j, &a, scene, "second session");
    good = good && found_pure(&a) == MATERIALS &&
           xta_moments_inquire(a.moments).n_lines_read < f->n_lines;

    xta_scene *again = scene_of(f, communicator);
    analysis fresh = begin();
    update(&fresh, again);
    bool same = same_moments(&a, &fresh) && same_counts(&a, &fresh) &&
                same_endmembers(&a, &fresh) && same_mei(&a, &fresh, f);
    if (j->rank == 0) {
        fprintf(j->say, "%s; %s\n",
                good ? "every pure pixel was found as soon as it was there"
                     : "WRONG: the pure pixels are others",
                same ? "all of it anew has the same bits" : "WRONG: all of it anew has other bits");
    }
    end(&a);
    end(&fresh);
    xta_scene_close(scene);
    xta_scene_close(again);
    xta_communicator_mpi_free(communicator);
    GA_Destroy(f->ga);
    return good && same;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--append") == 0) {
        return append(argv[2]);
    }
    job j = job_begin(argc, argv);
    field f = {.n_samples = j.small ? 48 : 300};

    GA_Initialize();
    MA_init(C_DBL, 1000000, 1000000);
    PTRY(PEXTA_Init(-1, -1, -1, -1));
    bool agrees = run(&j, &f, argv[0]);
    PTRY(PEXTA_Terminate());
    GA_Terminate();
    return job_end(&j, agrees);
}
