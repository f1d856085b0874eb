/* xta hyper synth: a scene with known truth, of any size, made in one run or swath by swath.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "verbs/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>
#include <xta/synth.h>

#include "kit/print/describe.h"
#include "support/fit.h"
#include "support/labels.h"

/* Chunks of a made scene: tiles of pixels, so that lines and bands can grow. */
#define CHUNK_PIXELS 32
#define CHUNK_BANDS  64

/* Largest number of lines of an appended block: a strip of tiles. */
#define BLOCK_LINES 32

/* A library with a larger value does not hold reflectances. */
#define LARGEST_REFLECTANCE 2

/* Values of the options. */
typedef struct synth_options {
    const char *lines;
    const char *samples;
    int64_t bands;
    int64_t materials;
    const char *type;
    double scale;
    double mixing;
    double variation;
    double brightness;
    double noise;
    int64_t seed;
    const char *abundances;
    bool append;
    uint64_t memory_bytes;
    bool json;
} synth_options;

static const cli_option options[] = {
    CLI_STRING(synth_options, lines, "lines", "LO:HI", "lines to make (those of the label map)"),
    CLI_STRING(synth_options, samples, "samples", "LO:HI",
               "samples to make (those of the label map)"),
    CLI_INT(synth_options, bands, "bands", "N", 1, INT64_MAX, NULL,
            "bring the library to N bands at equal distances first"),
    CLI_INT(synth_options, materials, "materials", "N", 1, INT64_MAX, NULL,
            "take the first N spectra of the library alone"),
    CLI_STRING(synth_options, type, "type", "T",
               "of the cells (f32); whole numbers are rounded and clamped"),
    CLI_REAL(synth_options, scale, "scale", "F", "cells are F times the mixture (1)"),
    CLI_REAL(synth_options, mixing, "mixing", "R",
             "abundances are shares in the window of this radius, 0 to 15 (0: pure)"),
    CLI_REAL(synth_options, variation, "variation", "F",
             "0 to 1: at most this share goes to a random mixture of all (0)"),
    CLI_REAL(synth_options, brightness, "brightness", "F",
             "0 to 1: a pixel is brighter or darker by at most this share (0)"),
    CLI_REAL(synth_options, noise, "noise", "SNR",
             "signal to noise in each band, in dB (no noise)"),
    CLI_INT(synth_options, seed, "seed", "S", 0, INT64_MAX, NULL, "of all that is random (0)"),
    CLI_STRING(synth_options, abundances, "abundances", "ARRAY",
               "put the true abundances there (material, line, sample; f32)"),
    CLI_FLAG(synth_options, append, "append",
             "add the lines to OUT, which is there, at either end"),
    CLI_BYTES(synth_options, memory_bytes, "memory", "SIZE",
              "the most to allocate for cells (1GiB)"),
    CLI_FLAG(synth_options, json, "json", "print one JSON object"),
};

static const synth_options *values_of(const cli_args *args)
{
    return args->values;
}

/* The scene to make. Start from zeros. */
typedef struct making {
    xta_label_map labels;
    cli_spectra library;
    xta_synth_options how;
    int64_t lines[2], samples[2];
    xta_type type;
    uint64_t memory_bytes;
    const char *path, *truth_path;
    xta_array *scene, *truth;
    bool append, made_scene, made_truth;
} making;

/* ---- options ---- */

static xta_status take_range(const cli_args *args, const char *name, int64_t range[2],
                             cli_error *err)
{
    const char *text = cli_get(args, name);
    char what[64];
    char *end = NULL;

    if (text == NULL) {
        return XTA_OK;
    }
    snprintf(what, sizeof what, "--%s", name);
    range[0] = strtoll(text, &end, 10);
    if (end != text && *end == ':' && end[1] != '\0') {
        range[1] = strtoll(end + 1, &end, 10);
    } else {
        end = NULL;
    }
    if (end == NULL || *end != '\0' || range[0] >= range[1] || range[0] < -(INT64_C(1) << 40) ||
        range[1] > INT64_C(1) << 40) {
        return cli_usage(err, "%s: \"%s\" is no range; want LO:HI with LO < HI", what, text);
    }
    return XTA_OK;
}

