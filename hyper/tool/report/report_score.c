/* The section of a report that compares labels with the truth.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Largest number of classes for which a confusion matrix is drawn; for more there is only the
 * table. */
#define MOST_DRAWN 256

/* Names of rows and columns. Start from zeros. */
typedef struct matrix_names {
    char (*name_buffers)[64];
    const char **row, **column;
} matrix_names;

static void clear(matrix_names *names)
{
    free(names->name_buffers);
    free(names->row);
    free(names->column);
}

static void name_label(const cli_report *report, int32_t label, char name[64])
{
    if (report->label_names != NULL && (size_t)label <= report->endmembers.n && label > 0) {
        snprintf(name, 64, "%.63s", report->label_names[label]);
    } else {
        snprintf(name, 64, "label %" PRId32, label);
    }
}

/* Rows are classes of the truth, columns the labels matched to them. */
static xta_status name_all(const cli_report *report, matrix_names *names, cli_error *err)
{
    const xta_accuracy *a = &report->accuracy;
    const char *classes = cli_class_names(report->truth.array);
    const char *labels = cli_class_names(report->labels.array);
    size_t n = a->n_classes;

    names->name_buffers = calloc(2 * n + 1, sizeof *names->name_buffers);
    names->row = calloc(n + 1, sizeof *names->row);
    names->column = calloc(n + 2, sizeof *names->column);
    if (names->name_buffers == NULL || names->row == NULL || names->column == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the names of %zu classes", n);
    }
    for (size_t k = 0; k < n; k++) {
        names->row[k] = names->name_buffers[k];
        names->column[k] = names->name_buffers[n + k];
        if (cli_class_name(classes, a->class_number[k], names->name_buffers[k]) == NULL) {
            snprintf(names->name_buffers[k], 64, "class %" PRId32, a->class_number[k]);
        }
        if (a->label_of[k] < 0) {
            snprintf(names->name_buffers[n + k], 64, "no label");
        } else if (cli_class_name(labels, a->label_of[k], names->name_buffers[n + k]) == NULL) {
            name_label(report, a->label_of[k], names->name_buffers[n + k]);
        }
    }
    names->column[n] = "other, none";
    return XTA_OK;
}

static void add_share(cli_cells *cells, double share)
{
    if (isnan(share)) {
        cli_cells_add(cells, "-");
    } else {
        cli_cells_add(cells, "%.2f %%", 100 * share);
    }
}

static xta_status add_whole(cli_report *report, cli_error *err)
{
    const xta_accuracy *a = &report->accuracy;
    xta_report_table table = {.n_columns = 2};
    cli_cells cells = {0};

    cli_cells_add(&cells, "labelled pixels");
    cli_cells_add(&cells, "%" PRIu64, a->n);
    cli_cells_add(&cells, "correct");
    cli_cells_add(&cells, "%" PRIu64, a->correct);
    cli_cells_add(&cells, "overall accuracy (OA)");
    add_share(&cells, a->overall);
    cli_cells_add(&cells, "average accuracy (AA)");
    add_share(&cells, a->average);
    cli_cells_add(&cells, "kappa");
    cli_cells_add(&cells, isnan(a->kappa) ? "-" : "%.4f", a->kappa);
    cli_cells_add(&cells, "class-size score");
    cli_cells_add(&cells, "%.2f %%; %s", 100 * a->class_size, xta_class_size_caveat());
    cli_cells_add(&cells, "labels for classes");
    cli_cells_add(&cells, report->same_labels
                              ? "label k is class k"
                              : "one to one, with the most correct pixels (Hungarian method)");
    if (report->same_labels) {
        cli_cells_add(&cells, "counted");
        cli_cells_add(&cells, "all labelled pixels, also those that a classifier was trained on");
    }
    return cli_cells_end(&cells, report, &table, err);
}

