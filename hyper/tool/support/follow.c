/* The options of xta hyper follow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/follow.h"

#include <stdlib.h>
#include <string.h>

#include "support/matrix.h"

/* ---- what is kept ---- */

static const char *const kept[] = {"basis", "ppi", "mei", "endmembers", "labels", "abundances"};

static xta_status take_keep(const cli_args *args, xta_follow_options *o, cli_error *err)
{
    const char *text = cli_get(args, "keep");
    xta_status status = XTA_OK;

    while (text != NULL && *text != '\0') {
        const size_t length = strcspn(text, ",");
        char word[32];
        size_t chosen = 0;
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), text);
        CLI_TRY(cli_hyper_choice(word, "--keep", kept, CLI_COUNT(kept), &chosen, err));
        o->keep |= 1U << chosen;
        text += text[length] == ',' ? length + 1 : length;
    }
    if (o->keep == 0) {
        o->keep = XTA_FOLLOW_ENDMEMBERS | XTA_FOLLOW_LABELS;
    }
done:
    return status;
}

/* ---- how ---- */

static xta_status take_method(const cli_args *args, xta_follow_options *o, cli_error *err)
{
    static const char *const methods[] = {"nfindr", "sga", "vca", "ppi", "amee"};
    static const char *const ways[] = {"angle", "abundance"};
    const char *method = cli_get(args, "method"), *by = cli_get(args, "labels-by");
    const char *unmix = cli_get(args, "unmix");
    size_t chosen = 0;
    xta_status status = XTA_OK;

    if (method != NULL) {
        CLI_TRY(cli_hyper_choice(method, "--method", methods, CLI_COUNT(methods), &chosen, err));
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
        CLI_TRY(cli_hyper_choice(by, "--labels-by", ways, CLI_COUNT(ways), &chosen, err));
    }
    o->label_by_abundance = chosen == 1;
    if (unmix != NULL) {
        CLI_TRY(xta_unmix_method_parse(unmix, &o->unmix, &err->error));
    }
    o->regions = cli_has(args, "regions");
    o->normalise = cli_has(args, "normalise");
    o->noise = cli_has(args, "noise");
    o->again = cli_has(args, "again");
done:
    return status;
}

/* A count that has to fit the type it goes to. */
static xta_status take_count(const cli_args *args, const char *name, int64_t least, int64_t most,
                             int64_t *value, cli_error *err)
{
    xta_status status = cli_hyper_count_option(args, name, least, 0, value, err);

    if (status == XTA_OK && *value > most) {
        status = cli_usage(err, "--%s: %s is too many; want at most %lld", name,
                           cli_get(args, name), (long long)most);
    }
    return status;
}

static xta_status take_numbers(const cli_args *args, xta_follow_options *o, cli_error *err)
{
    static const double distances[] = {0, 1e300};
    int64_t count = 0, restarts = 0, sweeps = 0, projections = 0, least = 0, radius = 0;
    int64_t iterations = 0, components = 0;
    xta_status status = XTA_OK;

    CLI_TRY(take_count(args, "count", 1, 65535, &count, err));
    CLI_TRY(take_count(args, "restarts", 0, 10000, &restarts, err));
    CLI_TRY(take_count(args, "sweeps", 1, 1000000, &sweeps, err));
    CLI_TRY(take_count(args, "projections", 1, 100000000, &projections, err));
    CLI_TRY(take_count(args, "least", 1, INT64_MAX, &least, err));
    CLI_TRY(take_count(args, "radius", 1, 15, &radius, err));
    CLI_TRY(take_count(args, "iterations", 1, 64, &iterations, err));
    CLI_TRY(take_count(args, "components", 1, 65536, &components, err));
    CLI_TRY(cli_hyper_real_option(args, "threshold", distances, 0, &o->threshold, err));
    CLI_TRY(cli_hyper_seed(args, &o->seed, err));
    o->n_endmembers = (size_t)count;
    o->n_restarts = (uint32_t)restarts;
    o->max_sweeps = (uint32_t)sweeps;
    o->n_skewers = (size_t)projections;
    o->least = (uint64_t)least;
    o->radius = (int)radius;
    o->iterations = (int)iterations;
    o->n_components = (size_t)components;
    if ((o->keep & ~(unsigned)(XTA_FOLLOW_BASIS | XTA_FOLLOW_PPI | XTA_FOLLOW_MEI)) != 0 &&
        o->method != XTA_FOLLOW_GIVEN && count == 0) {
        status = cli_usage(err, "--count is missing: say how many endmembers are wanted, or --keep "
                                "only what needs none");
    }
done:
    return status;
}

xta_status cli_follow_take(const cli_args *args, cli_follow *wish, cli_error *err)
{
    static const double seconds[] = {0, 1e6};
    xta_follow_options *o = &wish->options;
    xta_status status = XTA_OK;

    *o = (xta_follow_options)XTA_FOLLOW_OPTIONS_INIT;
    CLI_TRY(take_keep(args, o, err));
    CLI_TRY(take_method(args, o, err));
    CLI_TRY(take_numbers(args, o, err));
    CLI_TRY(cli_hyper_real_option(args, "interval", seconds, 1, &wish->interval, err));
    CLI_TRY(cli_hyper_count_option(args, "until-lines", 1, 0, &wish->until_lines, err));
    wish->once = cli_has(args, "once");
    if (cli_has(args, "as-of") && !wish->once) {
        return cli_usage(err, "--as-of shows a scene that does not grow; give --once with it");
    }
done:
    return status;
}

/* Whether nothing depends on how long the endmembers are. */
static bool only_shapes(const xta_follow_options *o)
{
    bool unmixes = (o->keep & XTA_FOLLOW_ABUNDANCES) != 0 || o->label_by_abundance;

    return o->normalise || !unmixes;
}

xta_status cli_follow_prepare(const cli_args *args, const cli_scene *scene, cli_follow *wish,
                              cli_error *err)
{
    const char *endmembers = cli_get(args, "endmembers"), *skewers = cli_get(args, "skewers");
    const char *basis = cli_get(args, "basis");
    xta_follow_options *o = &wish->options;
    xta_status status = XTA_OK;

    if (endmembers != NULL) {
        CLI_TRY(cli_spectra_read(endmembers, &wish->given, err));
        CLI_TRY(cli_spectra_fit(&wish->given, scene, only_shapes(o), err));
        cli_notes_print(args, &wish->given.notes);
        o->n_endmembers = wish->given.n;
        o->endmembers = wish->given.values;
    }
    if (skewers != NULL) {
        CLI_TRY(cli_matrix_read(skewers, &wish->skewers, &o->n_skewers, &o->n_dims, err));
        o->skewers = wish->skewers;
    }
    if (basis != NULL && strcmp(basis, "full") != 0) {
        CLI_TRY(xta_basis_read(basis, &wish->basis, &err->error));
        CLI_TRY(cli_basis_check(basis, wish->basis, scene, err));
        o->basis = wish->basis;
    }
done:
    return cli_hyper_agree(status, err);
}

void cli_follow_clear(cli_follow *wish)
{
    cli_spectra_clear(&wish->given);
    free(wish->skewers);
    xta_basis_free(wish->basis);
    *wish = (cli_follow){0};
}
