/* xta hyper pct: the principal components of a scene, or its minimum noise fraction.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "verbs/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "kit/print/describe.h"
#include "support/basis.h"
#include "support/maps.h"

/* Values of the options. */
typedef struct pct_options {
    int64_t components;
    bool mnf;
    bool uncentred;
    const char *basis;
    cli_scene_values scene_values;
} pct_options;

static const cli_option options[] = {
    CLI_INT(pct_options, components, "components", "D", 1, INT64_MAX, NULL,
            "how many (10, or as many as there are bands)"),
    CLI_FLAG(pct_options, mnf, "mnf",
             "minimum noise fraction: noise of variance one in every component"),
    CLI_FLAG(pct_options, uncentred, "uncentred",
             "about the origin: angles between spectra survive"),
    CLI_STRING(
        pct_options, basis, "basis", "FILE",
        "use the basis in this file, whatever the scene is now; if it is not there, write it"),
    CLI_SCENE_OPTIONS(pct_options),
};

static const pct_options *values_of(const cli_args *args)
{
    return args->values;
}

/* Number of components without --components. */
#define COMPONENTS 10

/* State of a run. Start from zeros. */
typedef struct projecting {
    cli_scene scene;
    xta_basis *basis;
    cli_map map;
    const char *file;
    bool frozen; // the basis is read from the file
} projecting;

/* Collective. Read the basis; either all processes find it or none does. */
static xta_status read_basis(const cli_args *args, projecting *job, cli_error *err)
{
    static const char *const of_new[] = {"components", "mnf", "uncentred"};
    xta_status status = XTA_OK;

    for (size_t k = 0; k < CLI_COUNT(of_new) && status == XTA_OK; k++) {
        if (cli_has(args, of_new[k])) {
            status = cli_usage(
                err, "--%s: the basis in %s is what it is; leave it out, or name another file",
                of_new[k], job->file);
        }
    }
    if (status == XTA_OK) {
        status = cli_basis_read(job->file, &job->basis, err);
    }
    if (status == XTA_OK) {
        status = cli_basis_check(job->file, job->basis, &job->scene, err);
    }
    return cli_hyper_agree(status, err);
}

static xta_status make_basis(const cli_args *args, projecting *job, cli_error *err)
{
    cli_basis_spec spec = {.mnf = values_of(args)->mnf, .uncentred = values_of(args)->uncentred};
    int64_t n_components = 0, n_bands = (int64_t)job->scene.info.n_bands;
    xta_status status = XTA_OK;

    status = spec.mnf && spec.uncentred
                 ? cli_usage(err, "--mnf and --uncentred exclude one another")
                 : XTA_OK;
    n_components =
        cli_hyper_count_option(args, "components", n_bands < COMPONENTS ? n_bands : COMPONENTS);
    XTA_TRY(cli_hyper_agree(status, err));
    spec.n_components = (size_t)n_components;
    XTA_TRY(cli_basis_make(&job->scene, &spec, &job->basis, err));
    if (job->file != NULL && cli_hyper_leads()) {
        status = xta_basis_write(job->basis, job->file, &err->error);
    }
    status = cli_hyper_agree(status, err);
done:
    return status;
}

static void print(const cli_args *args, const projecting *job)
{
    xta_basis_info is = xta_basis_inquire(job->basis);
    double total = 0, sum = 0;

    for (size_t k = 0; k < is.n_bands; k++) {
        total += fmax(is.eigenvalues[k], 0);
    }
    if (!values_of(args)->scene_values.json) {
        printf("%-9s %-14s of all\n", "component", "eigenvalue");
        for (size_t k = 0; k < is.n_components; k++) {
            sum += fmax(is.eigenvalues[k], 0);
            printf("%-9zu %-14.6g ", k + 1, is.eigenvalues[k]);
            if (total > 0) {
                printf("%.4f %%\n", 100 * sum / total);
            } else {
                printf("-\n");
            }
        }
        printf("%s, %s\n", is.kind, job->frozen ? "frozen" : "of the present scene");
        return;
    }
    printf("{");
    cli_json_head(stdout, args, &job->scene);
    printf("\"out\": ");
    cli_json_text(stdout, args->words[1]);
    printf(", \"kind\": \"%s\", \"frozen\": %s, \"basis\": ", is.kind,
           job->frozen ? "true" : "false");
    if (job->file != NULL) {
        cli_json_text(stdout, job->file);
    } else {
        printf("null");
    }
    printf(", \"components\": %zu, \"eigenvalues\": ", is.n_components);
    cli_json_reals(stdout, is.eigenvalues, is.n_bands);
    printf("}\n");
}

static xta_status run(const cli_args *args, cli_error *err)
{
    projecting job = {.file = values_of(args)->basis};
    xta_scene_map_options map = XTA_SCENE_MAP_OPTIONS_INIT;
    xta_status status = XTA_OK;

    XTA_TRY(cli_scene_open(args, args->words[0], &job.scene, err));
    job.frozen = job.file != NULL && access(job.file, F_OK) == 0;
    XTA_TRY(job.frozen ? read_basis(args, &job, err) : make_basis(args, &job, err));
    map.path = args->words[1];
    map.n_layers = xta_basis_inquire(job.basis).n_components;
    map.layer_axis = "component";
    map.title = xta_basis_inquire(job.basis).kind;
    XTA_TRY(cli_map_begin(&job.scene, &map, &job.map, err));
    XTA_TRY(xta_basis_project(job.basis, job.scene.scene, NULL, job.map.array, &err->error));
done:
    status = cli_map_end(&job.map, status, err);
    if (status == XTA_OK && cli_hyper_leads()) {
        cli_hyper_meter_end(&job.scene.meter);
        print(args, &job);
    }
    xta_basis_free(job.basis);
    return cli_scene_close(&job.scene, status, err);
}

const cli_command cli_hyper_pct = {
    .name = "hyper pct",
    .usage = "SCENE OUT [--components D] [--mnf] [--uncentred] [--basis FILE] [--json] "
             "[--memory SIZE] [--threads N] ...",
    .details =
        "Puts the first principal components of a scene into the new array OUT (component, line, "
        "sample; f32; NaN where a pixel has no data). The basis turns with every pixel that comes, "
        "so "
        "after an append all components are different. --basis FILE freezes it: the first run "
        "writes the file, later runs use it, and old pixels keep their components.",
    .example = "  xta hyper pct samson components --components 3 --basis samson.basis",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(pct_options),
    .min_words = 2,
    .max_words = 2,
    .run = run,
};
