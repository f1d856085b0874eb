/* Endmembers and abundances against references, a few lines at a time.
 *
 * Abundances are opened as scenes, whose bands are the endmembers, so their axes are found by the
 * same rules, whatever program made them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/matching.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/labels.h"

/* Number of values in a block of lines of each of the scenes that are read together. */
#define BLOCK_NUMBERS ((int64_t)1 << 20)

xta_status cli_matching_begin(cli_matching *matching, const char *endmembers,
                              const char *references, bool overlap, cli_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(cli_spectra_read(endmembers, &matching->endmembers, err));
    XTA_TRY(cli_spectra_read(references, &matching->references, err));
    XTA_TRY(cli_spectra_match(&matching->references, &matching->endmembers, overlap, err));
    matching->notes = matching->references.notes;
    status = xta_score_endmembers(matching->endmembers.n, matching->endmembers.values,
                                  matching->references.n, matching->references.values,
                                  matching->endmembers.n_bands, &matching->score, &err->error);
    XTA_TRY(cli_hyper_named(endmembers, status, err));
done:
    return status;
}

/* ---- maps with layers ---- */

typedef struct layers {
    xta_array *array;
    xta_scene *scene;
    xta_scene_info info;
    int64_t shift[2]; // subtracted from the coordinates of the other map to get those of this one
} layers;

static xta_status open_layers(const char *path, size_t n, const char *what, layers *map,
                              cli_error *err)
{
    xta_scene_options options = XTA_SCENE_OPTIONS_INIT;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open_any(path, &map->array, err));
    XTA_TRY(xta_scene_open(map->array, &options, &map->scene, &err->error));
    map->info = xta_scene_inquire(map->scene);
    if (map->info.n_bands != n) {
        status = cli_fail(err, XTA_EARG, 0,
                          "%s: has %zu layers, there are %zu %s; want as many, in the same order",
                          path, map->info.n_bands, n, what);
    }
done:
    return status;
}

static void close_layers(layers *map)
{
    xta_scene_close(map->scene);
    xta_array_close(map->array, NULL);
}

static cli_area area_of(const xta_scene_info *info)
{
    return (cli_area){{info->line_lo, info->line_hi}, {info->sample_lo, info->sample_hi}};
}