static xta_status read_numbers(const cli_args *args, making *job, cli_error *err)
{
    static const double share[] = {0, 1}, any[] = {-1e300, 1e300}, decibels[] = {-100, 300};
    static const double radii[] = {0, 15};
    double radius = 0;
    xta_status status = XTA_OK;

    job->how = (xta_synth_options)XTA_SYNTH_OPTIONS_INIT;
    XTA_TRY(cli_hyper_real_option(args, "mixing", radii, 0, &radius, err));
    XTA_TRY(cli_hyper_real_option(args, "variation", share, 0, &job->how.variation, err));
    XTA_TRY(cli_hyper_real_option(args, "brightness", share, 0, &job->how.brightness, err));
    XTA_TRY(cli_hyper_real_option(args, "noise", decibels, 0, &job->how.noise_snr_db, err));
    XTA_TRY(cli_hyper_real_option(args, "scale", any, 1, &job->how.scale, err));
    job->how.seed = cli_hyper_seed(args);
    if (radius != floor(radius)) {
        return cli_usage(err, "--mixing: %s is not a whole number", cli_get(args, "mixing"));
    }
    job->how.mixing_radius = (int)radius;
    job->memory_bytes = (uint64_t)1 << 30;
    if (cli_has(args, "memory")) {
        job->memory_bytes = values_of(args)->memory_bytes;
    }
done:
    return status;
}

static xta_status take_library(const cli_args *args, making *job, cli_error *err)
{
    int64_t n_materials = 0, n_bands = 0;
    xta_status status = XTA_OK;

    XTA_TRY(cli_spectra_read(args->words[1], &job->library, err));
    n_bands = cli_hyper_count_option(args, "bands", 0);
    n_materials = cli_hyper_count_option(args, "materials", (int64_t)job->library.n);
    if ((size_t)n_materials > job->library.n) {
        return cli_usage(err, "--materials: %" PRId64 " are wanted, %s has %zu spectra",
                         n_materials, args->words[1], job->library.n);
    }
    while (job->library.n > (size_t)n_materials) {
        free(job->library.names[--job->library.n]);
    }
    if (n_bands > 0) {
        status = cli_spectra_spread(&job->library, (size_t)n_bands, err);
    }
done:
    return status;
}

static xta_status prepare(const cli_args *args, making *job, cli_error *err)
{
    size_t cell_bytes = 0;
    cli_area area;
    xta_status status = XTA_OK;

    job->path = args->words[2];
    job->truth_path = values_of(args)->abundances;
    job->append = values_of(args)->append;
    job->type = XTA_F32;
    if (values_of(args)->type != NULL) {
        XTA_TRY(cli_parse_type(values_of(args)->type, &job->type, &cell_bytes, err));
        if (job->type == XTA_C64 || job->type == XTA_C128 || job->type == XTA_BYTES) {
            return cli_usage(err, "--type: %s holds no real numbers", values_of(args)->type);
        }
    }
    if (job->append && ((values_of(args)->samples != NULL) || (values_of(args)->type != NULL))) {
        return cli_usage(err, "--samples and --type are for new scenes; %s keeps what it has",
                         job->path);
    }
    XTA_TRY(read_numbers(args, job, err));
    XTA_TRY(take_library(args, job, err));
    XTA_TRY(cli_labels_open(args->words[0], &job->labels, &area, err));
    memcpy(job->lines, area.lines, sizeof job->lines);
    memcpy(job->samples, area.samples, sizeof job->samples);
    XTA_TRY(take_range(args, "lines", job->lines, err));
    XTA_TRY(take_range(args, "samples", job->samples, err));
done:
    return status;
}

/* ---- arrays ---- */

