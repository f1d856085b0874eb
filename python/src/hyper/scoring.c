/* Results against what is known: labels against classes, endmembers against references.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/scoring.h"

#include "hyper/call.h"
#include "support/errors.h"

PyObject *scoring_accuracy(const xta_accuracy *accuracy)
{
    size_t n = accuracy->n_classes;

    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:K,s:K,s:d,s:d,s:d,s:d,s:d}", "classes",
                         call_bytes(accuracy->class_number, n, sizeof(int32_t)), "label_of",
                         call_bytes(accuracy->label_of, n, sizeof(int32_t)), "confusion",
                         call_bytes(accuracy->counts, n * (n + 1), sizeof(uint64_t)), "producer",
                         call_bytes(accuracy->producer, n, sizeof(double)), "user",
                         call_bytes(accuracy->user, n, sizeof(double)), "n",
                         (unsigned long long)accuracy->n, "correct",
                         (unsigned long long)accuracy->correct, "overall", accuracy->overall,
                         "average", accuracy->average, "kappa", accuracy->kappa, "class_size",
                         accuracy->class_size, "class_overlap", accuracy->class_overlap);
}

static xta_status run_labels(const Py_buffer *labels, const Py_buffer *truth, xta_matching matching,
                             xta_accuracy *accuracy, xta_error *err)
{
    xta_confusion *confusion = NULL;
    xta_status status = xta_confusion_new(&confusion, err);

    if (status == XTA_OK) {
        status = xta_confusion_add(confusion, truth->buf, labels->buf,
                                   (size_t)truth->len / sizeof(int32_t), err);
    }
    if (status == XTA_OK) {
        status = xta_confusion_read(confusion, matching, accuracy, err);
    }
    xta_confusion_free(confusion);
    return status;
}

PyObject *scoring_labels(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer labels = {0}, truth = {0};
    xta_accuracy accuracy = {0};
    PyObject *result = NULL;
    int same;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "y*y*p", &labels, &truth, &same)) {
        return NULL;
    }
    if (labels.len != truth.len) {
        PyErr_Format(PyExc_ValueError, "labels of %zd bytes, truth of %zd", labels.len, truth.len);
    } else {
        WITHOUT_GIL(status =
                        run_labels(&labels, &truth, same ? XTA_MATCH_SAME : XTA_MATCH_ONE_TO_ONE,
                                   &accuracy, &err));
        result = status == XTA_OK ? scoring_accuracy(&accuracy) : raise_status(status, &err, NULL);
    }
    xta_accuracy_clear(&accuracy);
    PyBuffer_Release(&labels);
    PyBuffer_Release(&truth);
    return result;
}

PyObject *scoring_endmembers(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer endmembers = {0}, references = {0};
    xta_endmember_score score = {0};
    PyObject *result = NULL;
    Py_ssize_t n_bands;
    xta_error err;
    xta_status status;

    if (!PyArg_ParseTuple(args, "y*y*n", &endmembers, &references, &n_bands)) {
        return NULL;
    }
    Py_ssize_t bytes = n_bands * (Py_ssize_t)sizeof(double);
    if (bytes <= 0 || endmembers.len % bytes != 0 || references.len % bytes != 0) {
        PyErr_Format(PyExc_ValueError, "spectra of %zd and %zd bytes are not of %zd bands",
                     endmembers.len, references.len, n_bands);
    } else {
        WITHOUT_GIL(status = xta_score_endmembers((size_t)(endmembers.len / bytes), endmembers.buf,
                                                  (size_t)(references.len / bytes), references.buf,
                                                  (size_t)n_bands, &score, &err));
        result =
            status == XTA_OK
                ? Py_BuildValue("(NNdd)",
                                call_bytes(score.endmember_of, score.n_references, sizeof(int64_t)),
                                call_bytes(score.angle, score.n_references, sizeof(double)),
                                score.mean, score.max)
                : raise_status(status, &err, NULL);
    }
    xta_endmember_score_clear(&score);
    PyBuffer_Release(&endmembers);
    PyBuffer_Release(&references);
    return result;
}
