/* xta hyper endmembers: pure spectra of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "verbs/verbs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/print/describe.h"
#include "support/basis.h"
#include "support/find.h"
#include "support/matrix.h"
#include "support/spectra.h"

/* Number of skewers without --projections. */
#define PROJECTIONS 1000

/* Values of the options. */
typedef struct endmembers_options {
    const char *method;
    int64_t count;
    const char *basis;
    int64_t seed;
    int64_t restarts;
    int64_t sweeps;
    int64_t projections;
    const char *skewers;
    double threshold;
    int64_t least;
    int64_t radius;
    int64_t iterations;
    int64_t candidates;
    const char *select;
    bool means;
    double region_angle;
    const char *image;
    cli_scene_values scene_values;
} endmembers_options;

static const cli_option options[] = {
    CLI_STRING(endmembers_options, method, "method", "M",
               "nfindr (default), ppi, amee, sga or vca"),
    CLI_INT(endmembers_options, count, "count", "P", 1, INT64_MAX, NULL, "how many endmembers"),
    CLI_STRING(endmembers_options, basis, "basis", "B",
               "where to look: full (default), all bands; pct:D or mnf:D, the first D components "
               "of this scene; or a file of xta hyper pct --basis"),
    CLI_INT(endmembers_options, seed, "seed", "S", 0, INT64_MAX, NULL,
            "of vca, of the restarts of nfindr and of the skewers of ppi (0)"),
    CLI_INT(endmembers_options, restarts, "restarts", "N", 0, INT64_MAX, NULL,
            "nfindr: also start from N selections of vca, and keep the largest volume"),
    CLI_INT(endmembers_options, sweeps, "sweeps", "N", 1, INT64_MAX, NULL,
            "nfindr: at most so many of one start (100)"),
    CLI_INT(endmembers_options, projections, "projections", "N", 1, INT64_MAX, NULL,
            "ppi: random skewers (1000)"),
    CLI_STRING(endmembers_options, skewers, "skewers", "F",
               "ppi: take the skewers from here, a row each: a .csv without head, an array, or "
               "what xta import knows"),
    CLI_REAL(endmembers_options, threshold, "threshold", "T",
             "ppi: count also pixels within this distance of an extreme (0)"),
    CLI_INT(endmembers_options, least, "least", "C", 1, INT64_MAX, NULL,
            "ppi: a pixel with this count is a candidate (1)"),
    CLI_INT(endmembers_options, radius, "radius", "R", 1, INT64_MAX, NULL,
            "amee: windows are 2 R + 1 pixels wide (1)"),
    CLI_INT(endmembers_options, iterations, "iterations", "I", 1, INT64_MAX, NULL,
            "amee: how often pixels are replaced by their purest neighbours (3)"),
    CLI_INT(endmembers_options, candidates, "candidates", "N", 1, INT64_MAX, NULL,
            "amee: at most so many, those of the largest indices (4096)"),
    CLI_STRING(endmembers_options, select, "select", "HOW",
               "ppi: simplex (default) or top; amee: otsu (default), regions or top; top takes the "
               "largest counts or indices, which often are many times the same material"),
    CLI_FLAG(endmembers_options, means, "means",
             "write the mean of the region around each pixel: neighbours of neighbours at a small "
             "angle"),
    CLI_REAL(endmembers_options, region_angle, "region-angle", "A",
             "in radians, what a small angle is (0.05)"),
    CLI_STRING(endmembers_options, image, "image", "ARRAY",
               "ppi: put the counts of all pixels there (u32); amee: the MEI (f64)"),
    CLI_SCENE_OPTIONS(endmembers_options),
};

static const endmembers_options *values_of(const cli_args *args)
{
    return args->values;
}

static const char *const methods[] = {"nfindr", "ppi", "amee", "sga", "vca"};

/* Options that belong to one method, as bits of cli_find_method. */
typedef struct belonging {
    const char *option;
    unsigned methods;
} belonging;

static const belonging belongings[] = {
    {"restarts", 1U << CLI_FIND_NFINDR},
    {"sweeps", 1U << CLI_FIND_NFINDR},
    {"projections", 1U << CLI_FIND_PPI},
    {"skewers", 1U << CLI_FIND_PPI},
    {"threshold", 1U << CLI_FIND_PPI},
    {"least", 1U << CLI_FIND_PPI},
    {"radius", 1U << CLI_FIND_AMEE},
    {"iterations", 1U << CLI_FIND_AMEE},
    {"candidates", 1U << CLI_FIND_AMEE},
    {"select", 1U << CLI_FIND_PPI | 1U << CLI_FIND_AMEE},
    {"image", 1U << CLI_FIND_PPI | 1U << CLI_FIND_AMEE},
    {"basis", ~(1U << CLI_FIND_AMEE)},
};