/* Create an array with the given bounds; new arrays begin at 0, so it grows to its position. */
static xta_status create(const char *path, xta_type type, const xta_box *bounds,
                         const char *const names[], const int64_t chunk[], xta_array **array,
                         cli_error *err)
{
    xta_create_options how = XTA_CREATE_OPTIONS_INIT;
    xta_growth growths[2 * 3], shrinks[2 * 3];
    int64_t lengths[3];
    int n_growths = 0, n_shrinks = 0;
    xta_status status = XTA_OK;

    for (int axis = 0; axis < 3; axis++) {
        int64_t lo = bounds->lo[axis], hi = bounds->hi[axis];
        lengths[axis] = hi > 0 ? hi : 1;
        if (lo < 0) {
            growths[n_growths++] = (xta_growth){axis, XTA_FRONT, -lo};
        } else if (lo > 0) {
            shrinks[n_shrinks++] = (xta_growth){axis, XTA_FRONT, lo};
        }
        if (hi <= 0) {
            shrinks[n_shrinks++] = (xta_growth){axis, XTA_BACK, 1 - hi};
        }
    }
    how.names = names;
    how.chunk = chunk;
    XTA_TRY(xta_array_create(path, type, 3, lengths, &how, array, &err->error));
    if (n_growths > 0) {
        XTA_TRY(xta_array_extend(*array, growths, n_growths, NULL, &err->error));
    }
    if (n_shrinks > 0) {
        XTA_TRY(xta_array_shrink(*array, shrinks, n_shrinks, NULL, &err->error));
    }
done:
    return status;
}

/* The divisor that turns cells into reflectances, for a library that states its scale or whose
 * values have the magnitude of reflectances. 0: not known, or not needed. */
static double reflectance_scale(const making *job)
{
    const cli_spectra *library = &job->library;
    double largest = 0;

    if (library->scale > 0) {
        return library->scale * job->how.scale;
    }
    for (size_t k = 0; k < library->n * library->n_bands; k++) {
        largest = fmax(largest, library->values[k]);
    }
    return job->how.scale != 1 && largest <= LARGEST_REFLECTANCE ? job->how.scale : 0;
}

static xta_status describe(const making *job, cli_error *err)
{
    xta_attribute wavelength = {"wavelength", XTA_F64, sizeof(double), job->library.n_bands,
                                job->library.wavelength};
    xta_status status = XTA_OK;

    if (job->library.wavelength != NULL) {
        XTA_TRY(xta_attribute_set(job->scene, 2, &wavelength, &err->error));
    }
    if (job->library.wavelength != NULL && job->library.unit != NULL &&
        job->library.unit[0] != '\0') {
        XTA_TRY(xta_attribute_set_text(job->scene, XTA_ON_ARRAY, "wavelength_units",
                                       job->library.unit, &err->error));
    }
    if (reflectance_scale(job) > 0) {
        XTA_TRY(xta_attribute_set_f64(job->scene, XTA_ON_ARRAY, "reflectance_scale_factor",
                                      reflectance_scale(job), &err->error));
    }
done:
    return status;
}

