/* xta hyper classify: a label for each pixel of a scene, by the nearest endmember or by a
 * classifier trained on labelled pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "verbs/verbs.h"

#include <stdlib.h>
#include <string.h>

#include <xta/unmix.h>

#include "kit/print/describe.h"
#include "support/accuracy.h"
#include "support/fit.h"
#include "support/labels.h"
#include "support/maps.h"

/* Values of the options. */
typedef struct classify_options {
    const char *by;
    const char *method;
    bool normalise;
    const char *angles;
    const char *supervised;
    const char *truth;
    const char *truth_at;
    double train;
    const char *components;
    bool equal_priors;
    int64_t seed;
    cli_scene_values scene_values;
} classify_options;

static const cli_option options[] = {
    CLI_STRING(
        classify_options, by, "by", "HOW",
        "label by the endmember at the smallest angle, sad, or with the largest share, abundance"),
    CLI_STRING(classify_options, method, "method", "M",
               "with --by abundance: fcls (default), nnls, scls or ucls"),
    CLI_FLAG(classify_options, normalise, "normalise",
             "with --by abundance: as for xta hyper unmix"),
    CLI_STRING(classify_options, angles, "angles", "ARRAY",
               "with --by sad: put the angle of each pixel to its endmember there"),
    CLI_STRING(classify_options, supervised, "supervised", "HOW",
               "label by training: lda, linear discriminants, or ml, Gaussian maximum likelihood"),
    CLI_STRING(classify_options, truth, "truth", "T",
               "classes of pixels, 0 for none, to train on and to score against: an array, or what "
               "xta import knows, such as FILE.mat:VARIABLE or a .png"),
    CLI_TRUTH_AT(classify_options),
    CLI_REAL(classify_options, train, "train", "SHARE",
             "of the pixels of each class to train on (0.1); they are not scored"),
    CLI_STRING(classify_options, components, "components", "D",
               "principal components to train on (30); full: the bands themselves"),
    CLI_FLAG(classify_options, equal_priors, "equal-priors",
             "take every class for equally frequent"),
    CLI_INT(classify_options, seed, "seed", "S", 0, INT64_MAX, NULL,
            "of the choice of the pixels to train on (0)"),
    CLI_SCENE_OPTIONS(classify_options),
};

static const classify_options *values_of(const cli_args *args)
{
    return args->values;
}

/* State of a run. Start from zeros. */
typedef struct classification {
    cli_scene scene;
    cli_spectra endmembers;
    xta_unmixer *unmixer;
    xta_classifier_options how;
    xta_classifier *classifier;
    xta_label_map truth; // without an array: none
    cli_map labels, angles;
    xta_confusion *confusion;
    xta_accuracy accuracy;
    bool by_angle;
    size_t n_labelled; // used if there is no truth
    const char *out;
} classification;

/* Check which options can be combined. */
static xta_status check(const cli_args *args, cli_error *err)
{
    static const char *const of_training[] = {"train", "components", "equal-priors", "seed"};
    static const char *const of_abundance[] = {"method", "normalise"};
    const char *by = values_of(args)->by;
    bool supervised = (values_of(args)->supervised != NULL);

    if (supervised == (by != NULL)) {
        return cli_usage(err, "give either --by sad|abundance or --supervised lda|ml");
    }
    if (args->n_words != (supervised ? 2 : 3)) {
        return cli_usage(err, "want %s",
                         supervised ? "SCENE OUT with --supervised"
                                    : "SCENE ENDMEMBERS OUT with --by");
    }
    for (size_t k = 0; k < CLI_COUNT(of_training); k++) {
        if (!supervised && cli_has(args, of_training[k])) {
            return cli_usage(err, "--%s belongs to --supervised", of_training[k]);
        }
    }
    for (size_t k = 0; k < CLI_COUNT(of_abundance); k++) {
        if ((supervised || strcmp(by, "abundance") != 0) && cli_has(args, of_abundance[k])) {
            return cli_usage(err, "--%s belongs to --by abundance", of_abundance[k]);
        }
    }
    if ((supervised || strcmp(by, "sad") != 0) && (values_of(args)->angles != NULL)) {
        return cli_usage(err, "--angles belongs to --by sad");
    }
    if (supervised && values_of(args)->truth == NULL) {
        return cli_usage(err, "--supervised needs classes to train on: --truth T");
    }
    if ((values_of(args)->truth_at != NULL) && values_of(args)->truth == NULL) {
        return cli_usage(err, "--truth-at belongs to --truth");
    }
    return XTA_OK;
}