/* Place a map over another one as --truth-at says. */
static xta_status place(const cli_args *args, const layers *under, layers *over, cli_error *err)
{
    const char *at = cli_get(args, "truth-at");
    int64_t corner[XTA_MAX_NDIM] = {under->info.line_lo, under->info.sample_lo};
    const cli_area own = area_of(&over->info), area = area_of(&under->info);
    xta_status status = XTA_OK;

    if (at == NULL) {
        return cli_same_area(over->array, over->info.name, &own, under->info.name, &area, err);
    }
    if (strcmp(at, "scene") != 0) {
        XTA_TRY(cli_parse_coords_of(at, "--truth-at", 2, corner, err));
    } else if (own.lines[1] - own.lines[0] != area.lines[1] - area.lines[0] ||
               own.samples[1] - own.samples[0] != area.samples[1] - area.samples[0]) {
        return cli_fail(err, XTA_EBOX, 0,
                        "%s: is not of the size of %s; say with --truth-at LINE,SAMPLE where its "
                        "first cell lies",
                        over->info.name, under->info.name);
    }
    over->shift[0] = corner[0] - over->info.line_lo;
    over->shift[1] = corner[1] - over->info.sample_lo;
done:
    return status;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The area that both maps cover, in the coordinates of the first. */
static xta_status common(const layers *a, const layers *b, cli_area *area, cli_error *err)
{
    area->lines[0] = greatest(a->info.line_lo, b->info.line_lo + b->shift[0]);
    area->lines[1] = least(a->info.line_hi, b->info.line_hi + b->shift[0]);
    area->samples[0] = greatest(a->info.sample_lo, b->info.sample_lo + b->shift[1]);
    area->samples[1] = least(a->info.sample_hi, b->info.sample_hi + b->shift[1]);
    if (area->lines[0] >= area->lines[1] || area->samples[0] >= area->samples[1]) {
        return cli_fail(err, XTA_EBOX, 0,
                        "%s and %s have no pixel in common: lines %" PRId64 ":%" PRId64
                        " and %" PRId64 ":%" PRId64 "; see --truth-at",
                        a->info.name, b->info.name, a->info.line_lo, a->info.line_hi,
                        b->info.line_lo + b->shift[0], b->info.line_hi + b->shift[0]);
    }
    return XTA_OK;
}

/* ---- two maps, pixel by pixel ---- */

/* Called for each pixel that both maps have. */
typedef void pixel_pair(void *user, const double *a, const double *b);

static xta_status each_pair(const layers *a, const layers *b, pixel_pair *visit, void *user,
                            cli_error *err)
{
    cli_area area;
    xta_status status = common(a, b, &area, err);
    int64_t width = area.samples[1] - area.samples[0];
    int64_t n_a = (int64_t)a->info.n_bands, n_b = (int64_t)b->info.n_bands;
    int64_t step;
    const int64_t samples_b[2] = {area.samples[0] - b->shift[1], area.samples[1] - b->shift[1]};
    double *cells = NULL;
    unsigned char *valid = NULL;

    XTA_TRY(status);
    step = greatest(1, BLOCK_NUMBERS / (width * (n_a + n_b)));
    cells = malloc((size_t)(step * width * (n_a + n_b)) * sizeof *cells);
    valid = malloc((size_t)(2 * step * width));
    if (cells == NULL || valid == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for a line of %s", a->info.name);
        goto done;
    }
    for (int64_t line = area.lines[0]; line < area.lines[1]; line += step) {
        int64_t lines[2] = {line, least(line + step, area.lines[1])};
        int64_t lines_b[2] = {lines[0] - b->shift[0], lines[1] - b->shift[0]};
        int64_t n = (lines[1] - lines[0]) * width;
        double *of_b = cells + n * n_a;
        XTA_TRY(xta_scene_read(a->scene, lines, area.samples, cells, valid, &err->error));
        XTA_TRY(xta_scene_read(b->scene, lines_b, samples_b, of_b, valid + n, &err->error));
        for (int64_t k = 0; k < n; k++) {
            if (valid[k] && valid[n + k]) {
                visit(user, cells + k * n_a, of_b + k * n_b);
            }
        }
    }
done:
    free(cells);
    free(valid);
    return status;
}

static void add_abundances(void *user, const double *found, const double *truth)
{
    cli_matching *matching = user;

    for (size_t k = 0; k < matching->score.n_references; k++) {
        int64_t endmember = matching->score.endmember_of[k];
        if (endmember >= 0) {
            xta_rms_add(&matching->abundances, found + endmember, truth + k, 1);
        }
    }
}

xta_status cli_matching_abundances(cli_matching *matching, const cli_args *args, const char *found,
                                   const char *truth, cli_error *err)
{
    layers a = {0}, b = {0};
    xta_status status = XTA_OK;

    XTA_TRY(open_layers(found, matching->endmembers.n, "endmembers", &a, err));
    XTA_TRY(open_layers(truth, matching->references.n, "references", &b, err));
    XTA_TRY(place(args, &a, &b, err));
    XTA_TRY(each_pair(&a, &b, add_abundances, matching, err));
done:
    close_layers(&a);
    close_layers(&b);
    return status;
}

/* ---- a scene and its reconstruction ---- */

typedef struct rebuilding {
    cli_matching *matching;
    // in the bands of the scene, scaled to length one if the pixels are
    const cli_spectra *endmembers;
    double *made; // buffer for one pixel
    bool normalise;
} rebuilding;

/* Length of a spectrum; scales it to length one, unless it is zero. */
static bool scale_to_one(double *spectrum, size_t n_bands)
{
    double sum = 0;

    for (size_t k = 0; k < n_bands; k++) {
        sum += spectrum[k] * spectrum[k];
    }
    if (!(sum > 0)) {
        return false;
    }
    for (size_t k = 0; k < n_bands; k++) {
        spectrum[k] /= sqrt(sum);
    }
    return true;
}

static void add_rebuilt(void *user, const double *pixel, const double *abundances)
{
    rebuilding *job = user;
    size_t n_bands = job->endmembers->n_bands;
    double *seen = job->made + n_bands;

    memset(job->made, 0, n_bands * sizeof job->made[0]);
    for (size_t k = 0; k < job->endmembers->n; k++) {
        const double *endmember = job->endmembers->values + k * n_bands;
        for (size_t j = 0; j < n_bands; j++) {
            job->made[j] += abundances[k] * endmember[j];
        }
    }
    memcpy(seen, pixel, n_bands * sizeof seen[0]);
    if (!job->normalise || scale_to_one(seen, n_bands)) {
        xta_rms_add(&job->matching->rebuilt, seen, job->made, n_bands);
    }
}

xta_status cli_matching_rebuild(cli_matching *matching, const cli_args *args, const char *scene,
                                const char *abundances, bool normalise, cli_error *err)
{
    cli_scene opened = {0};
    cli_spectra endmembers = {0};
    rebuilding job = {.matching = matching, .endmembers = &endmembers, .normalise = normalise};
    layers a = {0}, b = {0};
    xta_status status = XTA_OK;

    XTA_TRY(cli_scene_open_with(args, scene, matching->endmembers.path, &opened, err));
    XTA_TRY(cli_spectra_read(matching->endmembers.path, &endmembers, err));
    endmembers.notes = matching->notes;
    XTA_TRY(cli_spectra_fit(&endmembers, &opened, normalise, err));
    matching->notes = endmembers.notes;
    XTA_TRY(open_layers(abundances, endmembers.n, "endmembers", &b, err));
    for (size_t k = 0; normalise && k < endmembers.n; k++) {
        scale_to_one(endmembers.values + k * endmembers.n_bands, endmembers.n_bands);
    }
    job.made = malloc(2 * endmembers.n_bands * sizeof job.made[0]);
    if (job.made == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a pixel", scene);
        goto done;
    }
    a.scene = opened.scene;
    a.info = opened.info;
    XTA_TRY(each_pair(&a, &b, add_rebuilt, &job, err));
done:
    close_layers(&b);
    free(job.made);
    cli_spectra_clear(&endmembers);
    return cli_scene_close(&opened, status, err);
}

void cli_matching_clear(cli_matching *matching)
{
    xta_endmember_score_clear(&matching->score);
    cli_spectra_clear(&matching->endmembers);
    cli_spectra_clear(&matching->references);
    *matching = (cli_matching){0};
}