/* Store the names of the materials, one line each, on the material axis of the truth. */
static xta_status name_materials(const making *job, cli_error *err)
{
    size_t n_bytes = 1, at = 0;
    char *text;
    xta_status status;

    for (size_t k = 0; k < job->library.n; k++) {
        n_bytes += strlen(job->library.names[k]) + 1;
    }
    text = malloc(n_bytes);
    if (text == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu names", job->library.n);
    }
    for (size_t k = 0; k < job->library.n; k++) {
        at += (size_t)snprintf(text + at, n_bytes - at, "%s%s", k > 0 ? "\n" : "",
                               job->library.names[k]);
    }
    status = xta_attribute_set_text(job->truth, 0, "gdal/description", text, &err->error);
    free(text);
    return status;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static xta_box scene_box(const making *job)
{
    return (xta_box){.ndim = 3,
                     .lo = {job->lines[0], job->samples[0], 0},
                     .hi = {job->lines[1], job->samples[1], (int64_t)job->library.n_bands}};
}

static xta_status create_arrays(making *job, cli_error *err)
{
    static const char *const scene_names[] = {"line", "sample", "band"};
    static const char *const truth_names[] = {"material", "line", "sample"};
    xta_box box = scene_box(job);
    xta_box truth = {.ndim = 3,
                     .lo = {0, job->lines[0], job->samples[0]},
                     .hi = {(int64_t)job->library.n, job->lines[1], job->samples[1]}};
    int64_t width = job->samples[1] - job->samples[0];
    int64_t chunk[] = {CHUNK_PIXELS, at_most(CHUNK_PIXELS, width),
                       at_most(CHUNK_BANDS, (int64_t)job->library.n_bands)};
    int64_t truth_chunk[] = {1, CHUNK_PIXELS, at_most(8 * CHUNK_PIXELS, width)};
    xta_status status = XTA_OK;

    status = create(job->path, job->type, &box, scene_names, chunk, &job->scene, err);
    job->made_scene = job->scene != NULL;
    XTA_TRY(status);
    XTA_TRY(describe(job, err));
    if (job->truth_path != NULL) {
        status =
            create(job->truth_path, XTA_F32, &truth, truth_names, truth_chunk, &job->truth, err);
        job->made_truth = job->truth != NULL;
        XTA_TRY(status);
        status = name_materials(job, err);
    }
done:
    return status;
}

static xta_status open_arrays(making *job, cli_error *err)
{
    xta_status status = XTA_OK;

    if (job->scene == NULL) {
        XTA_TRY(cli_open_writable(job->path, &job->scene, err));
    }
    if (job->truth == NULL && job->truth_path != NULL) {
        XTA_TRY(cli_open_writable(job->truth_path, &job->truth, err));
    }
done:
    return status;
}

/* ---- a new scene: every process makes whole strips of lines ---- */

static void my_lines(const making *job, int64_t lines[2])
{
    int64_t size = xta_communicator_size(cli_hyper_communicator()),
            rank = xta_communicator_rank(cli_hyper_communicator());
    int64_t n_blocks = (job->lines[1] - job->lines[0] + BLOCK_LINES - 1) / BLOCK_LINES;

    lines[0] = job->lines[0] + n_blocks * rank / size * BLOCK_LINES;
    lines[1] = at_most(job->lines[0] + n_blocks * (rank + 1) / size * BLOCK_LINES, job->lines[1]);
}

static xta_status make_new(making *job, cli_error *err)
{
    int64_t lines[2];
    xta_status status = XTA_OK;

    if (cli_hyper_leads()) {
        status = create_arrays(job, err);
    }
    XTA_TRY(cli_hyper_agree(status, err));
    XTA_TRY(cli_hyper_agree(open_arrays(job, err), err));
    my_lines(job, lines);
    if (lines[0] < lines[1]) {
        status = xta_synth_scene(job->scene, job->truth, &job->labels, job->library.n,
                                 job->library.n_bands, job->library.values, &job->how, lines,
                                 &err->error);
    }
    status = cli_hyper_agree(status, err);
done:
    return status;
}

/* ---- lines added to a scene: published only with their cells in place ---- */

/* Lines of another scale would not fit the existing lines. */
static xta_status check_scale(const making *job, cli_error *err)
{
    xta_attribute a;
    double have, scale = reflectance_scale(job);

    if (xta_attribute_get(job->scene, XTA_ON_ARRAY, "reflectance_scale_factor", &a, NULL) !=
            XTA_OK ||
        a.type != XTA_F64 || a.count != 1) {
        return XTA_OK;
    }
    memcpy(&have, a.values, sizeof have);
    scale = scale > 0 ? scale : job->how.scale;
    if (have == scale) {
        return XTA_OK;
    }
    return cli_fail(err, XTA_EARG, 0,
                    "%s: its cells have a reflectance scale factor of %g, those to add %g; give "
                    "the --scale that it was made with",
                    job->path, have, scale);
}

static xta_status check_scene(const making *job, const xta_box *bounds, cli_error *err)
{
    if (bounds->ndim != 3 || bounds->hi[2] - bounds->lo[2] != (int64_t)job->library.n_bands) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: has not the axes line, sample, band with the %zu bands of the library",
                        job->path, job->library.n_bands);
    }
    if (job->lines[0] != bounds->hi[0] && job->lines[1] != bounds->lo[0]) {
        return cli_fail(err, XTA_EBOX, 0,
                        "%s: has the lines %" PRId64 ":%" PRId64 "; lines %" PRId64 ":%" PRId64
                        " do not adjoin, want %" PRId64 ":... or ...:%" PRId64,
                        job->path, bounds->lo[0], bounds->hi[0], job->lines[0], job->lines[1],
                        bounds->hi[0], bounds->lo[0]);
    }
    return check_scale(job, err);
}

