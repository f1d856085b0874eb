/* Supervised classification: which pixels are used for training, that none of these is scored, the
 * same labels for every communicator and number of threads, and the accuracy on a real scene.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <xta/classify.h>
#include <xta/synth.h>

#include "support/random.h"
#include "support/real_scene.h"
#include "support/skip.h"
#include "support/thread_communicator.h"

enum { LINES = 75, SAMPLES = 50, BANDS = 9, CLASSES = 4, PIXELS = LINES * SAMPLES };

static uint64_t seed;

/* A scene with a truth map, both in memory. */
typedef struct world {
    xta_array *scene, *truth;
    int32_t classes[PIXELS];
    int16_t cells[PIXELS * BANDS];
} world;

static xta_array *memory_array(xta_type type, int ndim, const int64_t bounds[], xta_type of,
                               const void *cells)
{
    xta_array *array = NULL;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.type = of;
    assert_int_equal(xta_array_new(type, ndim, bounds, NULL, &array, NULL), XTA_OK);
    xta_box box = xta_array_bounds(array);
    assert_int_equal(xta_array_write(array, &box, &io, cells, NULL), XTA_OK);
    return array;
}

/* Patches of classes 0 to CLASSES, each with its own spectrum, with noise; class 3 has six
 * pixels. */
static void make_world(world *w)
{
    const int64_t flat[2] = {LINES, SAMPLES}, deep[3] = {LINES, SAMPLES, BANDS};
    test_random random = test_random_make(seed, 0);
    for (int k = 0; k < PIXELS; k++) {
        int32_t patch = (k / SAMPLES / 8 + k % SAMPLES / 7) % 4;
        w->classes[k] = patch == 3 ? CLASSES : patch;
        if (k >= 700 && k < 706) {
            w->classes[k] = 3;
        }
        for (int b = 0; b < BANDS; b++) {
            int64_t level = 100 + 60 * ((w->classes[k] * (b + 2) + b) % 7);
            w->cells[k * BANDS + b] = (int16_t)(level + test_random_in(&random, -20, 20));
        }
    }
    w->scene = memory_array(XTA_I16, 3, deep, XTA_I16, w->cells);
    w->truth = memory_array(XTA_U8, 2, flat, XTA_I32, w->classes);
}

static void end_world(world *w)
{
    assert_int_equal(xta_array_close(w->scene, NULL), XTA_OK);
    assert_int_equal(xta_array_close(w->truth, NULL), XTA_OK);
}

/* The result of one run, readable by the first thread. */
typedef struct outcome {
    world *w;
    int n_threads;
    xta_classifier_options options;
    xta_status status;
    uint64_t n_scored, n_correct;
    int32_t labels[PIXELS];
    unsigned char trained[PIXELS];
} outcome;

/* The members of the communicator are threads, and they share the result. */
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

static xta_status keep_results(outcome *o, const xta_classifier *c, const xta_confusion *confusion,
                               const xta_communicator *communicator, xta_array *labels)
{
    xta_accuracy a = {0};
    xta_box box = xta_array_bounds(labels);
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    int32_t *mine = calloc(PIXELS, sizeof *mine);
    io.type = XTA_I32;
    xta_status status = mine != NULL ? xta_array_read(labels, &box, &io, mine, NULL) : XTA_ENOMEM;
    /* Each member has written its tiles into its own memory array; every pixel is valid, so cells
     * it has not written are 0. */
    for (size_t k = 0; status == XTA_OK && k < PIXELS; k++) {
        o->labels[k] = mine[k] != 0 ? mine[k] : o->labels[k];
    }
    if (xta_communicator_rank(communicator) == 0 && status == XTA_OK) {
        for (int64_t k = 0; k < PIXELS; k++) {
            o->trained[k] = xta_classifier_trained_on(c, k / SAMPLES, k % SAMPLES);
        }
        status = xta_confusion_read(confusion, XTA_MATCH_SAME, &a, NULL);
        o->n_scored = a.n;
        o->n_correct = a.correct;
        xta_accuracy_clear(&a);
    }
    free(mine);
    return status;
}

