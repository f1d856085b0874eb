/* The options of xta hyper follow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/follow.h"

#include <stdlib.h>
#include <string.h>

#include "support/matrix.h"

/* ---- results to keep ---- */

static const char *const kept[] = {"basis", "ppi", "mei", "endmembers", "labels", "abundances"};

static xta_status take_keep(const cli_args *args, xta_follow_options *o, cli_error *err)
{
    const char *text = cli_follow_values_of(args)->keep;
    xta_status status = XTA_OK;

    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, ",");
        char word[32];
        size_t chosen = 0;
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), text);
        XTA_TRY(cli_hyper_choice(word, "--keep", kept, CLI_COUNT(kept), &chosen, err));
        o->keep |= 1U << chosen;
        text += text[length] == ',' ? length + 1 : length;
    }
    if (o->keep == 0) {
        o->keep = XTA_FOLLOW_ENDMEMBERS | XTA_FOLLOW_LABELS;
    }
done:
    return status;
}

/* ---- the method ---- */

static xta_status take_method(const cli_args *args, xta_follow_options *o, cli_error *err)
{
    static const char *const methods[] = {"nfindr", "sga", "vca", "ppi", "amee"};
    static const char *const labels_by[] = {"angle", "abundance"};
    const char *method = cli_follow_values_of(args)->method,
               *by = cli_follow_values_of(args)->labels_by;
    const char *unmix = cli_follow_values_of(args)->unmix;
    size_t chosen = 0;
    xta_status status = XTA_OK;

    if (method != NULL) {
        XTA_TRY(cli_hyper_choice(method, "--method", methods, CLI_COUNT(methods), &chosen, err));
    }
    o->method = (xta_follow_method)chosen;
    if (cli_has(args, "endmembers")) {
        if (method != NULL || cli_has(args, "count")) {
            return cli_usage(err, "--endmembers FILE takes the place of --method and --count");
        }
        o->method = XTA_FOLLOW_GIVEN;
    }
    chosen = 0;
    if (by != NULL) {
        XTA_TRY(cli_hyper_choice(by, "--labels-by", labels_by, CLI_COUNT(labels_by), &chosen, err));
    }
    o->label_by_abundance = chosen == 1;
    if (unmix != NULL) {
        XTA_TRY(xta_unmix_method_parse(unmix, &o->unmix, &err->error));
    }
    o->regions = cli_follow_values_of(args)->regions;
    o->normalise = cli_follow_values_of(args)->normalise;
    o->noise = cli_follow_values_of(args)->noise;
    o->again = cli_has(args, "again");
done:
    return status;
}

static xta_status read_numbers(const cli_args *args, xta_follow_options *o, cli_error *err)
{
    static const double distances[] = {0, 1e300};
    const cli_follow_values *values = cli_follow_values_of(args);
    xta_status status = XTA_OK;

    XTA_TRY(cli_hyper_real_option(args, "threshold", distances, 0, &o->threshold, err));
    o->seed = cli_hyper_seed(args);
    o->n_endmembers = (size_t)values->count;
    o->n_restarts = (uint32_t)values->restarts;
    o->max_sweeps = (uint32_t)values->sweeps;
    o->n_skewers = (size_t)values->projections;
    o->least = (uint64_t)values->least;
    o->radius = (int)values->radius;
    o->iterations = (int)values->iterations;
    o->n_components = (size_t)values->components;
    if ((o->keep & ~(unsigned)(XTA_FOLLOW_BASIS | XTA_FOLLOW_PPI | XTA_FOLLOW_MEI)) != 0 &&
        o->method != XTA_FOLLOW_GIVEN && values->count == 0) {
        status = cli_usage(err, "--count is missing: say how many endmembers are wanted, or --keep "
                                "only what needs none");
    }
done:
    return status;
}

xta_status cli_follow_take(const cli_args *args, cli_follow *follow, cli_error *err)
{
    static const double seconds[] = {0, 1e6};
    xta_follow_options *o = &follow->options;
    xta_status status = XTA_OK;

    *o = (xta_follow_options)XTA_FOLLOW_OPTIONS_INIT;
    XTA_TRY(take_keep(args, o, err));
    XTA_TRY(take_method(args, o, err));
    XTA_TRY(read_numbers(args, o, err));
    XTA_TRY(cli_hyper_real_option(args, "interval", seconds, 1, &follow->interval, err));
    follow->until_lines = cli_hyper_count_option(args, "until-lines", 0);
    follow->once = cli_has(args, "once");
    if (cli_has(args, "as-of") && !follow->once) {
        return cli_usage(err, "--as-of shows a scene that does not grow; give --once with it");
    }
done:
    return status;
}

/* Whether no result depends on the lengths of the endmembers. */
static bool only_shapes(const xta_follow_options *o)
{
    bool unmixes = (o->keep & XTA_FOLLOW_ABUNDANCES) != 0 || o->label_by_abundance;

    return o->normalise || !unmixes;
}

xta_status cli_follow_prepare(const cli_args *args, const cli_scene *scene, cli_follow *follow,
                              cli_error *err)
{
    const char *endmembers = cli_follow_values_of(args)->endmembers,
               *skewers = cli_follow_values_of(args)->skewers;
    const char *basis = cli_follow_values_of(args)->basis;
    xta_follow_options *o = &follow->options;
    xta_status status = XTA_OK;

    if (endmembers != NULL) {
        XTA_TRY(cli_spectra_read(endmembers, &follow->given, err));
        XTA_TRY(cli_spectra_fit(&follow->given, scene, only_shapes(o), err));
        cli_notes_print(args, &follow->given.notes);
        o->n_endmembers = follow->given.n;
        o->endmembers = follow->given.values;
    }
    if (skewers != NULL) {
        XTA_TRY(cli_matrix_read(skewers, &follow->skewers, &o->n_skewers, &o->n_dims, err));
        o->skewers = follow->skewers;
    }
    if (basis != NULL && strcmp(basis, "full") != 0) {
        XTA_TRY(xta_basis_read(basis, &follow->basis, &err->error));
        XTA_TRY(cli_basis_check(basis, follow->basis, scene, err));
        o->basis = follow->basis;
    }
done:
    return cli_hyper_agree(status, err);
}

void cli_follow_clear(cli_follow *follow)
{
    cli_spectra_clear(&follow->given);
    free(follow->skewers);
    xta_basis_free(follow->basis);
    *follow = (cli_follow){0};
}