static xta_status add_classes(cli_report *report, const matrix_names *names, cli_error *err)
{
    static const char *const heads[] = {"class",   "label",      "pixels",
                                        "correct", "producer's", "user's"};
    static const unsigned char numbers[] = {0, 0, 1, 1, 1, 1};
    const xta_accuracy *a = &report->accuracy;
    xta_report_table table = {.n_columns = 6, .heads = heads, .numbers = numbers};
    cli_cells cells = {0};

    for (size_t k = 0; k < a->n_classes; k++) {
        const uint64_t *row = a->counts + k * (a->n_classes + 1);
        uint64_t sum = 0;
        for (size_t j = 0; j <= a->n_classes; j++) {
            sum += row[j];
        }
        cli_cells_add(&cells, "%s", names->row[k]);
        cli_cells_add(&cells, "%s", names->column[k]);
        cli_cells_add(&cells, "%" PRIu64, sum);
        cli_cells_add(&cells, "%" PRIu64, row[k]);
        add_share(&cells, a->producer[k]);
        add_share(&cells, a->user[k]);
    }
    table.caption = "Accuracy of each class";
    return cli_cells_end(&cells, report, &table, err);
}

/* Add the matrix as text, for screen readers and for copying numbers. */
static xta_status add_matrix(cli_report *report, const matrix_names *names, cli_error *err)
{
    const xta_accuracy *a = &report->accuracy;
    size_t n = a->n_classes;
    const char **heads = calloc(n + 2, sizeof *heads);
    unsigned char *numbers = malloc(n + 2);
    xta_report_table table = {.n_columns = n + 2, .folded = true};
    cli_cells cells = {0};
    xta_status status = XTA_OK;

    if (heads == NULL || numbers == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for a table of the report");
        goto done;
    }
    heads[0] = "class in truth";
    numbers[0] = 0;
    for (size_t k = 0; k <= n; k++) {
        heads[k + 1] = names->column[k];
        numbers[k + 1] = 1;
    }
    for (size_t k = 0; k < n; k++) {
        cli_cells_add(&cells, "%s", names->row[k]);
        for (size_t j = 0; j <= n; j++) {
            cli_cells_add(&cells, "%" PRIu64, a->counts[k * (n + 1) + j]);
        }
    }
    table.heads = heads;
    table.numbers = numbers;
    table.caption = n <= MOST_DRAWN ? "Confusion matrix as a table"
                                    : "Confusion matrix (too large to be drawn)";
    status = cli_cells_end(&cells, report, &table, err);
done:
    free(heads);
    free(numbers);
    return status;
}

static xta_status show_matrix(cli_report *report, const matrix_names *names, cli_error *err)
{
    const xta_accuracy *a = &report->accuracy;
    const double scores[3] = {a->overall, a->average, a->kappa};
    xta_confusion_chart chart = XTA_CONFUSION_CHART_INIT;
    char alt[160], path[4096];
    xta_report_figure figure = {alt,
                                "Rows: classes in truth. Columns: the labels taken for them, in "
                                "the same order. Blue is right, orange wrong; the depth of a "
                                "colour is the share of the row.",
                                false};
    double *user = calloc(a->n_classes + 1, sizeof *user);
    xta_status status = XTA_OK;

    if (user == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the confusion matrix");
    }
    for (size_t k = 0; k <= a->n_classes; k++) {
        user[k] = k < a->n_classes ? a->user[k] : NAN;
    }
    snprintf(alt, sizeof alt,
             "Confusion matrix of %zu classes; overall accuracy %.2f percent. The numbers are in "
             "the table below",
             a->n_classes, 100 * a->overall);
    chart.n_rows = a->n_classes;
    chart.n_columns = a->n_classes + 1;
    chart.counts = a->counts;
    chart.row_names = names->row;
    chart.column_names = names->column;
    chart.producer = a->producer;
    chart.user = user;
    chart.scores = scores;
    XTA_TRY(xta_report_add_confusion(report->page, &chart, &figure, &err->error));
    if (report->pictures != NULL) {
        XTA_TRY(cli_report_path(report, "confusion", path, err));
        XTA_TRY(xta_chart_confusion(&chart, path, &err->error));
    }
done:
    free(user);
    return status;
}

xta_status cli_report_score(cli_report *report, cli_error *err)
{
    matrix_names names = {0};
    xta_status status = XTA_OK;

    if (report->accuracy.n_classes == 0) {
        return XTA_OK;
    }
    XTA_TRY(xta_report_section(report->page, "Accuracy", &err->error));
    XTA_TRY(name_all(report, &names, err));
    XTA_TRY(add_whole(report, err));
    if (report->accuracy.n_classes <= MOST_DRAWN) {
        XTA_TRY(show_matrix(report, &names, err));
    }
    XTA_TRY(add_classes(report, &names, err));
    XTA_TRY(add_matrix(report, &names, err));
done:
    clear(&names);
    return status;
}
