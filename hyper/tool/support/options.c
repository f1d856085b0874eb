/* What the subcommands of `xta hyper` share: opening a scene, the communicator, and progress.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "support/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kit/print/describe.h"
#include "util/json.h"

/* More bands than any sensor has; a list that names more is a typing error. */
#define MOST_BANDS 65536

/* The cache of chunks gets at most this fraction of the memory. */
#define CACHE_SHARE 8

/* ---- the communicator ---- */

static const xta_communicator *communicator;

void cli_hyper_set_communicator(const xta_communicator *with)
{
    communicator = with;
}

const xta_communicator *cli_hyper_communicator(void)
{
    return communicator;
}

bool cli_hyper_leads(void)
{
    return xta_communicator_rank(communicator) == 0;
}

xta_status cli_hyper_agree(xta_status status, cli_error *err)
{
    return communicator != NULL ? communicator->agree(communicator->context, status, &err->error)
                                : status;
}

/* ---- progress ---- */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool report(void *user, const char *what, uint64_t done, uint64_t total)
{
    cli_hyper_meter *meter = user;
    double time = now();

    if (time - meter->last < 0.1) {
        return true;
    }
    meter->last = time;
    meter->shown = true;
    fprintf(stderr, "\r%s: %s", meter->name, what);
    if (total > 0) {
        fprintf(stderr, " %.0f %%", 100 * (double)done / (double)total);
    }
    fprintf(stderr, ", %.0f s\x1b[K", time - meter->begin);
    fflush(stderr);
    return true;
}

/* A line on standard error, written over again, if that is a terminal and this process leads; else
 * NULL. Pass it on with the meter as `user`. */
static xta_hyper_progress *begin_meter(cli_hyper_meter *meter, const char *name)
{
    double time = now();

    *meter = (cli_hyper_meter){.name = name, .begin = time, .last = time};
    return cli_hyper_leads() && isatty(STDERR_FILENO) ? report : NULL;
}

void cli_hyper_meter_end(cli_hyper_meter *meter)
{
    if (meter->shown) {
        fprintf(stderr, "\r\x1b[K");
        fflush(stderr);
        meter->shown = false;
    }
}

/* ---- options ---- */

int64_t cli_hyper_count_option(const cli_args *args, const char *name, int64_t without)
{
    const int64_t *given = cli_value(args, name);

    return given != NULL ? *given : without;
}

xta_status cli_hyper_real_option(const cli_args *args, const char *name, const double range[2],
                                 double without, double *value, cli_error *err)
{
    const double *given = cli_value(args, name);

    *value = given != NULL ? *given : without;
    if (given != NULL && !(*value >= range[0] && *value <= range[1])) {
        return cli_usage(err, "--%s: %s is out of range; want %g to %g", name, cli_get(args, name),
                         range[0], range[1]);
    }
    return XTA_OK;
}

xta_status cli_hyper_named(const char *name, xta_status status, cli_error *err)
{
    char text[XTA_ERROR_TEXT_BYTES];

    if (status == XTA_OK) {
        return XTA_OK;
    }
    snprintf(text, sizeof text, "%s", err->error.text);
    return cli_fail(err, status, err->error.os_errno, "%s: %s", name, text);
}

uint64_t cli_hyper_seed(const cli_args *args)
{
    return (uint64_t)cli_hyper_count_option(args, "seed", 0);
}

xta_status cli_hyper_choice(const char *text, const char *what, const char *const words[], size_t n,
                            size_t *chosen, cli_error *err)
{
    char list[256] = "";
    size_t at = 0;

    for (size_t k = 0; k < n; k++) {
        if (strcmp(words[k], text) == 0) {
            *chosen = k;
            return XTA_OK;
        }
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s",
                               k == 0       ? ""
                               : k + 1 == n ? " or "
                                            : ", ",
                               words[k]);
        at = at < sizeof list ? at : sizeof list - 1;
    }
    return cli_usage(err, "%s: \"%s\" is none of %s", what, text, list);
}