static xta_status take_endmembers(const cli_args *args, classification *job, cli_error *err)
{
    static const char *const choices[] = {"sad", "abundance"};
    const char *method = values_of(args)->method;
    xta_unmix_options how = XTA_UNMIX_OPTIONS_INIT;
    size_t way = 0;
    xta_status status = XTA_OK;

    XTA_TRY(cli_hyper_choice(values_of(args)->by, "--by", choices, CLI_COUNT(choices), &way, err));
    if (method != NULL && xta_unmix_method_parse(method, &how.method, &err->error) != XTA_OK) {
        return cli_usage(err, "--method: \"%s\" is none of fcls, nnls, scls or ucls", method);
    }
    XTA_TRY(cli_spectra_read(args->words[1], &job->endmembers, err));
    job->by_angle = way == 0;
    XTA_TRY(cli_spectra_fit(&job->endmembers, &job->scene,
                            job->by_angle || values_of(args)->normalise, err));
    if (!job->by_angle) {
        how.normalise = values_of(args)->normalise;
        how.names = (const char *const *)job->endmembers.names;
        status = xta_unmixer_new(job->endmembers.n, job->endmembers.n_bands, job->endmembers.values,
                                 &how, &job->unmixer, &err->error);
        XTA_TRY(cli_hyper_named(args->words[1], status, err));
    }
done:
    return status;
}

static xta_status take_training(const cli_args *args, classification *job, cli_error *err)
{
    static const char *const methods[] = {"lda", "ml"};
    static const double shares[] = {-1e300, 1e300};
    const char *components = values_of(args)->components;
    int64_t n_components = 0;
    size_t method = 0;
    xta_status status = XTA_OK;

    job->how = (xta_classifier_options)XTA_CLASSIFIER_OPTIONS_INIT;
    XTA_TRY(cli_hyper_choice(values_of(args)->supervised, "--supervised", methods,
                             CLI_COUNT(methods), &method, err));
    job->how.method = method == 0 ? XTA_LDA : XTA_GAUSSIAN_ML;
    job->how.full_band = components != NULL && strcmp(components, "full") == 0;
    if (!job->how.full_band && components != NULL) {
        XTA_TRY(cli_parse_int(components, "--components", &n_components, err));
        if (n_components < 1) {
            return cli_usage(err, "--components: %s is too few; want at least 1", components);
        }
    }
    job->how.n_components = (size_t)n_components;
    XTA_TRY(cli_hyper_real_option(args, "train", shares, 0.1, &job->how.train, err));
    if (!(job->how.train > 0 && job->how.train < 1)) {
        return cli_usage(err, "--train: %s is no share; want above 0 and below 1",
                         cli_get(args, "train"));
    }
    job->how.seed = cli_hyper_seed(args);
    job->how.equal_priors = values_of(args)->equal_priors;
done:
    return status;
}

/* The steps that every process does independently. */
static xta_status prepare(const cli_args *args, classification *job, cli_error *err)
{
    cli_area area = cli_scene_area(&job->scene);
    xta_status status = XTA_OK;

    if (values_of(args)->supervised != NULL) {
        XTA_TRY(take_training(args, job, err));
    } else {
        XTA_TRY(take_endmembers(args, job, err));
    }
    if (values_of(args)->truth != NULL) {
        XTA_TRY(cli_truth_open(args, values_of(args)->truth, &area, &job->truth, err));
        XTA_TRY(xta_confusion_new(&job->confusion, &err->error));
    }
done:
    return status;
}

