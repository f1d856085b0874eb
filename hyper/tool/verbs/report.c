/* xta hyper report: one page with the results of an analysis.
 *
 * Inputs are opened first; inputs that are not named are read from the folder of a follower. Then
 * each section shows the inputs that it has. Only the leading process draws and writes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "verbs/verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xta/attribute.h>

#include "kit/print/describe.h"
#include "report/report.h"
#include "support/fit.h"
#include "support/maps.h"
#include "util/text.h"

/* Values of the options. */
typedef struct report_options {
    const char *scene;
    const char *endmembers;
    const char *reference;
    const char *abundances;
    const char *residual;
    const char *labels;
    const char *truth;
    const char *truth_at;
    bool same;
    const char *ppi;
    const char *mei;
    const char *follow;
    const char *title;
    const char *pictures;
    const char *data;
    cli_scene_values scene_values;
} report_options;

static const cli_option options[] = {
    CLI_STRING(report_options, scene, "scene", "A",
               "the scene: shown as an image, with the pixels of the endmembers"),
    CLI_STRING(report_options, endmembers, "endmembers", "FILE",
               "spectra: a .csv, an ENVI library or FILE.mat:VARIABLE"),
    CLI_STRING(report_options, reference, "reference", "FILE",
               "spectra that the endmembers are compared with"),
    CLI_STRING(report_options, abundances, "abundances", "ARRAY", "a map for each endmember"),
    CLI_STRING(report_options, residual, "residual", "ARRAY", "what the abundances leave over"),
    CLI_STRING(report_options, labels, "labels", "ARRAY", "labels of the pixels, 0 for none"),
    CLI_STRING(report_options, truth, "truth", "T",
               "classes in truth, 0 for none: an array, or what xta import knows"),
    CLI_TRUTH_AT(report_options),
    CLI_FLAG(report_options, same, "same",
             "label k is class k, as after training; else labels are taken for classes one to one"),
    CLI_STRING(report_options, ppi, "ppi", "ARRAY", "counts of the pixel purity index"),
    CLI_STRING(report_options, mei, "mei", "ARRAY", "the morphological eccentricity index"),
    CLI_STRING(report_options, follow, "follow", "FOLDER",
               "take what is not named from this folder of xta hyper follow"),
    CLI_STRING(report_options, title, "title", "TEXT", "title of the page"),
    CLI_STRING(report_options, pictures, "pictures", "FOLDER",
               "put each picture there, too, as a .png"),
    CLI_STRING(report_options, data, "data", "FILE",
               "write the report as data, too, a .json: its texts, tables, pictures, and the "
               "numbers of its charts"),
    CLI_SCENE_OPTIONS(report_options),
};

static const report_options *values_of(const cli_args *args)
{
    return args->values;
}

/* ---- inputs ---- */

/* The value of an option, else FOLDER/NAME of --follow if a file or an array of that name exists;
 * NULL: neither. */
static xta_status find_input(const cli_args *args, const char *option, const char *name,
                             char path[4096], const char **found, cli_error *err)
{
    const char *folder = values_of(args)->follow;
    char array[4096 + 8];
    int n;

    *found = cli_get(args, option);
    if (*found != NULL || folder == NULL) {
        return XTA_OK;
    }
    n = snprintf(path, 4096, "%s/%s", folder, name);
    if (n < 0 || n >= 4096) {
        return cli_fail(err, XTA_EARG, 0, "--follow: %s: the path is too long", folder);
    }
    snprintf(array, sizeof array, "%s.xmd", path);
    *found = access(path, F_OK) == 0 || access(array, F_OK) == 0 ? path : NULL;
    return XTA_OK;
}

static xta_status open_map(const cli_args *args, const char *name, xta_array **array,
                           cli_error *err)
{
    char path[4096];
    const char *found = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(find_input(args, name, name, path, &found, err));
    if (found != NULL) {
        XTA_TRY(cli_open_any(found, array, err));
    }
done:
    return status;
}

/* Read the comment lines, which begin with #: one for each endmember says where its pixel lies, the
 * others are notes. */
