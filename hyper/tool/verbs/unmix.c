/* xta hyper unmix: how much of each endmember is in each pixel of a scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "verbs/verbs.h"

#include <inttypes.h>
#include <stdlib.h>

#include <xta/unmix.h>

#include "kit/print/describe.h"
#include "support/fit.h"
#include "support/maps.h"

/* Values of the options. */
typedef struct unmix_options {
    const char *method;
    bool normalise;
    const char *residual;
    cli_scene_values scene_values;
} unmix_options;

static const cli_option options[] = {
    CLI_STRING(unmix_options, method, "method", "M",
               "fcls (default): not negative, sum of one; nnls, scls, ucls: less of these"),
    CLI_FLAG(unmix_options, normalise, "normalise",
             "unmix shapes: pixels and endmembers scaled to length one"),
    CLI_STRING(unmix_options, residual, "residual", "ARRAY",
               "put the root mean square of what remains of each pixel there"),
    CLI_SCENE_OPTIONS(unmix_options),
};

static const unmix_options *values_of(const cli_args *args)
{
    return args->values;
}

/* State of a run. Start from zeros. */
typedef struct unmixing {
    cli_scene scene;
    cli_spectra endmembers;
    xta_unmix_options how;
    xta_unmixer *unmixer;
    cli_map abundances, residual;
    double *mean; // mean abundance of each endmember
    uint64_t *n_pixels;
    double mean_residual;
    uint64_t n_residuals;
} unmixing;

/* The steps that every process does independently. */
static xta_status prepare(const cli_args *args, unmixing *job, cli_error *err)
{
    const char *method = values_of(args)->method;
    xta_status status = XTA_OK;

    job->how = (xta_unmix_options)XTA_UNMIX_OPTIONS_INIT;
    job->how.normalise = values_of(args)->normalise;
    if (method != NULL && xta_unmix_method_parse(method, &job->how.method, &err->error) != XTA_OK) {
        return cli_usage(err, "--method: \"%s\" is none of fcls, nnls, scls or ucls", method);
    }
    XTA_TRY(cli_spectra_read(args->words[1], &job->endmembers, err));
    XTA_TRY(cli_spectra_fit(&job->endmembers, &job->scene, job->how.normalise, err));
    job->how.names = (const char *const *)job->endmembers.names;
    status = xta_unmixer_new(job->endmembers.n, job->endmembers.n_bands, job->endmembers.values,
                             &job->how, &job->unmixer, &err->error);
    XTA_TRY(cli_hyper_named(args->words[1], status, err));
    job->mean = calloc(job->endmembers.n, sizeof job->mean[0]);
    job->n_pixels = calloc(job->endmembers.n, sizeof job->n_pixels[0]);
    if (job->mean == NULL || job->n_pixels == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu means", job->endmembers.n);
    }
done:
    return status;
}

static xta_status begin_maps(const cli_args *args, unmixing *job, cli_error *err)
{
    xta_scene_map_options map = XTA_SCENE_MAP_OPTIONS_INIT;
    xta_status status = XTA_OK;

    map.path = args->words[2];
    map.n_layers = job->endmembers.n;
    map.layer_axis = "endmember";
    map.layer_names = job->how.names;
    map.title = "abundances";
    XTA_TRY(cli_map_begin(&job->scene, &map, &job->abundances, err));
    map = (xta_scene_map_options)XTA_SCENE_MAP_OPTIONS_INIT;
    map.path = values_of(args)->residual;
    map.title = "residual of unmixing";
    XTA_TRY(cli_map_begin(&job->scene, &map, &job->residual, err));
done:
    return status;
}

static xta_status sum_up(unmixing *job, cli_error *err)
{
    uint64_t memory_bytes = job->scene.memory_bytes;
    xta_status status = XTA_OK;

    XTA_TRY(cli_map_means(job->abundances.array, memory_bytes, job->endmembers.n, job->mean,
                          job->n_pixels, err));
    if (job->residual.array != NULL) {
        XTA_TRY(cli_map_means(job->residual.array, memory_bytes, 1, &job->mean_residual,
                              &job->n_residuals, err));
    }
done:
    return status;
}

