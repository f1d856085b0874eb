/* xta hyper count: how many endmembers a scene may have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "verbs/verbs.h"

#include <inttypes.h>
#include <string.h>

#include "support/basis.h"

/* Values of the options. */
typedef struct count_options {
    cli_scene_values scene_values;
} count_options;

static const cli_option options[] = {
    CLI_LIST("false-alarm", "P",
             "probability of a false alarm for hfc (1e-2, 1e-3, 1e-4 and 1e-5)"),
    CLI_SCENE_OPTIONS(count_options),
};

static const count_options *values_of(const cli_args *args)
{
    return args->values;
}

/* Largest number of rates. */
#define MOST_RATES 16

typedef struct counting {
    double rate[MOST_RATES];
    size_t hfc[MOST_RATES];
    size_t n_rates, hysime;
    xta_moments_info info;
} counting;

static xta_status take_rates(const cli_args *args, counting *job, cli_error *err)
{
    static const double usual[] = {1e-2, 1e-3, 1e-4, 1e-5};
    xta_status status = XTA_OK;

    for (int k = 0; k < args->n_given; k++) {
        const char *text = args->given[k].value;
        double rate;
        if (strcmp(args->given[k].option->name, "false-alarm") != 0) {
            continue;
        }
        if (job->n_rates == MOST_RATES) {
            return cli_usage(err, "--false-alarm: more than %d rates", MOST_RATES);
        }
        XTA_TRY(cli_parse_real(text, "--false-alarm", &rate, err));
        if (!(rate > 0 && rate < 1)) {
            return cli_usage(err, "--false-alarm: %s is no probability; want above 0 and below 1",
                             text);
        }
        job->rate[job->n_rates++] = rate;
    }
    for (size_t k = 0; !cli_has(args, "false-alarm") && k < CLI_COUNT(usual); k++) {
        job->rate[job->n_rates++] = usual[k];
    }
done:
    return status;
}

static xta_status count(const xta_moments *moments, counting *job, cli_error *err)
{
    xta_status status = XTA_OK;

    job->info = xta_moments_inquire(moments);
    for (size_t k = 0; k < job->n_rates; k++) {
        XTA_TRY(xta_count_hfc(moments, job->rate[k], &job->hfc[k], &err->error));
    }
    XTA_TRY(xta_count_hysime(moments, &job->hysime, &err->error));
done:
    return status;
}

static void print(const cli_args *args, const counting *job, const cli_scene *scene)
{
    if (!values_of(args)->scene_values.json) {
        for (size_t k = 0; k < job->n_rates; k++) {
            printf("hfc %g: %zu\n", job->rate[k], job->hfc[k]);
        }
        printf("hysime: %zu\n", job->hysime);
        printf("hints, often too high; of %" PRIu64 " pixels, %zu bands\n", job->info.n_pixels,
               job->info.n_bands);
        return;
    }
    printf("{");
    cli_json_head(stdout, args, scene);
    printf("\"pixels\": %" PRIu64 ", \"hfc\": [", job->info.n_pixels);
    for (size_t k = 0; k < job->n_rates; k++) {
        printf("%s{\"false_alarm\": ", k > 0 ? ", " : "");
        cli_json_real(stdout, job->rate[k]);
        printf(", \"count\": %zu}", job->hfc[k]);
    }
    printf("], \"hysime\": %zu}\n", job->hysime);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    xta_moments *moments = NULL;
    cli_scene scene = {0};
    counting job = {0};
    xta_status status = XTA_OK;

    XTA_TRY(cli_hyper_agree(take_rates(args, &job, err), err));
    XTA_TRY(cli_scene_open(args, args->words[0], &scene, err));
    XTA_TRY(cli_moments_of(&scene, false, &moments, err));
    status = cli_hyper_named(scene.info.name, count(moments, &job, err), err);
    XTA_TRY(cli_hyper_agree(status, err));
    if (cli_hyper_leads()) {
        cli_hyper_meter_end(&scene.meter);
        print(args, &job, &scene);
    }
done:
    xta_moments_free(moments);
    return cli_scene_close(&scene, status, err);
}

const cli_command cli_hyper_count = {
    .name = "hyper count",
    .usage = "SCENE [--false-alarm P]... [--json] [--memory SIZE] [--threads N] ...",
    .details =
        "Estimates the number of endmembers by the method of Harsanyi, Farrand and Chang, for one "
        "or "
        "several probabilities of a false alarm, and by HySime. Both are hints and often too high: "
        "how many are looked for stays your choice.",
    .example = "  xta hyper count samson --false-alarm 1e-3",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(count_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
