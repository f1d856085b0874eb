/* xta hyper score: labels against classes, endmembers and abundances against references.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "verbs/verbs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "kit/print/describe.h"
#include "support/accuracy.h"
#include "support/labels.h"
#include "support/matching.h"

/* Values of the options. */
typedef struct score_options {
    bool same;
    const char *truth_at;
    const char *endmembers;
    const char *reference;
    const char *abundances;
    const char *truth_abundances;
    const char *scene;
    bool normalise;
    cli_scene_values scene_values;
} score_options;

static const cli_option options[] = {
    CLI_FLAG(score_options, same, "same",
             "label k is class k; without it labels are matched to classes one to one"),
    CLI_TRUTH_AT(score_options),
    CLI_STRING(score_options, endmembers, "endmembers", "E",
               "score these spectra: .csv, .sli or FILE.mat:VARIABLE"),
    CLI_STRING(score_options, reference, "reference", "R", "against these"),
    CLI_STRING(score_options, abundances, "abundances", "A",
               "an array with a layer for each endmember"),
    CLI_STRING(score_options, truth_abundances, "truth-abundances", "B",
               "and what they should be, with a layer for each reference"),
    CLI_STRING(score_options, scene, "scene", "S",
               "with --abundances: how well they make up this scene"),
    CLI_FLAG(score_options, normalise, "normalise",
             "with --scene: of pixels and endmembers scaled to length one"),
    CLI_SCENE_OPTIONS(score_options),
};

static const score_options *values_of(const cli_args *args)
{
    return args->values;
}

/* Check which options can be combined. */
static xta_status check(const cli_args *args, cli_error *err)
{
    static const char *const of_spectra[] = {"reference", "abundances", "truth-abundances", "scene",
                                             "normalise"};

    if (values_of(args)->endmembers == NULL && args->n_words != 2) {
        return cli_usage(err, "want LABELS TRUTH, or --endmembers E --reference R");
    }
    if ((values_of(args)->endmembers != NULL) && args->n_words != 0) {
        return cli_usage(err, "\"%s\": give either LABELS TRUTH or --endmembers", args->words[0]);
    }
    for (size_t k = 0; k < CLI_COUNT(of_spectra); k++) {
        if (cli_has(args, of_spectra[k]) && values_of(args)->endmembers == NULL) {
            return cli_usage(err, "--%s belongs to --endmembers", of_spectra[k]);
        }
    }
    if (values_of(args)->endmembers == NULL) {
        return XTA_OK;
    }
    if (values_of(args)->reference == NULL) {
        return cli_usage(err, "--endmembers needs something to compare with: --reference R");
    }
    if ((values_of(args)->truth_abundances != NULL) && values_of(args)->abundances == NULL) {
        return cli_usage(err, "--truth-abundances needs --abundances A");
    }
    if ((values_of(args)->abundances != NULL) && values_of(args)->truth_abundances == NULL &&
        values_of(args)->scene == NULL) {
        return cli_usage(err, "--abundances needs --truth-abundances B, or --scene S");
    }
    if ((values_of(args)->scene != NULL) && values_of(args)->abundances == NULL) {
        return cli_usage(err, "--scene needs --abundances A");
    }
    return XTA_OK;
}

/* ---- labels ---- */

static xta_status score_labels(const cli_args *args, cli_error *err)
{
    xta_label_map labels = {0}, truth = {0};
    xta_confusion *confusion = NULL;
    xta_accuracy accuracy = {0};
    const char *names;
    cli_area area;
    xta_status status = XTA_OK;

    XTA_TRY(cli_labels_open(args->words[0], &labels, &area, err));
    XTA_TRY(cli_truth_open(args, args->words[1], &area, &truth, err));
    XTA_TRY(xta_confusion_new(&confusion, &err->error));
    XTA_TRY(cli_labels_count(&labels, &truth, &area, confusion, err));
    status =
        xta_confusion_read(confusion, values_of(args)->same ? XTA_MATCH_SAME : XTA_MATCH_ONE_TO_ONE,
                           &accuracy, &err->error);
    XTA_TRY(cli_hyper_named(args->words[1], status, err));
    names = cli_class_names(truth.array);
    if (values_of(args)->scene_values.json) {
        printf("{\"command\": \"%s\", \"version\": \"%s\", \"labels\": ", args->command->name,
               xta_version());
        cli_json_text(stdout, args->words[0]);
        printf(", \"truth\": ");
        cli_json_text(stdout, args->words[1]);
        printf(", \"score\": ");
        cli_accuracy_json(stdout, &accuracy, names);
        printf("}\n");
    } else {
        cli_accuracy_print(stdout, &accuracy, names);
    }
done:
    xta_accuracy_clear(&accuracy);
    xta_confusion_free(confusion);
    status = cli_close(labels.array, status, err);
    return cli_close(truth.array, status, err);
}

/* ---- spectra ---- */