static xta_status begin_maps(const cli_args *args, classification *job, cli_error *err)
{
    xta_scene_map_options map = XTA_SCENE_MAP_OPTIONS_INIT;
    xta_status status = XTA_OK;

    map.path = job->out;
    map.type = cli_label_type(job->endmembers.n);
    if (job->truth.array != NULL && job->endmembers.n == 0) {
        size_t cell_bytes = xta_array_cell_bytes(job->truth.array);
        map.type = cell_bytes == 1 ? XTA_U8 : XTA_U16;
    }
    map.title = "labels";
    XTA_TRY(cli_map_begin(&job->scene, &map, &job->labels, err));
    map = (xta_scene_map_options)XTA_SCENE_MAP_OPTIONS_INIT;
    map.path = values_of(args)->angles;
    map.title = "spectral angle";
    XTA_TRY(cli_map_begin(&job->scene, &map, &job->angles, err));
done:
    return status;
}

/* Label all pixels; a trained classifier also counts them against the truth. */
static xta_status label(classification *job, cli_error *err)
{
    xta_unmix_maps maps = XTA_UNMIX_MAPS_INIT;
    xta_scene *scene = job->scene.scene;
    xta_status status = XTA_OK;

    if (job->endmembers.n == 0) {
        status = xta_classifier_train(scene, &job->truth, &job->how, &job->classifier, &err->error);
        XTA_TRY(cli_hyper_named(job->scene.info.name, status, err));
        XTA_TRY(xta_classifier_apply(job->classifier, scene, job->labels.array, &job->truth,
                                     job->confusion, &err->error));
        return XTA_OK;
    }
    if (job->by_angle) {
        status = xta_label_scene(scene, NULL, job->endmembers.n, job->endmembers.values,
                                 job->labels.array, job->angles.array, &err->error);
        XTA_TRY(status == XTA_EARG ? cli_hyper_named(job->endmembers.path, status, err) : status);
    } else {
        maps.labels = job->labels.array;
        XTA_TRY(xta_unmix_scene(scene, NULL, job->unmixer, &maps, &err->error));
    }
done:
    return status;
}

/* Count the pixels that have a label. Called on the leading process only. */
static xta_status count_labelled(classification *job, cli_error *err)
{
    cli_area area = cli_scene_area(&job->scene);
    xta_label_map labels = {job->labels.array, 0, 0};
    size_t width = (size_t)(area.samples[1] - area.samples[0]);
    int32_t *cells = malloc((width + 1) * sizeof *cells);
    xta_status status = XTA_OK;

    if (cells == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a line of %zu labels", width);
    }
    for (int64_t line = area.lines[0]; line < area.lines[1]; line++) {
        const int64_t lines[2] = {line, line + 1};
        XTA_TRY(xta_label_map_read(&labels, lines, area.samples, cells, &err->error));
        for (size_t k = 0; k < width; k++) {
            job->n_labelled += cells[k] != 0;
        }
    }
done:
    free(cells);
    return status;
}

/* Count the labels against the truth, and compute the score. Called on the leading process only. */
static xta_status score(classification *job, cli_error *err)
{
    cli_area area = cli_scene_area(&job->scene);
    xta_label_map labels = {job->labels.array, 0, 0};
    bool trained = job->classifier != NULL;
    xta_status status = XTA_OK;

    if (job->confusion == NULL) {
        return count_labelled(job, err);
    }
    if (!trained) {
        XTA_TRY(cli_labels_count(&labels, &job->truth, &area, job->confusion, err));
    }
    status = xta_confusion_read(job->confusion, trained ? XTA_MATCH_SAME : XTA_MATCH_ONE_TO_ONE,
                                &job->accuracy, &err->error);
    status = cli_hyper_named(xta_array_path(job->labels.array), status, err);
done:
    return status;
}

/* Copy the names of the classes of the truth, for labels that are these classes. */
static xta_status name_classes(classification *job, cli_error *err)
{
    const char *names = cli_class_names(job->truth.array);
    const char *listed[UINT8_MAX] = {0};
    char buffers[UINT8_MAX][64];
    size_t n = 0;

    if (job->endmembers.n > 0) {
        return cli_map_classes(job->labels.array, job->endmembers.n,
                               (const char *const *)job->endmembers.names, err);
    }
    for (size_t k = 0; k < job->accuracy.n_classes; k++) {
        int32_t number = job->accuracy.class_number[k];
        n = number <= UINT8_MAX && (size_t)number > n ? (size_t)number : n;
    }
    for (size_t k = 0; k < n; k++) {
        listed[k] = cli_class_name(names, (int32_t)k + 1, buffers[k]);
    }
    return cli_map_classes(job->labels.array, n, listed, err);
}