static void run_member(void *user, const xta_communicator *communicator)
{
    outcome *o = user;
    xta_scene *scene = NULL;
    xta_classifier *c = NULL;
    xta_confusion *confusion = NULL;
    xta_array *labels = NULL;
    xta_label_map truth = {o->w->truth, 0, 0};
    const int64_t flat[2] = {LINES, SAMPLES};
    xta_scene_options so = XTA_SCENE_OPTIONS_INIT;
    so.communicator = communicator;
    so.n_threads = o->n_threads;
    xta_status status = xta_scene_open(o->w->scene, &so, &scene, NULL);
    if (status == XTA_OK) {
        status = xta_array_new(XTA_U8, 2, flat, NULL, &labels, NULL);
    }
    if (status == XTA_OK) {
        status = xta_confusion_new(&confusion, NULL);
    }
    if (status == XTA_OK) {
        status = xta_classifier_train(scene, &truth, &o->options, &c, NULL);
    }
    if (status == XTA_OK) {
        status = xta_classifier_apply(c, scene, labels, &truth, confusion, NULL);
    }
    pthread_mutex_lock(&keeping);
    if (status == XTA_OK) {
        status = keep_results(o, c, confusion, communicator, labels);
    }
    if (labels != NULL && xta_array_close(labels, NULL) != XTA_OK) {
        status = XTA_EIO;
    }
    o->status = o->status == XTA_OK ? status : o->status;
    pthread_mutex_unlock(&keeping);
    xta_classifier_free(c);
    xta_confusion_free(confusion);
    xta_scene_close(scene);
}

/* Of each class ceil(train * n) pixels are trained on, at least one and not all; and those are not
 * scored. */
static void check_split(const outcome *o)
{
    size_t n[CLASSES + 1] = {0}, trained[CLASSES + 1] = {0}, scored = 0, correct = 0;
    for (int k = 0; k < PIXELS; k++) {
        int32_t c = o->w->classes[k];
        n[c]++;
        trained[c] += o->trained[k];
        scored += c != 0 && !o->trained[k];
        correct += c != 0 && !o->trained[k] && o->labels[k] == c;
    }
    assert_int_equal(trained[0], 0);
    for (int c = 1; c <= CLASSES; c++) {
        double train = o->options.train == 0 ? 0.1 : o->options.train;
        size_t want = (size_t)ceil(train * (double)n[c]);
        want = want < n[c] ? want : n[c] - 1;
        assert_int_equal(trained[c], want);
    }
    assert_int_equal(o->n_scored, scored);
    assert_int_equal(o->n_correct, correct);
}

static void test_communicators(void **state)
{
    (void)state;
    world *w = calloc(1, sizeof *w);
    outcome *first = calloc(1, sizeof *first), *other = calloc(1, sizeof *other);
    assert_true(w != NULL && first != NULL && other != NULL);
    make_world(w);
    for (int kind = 0; kind < 4; kind++) {
        xta_classifier_options o = XTA_CLASSIFIER_OPTIONS_INIT;
        o.method = kind % 2 == 0 ? XTA_LDA : XTA_GAUSSIAN_ML;
        o.full_band = kind >= 2;
        o.train = kind == 1 ? 0.9 : 0;
        o.n_components = kind < 2 ? 5 : 0;
        o.seed = (uint64_t)kind;
        for (int run = 0; run < 9; run++) {
            outcome *now = run == 0 ? first : other;
            *now = (outcome){.w = w, .n_threads = 1 + run % 2, .options = o};
            test_members_run(run / 2, run_member, now);
            assert_int_equal(now->status, XTA_OK);
            check_split(now);
            assert_memory_equal(now->labels, first->labels, sizeof first->labels);
            assert_memory_equal(now->trained, first->trained, sizeof first->trained);
        }
        assert_true((double)first->n_correct > 0.97 * (double)first->n_scored);
    }
    end_world(w);
    free(first);
    free(other);
    free(w);
}

static void test_seeds(void **state)
{
    (void)state;
    world *w = calloc(1, sizeof *w);
    outcome *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    assert_true(w != NULL && a != NULL && b != NULL);
    make_world(w);
    *a = (outcome){.w = w, .n_threads = 1, .options = XTA_CLASSIFIER_OPTIONS_INIT};
    *b = *a;
    a->options.n_components = b->options.n_components = 4;
    b->options.seed = 5;
    test_members_run(0, run_member, a);
    test_members_run(0, run_member, b);
    assert_int_equal(a->status, XTA_OK);
    assert_int_equal(b->status, XTA_OK);
    assert_memory_not_equal(a->trained, b->trained, sizeof a->trained);
    end_world(w);
    free(a);
    free(b);
    free(w);
}