static xta_status read_notes(cli_report *report, const char *path, cli_error *err)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    size_t found = 0, n = 0;

    report->notes = calloc(1, 16384);
    if (file == NULL || report->notes == NULL) {
        if (file != NULL) {
            fclose(file);
        }
        return report->notes == NULL ? cli_fail(err, XTA_ENOMEM, 0, "no memory for notes")
                                     : XTA_OK; // FILE.mat:VARIABLE has no comments
    }
    while (fgets(line, sizeof line, file) != NULL && line[0] == '#') {
        const char *at = strstr(line, ": line ");
        const char *text = line + 1 + strspn(line + 1, " ");
        int64_t where[2];
        if (at != NULL && found < report->endmembers.n &&
            sscanf(at, ": line %" SCNd64 ", sample %" SCNd64, &where[0], &where[1]) == 2) {
            report->line[found] = where[0];
            report->sample[found++] = where[1];
            continue;
        }
        int more = snprintf(report->notes + n, 16384 - n, "%s", text);
        n = more > 0 && n + (size_t)more < 16384 ? n + (size_t)more : n;
        report->notes[n] = '\0';
    }
    fclose(file);
    return XTA_OK;
}

static xta_status make_marks(cli_report *report, cli_error *err)
{
    size_t n = report->endmembers.n;

    report->label_names = calloc(n + 1, sizeof *report->label_names);
    report->marks = calloc(n + 1, sizeof *report->marks);
    report->mark_text = calloc(n + 1, sizeof *report->mark_text);
    if (report->marks == NULL || report->mark_text == NULL || report->label_names == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu marks", n);
    }
    for (size_t k = 0; k < n; k++) {
        report->label_names[k + 1] = report->endmembers.names[k];
        snprintf(report->mark_text[k], sizeof report->mark_text[k], "%zu", k + 1);
        report->marks[k] =
            (xta_picture_mark){report->line[k], report->sample[k], report->mark_text[k]};
    }
    return XTA_OK;
}

static xta_status open_reference(cli_report *report, cli_error *err)
{
    const cli_spectra *own = &report->endmembers;
    cli_spectra *other = &report->reference;
    const char *path = cli_get(report->args, "reference");
    xta_status status = XTA_OK;

    if (path == NULL) {
        return XTA_OK;
    }
    XTA_TRY(cli_spectra_read(path, other, err));
    XTA_TRY(cli_spectra_match(other, &report->endmembers, false, err));
    XTA_TRY(xta_score_endmembers(own->n, own->values, other->n, other->values, own->n_bands,
                                 &report->angles, &err->error));
done:
    return status;
}

static xta_status open_endmembers(cli_report *report, cli_error *err)
{
    char path[4096];
    const char *found = NULL;
    size_t n;
    xta_status status = XTA_OK;

    XTA_TRY(find_input(report->args, "endmembers", "endmembers.csv", path, &found, err));
    if (found == NULL) {
        return XTA_OK;
    }
    XTA_TRY(cli_spectra_read(found, &report->endmembers, err));
    if (report->scene.array != NULL) {
        XTA_TRY(cli_spectra_fit(&report->endmembers, &report->scene, false, err));
    }
    n = report->endmembers.n;
    report->line = malloc((n + 1) * sizeof *report->line);
    report->sample = malloc((n + 1) * sizeof *report->sample);
    if (report->line == NULL || report->sample == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu pixels", n);
        goto done;
    }
    for (size_t k = 0; k < n; k++) {
        report->line[k] = report->sample[k] = CLI_NOWHERE;
    }
    XTA_TRY(read_notes(report, found, err));
    XTA_TRY(make_marks(report, err));
    XTA_TRY(open_reference(report, err));
done:
    return status;
}

/* Which axis has the layers: by name, else the first of three. */
static void find_layers(cli_report *report)
{
    static const char *const names[] = {"layer", "endmember", "material", "abundance", "band"};
    xta_box bounds = xta_array_bounds(report->abundances);

    report->layer_axis = 0;
    for (size_t k = CLI_COUNT(names); k-- > 0;) {
        int axis;
        if (xta_axis_find(report->abundances, names[k], &axis, NULL) == XTA_OK) {
            report->layer_axis = axis;
        }
    }
    report->n_layers =
        bounds.ndim < 3 ? 1
                        : (size_t)(bounds.hi[report->layer_axis] - bounds.lo[report->layer_axis]);
}