static void print(const cli_args *args, const classification *job)
{
    const char *names = cli_class_names(job->truth.array);

    if (values_of(args)->scene_values.json) {
        printf("{");
        cli_json_head(stdout, args, &job->scene);
        printf("\"labels\": ");
        cli_json_text(stdout, job->out);
        if (job->classifier != NULL) {
            printf(", \"supervised\": \"%s\", \"train\": ",
                   job->how.method == XTA_LDA ? "lda" : "ml");
            cli_json_real(stdout, job->how.train);
            printf(", \"seed\": %llu, \"trained_on\": %zu", (unsigned long long)job->how.seed,
                   xta_classifier_n_trained(job->classifier));
        } else {
            printf(", \"by\": \"%s\", \"library_factor\": ", job->by_angle ? "sad" : "abundance");
            cli_json_real(stdout, job->endmembers.factor != 0 ? job->endmembers.factor : 1);
            printf(", ");
            cli_notes_json(stdout, &job->endmembers.notes);
        }
        printf(", \"score\": ");
        if (job->truth.array != NULL) {
            cli_accuracy_json(stdout, &job->accuracy, names);
        } else {
            printf("null");
        }
        printf("}\n");
        return;
    }
    if (job->classifier != NULL) {
        printf("trained on %zu pixels; scored on the others\n",
               xta_classifier_n_trained(job->classifier));
    }
    if (job->truth.array != NULL) {
        cli_accuracy_print(stdout, &job->accuracy, names);
    } else {
        printf("%zu pixels labelled by %s\n", job->n_labelled,
               job->by_angle ? "angle" : "abundance");
    }
}

static xta_status run(const cli_args *args, cli_error *err)
{
    classification job = {.out = args->words[args->n_words - 1]};
    xta_status status = XTA_OK;

    XTA_TRY(check(args, err));
    XTA_TRY(cli_scene_open_with(args, args->words[0],
                                (values_of(args)->supervised != NULL) ? NULL : args->words[1],
                                &job.scene, err));
    XTA_TRY(cli_hyper_agree(prepare(args, &job, err), err));
    cli_notes_print(args, &job.endmembers.notes);
    XTA_TRY(begin_maps(args, &job, err));
    XTA_TRY(label(&job, err));
    XTA_TRY(cli_map_settle(&job.labels, err));
    if (cli_hyper_leads()) {
        status = score(&job, err);
    }
    if (cli_hyper_leads() && status == XTA_OK) {
        status = name_classes(&job, err);
    }
    status = cli_hyper_agree(status, err);
done:
    status = cli_map_end(&job.labels, status, err);
    status = cli_map_end(&job.angles, status, err);
    if (status == XTA_OK && cli_hyper_leads()) {
        cli_hyper_meter_end(&job.scene.meter);
        print(args, &job);
    }
    xta_accuracy_clear(&job.accuracy);
    xta_confusion_free(job.confusion);
    xta_classifier_free(job.classifier);
    xta_unmixer_free(job.unmixer);
    cli_spectra_clear(&job.endmembers);
    status = cli_close(job.truth.array, status, err);
    return cli_scene_close(&job.scene, status, err);
}

const cli_command cli_hyper_classify = {
    .name = "hyper classify",
    .usage = "SCENE ENDMEMBERS OUT --by sad|abundance [--truth T] ... | SCENE OUT --supervised "
             "lda|ml --truth T [--train SHARE] [--components D] [--seed S] ...",
    .details =
        "Puts a label for each pixel into the new array OUT (line, sample): the number of an "
        "endmember, from 1, or of a class of the truth; 0 where a pixel has no data. Without "
        "training, endmembers are taken for classes one to one, so that most pixels are right, and "
        "the score says how many that are. With training, the pixels trained on are left out of "
        "the "
        "score.",
    .example = "  xta hyper classify salinas labels --supervised lda --train 0.1 \\\n"
               "      --truth salinas_gt",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(classify_options),
    .min_words = 2,
    .max_words = 3,
    .run = run,
};
