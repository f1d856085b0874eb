/* Confusion matrices: pairs of (class, label) are counted in a table that grows with the largest
 * numbers seen, and accuracy and kappa [COHEN60] are computed when all pixels are in.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "classification/confusion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 65535 };

xta_status xta_confusion_new(xta_confusion **confusion, xta_error *err)
{
    *confusion = calloc(1, sizeof **confusion);
    if (*confusion == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for a confusion matrix");
    }
    return XTA_OK;
}

void xta_confusion_free(xta_confusion *confusion)
{
    if (confusion != NULL) {
        free(confusion->counts);
        free(confusion);
    }
}

/* Extend the table to classes below n_classes and labels below n_labels. */
static xta_status grow_table(xta_confusion *c, size_t n_classes, size_t n_labels, xta_error *err)
{
    if (n_classes <= c->n_classes && n_labels <= c->n_labels) {
        return XTA_OK;
    }
    size_t rows = n_classes > c->n_classes ? n_classes : c->n_classes;
    size_t columns = n_labels > c->n_labels ? n_labels : c->n_labels;
    uint64_t *counts = calloc(rows * columns, sizeof *counts);
    if (counts == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0,
                             "no memory for a confusion matrix of %zu classes and %zu labels", rows,
                             columns);
    }
    for (size_t row = 0; row < c->n_classes; row++) {
        memcpy(counts + row * columns, c->counts + row * c->n_labels, c->n_labels * sizeof *counts);
    }
    free(c->counts);
    c->counts = counts;
    c->n_classes = rows;
    c->n_labels = columns;
    return XTA_OK;
}

xta_status xta_confusion_add(xta_confusion *c, const int32_t *truth, const int32_t *labels,
                             size_t n, xta_error *err)
{
    int32_t top_class = 0, top_label = 0;
    for (size_t k = 0; k < n; k++) {
        if (truth[k] < 0 || truth[k] > LARGEST || labels[k] < 0 || labels[k] > LARGEST) {
            return xta_error_set(err, XTA_ERANGE, 0,
                                 "pixel %zu has class %d and label %d; both must be 0 to %d", k,
                                 truth[k], labels[k], LARGEST);
        }
        top_class = truth[k] > top_class ? truth[k] : top_class;
        top_label = labels[k] > top_label ? labels[k] : top_label;
    }
    xta_status status = grow_table(c, (size_t)top_class + 1, (size_t)top_label + 1, err);
    for (size_t k = 0; status == XTA_OK && k < n; k++) {
        if (truth[k] != 0) {
            c->counts[(size_t)truth[k] * c->n_labels + (size_t)labels[k]]++;
        }
    }
    return status;
}

/* A count; 0 beyond the table. */
static uint64_t count_at(const xta_confusion *c, size_t class_number, size_t label)
{
    if (class_number >= c->n_classes || label >= c->n_labels) {
        return 0;
    }
    return c->counts[class_number * c->n_labels + label];
}

/* The labels that occur, ascending, without 0. Returns how many; `which` has space for n_labels. */
static size_t labels_given(const xta_confusion *c, int32_t *which)
{
    size_t n = 0;
    for (size_t label = 1; label < c->n_labels; label++) {
        uint64_t sum = 0;
        for (size_t row = 1; row < c->n_classes; row++) {
            sum += c->counts[row * c->n_labels + label];
        }
        if (sum > 0) {
            which[n++] = (int32_t)label;
        }
    }
    return n;
}

/* Match a label to each class so that most pixels are right. */
static xta_status match_one_to_one(const xta_confusion *c, xta_accuracy *a, xta_error *err)
{
    xta_status status = XTA_OK;
    int32_t *given = calloc(c->n_labels + 1, sizeof *given);
    int64_t *column_of = calloc(a->n_classes, sizeof *column_of);
    double *cost = NULL;
    size_t n_given = given != NULL ? labels_given(c, given) : 0;
    if (n_given > 0) {
        cost = calloc(a->n_classes * n_given, sizeof *cost);
    }
    if (given == NULL || column_of == NULL || (n_given > 0 && cost == NULL)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory to match %zu classes with labels",
                               a->n_classes);
    }
    for (size_t r = 0; status == XTA_OK && r < a->n_classes; r++) {
        column_of[r] = -1;
        for (size_t k = 0; k < n_given; k++) {
            uint64_t right = count_at(c, (size_t)a->class_number[r], (size_t)given[k]);
            cost[r * n_given + k] = -(double)right;
        }
    }
    if (status == XTA_OK && n_given > 0) {
        status = xta_assign(a->n_classes, n_given, cost, column_of, err);
    }
    for (size_t r = 0; status == XTA_OK && r < a->n_classes; r++) {
        a->label_of[r] = column_of[r] >= 0 ? given[column_of[r]] : -1;
    }
    free(given);
    free(column_of);
    free(cost);
    return status;
}