/* Parse "3" or "3:7" at *at; moves *at past it and the comma that follows. */
static bool take_interval(const char **at, int64_t interval[2])
{
    char *end;

    interval[0] = strtoll(*at, &end, 10);
    if (end == *at) {
        return false;
    }
    interval[1] = interval[0] + 1;
    if (*end == ':') {
        const char *second = end + 1;
        interval[1] = strtoll(second, &end, 10);
        if (end == second) {
            return false;
        }
    }
    *at = *end == ',' && end[1] != '\0' ? end + 1 : end;
    return (*end == '\0' || *end == ',') && interval[0] < interval[1] &&
           interval[0] > -(INT64_C(1) << 62) && interval[1] - interval[0] <= MOST_BANDS;
}

static xta_status take_bands(const cli_args *args, cli_scene *scene, xta_scene_options *options,
                             cli_error *err)
{
    const char *text = cli_get(args, "use-bands");
    const char *at = text;
    int64_t interval[2];
    size_t n = 0;

    if (text == NULL || strcmp(text, CLI_OVERLAP) == 0) {
        return XTA_OK;
    }
    scene->use = malloc(MOST_BANDS * sizeof scene->use[0]);
    if (scene->use == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--use-bands: no memory for the bands");
    }
    do {
        if (!take_interval(&at, interval) || (n > 0 && interval[0] <= scene->use[n - 1])) {
            return cli_usage(
                err,
                "--use-bands: \"%s\": want coordinates and intervals LO:HI in ascending "
                "order, joined by commas",
                text);
        }
        if (n + (size_t)(interval[1] - interval[0]) > MOST_BANDS) {
            return cli_usage(err, "--use-bands: \"%s\" names more than %d bands", text, MOST_BANDS);
        }
        for (int64_t band = interval[0]; band < interval[1]; band++) {
            scene->use[n++] = band;
        }
    } while (*at != '\0');
    options->use = scene->use;
    options->n_use = n;
    return XTA_OK;
}

static xta_status take_nodata(const cli_args *args, cli_scene *scene, xta_scene_options *options,
                              cli_error *err)
{
    xta_status status = XTA_OK;

    if (!cli_has(args, "nodata")) {
        return XTA_OK;
    }
    scene->nodata = malloc((size_t)args->n_given * sizeof scene->nodata[0]);
    if (scene->nodata == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--nodata: no memory for the values");
    }
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, "nodata") == 0) {
            XTA_TRY(cli_parse_real(args->given[k].value, "--nodata",
                                   &scene->nodata[options->n_nodata++], err));
        }
    }
    options->nodata = scene->nodata;
done:
    return status;
}

/* ---- scenes ---- */

static xta_status read_options(const cli_args *args, cli_scene *scene, xta_scene_options *options,
                               cli_error *err)
{
    const int64_t *n_threads = cli_value(args, "threads");
    const uint64_t *memory_bytes = cli_value(args, "memory");
    xta_status status = XTA_OK;

    options->lines = cli_get(args, "lines");
    options->samples = cli_get(args, "samples");
    options->bands = cli_get(args, "bands");
    options->bad_bands_too = cli_has(args, "bad-bands-too");
    options->communicator = communicator;
    scene->memory_bytes = memory_bytes != NULL ? *memory_bytes : (uint64_t)1 << 30;
    XTA_TRY(take_bands(args, scene, options, err));
    XTA_TRY(take_nodata(args, scene, options, err));
    options->memory_bytes = scene->memory_bytes;
    options->n_threads = n_threads == NULL ? 1 : *n_threads < 1024 ? (int)*n_threads : 1024;
done:
    return status;
}

/* A mapped file counts as memory of the process, though the system can reclaim it at any time. A
 * file larger than the limit is read through a small cache instead. */