/* Append the truth of a block of lines, with the strides of consecutive pixels. */
static xta_status append_truth(making *job, const xta_growth *lines, const double *abundances,
                               cli_error *err)
{
    int64_t width = job->samples[1] - job->samples[0];
    int64_t cell = (int64_t)sizeof(double), n = (int64_t)job->library.n;
    int64_t strides[3] = {cell, width * n * cell, n * cell};
    xta_growth growth = {1, lines->side, lines->by};
    xta_io_options io = XTA_IO_OPTIONS_INIT;

    io.type = XTA_F64;
    io.strides = strides;
    return xta_array_append(job->truth, &growth, &io, abundances, NULL, &err->error);
}

static xta_status append_block(making *job, xta_side side, const int64_t lines[2], double *cells,
                               double *abundances, cli_error *err)
{
    xta_growth growth = {0, side, lines[1] - lines[0]};
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    size_t n = (size_t)((lines[1] - lines[0]) * (job->samples[1] - job->samples[0])) *
               job->library.n_bands;
    xta_status status = XTA_OK;

    io.type = XTA_F64;
    XTA_TRY(xta_synth_pixels(&job->labels, job->library.n, job->library.n_bands,
                             job->library.values, &job->how, lines, job->samples, cells, abundances,
                             &err->error));
    xta_synth_round(xta_array_type(job->scene), cells, n);
    if (job->truth != NULL) {
        XTA_TRY(append_truth(job, &growth, abundances, err));
    }
    XTA_TRY(xta_array_append(job->scene, &growth, &io, cells, NULL, &err->error));
done:
    return status;
}

static xta_status append(making *job, cli_error *err)
{
    xta_box bounds;
    xta_side side;
    size_t width, limit;
    int64_t step;
    double *cells = NULL, *abundances = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(open_arrays(job, err));
    bounds = xta_array_bounds(job->scene);
    XTA_TRY(check_scene(job, &bounds, err));
    side = job->lines[0] == bounds.hi[0] ? XTA_BACK : XTA_FRONT;
    job->samples[0] = bounds.lo[1];
    job->samples[1] = bounds.hi[1];
    width = (size_t)(bounds.hi[1] - bounds.lo[1]);
    limit = (size_t)(job->memory_bytes / 2 / sizeof(double)) /
            (width * (job->library.n_bands + job->library.n));
    // A swath is appended as a whole if memory allows: a follower then sees one step.
    step = limit < 1 ? 1 : at_most((int64_t)limit, job->lines[1] - job->lines[0]);
    cells = malloc((size_t)step * width * job->library.n_bands * sizeof *cells);
    abundances = malloc((size_t)step * width * job->library.n * sizeof *abundances);
    if (cells == NULL || abundances == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %" PRId64 " lines; lower --memory",
                          job->path, step);
        goto done;
    }
    for (int64_t n = job->lines[1] - job->lines[0], at = 0; at < n; at += step) {
        int64_t by = at_most(step, n - at);
        int64_t from = side == XTA_BACK ? job->lines[0] + at : job->lines[1] - at - by;
        int64_t lines[2] = {from, from + by};
        XTA_TRY(append_block(job, side, lines, cells, abundances, err));
    }