static xta_status open_abundances(cli_report *report, cli_error *err)
{
    uint64_t *n_pixels = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(open_map(report->args, "abundances", &report->abundances, err));
    XTA_TRY(open_map(report->args, "residual", &report->residual, err));
    if (report->abundances == NULL) {
        return XTA_OK;
    }
    find_layers(report);
    if (report->layer_axis != 0) { // means are computed only for layers on the first axis
        return XTA_OK;
    }
    report->mean = calloc(report->n_layers + 1, sizeof *report->mean);
    n_pixels = calloc(report->n_layers + 1, sizeof *n_pixels);
    if (report->mean == NULL || n_pixels == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %zu means", report->n_layers);
        goto done;
    }
    XTA_TRY(cli_map_means(report->abundances, (uint64_t)64 << 20, report->n_layers, report->mean,
                          n_pixels, err));
done:
    free(n_pixels);
    return status;
}

static xta_status score(cli_report *report, cli_error *err)
{
    xta_confusion *confusion = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta_confusion_new(&confusion, &err->error));
    XTA_TRY(cli_labels_count(&report->labels, &report->truth, &report->area, confusion, err));
    XTA_TRY(xta_confusion_read(confusion,
                               report->same_labels ? XTA_MATCH_SAME : XTA_MATCH_ONE_TO_ONE,
                               &report->accuracy, &err->error));
done:
    xta_confusion_free(confusion);
    return status;
}

static xta_status open_classes(cli_report *report, cli_error *err)
{
    const cli_args *args = report->args;
    const char *truth = values_of(args)->truth;
    char path[4096];
    const char *labels = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(find_input(args, "labels", "labels", path, &labels, err));
    if (labels != NULL) {
        XTA_TRY(cli_labels_open(labels, &report->labels, &report->area, err));
    } else if (report->scene.array != NULL) {
        report->area = cli_scene_area(&report->scene);
    } else if (truth != NULL) {
        XTA_TRY(cli_labels_open(truth, &report->truth, &report->area, err));
        return XTA_OK;
    }
    if (truth != NULL) {
        XTA_TRY(cli_truth_open(args, truth, &report->area, &report->truth, err));
    }
    if (truth != NULL && labels != NULL) {
        XTA_TRY(score(report, err));
    }
done:
    return status;
}

static xta_status open_all(cli_report *report, cli_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(open_endmembers(report, err));
    XTA_TRY(open_abundances(report, err));
    XTA_TRY(open_map(report->args, "ppi", &report->ppi, err));
    XTA_TRY(open_map(report->args, "mei", &report->mei, err));
    XTA_TRY(open_classes(report, err));
    if (report->scene.array == NULL && report->endmembers.n == 0 && report->abundances == NULL &&
        report->residual == NULL && report->ppi == NULL && report->mei == NULL &&
        report->labels.array == NULL && report->truth.array == NULL) {
        return cli_usage(err, "there is nothing to report; give --scene, --follow or others");
    }
done:
    return status;
}

/* ---- the page ---- */

static xta_status begin_page(cli_report *report, cli_error *err)
{
    const char *given = cli_get(report->args, "title");
    const xta_scene_info *info = &report->scene.info;
    char title[256], lead[256] = "";

    if (report->scene.array != NULL) {
        const char *slash = strrchr(info->name, '/');
        snprintf(title, sizeof title, "Hyperspectral analysis of %.200s",
                 slash != NULL ? slash + 1 : info->name);
        snprintf(lead, sizeof lead,
                 "%" PRId64 " lines of %" PRId64 " samples, %zu bands. Made by XTA %s.",
                 info->line_hi - info->line_lo, info->sample_hi - info->sample_lo, info->n_bands,
                 xta_version());
    } else {
        snprintf(title, sizeof title, "Hyperspectral analysis");
        snprintf(lead, sizeof lead, "Made by XTA %s.", xta_version());
    }
    return xta_report_new(given != NULL ? given : title, lead, &report->page, &err->error);
}

static xta_status make_folder(cli_report *report, cli_error *err)
{
    report->pictures = cli_get(report->args, "pictures");
    if (report->pictures == NULL || mkdir(report->pictures, 0777) == 0 || errno == EEXIST) {
        return XTA_OK;
    }
    return cli_fail(err, XTA_EIO, errno, "--pictures: %s: cannot be made: %s", report->pictures,
                    strerror(errno));
}