static xta_status open_array(const cli_args *args, const char *path, cli_scene *scene,
                             cli_error *err)
{
    xta_array_info info;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open(args, path, &scene->array, err));
    XTA_TRY(xta_array_inquire(scene->array, &info, &err->error));
    if (info.mapped && info.data_real_bytes > scene->memory_bytes / 2) {
        status = cli_close(scene->array, XTA_OK, err);
        scene->array = NULL;
        XTA_TRY(status);
        XTA_TRY(cli_open_cached(args, path, scene->memory_bytes / CACHE_SHARE, &scene->array, err));
    }
done:
    return status;
}

/* Collective. Open the scene as scene->options say. */
static xta_status open_scene(cli_scene *scene, cli_error *err)
{
    xta_status status = xta_scene_open(scene->array, &scene->options, &scene->scene, &err->error);

    if (status == XTA_OK) {
        scene->info = xta_scene_inquire(scene->scene);
    }
    return status;
}

xta_status cli_scene_open_all(const cli_args *args, const char *path, cli_scene *scene,
                              cli_error *err)
{
    xta_scene_options *options = &scene->options;
    xta_status status = XTA_OK;

    *scene = (cli_scene){.options = XTA_SCENE_OPTIONS_INIT};
    status = read_options(args, scene, options, err);
    if (status == XTA_OK) {
        status = open_array(args, path, scene, err);
    }
    XTA_TRY(cli_hyper_agree(status, err));
    options->progress = begin_meter(&scene->meter, path);
    options->progress_user = &scene->meter;
    XTA_TRY(open_scene(scene, err));
done:
    return status;
}

xta_status cli_scene_open(const cli_args *args, const char *path, cli_scene *scene, cli_error *err)
{
    const char *use = cli_get(args, "use-bands");

    if (use != NULL && strcmp(use, CLI_OVERLAP) == 0) {
        *scene = (cli_scene){0};
        return cli_usage(err, "--use-bands overlap: there are no spectra here that bands could "
                              "overlap with; list coordinates");
    }
    return cli_scene_open_all(args, path, scene, err);
}

xta_status cli_scene_use(cli_scene *scene, int64_t *use, size_t n_use, cli_error *err)
{
    xta_scene_close(scene->scene);
    scene->scene = NULL;
    free(scene->use);
    scene->use = use;
    scene->options.use = use;
    scene->options.n_use = n_use;
    return open_scene(scene, err);
}

xta_status cli_scene_close(cli_scene *scene, xta_status status, cli_error *err)
{
    cli_hyper_meter_end(&scene->meter);
    xta_scene_close(scene->scene);
    status = cli_close(scene->array, status, err);
    free(scene->use);
    free(scene->nodata);
    *scene = (cli_scene){0};
    return status;
}

size_t cli_scene_n_pixels(const cli_scene *scene)
{
    return (size_t)(scene->info.line_hi - scene->info.line_lo) *
           (size_t)(scene->info.sample_hi - scene->info.sample_lo);
}

/* ---- printing ---- */

void cli_json_real(FILE *out, double value)
{
    char text[XTA__JSON_REAL_BYTES];

    xta__json_real(value, text);
    fputs(text, out);
}

void cli_json_reals(FILE *out, const double *values, size_t n)
{
    fputc('[', out);
    for (size_t k = 0; k < n; k++) {
        fputs(k > 0 ? ", " : "", out);
        cli_json_real(out, values[k]);
    }
    fputc(']', out);
}

void cli_json_head(FILE *out, const cli_args *args, const cli_scene *scene)
{
    const xta_scene_info *info = &scene->info;

    fputs("\"command\": ", out);
    cli_json_text(out, args->command->name);
    fprintf(out, ", \"version\": \"%s\", \"scene\": {\"name\": ", xta_version());
    cli_json_text(out, info->name);
    fprintf(out,
            ", \"lines\": [%" PRId64 ", %" PRId64 "], \"samples\": [%" PRId64 ", %" PRId64
            "], \"bands\": [%" PRId64 ", %" PRId64 "], \"bands_in_use\": %zu}, ",
            info->line_lo, info->line_hi, info->sample_lo, info->sample_hi, info->band_lo,
            info->band_hi, info->n_bands);
}
