/* Endmembers: one function for each family of methods, from the options to spectra, pixels and
 * scores.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/find.h"

#include <stdlib.h>
#include <string.h>

/* Number of cells of an image that are written at once. */
#define IMAGE_CELLS ((size_t)1 << 20)

/* ---- a simplex ---- */

static xta_status find_simplex(cli_find *find, cli_scene *scene, cli_error *err)
{
    xta_simplex *simplex = NULL;
    xta_status status = XTA_OK;

    status = xta_simplex_new(&find->simplex, &simplex, &err->error);
    XTA_TRY(cli_hyper_agree(status, err));
    XTA_TRY(xta_simplex_update(simplex, scene->scene, &err->error));
    status = xta_simplex_result(simplex, &find->found, &err->error);
    XTA_TRY(cli_hyper_agree(status, err));
done:
    xta_simplex_free(simplex);
    return status;
}

/* ---- pixels used directly ---- */

/* Allocate memory for n endmembers. */
static xta_status reserve(cli_find *find, size_t n, size_t n_bands, cli_error *err)
{
    xta_endmembers *found = &find->found;

    *found = (xta_endmembers){.n = n, .n_wanted = find->simplex.n, .n_bands = n_bands};
    found->spectra = calloc(n * n_bands + 1, sizeof found->spectra[0]);
    found->line = calloc(n + 1, sizeof found->line[0]);
    found->sample = calloc(n + 1, sizeof found->sample[0]);
    found->score = calloc(n + 1, sizeof found->score[0]);
    if (found->spectra == NULL || found->line == NULL || found->sample == NULL ||
        found->score == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", n);
    }
    found->converged = true;
    return XTA_OK;
}

static xta_status make_indices(cli_find *find, const char *name, cli_error *err)
{
    find->index = name;
    find->indices = calloc(find->found.n + 1, sizeof find->indices[0]);
    return find->indices != NULL
               ? XTA_OK
               : cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu endmembers", find->found.n);
}

static xta_status take_pixel(cli_find *find, cli_scene *scene, size_t k, cli_error *err)
{
    int64_t lines[2] = {find->found.line[k], find->found.line[k] + 1};
    int64_t samples[2] = {find->found.sample[k], find->found.sample[k] + 1};

    return xta_scene_read(scene->scene, lines, samples,
                          find->found.spectra + k * find->found.n_bands, NULL, &err->error);
}

/* ---- the pixel purity index ---- */

/* Use the first pixels of the list as endmembers. */
static xta_status take_top(cli_find *find, cli_scene *scene, const xta_ppi_pixel *pixels, size_t n,
                           cli_error *err)
{
    size_t p = find->simplex.n < n ? find->simplex.n : n;
    xta_status status = XTA_OK;

    XTA_TRY(reserve(find, p, scene->info.n_bands, err));
    for (size_t k = 0; k < p; k++) {
        find->found.line[k] = pixels[k].line;
        find->found.sample[k] = pixels[k].sample;
        find->found.score[k] = (double)pixels[k].count;
        XTA_TRY(take_pixel(find, scene, k, err));
    }
    find->score = "count";
done:
    return status;
}

static xta_status take_counts(cli_find *find, const xta_ppi_pixel *pixels, size_t n, cli_error *err)
{
    xta_status status = make_indices(find, "count", err);

    for (size_t k = 0; status == XTA_OK && k < find->found.n; k++) {
        for (size_t j = 0; j < n; j++) {
            if (pixels[j].line == find->found.line[k] &&
                pixels[j].sample == find->found.sample[k]) {
                find->indices[k] = (double)pixels[j].count;
            }
        }
    }
    return status;
}

/* Write the counts, on the leading process. */
static xta_status write_image(const xta_ppi *ppi, cli_scene *scene, xta_array *image,
                              cli_error *err)
{
    const xta_scene_info *info = &scene->info;
    const int64_t samples[2] = {info->sample_lo, info->sample_hi};
    size_t width = (size_t)(samples[1] - samples[0]);
    int64_t step = width < IMAGE_CELLS ? (int64_t)(IMAGE_CELLS / width) : 1;
    uint32_t *counts = malloc((size_t)step * width * sizeof *counts);
    xta_box box = xta_array_bounds(image);
    xta_status status = XTA_OK;

    if (counts == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %lld lines of counts", (long long)step);
    }
    for (int64_t line = info->line_lo; line < info->line_hi; line += step) {
        int64_t lines[2] = {line, line + step < info->line_hi ? line + step : info->line_hi};
        xta_ppi_image(ppi, lines, samples, counts);
        box.lo[0] = lines[0];
        box.hi[0] = lines[1];
        XTA_TRY(xta_array_write(image, &box, NULL, counts, &err->error));
    }
done:
    free(counts);
    return status;
}

static xta_status find_ppi(cli_find *find, cli_scene *scene, cli_error *err)
{
    const xta_ppi_pixel *pixels = NULL;
    xta_ppi *ppi = NULL;
    size_t n = 0;
    xta_status status = XTA_OK;

    status = xta_ppi_new(&find->ppi, &ppi, &err->error);
    XTA_TRY(cli_hyper_agree(status, err));
    XTA_TRY(xta_ppi_update(ppi, scene->scene, &err->error));
    xta_ppi_pixels(ppi, &pixels, &n);
    for (find->n_candidates = 0;
         find->n_candidates < n && pixels[find->n_candidates].count >= (uint64_t)find->least;) {
        find->n_candidates++;
    }
    if (find->select == CLI_SELECT_TOP) {
        status = take_top(find, scene, pixels, find->n_candidates, err);
    } else {
        XTA_TRY(xta_ppi_select(ppi, scene->scene, (uint64_t)find->least, &find->simplex,
                               &find->found, &err->error));
        status = take_counts(find, pixels, n, err);
    }
    if (status == XTA_OK && find->image.array != NULL && cli_hyper_leads()) {
        status = write_image(ppi, scene, find->image.array, err);
    }
    status = cli_hyper_agree(status, err);
done:
    xta_ppi_free(ppi);
    return status;
}