static xta_status check_belonging(const cli_args *args, cli_find_method method, cli_error *err)
{
    for (size_t k = 0; k < CLI_COUNT(belongings); k++) {
        if (cli_has(args, belongings[k].option) && (belongings[k].methods >> method & 1) == 0) {
            return cli_usage(err, "--%s has no meaning with --method %s", belongings[k].option,
                             methods[method]);
        }
    }
    if (cli_has(args, "region-angle") && !values_of(args)->means) {
        return cli_usage(err, "--region-angle belongs to --means");
    }
    if ((values_of(args)->skewers != NULL) &&
        (cli_has(args, "projections") || cli_has(args, "seed"))) {
        return cli_usage(err, "--skewers F takes the place of --projections and --seed");
    }
    return XTA_OK;
}

static xta_status take_select(const cli_args *args, cli_find *find, cli_error *err)
{
    static const char *const of_ppi[] = {"simplex", "top"};
    static const char *const of_amee[] = {"otsu", "regions", "top"};
    static const cli_find_select are[] = {CLI_SELECT_SIMPLEX, CLI_SELECT_TOP};
    const char *text = values_of(args)->select;
    bool ppi = find->method == CLI_FIND_PPI;
    size_t chosen = 0;
    xta_status status = XTA_OK;

    if (text != NULL) {
        status = cli_hyper_choice(text, "--select", ppi ? of_ppi : of_amee,
                                  ppi ? CLI_COUNT(of_ppi) : CLI_COUNT(of_amee), &chosen, err);
    }
    // Otsu's candidates and their regions are the same selection.
    find->select = ppi ? are[chosen] : are[chosen == 2];
    find->means = values_of(args)->means || (!ppi && chosen == 1);
    return status;
}

static xta_status read_numbers(const cli_args *args, cli_find *find, cli_error *err)
{
    static const double distances[] = {0, 1e300}, angles[] = {0, 3.2};
    int64_t count = 0, restarts = 0, sweeps = 0, projections = 0, radius = 0, iterations = 0,
            most = 0;
    uint64_t seed = 0;
    xta_status status = XTA_OK;

    count = cli_hyper_count_option(args, "count", 0);
    restarts = cli_hyper_count_option(args, "restarts", 0);
    sweeps = cli_hyper_count_option(args, "sweeps", 0);
    projections = cli_hyper_count_option(args, "projections", PROJECTIONS);
    find->least = cli_hyper_count_option(args, "least", 1);
    radius = cli_hyper_count_option(args, "radius", 1);
    iterations = cli_hyper_count_option(args, "iterations", 3);
    most = cli_hyper_count_option(args, "candidates", 0);
    XTA_TRY(cli_hyper_real_option(args, "threshold", distances, 0, &find->ppi.threshold, err));
    XTA_TRY(cli_hyper_real_option(args, "region-angle", angles, 0, &find->region.angle, err));
    seed = cli_hyper_seed(args);
    if (restarts > 10000 || sweeps > 1000000 || radius > 15 || iterations > 64) {
        return cli_usage(err, "want --restarts up to 10000, --sweeps up to 1000000, --radius up to "
                              "15 and --iterations up to 64");
    }
    find->simplex.n = (size_t)count;
    find->simplex.seed = find->ppi.seed = seed;
    find->simplex.n_restarts = (uint32_t)restarts;
    find->simplex.max_sweeps = (uint32_t)sweeps;
    find->ppi.n_skewers = (size_t)projections;
    find->most = (size_t)most;
    find->amee.radius = (int)radius;
    find->amee.iterations = (int)iterations;
done:
    return status;
}

/* Parse the options that do not depend on the scene. */
static xta_status read_options(const cli_args *args, cli_find *find, cli_error *err)
{
    const char *method = values_of(args)->method;
    size_t chosen = 0;
    xta_status status = XTA_OK;

    find->simplex = (xta_simplex_options)XTA_SIMPLEX_OPTIONS_INIT;
    find->ppi = (xta_ppi_options)XTA_PPI_OPTIONS_INIT;
    find->amee = (xta_amee_options)XTA_AMEE_OPTIONS_INIT;
    find->region = (xta_region_means_options)XTA_REGION_MEANS_INIT;
    if (method != NULL) {
        XTA_TRY(cli_hyper_choice(method, "--method", methods, CLI_COUNT(methods), &chosen, err));
    }
    find->method = (cli_find_method)chosen;
    find->simplex.method = find->method == CLI_FIND_SGA   ? XTA_SIMPLEX_SGA
                           : find->method == CLI_FIND_VCA ? XTA_SIMPLEX_VCA
                                                          : XTA_SIMPLEX_NFINDR;
    find->image.path = values_of(args)->image;
    XTA_TRY(cli_need(args, "count", err));
    XTA_TRY(check_belonging(args, find->method, err));
    XTA_TRY(take_select(args, find, err));
    XTA_TRY(read_numbers(args, find, err));
    XTA_TRY(cli_spectra_check_path(args->words[1], err));
done:
    return status;
}

