/* Classifiers that are trained on labelled pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "hyper/training.h"

#include <xta/classify.h>

#include "hyper/call.h"
#include "hyper/map.h"
#include "hyper/scene_object.h"
#include "hyper/scoring.h"
#include "more/source.h"
#include "support/convert.h"
#include "support/errors.h"

typedef struct training {
    scene_object *from;
    source truth;
    xta_label_map classes;
    xta_classifier_options options;
    map labels;
    xta_accuracy accuracy;
    size_t n_trained;
} training;

/* ---- the run, without the GIL ---- */

static xta_status apply(training *t, const xta_classifier *classifier, xta_error *err)
{
    xta_confusion *confusion = NULL;
    xta_status status = xta_confusion_new(&confusion, err);

    if (status == XTA_OK) {
        status = xta_classifier_apply(classifier, t->from->scene, t->labels.array, &t->classes,
                                      confusion, err);
    }
    if (status == XTA_OK) {
        status = xta_confusion_read(confusion, XTA_MATCH_SAME, &t->accuracy, err);
    }
    xta_confusion_free(confusion);
    return status;
}

static xta_status run(training *t, xta_error *err)
{
    xta_classifier *classifier = NULL;
    xta_status status = source_open(&t->truth, err);

    if (status == XTA_OK) {
        t->classes.array = t->truth.array;
        // As wide as the classes are.
        t->labels.options.type = xta_array_cell_bytes(t->truth.array) == 1 ? XTA_U8 : XTA_U16;
        status = xta_classifier_train(t->from->scene, &t->classes, &t->options, &classifier, err);
    }
    if (status == XTA_OK) {
        t->n_trained = xta_classifier_n_trained(classifier);
        status = map_begin(&t->labels, t->from->scene, err);
    }
    if (status == XTA_OK) {
        status = apply(t, classifier, err);
    }
    xta_classifier_free(classifier);
    return map_end(&t->labels, status, err);
}

/* ---- arguments and results ---- */

static bool read_arguments(PyObject *args, training *t)
{
    PyObject *scene, *truth, *shift;
    unsigned long long components, seed;
    int method, full, equal_priors;

    t->options = (xta_classifier_options)XTA_CLASSIFIER_OPTIONS_INIT;
    t->labels.wanted = true;
    t->labels.options = (xta_scene_map_options)XTA_SCENE_MAP_OPTIONS_INIT;
    t->labels.options.title = "labels";
    if (!PyArg_ParseTuple(args, "OOOidKpKpO&", &scene, &truth, &shift, &method, &t->options.train,
                          &components, &full, &seed, &equal_priors, path_or_none,
                          &t->labels.options.path)) {
        return false;
    }
    t->options.method = (xta_classifier_method)method;
    t->options.n_components = components;
    t->options.full_band = full != 0;
    t->options.seed = seed;
    t->options.equal_priors = equal_priors != 0;
    t->from = scene_of(scene);
    if (t->from == NULL || !source_from_python(truth, &t->truth)) {
        return false;
    }
    xta_scene_info info = xta_scene_inquire(t->from->scene);
    long long lines = info.line_lo, samples = info.sample_lo;
    if (shift != Py_None && !PyArg_ParseTuple(shift, "LL", &lines, &samples)) {
        return false;
    }
    t->classes.line_shift = lines;
    t->classes.sample_shift = samples;
    return true;
}

PyObject *training_run(PyObject *Py_UNUSED(module), PyObject *args)
{
    training t = {0};
    PyObject *labels, *result = NULL;
    xta_error err;
    xta_status status;

    if (read_arguments(args, &t)) {
        HYPER_CALL(status = run(&t, &err));
        labels = status == XTA_OK ? map_to_python(&t.labels)
                                  : call_failed(status, &err, t.from->from.path);
        if (labels != NULL) {
            result = Py_BuildValue("(NNn)", labels, scoring_accuracy(&t.accuracy),
                                   (Py_ssize_t)t.n_trained);
        }
    }
    xta_accuracy_clear(&t.accuracy);
    map_clear(&t.labels);
    source_clear(&t.truth);
    return result;
}