/* Make the report, on the leading process. */
static xta_status make(cli_report *report, cli_error *err)
{
    const char *data = values_of(report->args)->data;
    xta_status status = XTA_OK;

    XTA_TRY(open_all(report, err));
    XTA_TRY(make_folder(report, err));
    XTA_TRY(begin_page(report, err));
    XTA_TRY(cli_report_scene(report, err));
    XTA_TRY(cli_report_endmembers(report, err));
    XTA_TRY(cli_report_abundances(report, err));
    XTA_TRY(cli_report_classes(report, err));
    XTA_TRY(cli_report_score(report, err));
    XTA_TRY(cli_report_purity(report, err));
    XTA_TRY(xta_report_write(report->page, report->args->words[0], &err->error));
    if (data != NULL) {
        XTA_TRY(xta_report_write_json(report->page, data, &err->error));
    }
done:
    return status;
}

static void print(const cli_report *report)
{
    const cli_args *args = report->args;
    const char *data = values_of(args)->data;

    if (!values_of(args)->scene_values.json) {
        printf("%s\n", args->words[0]);
        if (data != NULL) {
            printf("%s\n", data);
        }
        return;
    }
    printf("{\"command\": \"hyper report\", \"version\": \"%s\", \"report\": ", xta_version());
    cli_json_text(stdout, args->words[0]);
    if (data != NULL) {
        printf(", \"data\": ");
        cli_json_text(stdout, data);
    }
    printf(", \"endmembers\": %zu, \"abundances\": %zu, \"overall_accuracy\": ",
           report->endmembers.n, report->n_layers);
    cli_json_real(stdout, report->accuracy.n_classes > 0 ? report->accuracy.overall : NAN);
    printf("}\n");
}

static xta_status clear(cli_report *report, xta_status status, cli_error *err)
{
    xta_array *const arrays[] = {report->abundances, report->residual,     report->ppi,
                                 report->mei,        report->labels.array, report->truth.array};

    for (size_t k = 0; k < CLI_COUNT(arrays); k++) {
        status = cli_close(arrays[k], status, err);
    }
    cli_spectra_clear(&report->endmembers);
    cli_spectra_clear(&report->reference);
    xta_endmember_score_clear(&report->angles);
    xta_accuracy_clear(&report->accuracy);
    xta_report_free(report->page);
    free(report->line);
    free(report->sample);
    free(report->notes);
    free(report->marks);
    free(report->mark_text);
    free(report->label_names);
    free(report->mean);
    return cli_scene_close(&report->scene, status, err);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    cli_report report = {.args = args, .same_labels = values_of(args)->same};
    xta_status status = XTA_OK;

    if ((values_of(args)->truth_at != NULL) && values_of(args)->truth == NULL) {
        return cli_usage(err, "--truth-at belongs to --truth");
    }
    if ((values_of(args)->reference != NULL) && values_of(args)->endmembers == NULL &&
        values_of(args)->follow == NULL) {
        return cli_usage(err, "--reference needs --endmembers or --follow");
    }
    if (values_of(args)->data != NULL && !xta__ends_with(values_of(args)->data, ".json")) {
        return cli_usage(err, "--data %s: the name must end in .json", values_of(args)->data);
    }
    if (values_of(args)->scene != NULL) {
        XTA_TRY(cli_scene_open_with(args, values_of(args)->scene, values_of(args)->endmembers,
                                    &report.scene, err));
    }
    status = cli_hyper_leads() ? make(&report, err) : XTA_OK;
    cli_notes_print(args, &report.endmembers.notes);
    cli_notes_print(args, &report.reference.notes);
    XTA_TRY(cli_hyper_agree(status, err));
    if (cli_hyper_leads()) {
        print(&report);
    }
done:
    return clear(&report, status, err);
}

const cli_command cli_hyper_report = {
    .name = "hyper report",
    .summary = "put the results of an analysis into one HTML page",
    .usage = "OUT.html [--scene A] [--endmembers FILE] [--abundances ARRAY] [--labels ARRAY "
             "[--truth T]] [--ppi ARRAY] [--mei ARRAY] [--follow FOLDER] [--title TEXT] "
             "[--data FILE]",
    .details =
        "Makes one file with pictures and tables of all that is named: the scene as an image, the "
        "spectra of the endmembers and where their pixels lie, a map of each abundance, labels, "
        "the truth and the confusion matrix, purity and eccentricity. It needs neither network nor "
        "script, and can be read on a phone, on dark screens and on paper. --data writes the same "
        "for "
        "programs.",
    .example = "  xta hyper report scene.html --scene scene --follow results --truth truth.png",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(report_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