static void print_json(const cli_args *args, const cli_matching *matching)
{
    const xta_endmember_score *score = &matching->score;

    printf("{\"command\": \"%s\", \"version\": \"%s\", \"endmembers\": ", args->command->name,
           xta_version());
    cli_json_text(stdout, matching->endmembers.path);
    printf(", \"reference\": ");
    cli_json_text(stdout, matching->references.path);
    printf(", \"matches\": [");
    for (size_t k = 0; k < score->n_references; k++) {
        printf("%s{\"reference\": ", k > 0 ? ", " : "");
        cli_json_text(stdout, matching->references.names[k]);
        printf(", \"endmember\": ");
        if (score->endmember_of[k] >= 0) {
            cli_json_text(stdout, matching->endmembers.names[score->endmember_of[k]]);
        } else {
            printf("null");
        }
        printf(", \"sad\": ");
        cli_json_real(stdout, score->angle[k]);
        printf("}");
    }
    printf("], \"mean_sad\": ");
    cli_json_real(stdout, score->mean);
    printf(", \"max_sad\": ");
    cli_json_real(stdout, score->max);
    printf(", \"abundance_rmse\": ");
    cli_json_real(stdout, xta_rms_value(&matching->abundances));
    printf(", \"reconstruction_rmse\": ");
    cli_json_real(stdout, xta_rms_value(&matching->rebuilt));
    printf(", ");
    cli_notes_json(stdout, &matching->notes);
    printf("}\n");
}

static void print(const cli_args *args, const cli_matching *matching)
{
    const xta_endmember_score *score = &matching->score;

    printf("%-20s %-20s SAD (rad)\n", "reference", "endmember");
    for (size_t k = 0; k < score->n_references; k++) {
        int64_t endmember = score->endmember_of[k];
        printf("%-20s %-20s", matching->references.names[k],
               endmember >= 0 ? matching->endmembers.names[endmember] : "-");
        if (endmember >= 0) {
            printf(" %.4f", score->angle[k]);
        }
        printf("\n");
    }
    printf("mean SAD %.4f, largest %.4f\n", score->mean, score->max);
    if (values_of(args)->truth_abundances != NULL) {
        printf("aRMSE %.4f over %" PRIu64 " abundances\n", xta_rms_value(&matching->abundances),
               matching->abundances.n);
    }
    if (values_of(args)->scene != NULL) {
        printf("rRMSE %.6g over %" PRIu64 " cells%s\n", xta_rms_value(&matching->rebuilt),
               matching->rebuilt.n, values_of(args)->normalise ? " of pixels of length one" : "");
    }
}

static xta_status score_spectra(const cli_args *args, cli_error *err)
{
    const char *use = cli_get(args, "use-bands");
    bool overlap = use != NULL && strcmp(use, CLI_OVERLAP) == 0;
    cli_matching matching = {0};
    const char *abundances = values_of(args)->abundances;
    xta_status status = XTA_OK;

    XTA_TRY(cli_matching_begin(&matching, values_of(args)->endmembers, values_of(args)->reference,
                               overlap, err));
    if (values_of(args)->truth_abundances != NULL) {
        XTA_TRY(cli_matching_abundances(&matching, args, abundances,
                                        values_of(args)->truth_abundances, err));
    }
    if (values_of(args)->scene != NULL) {
        XTA_TRY(cli_matching_rebuild(&matching, args, values_of(args)->scene, abundances,
                                     values_of(args)->normalise, err));
    }
    cli_notes_print(args, &matching.notes);
    if (values_of(args)->scene_values.json) {
        print_json(args, &matching);
    } else {
        print(args, &matching);
    }
done:
    cli_matching_clear(&matching);
    return status;
}

/* One process does everything: there is no work to distribute. */
static xta_status run(const cli_args *args, cli_error *err)
{
    const xta_communicator *communicator = cli_hyper_communicator();
    xta_status status = check(args, err);

    if (status == XTA_OK && cli_hyper_leads()) {
        cli_hyper_set_communicator(NULL);
        status = (values_of(args)->endmembers != NULL) ? score_spectra(args, err)
                                                       : score_labels(args, err);
        cli_hyper_set_communicator(communicator);
    }
    return cli_hyper_agree(status, err);
}

const cli_command cli_hyper_score = {
    .name = "hyper score",
    .usage = "LABELS TRUTH [--same] [--truth-at LINE,SAMPLE|scene] [--json] | --endmembers E "
             "--reference R [--abundances A --truth-abundances B] [--scene S] [--json] ...",
    .details =
        "Labels: the confusion matrix over the pixels that the truth labels, overall and average "
        "accuracy, kappa, producer's and user's accuracy of each class. Labels are taken for "
        "classes one to one so that most pixels are right, or as they are with --same. The class "
        "size score stands beside them because it is in use; it ignores where the pixels are. "
        "Spectra: the angle between each reference and its endmember, matched one to one by the "
        "least sum, the root mean square error of the abundances in that order, and that of the "
        "scene against what endmembers and abundances make of it.",
    .example = "  xta hyper score labels SalinasA_gt.mat:salinasA_gt\n"
               "  xta hyper score --endmembers spectra.csv --reference end3.mat:M",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(score_options),
    .min_words = 0,
    .max_words = 2,
    .run = run,
};