/* ---- morphology ---- */

static xta_status take_result(cli_find *find, cli_scene *scene, const xta_amee_result *result,
                              cli_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(reserve(find, result->p, scene->info.n_bands, err));
    XTA_TRY(make_indices(find, "mei", err));
    memcpy(find->found.spectra, result->endmembers,
           result->p * result->n_bands * sizeof result->endmembers[0]);
    memcpy(find->found.line, result->line, result->p * sizeof result->line[0]);
    memcpy(find->found.sample, result->sample, result->p * sizeof result->sample[0]);
    memcpy(find->found.score, result->mei, result->p * sizeof result->mei[0]);
    memcpy(find->indices, result->mei, result->p * sizeof result->mei[0]);
    find->n_candidates = result->n_candidates;
    find->threshold = result->threshold;
done:
    return status;
}

/* Use the candidates with the largest index, on ties the lowest pixels. The list is in the order of
 * the pixels. */
static xta_status take_candidates(cli_find *find, cli_scene *scene, xta_amee_candidates *list,
                                  cli_error *err)
{
    size_t p = find->simplex.n < list->n ? find->simplex.n : list->n;
    xta_status status = XTA_OK;

    XTA_TRY(reserve(find, p, scene->info.n_bands, err));
    XTA_TRY(make_indices(find, "mei", err));
    for (size_t k = 0; k < p; k++) {
        size_t best = 0;
        for (size_t j = 1; j < list->n; j++) {
            best = list->mei[j] > list->mei[best] ? j : best;
        }
        find->found.line[k] = list->line[best];
        find->found.sample[k] = list->sample[best];
        find->found.score[k] = find->indices[k] = list->mei[best];
        memcpy(find->found.spectra + k * list->n_bands, list->spectra + best * list->n_bands,
               list->n_bands * sizeof list->spectra[0]);
        list->mei[best] = -1;
    }
    find->n_candidates = list->n;
    find->threshold = list->threshold;
done:
    return status;
}

static xta_status find_amee(cli_find *find, cli_scene *scene, cli_error *err)
{
    xta_amee_select_options how = XTA_AMEE_SELECT_INIT;
    xta_amee_candidates list = {0};
    xta_amee_result result = {0};
    xta_amee *amee = NULL;
    xta_status status = XTA_OK;

    how.most = find->most;
    find->amee.map = find->image.array;
    find->score = "mei";
    status = xta_amee_new(&find->amee, &amee, &err->error);
    XTA_TRY(cli_hyper_agree(status, err));
    XTA_TRY(xta_amee_update(amee, scene->scene, &err->error));
    if (find->select == CLI_SELECT_TOP) {
        XTA_TRY(xta_amee_candidates_get(amee, scene->scene, find->most, &list, &err->error));
        status = take_candidates(find, scene, &list, err);
    } else {
        XTA_TRY(xta_amee_select(amee, scene->scene, find->simplex.n, &how, &result, &err->error));
        status = take_result(find, scene, &result, err);
    }
    status = cli_hyper_agree(status, err);
done:
    xta_amee_candidates_clear(&list);
    xta_amee_result_clear(&result);
    xta_amee_free(amee);
    return status;
}

/* ---- all methods ---- */

/* Replace the spectra of the pixels by the means of the regions. */
static xta_status take_means(cli_find *find, cli_scene *scene, cli_error *err)
{
    xta_endmembers *found = &find->found;
    xta_status status = XTA_OK;

    find->regions = malloc((found->n + 1) * sizeof find->regions[0]);
    if (find->regions == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu regions", found->n);
    }
    XTA_TRY(cli_hyper_agree(status, err));
    XTA_TRY(xta_region_means(scene->scene, found->n, found->line, found->sample, &find->region,
                             found->spectra, find->regions, &err->error));
done:
    return status;
}

static xta_status begin_image(cli_find *find, cli_scene *scene, cli_error *err)
{
    xta_scene_map_options map = XTA_SCENE_MAP_OPTIONS_INIT;

    map.path = find->image.path;
    map.type = find->method == CLI_FIND_PPI ? XTA_U32 : XTA_F64;
    map.title =
        find->method == CLI_FIND_PPI ? "pixel purity index" : "morphological eccentricity index";
    return cli_map_begin(scene, &map, &find->image, err);
}

xta_status cli_find_run(cli_find *find, cli_scene *scene, cli_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(begin_image(find, scene, err));
    switch (find->method) {
    case CLI_FIND_PPI:
        find->score = "squared height";
        status = find_ppi(find, scene, err);
        break;
    case CLI_FIND_AMEE:
        status = find_amee(find, scene, err);
        break;
    default:
        find->score = find->method == CLI_FIND_NFINDR ? "squared height" : "squared distance";
        status = find_simplex(find, scene, err);
    }
    if (status == XTA_OK && find->means) {
        status = take_means(find, scene, err);
    }
done:
    return status;
}

void cli_find_clear(cli_find *find)
{
    xta_endmembers_free(&find->found);
    xta_basis_free(find->basis);
    free(find->skewers);
    free(find->indices);
    free(find->regions);
    *find = (cli_find){0};
}