static void print_json(const cli_args *args, const unmixing *job)
{
    printf("{");
    cli_json_head(stdout, args, &job->scene);
    printf("\"method\": \"%s\", \"normalised\": %s, \"pixels\": %" PRIu64 ", \"abundances\": ",
           xta_unmix_method_name(job->how.method), job->how.normalise ? "true" : "false",
           job->n_pixels[0]);
    cli_json_text(stdout, args->words[2]);
    printf(", \"endmembers\": [");
    for (size_t k = 0; k < job->endmembers.n; k++) {
        printf("%s{\"name\": ", k > 0 ? ", " : "");
        cli_json_text(stdout, job->endmembers.names[k]);
        printf(", \"mean_abundance\": ");
        cli_json_real(stdout, job->mean[k]);
        printf("}");
    }
    printf("], \"library_factor\": ");
    cli_json_real(stdout, job->endmembers.factor != 0 ? job->endmembers.factor : 1);
    printf(", ");
    cli_notes_json(stdout, &job->endmembers.notes);
    printf(", \"residual\": ");
    if (job->residual.path != NULL) {
        cli_json_text(stdout, job->residual.path);
        printf(", \"mean_residual\": ");
        cli_json_real(stdout, job->mean_residual);
    } else {
        printf("null");
    }
    printf("}\n");
}

static void print(const cli_args *args, const unmixing *job)
{
    if (values_of(args)->scene_values.json) {
        print_json(args, job);
        return;
    }
    printf("%-20s %s\n", "endmember", "mean abundance");
    for (size_t k = 0; k < job->endmembers.n; k++) {
        printf("%-20s %.6f\n", job->endmembers.names[k], job->mean[k]);
    }
    printf("%" PRIu64 " of %zu pixels unmixed by %s%s\n", job->n_pixels[0],
           cli_scene_n_pixels(&job->scene), xta_unmix_method_name(job->how.method),
           job->how.normalise ? ", normalised" : "");
    if (job->residual.path != NULL) {
        printf("mean residual %.6g\n", job->mean_residual);
    }
}

static xta_status run(const cli_args *args, cli_error *err)
{
    unmixing job = {0};
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;
    xta_status status = XTA_OK;

    XTA_TRY(cli_scene_open_with(args, args->words[0], args->words[1], &job.scene, err));
    XTA_TRY(cli_hyper_agree(prepare(args, &job, err), err));
    cli_notes_print(args, &job.endmembers.notes);
    XTA_TRY(begin_maps(args, &job, err));
    maps.abundances = job.abundances.array;
    maps.residual = job.residual.array;
    XTA_TRY(xta_unmix_scene(job.scene.scene, NULL, job.unmixer, &maps, &err->error));
    XTA_TRY(cli_map_settle(&job.abundances, err));
    XTA_TRY(cli_map_settle(&job.residual, err));
    if (cli_hyper_leads()) {
        status = sum_up(&job, err);
    }
    status = cli_hyper_agree(status, err);
done:
    status = cli_map_end(&job.abundances, status, err);
    status = cli_map_end(&job.residual, status, err);
    if (status == XTA_OK && cli_hyper_leads()) {
        cli_hyper_meter_end(&job.scene.meter);
        print(args, &job);
    }
    xta_unmixer_free(job.unmixer);
    cli_spectra_clear(&job.endmembers);
    free(job.mean);
    free(job.n_pixels);
    return cli_scene_close(&job.scene, status, err);
}

const cli_command cli_hyper_unmix = {
    .name = "hyper unmix",
    .usage = "SCENE ENDMEMBERS OUT [--method M] [--normalise] [--residual ARRAY] [--json] "
             "[--memory SIZE] [--threads N] ...",
    .details =
        "Takes each pixel for a sum of the endmembers and puts their shares, the least squares, "
        "into the new array OUT (endmember, line, sample; f32; NaN where a pixel has no data). "
        "ENDMEMBERS is a .csv, an ENVI library (.sli) or FILE.mat:VARIABLE. If it has "
        "wavelengths and so has the scene, it is brought to the bands of the scene; otherwise it "
        "must have as many bands as are in use, or as the array has; --use-bands overlap leaves "
        "out "
        "the bands that it does not cover. It is brought to the scale of the scene where scales "
        "are known. fcls wants shares that are "
        "not "
        "negative and sum to one, nnls only the first, scls only the second, ucls neither. Where "
        "light and shadow matter more than the mixture, --normalise helps.",
    .example = "  xta hyper unmix samson spectra.csv abundances --method fcls",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(unmix_options),
    .min_words = 3,
    .max_words = 3,
    .run = run,
};