/* Read the basis, and the skewers, whose length depends on it. */
static xta_status prepare(const cli_args *args, cli_find *find, cli_scene *scene, cli_error *err)
{
    const char *basis = values_of(args)->basis;
    const char *skewers = values_of(args)->skewers;
    xta_status status = XTA_OK;

    if (basis != NULL && strcmp(basis, "full") != 0) {
        XTA_TRY(cli_basis_of_scene(basis, scene, &find->basis, err));
    }
    find->simplex.basis = find->ppi.basis = find->basis;
    if (skewers != NULL) {
        status =
            cli_matrix_read(skewers, &find->skewers, &find->ppi.n_skewers, &find->ppi.n_dims, err);
        find->ppi.skewers = find->skewers;
    }
    status = cli_hyper_agree(status, err);
done:
    return status;
}

/* ---- results ---- */

/* Text about endmember k: for a file of spectra with 17 digits, for the terminal with fewer. */
static void make_note(const cli_find *find, size_t k, int digits, char note[160])
{
    const xta_endmembers *found = &find->found;
    int at = snprintf(note, 160, "line %" PRId64 ", sample %" PRId64 ", %s %.*g", found->line[k],
                      found->sample[k], find->score, digits, found->score[k]);

    if (find->index != NULL && strcmp(find->index, find->score) != 0) {
        at += snprintf(note + at, 160 - (size_t)at, ", %s %.*g", find->index, digits,
                       find->indices[k]);
    }
    if (find->regions != NULL) {
        snprintf(note + at, 160 - (size_t)at, ", mean of %zu pixels", find->regions[k]);
    }
}

/* Copy the scene's wavelengths, or the coordinates of its bands, for the file. */
static xta_status copy_axis(const xta_scene_info *info, cli_spectra *spectra, cli_error *err)
{
    size_t n = info->n_bands;

    spectra->n_bands = n;
    spectra->band = malloc((n + 1) * sizeof spectra->band[0]);
    spectra->unit = calloc(strlen(info->wavelength_unit) + 1, 1);
    if (info->wavelength != NULL) {
        spectra->wavelength = malloc((n + 1) * sizeof spectra->wavelength[0]);
    }
    if (spectra->band == NULL || spectra->unit == NULL ||
        (info->wavelength != NULL && spectra->wavelength == NULL)) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu bands", n);
    }
    memcpy(spectra->band, info->band, n * sizeof spectra->band[0]);
    memcpy(spectra->unit, info->wavelength_unit, strlen(info->wavelength_unit));
    if (info->wavelength != NULL) {
        memcpy(spectra->wavelength, info->wavelength, n * sizeof spectra->wavelength[0]);
    }
    return XTA_OK;
}

static xta_status write_spectra(const char *path, const cli_find *find, const xta_scene_info *info,
                                cli_error *err)
{
    size_t n = find->found.n;
    cli_spectra spectra = {
        .path = path, .n = n, .values = find->found.spectra, .scale = info->reflectance_scale};
    char(*text)[160] = calloc(n + 1, sizeof *text);
    const char **notes = calloc(n + 1, sizeof *notes);
    xta_status status = XTA_OK;

    spectra.names = calloc(n + 1, sizeof spectra.names[0]);
    if (text == NULL || notes == NULL || spectra.names == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu names", n);
        goto done;
    }
    for (size_t k = 0; k < n; k++) {
        spectra.names[k] = malloc(32);
        if (spectra.names[k] == NULL) {
            status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu names", n);
            goto done;
        }
        snprintf(spectra.names[k], 32, "em%zu", k + 1);
        make_note(find, k, 17, text[k]);
        notes[k] = text[k];
    }
    XTA_TRY(copy_axis(info, &spectra, err));
    XTA_TRY(cli_spectra_write(&spectra, notes, err));
done:
    spectra.values = NULL; // The values belong to `find`.
    cli_spectra_clear(&spectra);
    free(notes);
    free(text);
    return status;
}

static void print_endmember_json(const cli_find *find, size_t k)
{
    const xta_endmembers *found = &find->found;

    printf("%s{\"name\": \"em%zu\", \"line\": %" PRId64 ", \"sample\": %" PRId64 ", \"score\": ",
           k > 0 ? ", " : "", k + 1, found->line[k], found->sample[k]);
    cli_json_real(stdout, found->score[k]);
    if (find->index != NULL) {
        printf(", \"%s\": ", find->index);
        cli_json_real(stdout, find->indices[k]);
    }
    if (find->regions != NULL) {
        printf(", \"region_pixels\": %zu", find->regions[k]);
    }
    printf("}");
}