/* Copy the matrix with its columns in the order of the classes. */
static void fill_counts(const xta_confusion *c, xta_accuracy *a)
{
    size_t width = a->n_classes + 1;
    for (size_t r = 0; r < a->n_classes; r++) {
        uint64_t sum = 0, placed = 0;
        for (size_t label = 0; label < c->n_labels; label++) {
            sum += count_at(c, (size_t)a->class_number[r], label);
        }
        for (size_t k = 0; k < a->n_classes; k++) {
            uint64_t n = a->label_of[k] < 0
                             ? 0
                             : count_at(c, (size_t)a->class_number[r], (size_t)a->label_of[k]);
            a->counts[r * width + k] = n;
            placed += n;
        }
        a->counts[r * width + a->n_classes] = sum - placed;
        a->n += sum;
    }
}

static void fill_figures(xta_accuracy *a)
{
    size_t width = a->n_classes + 1;
    double chance = 0, off = 0, overlap = 0;
    a->average = 0;
    for (size_t k = 0; k < a->n_classes; k++) {
        uint64_t row = 0, column = 0, right = a->counts[k * width + k];
        for (size_t j = 0; j < width; j++) {
            row += a->counts[k * width + j];
        }
        for (size_t j = 0; j < a->n_classes; j++) {
            column += a->counts[j * width + k];
        }
        a->correct += right;
        a->producer[k] = (double)right / (double)row;
        a->user[k] = column > 0 ? (double)right / (double)column : NAN;
        a->average += a->producer[k];
        chance += (double)row * (double)column;
        off += fabs((double)row - (double)column);
        overlap += (double)(row < column ? row : column);
    }
    double n = (double)a->n;
    double expected = chance / (n * n);
    a->overall = (double)a->correct / n;
    a->average /= (double)a->n_classes;
    a->kappa = expected < 1 ? (a->overall - expected) / (1 - expected) : NAN;
    a->class_size = 1 - off / n;
    a->class_overlap = overlap / n;
}

static size_t classes_present(const xta_confusion *c, int32_t *which)
{
    size_t n = 0;
    for (size_t row = 1; row < c->n_classes; row++) {
        uint64_t sum = 0;
        for (size_t label = 0; label < c->n_labels; label++) {
            sum += c->counts[row * c->n_labels + label];
        }
        if (sum > 0) {
            which[n++] = (int32_t)row;
        }
    }
    return n;
}

static bool accuracy_new(const xta_confusion *c, xta_accuracy *a)
{
    a->class_number = calloc(c->n_classes + 1, sizeof *a->class_number);
    if (a->class_number == NULL) {
        return false;
    }
    a->n_classes = classes_present(c, a->class_number);
    size_t n = a->n_classes;
    a->label_of = calloc(n + 1, sizeof *a->label_of);
    a->counts = calloc((n + 1) * (n + 1), sizeof *a->counts);
    a->producer = calloc(n + 1, sizeof *a->producer);
    a->user = calloc(n + 1, sizeof *a->user);
    return a->label_of != NULL && a->counts != NULL && a->producer != NULL && a->user != NULL;
}

xta_status xta_confusion_read(const xta_confusion *confusion, xta_matching matching,
                              xta_accuracy *accuracy, xta_error *err)
{
    xta_status status = XTA_OK;
    *accuracy = (xta_accuracy){0};
    if (!accuracy_new(confusion, accuracy)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory to read a confusion matrix");
    } else if (accuracy->n_classes == 0) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "no pixel has a class: nothing can be scored; look whether the "
                               "truth lies where the labels do");
    } else if (matching == XTA_MATCH_ONE_TO_ONE) {
        status = match_one_to_one(confusion, accuracy, err);
    } else {
        memcpy(accuracy->label_of, accuracy->class_number,
               accuracy->n_classes * sizeof *accuracy->label_of);
    }
    if (status != XTA_OK) {
        xta_accuracy_clear(accuracy);
        return status;
    }
    fill_counts(confusion, accuracy);
    fill_figures(accuracy);
    return XTA_OK;
}

void xta_accuracy_clear(xta_accuracy *accuracy)
{
    free(accuracy->class_number);
    free(accuracy->label_of);
    free(accuracy->counts);
    free(accuracy->producer);
    free(accuracy->user);
    *accuracy = (xta_accuracy){0};
}