done:
    free(cells);
    free(abundances);
    return status;
}

/* ---- the command ---- */

static void print(const cli_args *args, const making *job)
{
    const xta_synth_options *how = &job->how;

    if (!values_of(args)->json) {
        printf("lines %" PRId64 ":%" PRId64 ", samples %" PRId64 ":%" PRId64
               ", %zu bands, %zu materials\n",
               job->lines[0], job->lines[1], job->samples[0], job->samples[1], job->library.n_bands,
               job->library.n);
        return;
    }
    printf("{\"command\": \"%s\", \"version\": \"%s\", \"out\": ", args->command->name,
           xta_version());
    cli_json_text(stdout, job->path);
    printf(", \"lines\": [%" PRId64 ", %" PRId64 "], \"samples\": [%" PRId64 ", %" PRId64
           "], \"bands\": %zu, \"materials\": %zu, \"seed\": %" PRIu64 ", \"mixing\": %d",
           job->lines[0], job->lines[1], job->samples[0], job->samples[1], job->library.n_bands,
           job->library.n, how->seed, how->mixing_radius);
    printf(", \"variation\": ");
    cli_json_real(stdout, how->variation);
    printf(", \"brightness\": ");
    cli_json_real(stdout, how->brightness);
    printf(", \"noise_db\": ");
    cli_json_real(stdout, how->noise_snr_db != 0 ? how->noise_snr_db : NAN);
    printf(", \"scale\": ");
    cli_json_real(stdout, how->scale);
    printf("}\n");
}

/* Close both arrays, and delete the new ones after a failure. */
static xta_status finish(making *job, xta_status status, cli_error *err)
{
    xta_error ignored;

    status = cli_close(job->scene, status, err);
    status = cli_close(job->truth, status, err);
    status = cli_hyper_agree(status, err);
    if (status != XTA_OK && job->made_scene) {
        (void)!xta_array_delete(job->path, &ignored);
    }
    if (status != XTA_OK && job->made_truth) {
        (void)!xta_array_delete(job->truth_path, &ignored);
    }
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    making job = {0};
    xta_status status = cli_hyper_agree(prepare(args, &job, err), err);

    if (status == XTA_OK && !job.append) {
        status = make_new(&job, err);
    } else if (status == XTA_OK) {
        status = cli_hyper_agree(cli_hyper_leads() ? append(&job, err) : XTA_OK, err);
    }
    status = finish(&job, status, err);
    if (status == XTA_OK && cli_hyper_leads()) {
        print(args, &job);
    }
    cli_spectra_clear(&job.library);
    return cli_close(job.labels.array, status, err);
}

const cli_command cli_hyper_synth = {
    .name = "hyper synth",
    .usage = "LABELS LIBRARY OUT [--lines LO:HI] [--samples LO:HI] [--bands N] [--materials N] "
             "[--type T] [--scale F] [--mixing R] [--variation F] [--brightness F] [--noise SNR] "
             "[--seed S] [--abundances ARRAY] [--append] [--json]",
    .details =
        "Makes the scene OUT (line, sample, band) from a label map, which is repeated over the "
        "plane, "
        "and a spectrum for each class: class k is spectrum k of the library, and over from the "
        "first where there are more classes; pixels of class 0 are random mixtures. A cell "
        "depends on the seed and its coordinates alone, so a scene that is made in swaths with "
        "--append is the same as one made at once. LABELS is an array or what xta import knows; "
        "LIBRARY a .csv, an ENVI library (.sli) or FILE.mat:VARIABLE.",
    .example = "  xta hyper synth Salinas_gt.mat library.sli salinas_like --type u16 \\\n"
               "      --scale 10000 --mixing 1 --noise 40 --seed 7",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(synth_options),
    .min_words = 3,
    .max_words = 3,
    .run = run,
};
