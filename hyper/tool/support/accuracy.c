/* Printing confusion matrices, as text and as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/accuracy.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "kit/print/describe.h"
#include "support/labels.h"

static void print_share(FILE *out, double share)
{
    if (isnan(share)) {
        fprintf(out, " %8s", "-");
    } else {
        fprintf(out, " %7.2f%%", 100 * share);
    }
}

/* Width of the largest count in characters, at least that of a class number. */
static int count_width(const xta_accuracy *accuracy)
{
    uint64_t most = 9999;
    int width = 0;

    for (size_t k = 0; k < accuracy->n_classes * (accuracy->n_classes + 1); k++) {
        most = accuracy->counts[k] > most ? accuracy->counts[k] : most;
    }
    for (; most > 0; most /= 10) {
        width++;
    }
    return width;
}

static void print_matrix(FILE *out, const xta_accuracy *accuracy, const char *names)
{
    size_t n = accuracy->n_classes;
    int width = count_width(accuracy);
    char name[64];

    fprintf(out, "rows: class in truth; columns: label taken for the class\n%5s %5s", "class",
            "label");
    for (size_t k = 0; k < n; k++) {
        fprintf(out, " %*" PRId32, width, accuracy->class_number[k]);
    }
    fprintf(out, " %*s %8s %8s\n", width, "none", "producer", "user");
    for (size_t k = 0; k < n; k++) {
        fprintf(out, "%5" PRId32, accuracy->class_number[k]);
        if (accuracy->label_of[k] >= 0) {
            fprintf(out, " %5" PRId32, accuracy->label_of[k]);
        } else {
            fprintf(out, " %5s", "-");
        }
        for (size_t j = 0; j <= n; j++) {
            fprintf(out, " %*" PRIu64, width, accuracy->counts[k * (n + 1) + j]);
        }
        print_share(out, accuracy->producer[k]);
        print_share(out, accuracy->user[k]);
        if (cli_class_name(names, accuracy->class_number[k], name) != NULL) {
            fprintf(out, "  %s", name);
        }
        fputc('\n', out);
    }
}

void cli_accuracy_print(FILE *out, const xta_accuracy *accuracy, const char *names)
{
    print_matrix(out, accuracy, names);
    fprintf(out, "labelled pixels %" PRIu64 ", correct %" PRIu64 "\n", accuracy->n,
            accuracy->correct);
    fprintf(out, "overall accuracy %.2f %%, average accuracy %.2f %%, kappa %.4f\n",
            100 * accuracy->overall, 100 * accuracy->average, accuracy->kappa);
    fprintf(out, "class sizes: score %.2f %%, overlap %.2f %%; %s\n", 100 * accuracy->class_size,
            100 * accuracy->class_overlap, xta_class_size_caveat());
}

static void json_class(FILE *out, const xta_accuracy *accuracy, size_t k, const char *names)
{
    char name[64];

    fprintf(out, "{\"class\": %" PRId32 ", \"name\": ", accuracy->class_number[k]);
    if (cli_class_name(names, accuracy->class_number[k], name) != NULL) {
        cli_json_text(out, name);
    } else {
        fputs("null", out);
    }
    if (accuracy->label_of[k] >= 0) {
        fprintf(out, ", \"label\": %" PRId32, accuracy->label_of[k]);
    } else {
        fputs(", \"label\": null", out);
    }
    fputs(", \"producer_accuracy\": ", out);
    cli_json_real(out, accuracy->producer[k]);
    fputs(", \"user_accuracy\": ", out);
    cli_json_real(out, accuracy->user[k]);
    fputc('}', out);
}

void cli_accuracy_json(FILE *out, const xta_accuracy *accuracy, const char *names)
{
    size_t n = accuracy->n_classes;

    fprintf(out,
            "{\"labelled_pixels\": %" PRIu64 ", \"correct\": %" PRIu64 ", \"overall_accuracy\": ",
            accuracy->n, accuracy->correct);
    cli_json_real(out, accuracy->overall);
    fputs(", \"average_accuracy\": ", out);
    cli_json_real(out, accuracy->average);
    fputs(", \"kappa\": ", out);
    cli_json_real(out, accuracy->kappa);
    fputs(", \"class_size_score\": ", out);
    cli_json_real(out, accuracy->class_size);
    fputs(", \"class_size_overlap\": ", out);
    cli_json_real(out, accuracy->class_overlap);
    fputs(", \"class_size_note\": ", out);
    cli_json_text(out, xta_class_size_caveat());
    fputs(", \"classes\": [", out);
    for (size_t k = 0; k < n; k++) {
        fputs(k > 0 ? ", " : "", out);
        json_class(out, accuracy, k, names);
    }
    // The last column: labels of no class, and pixels without a label.
    fputs("], \"confusion\": [", out);
    for (size_t k = 0; k < n * (n + 1); k++) {
        fprintf(out, "%s%" PRIu64 "%s", k % (n + 1) == 0 ? (k > 0 ? ", [" : "[") : ", ",
                accuracy->counts[k], k % (n + 1) == n ? "]" : "");
    }
    fputs("]}", out);
}