/* Train, and return the status and the text. */
static xta_status try_train(xta_array *array, xta_array *truth, const xta_classifier_options *o,
                            xta_error *err)
{
    xta_scene *scene = NULL;
    xta_classifier *c = NULL;
    xta_label_map map = {truth, 0, 0};
    assert_int_equal(xta_scene_open(array, NULL, &scene, NULL), XTA_OK);
    xta_status status = xta_classifier_train(scene, &map, o, &c, err);
    assert_true((c != NULL) == (status == XTA_OK));
    xta_classifier_free(c);
    xta_scene_close(scene);
    return status;
}

static void test_errors(void **state)
{
    (void)state;
    enum { N = 6 };
    const int64_t flat[2] = {2, 3}, deep[3] = {2, 3, 2};
    const int16_t cells[N * 2] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3};
    const int32_t single[N] = {1, 1, 0, 2, 0, 1}, one[N] = {1, 1, 1, 1, 0, 0},
                  good[N] = {1, 1, 1, 2, 2, 2};
    xta_array *scene = memory_array(XTA_I16, 3, deep, XTA_I16, cells);
    xta_array *truth[3] = {memory_array(XTA_U8, 2, flat, XTA_I32, single),
                           memory_array(XTA_U8, 2, flat, XTA_I32, one),
                           memory_array(XTA_U8, 2, flat, XTA_I32, good)};
    xta_classifier_options o = XTA_CLASSIFIER_OPTIONS_INIT;
    xta_error err;
    assert_int_equal(try_train(scene, truth[0], &o, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "class 2"));
    assert_int_equal(try_train(scene, truth[1], &o, &err), XTA_EARG);
    assert_non_null(strstr(err.text, "1 classes"));
    assert_int_equal(try_train(scene, truth[2], &o, &err), XTA_OK);
    o.n_components = 3;
    assert_int_equal(try_train(scene, truth[2], &o, &err), XTA_EARG);
    o.n_components = 1;
    o.train = 1;
    assert_int_equal(try_train(scene, truth[2], &o, &err), XTA_EARG);
    o.train = NAN;
    assert_int_equal(try_train(scene, truth[2], &o, &err), XTA_EARG);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(xta_array_close(truth[k], NULL), XTA_OK);
    }
    assert_int_equal(xta_array_close(scene, NULL), XTA_OK);
}

/* The scores of docs/HYPERSPECTRAL.md: at least 98.5 % of the pixels that were not trained on. */
static void test_salinas(void **state)
{
    (void)state;
    test_real_scene real;
    if (!test_salinas_a(&real)) {
        return;
    }
    const int64_t deep[3] = {(int64_t)real.n_lines, (int64_t)real.n_samples, (int64_t)real.n_bands};
    xta_array *array = memory_array(XTA_I16, 3, deep, XTA_F64, real.cells);
    xta_array *truth = memory_array(XTA_U8, 2, deep, XTA_I32, real.truth);
    for (uint64_t split = 0; split < 5; split++) {
        xta_scene *scene = NULL;
        xta_classifier *c = NULL;
        xta_confusion *confusion = NULL;
        xta_accuracy a;
        xta_label_map map = {truth, 0, 0};
        xta_classifier_options o = XTA_CLASSIFIER_OPTIONS_INIT;
        o.seed = split;
        assert_int_equal(xta_scene_open(array, NULL, &scene, NULL), XTA_OK);
        assert_int_equal(xta_confusion_new(&confusion, NULL), XTA_OK);
        assert_int_equal(xta_classifier_train(scene, &map, &o, &c, NULL), XTA_OK);
        assert_int_equal(xta_classifier_apply(c, scene, NULL, &map, confusion, NULL), XTA_OK);
        assert_int_equal(xta_confusion_read(confusion, XTA_MATCH_SAME, &a, NULL), XTA_OK);
        printf("SalinasA, LDA, 10 %% trained on, split %d: OA %.4f, AA %.4f, kappa %.4f\n",
               (int)split, a.overall, a.average, a.kappa);
        assert_int_equal(a.n + xta_classifier_n_trained(c), 5348);
        assert_true(a.overall >= 0.985);
        xta_accuracy_clear(&a);
        xta_confusion_free(confusion);
        xta_classifier_free(c);
        xta_scene_close(scene);
    }
    assert_int_equal(xta_array_close(array, NULL), XTA_OK);
    assert_int_equal(xta_array_close(truth, NULL), XTA_OK);
    test_real_scene_free(&real);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_communicators),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_salinas),
    };
    seed = test_seed("hyper_classify", 20261104);
    return test_end(cmocka_run_group_tests_name("hyper_classify", tests, NULL, NULL));
}