static void print_json(const cli_args *args, const cli_find *find, const cli_scene *scene)
{
    const xta_endmembers *found = &find->found;
    const char *basis = values_of(args)->basis;

    printf("{");
    cli_json_head(stdout, args, scene);
    printf("\"method\": \"%s\", \"basis\": ", methods[find->method]);
    cli_json_text(stdout, basis != NULL ? basis : "full");
    printf(", \"seed\": %" PRIu64 ", \"out\": ", find->simplex.seed);
    cli_json_text(stdout, args->words[1]);
    printf(", \"wanted\": %zu, \"found\": %zu", found->n_wanted, found->n);
    if (find->method == CLI_FIND_PPI) {
        printf(", \"skewers\": %zu", find->ppi.n_skewers);
    } else if (find->method == CLI_FIND_AMEE) {
        printf(", \"radius\": %d, \"iterations\": %d, \"threshold\": ", find->amee.radius,
               find->amee.iterations);
        cli_json_real(stdout, find->threshold);
    } else {
        printf(", \"steps\": %" PRIu64 ", \"sweeps\": %" PRIu32
               ", \"converged\": %s, \"log_volume\": ",
               found->n_steps, found->n_sweeps, found->converged ? "true" : "false");
        cli_json_real(stdout, found->log_volume);
    }
    if (find->n_candidates > 0) {
        printf(", \"candidates\": %zu", find->n_candidates);
    }
    printf(", \"score\": \"%s\", \"endmembers\": [", find->score);
    for (size_t k = 0; k < found->n; k++) {
        print_endmember_json(find, k);
    }
    printf("]}\n");
}

static void print(const cli_args *args, const cli_find *find, const cli_scene *scene)
{
    const xta_endmembers *found = &find->found;
    char note[160];

    if (values_of(args)->scene_values.json) {
        print_json(args, find, scene);
        return;
    }
    for (size_t k = 0; k < found->n; k++) {
        make_note(find, k, 6, note);
        printf("em%zu: %s\n", k + 1, note);
    }
    if (found->n < found->n_wanted) {
        printf("%zu endmembers were asked for; the pixels span no more than these\n",
               found->n_wanted);
    }
    if (!found->converged) {
        printf("ended by the bound on sweeps; raise --sweeps\n");
    }
}

static xta_status run(const cli_args *args, cli_error *err)
{
    cli_find find = {0};
    cli_scene scene = {0};
    xta_status status = XTA_OK;

    XTA_TRY(cli_hyper_agree(read_options(args, &find, err), err));
    XTA_TRY(cli_scene_open(args, args->words[0], &scene, err));
    XTA_TRY(prepare(args, &find, &scene, err));
    XTA_TRY(cli_find_run(&find, &scene, err));
    if (cli_hyper_leads()) {
        status = write_spectra(args->words[1], &find, &scene.info, err);
    }
    status = cli_hyper_agree(status, err);
done:
    status = cli_map_end(&find.image, status, err);
    if (status == XTA_OK && cli_hyper_leads()) {
        cli_hyper_meter_end(&scene.meter);
        print(args, &find, &scene);
    }
    cli_find_clear(&find);
    return cli_scene_close(&scene, status, err);
}

const cli_command cli_hyper_endmembers = {
    .name = "hyper endmembers",
    .usage = "SCENE OUT --count P [--method M] [--basis full|pct:D|mnf:D|FILE] [--seed S] "
             "[--skewers F] [--select HOW] [--image ARRAY] [--json] ...",
    .details =
        "Looks for P pixels that are as pure as can be and writes their spectra to OUT, a .csv "
        "with "
        "a row for each band, or an ENVI library (.sli). Their coordinates and scores are printed "
        "and stand in the file as comments. nfindr looks for the simplex of largest volume; sga "
        "takes again and again the pixel farthest from those it has; vca does so in random "
        "directions; ppi counts how often a pixel is the extreme of a projection, and amee how "
        "much "
        "purer it is than its neighbours, and both then choose among the best. With pct:D or mnf:D "
        "the basis is that of the present scene: after an append all is different. Freeze a basis "
        "with "
        "xta hyper pct --basis FILE where this matters.",
    .example = "  xta hyper endmembers samson spectra.csv --method amee --count 3 \\\n"
               "      --image mei",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(endmembers_options),
    .min_words = 2,
    .max_words = 2,
    .run = run,
};
