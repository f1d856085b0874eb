/* See follow_rig.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "property/follow_rig.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/attribute.h>

#include "support/thread_communicator.h"

#define NO_DATA (-9999.0)

/* ---- cells ---- */

static uint64_t mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static double uniform(uint64_t seed, int64_t a, int64_t b, int64_t c)
{
    return (double)(mix(mix(mix(seed ^ (uint64_t)a) + (uint64_t)b) + (uint64_t)c) >> 11) / 0x1p53;
}

static double material(const rig_scene *s, int64_t m, int64_t band)
{
    return 200 + 1500 * uniform(s->seed, m, band, -77);
}

/* A mixture of materials, mostly of one, and noise. */
static double cell_at(const rig_scene *s, int64_t line, int64_t sample, int64_t band)
{
    const int64_t n = (int64_t)s->n_materials;
    const double kind = uniform(s->seed, line, sample, -1);
    const int64_t main = (int64_t)(uniform(s->seed, line / 5, sample / 4, -2) * (double)n);
    double sum = 0, weights = 0, value;

    if (s->holes && kind < 0.02) {
        return band == line % s->n_bands ? NO_DATA : 100;
    }
    if (s->holes && kind < 0.04) {
        return 0;
    }
    if (s->holes && kind < 0.05 && s->type == XTA_F32) {
        return NAN;
    }
    for (int64_t m = 0; m < n; m++) {
        const double w = uniform(s->seed, line, sample, m + 10) * (m == main ? 4 : 0.6);
        sum += w * material(s, m, band);
        weights += w;
    }
    value = sum / weights + 20 * uniform(s->seed, line, sample * 1000 + band, -3);
    return s->type == XTA_F32 ? value : floor(value);
}

static double *cells_of(const rig_scene *s, const xta_box *box)
{
    uint64_t n = 0;
    double *cells;
    size_t at = 0;

    (void)!xta_box_cells(box, &n);
    cells = malloc((n + 1) * sizeof *cells);
    for (int64_t line = box->lo[0]; line < box->hi[0]; line++) {
        for (int64_t sample = box->lo[1]; sample < box->hi[1]; sample++) {
            for (int64_t band = box->lo[2]; band < box->hi[2]; band++) {
                cells[at++] = cell_at(s, line, sample, band);
            }
        }
    }
    return cells;
}

/* ---- the scene ---- */

void rig_scene_make(const rig_scene *s, int64_t lines, const int64_t chunk[3],
                    const test_story *story)
{
    const int64_t bounds[3] = {lines, s->n_samples, s->n_bands};
    static const char *const names[3] = {"line", "sample", "band"};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    xta_box box;
    double *cells;

    options.chunk = chunk;
    options.names = names;
    STORY_OK(story, xta_array_create(s->path, s->type, 3, bounds, &options, &array, &err), err);
    STORY_OK(story, xta_attribute_set_f64(array, XTA_ON_ARRAY, "nodata", NO_DATA, &err), err);
    box = xta_array_bounds(array);
    cells = cells_of(s, &box);
    io.type = XTA_F64;
    if (lines > 0) {
        STORY_OK(story, xta_array_write(array, &box, &io, cells, &err), err);
    }
    free(cells);
    STORY_OK(story, xta_array_close(array, &err), err);
}

static void append(const rig_scene *s, int axis, int64_t n, xta_side side, const test_story *story)
{
    const xta_growth growth = {axis, side, n};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    xta_box box;
    double *cells;

    options.writable = true;
    STORY_OK(story, xta_array_open(s->path, &options, &array, &err), err);
    box = xta_array_bounds(array);
    if (side == XTA_BACK) {
        box.lo[axis] = box.hi[axis];
        box.hi[axis] += n;
    } else {
        box.hi[axis] = box.lo[axis];
        box.lo[axis] -= n;
    }
    cells = cells_of(s, &box);
    io.type = XTA_F64;
    STORY_OK(story, xta_array_append(array, &growth, &io, cells, NULL, &err), err);
    free(cells);
    STORY_OK(story, xta_array_close(array, &err), err);
}

void rig_scene_append(const rig_scene *s, int64_t lines, xta_side side, const test_story *story)
{
    append(s, 0, lines, side, story);
}

void rig_scene_append_bands(rig_scene *s, int64_t n, const test_story *story)
{
    append(s, 2, n, XTA_BACK, story);
    s->n_bands += n;
}

/* ---- a follower ---- */

typedef struct life {
    const rig_run *run;
    xta_follow_report report;
    xta_status status;
    xta_error err;
    bool differ; /* members have different statuses */
    int n_ended;
    pthread_mutex_t lock;
} life;

static xta_status live(const rig_run *run, const xta_communicator *communicator,
                       xta_follow_report *report, xta_error *err)
{
    xta_scene_options options = XTA_SCENE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_scene *scene = NULL;
    xta_follow *follow = NULL;
    xta_status status = xta_array_open(run->scene, NULL, &array, err);

    options.communicator = communicator;
    options.n_threads = run->n_threads;
    options.memory_bytes = run->memory_bytes;
    if (communicator != NULL) {
        status = communicator->agree(communicator->context, status, err);
    }
    if (status == XTA_OK) {
        status = xta_scene_open(array, &options, &scene, err);
    }
    if (status == XTA_OK) {
        status = xta_follow_open(scene, run->out, run->options, &follow, err);
    }
    for (int k = 0; k < (run->n_updates > 0 ? run->n_updates : 1) && status == XTA_OK; k++) {
        status = xta_follow_update(follow, report, err);
    }
    xta_follow_close(follow);
    xta_scene_close(scene);
    (void)xta_array_close(array, NULL);
    return status;
}

static void member(void *user, const xta_communicator *communicator)
{
    life *l = user;
    xta_follow_report report;
    xta_error err = {0};
    xta_status status;

    memset(&report, 0, sizeof report);
    status = live(l->run, communicator, &report, &err);
    pthread_mutex_lock(&l->lock);
    l->differ = l->differ || (l->n_ended > 0 && status != l->status);
    l->n_ended++;
    if (xta_communicator_rank(communicator) == 0 || l->n_ended == 1) {
        l->status = status;
        l->err = err;
        l->report = report;
    }
    pthread_mutex_unlock(&l->lock);
}

xta_status rig_follow(const rig_run *run, xta_follow_report *report, xta_error *err)
{
    // Nothing is allocated here, so that tests can refuse each allocation of the library.
    static life l;

    memset(&l, 0, sizeof l);
    l.run = run;
    pthread_mutex_init(&l.lock, NULL);
    test_members_run(run->n_members, member, &l);
    pthread_mutex_destroy(&l.lock);
    if (l.differ) {
        fprintf(stderr, "members of a communicator have different statuses: %s\n", l.err.text);
        exit(1);
    }
    if (report != NULL) {
        *report = l.report;
    }
    *err = l.err;
    return l.status;
}

/* ---- comparing folders ---- */

bool rig_has(const char *folder, const char *name)
{
    char path[TEST_PATH_BYTES * 2];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);

    return n >= m && strcmp(name + n - m, end) == 0;
}

static void compare_files(const char *a, const char *b, const char *name, const test_story *story)
{
    char path[TEST_PATH_BYTES * 2];
    size_t n_a = 0, n_b = 0;
    uint8_t *in_a, *in_b;

    snprintf(path, sizeof path, "%s/%s", a, name);
    in_a = test_file_read(path, &n_a);
    snprintf(path, sizeof path, "%s/%s", b, name);
    in_b = test_file_read(path, &n_b);
    STORY_CHECK(story, in_a != NULL && in_b != NULL, "%s is not in both folders", name);
    for (size_t k = 0; k < n_a && k < n_b; k++) {
        STORY_CHECK(story, in_a[k] == in_b[k], "%s: byte %zu differs", name, k);
    }
    STORY_CHECK(story, n_a == n_b, "%s: %zu bytes and %zu bytes", name, n_a, n_b);
    free(in_a);
    free(in_b);
}

static uint8_t *read_cells(xta_array *array, size_t *n, const test_story *story)
{
    const xta_box box = xta_array_bounds(array);
    uint64_t n_cells = 0;
    xta_error err;
    uint8_t *cells;

    STORY_CHECK(story, xta_box_cells(&box, &n_cells) == XTA_OK, "too many cells");
    *n = n_cells * xta_array_cell_bytes(array);
    cells = malloc(*n + 1);
    STORY_OK(story, xta_array_read(array, &box, NULL, cells, &err), err);
    return cells;
}

static void compare_arrays(const char *a, const char *b, const char *name, const test_story *story)
{
    char path[2][TEST_PATH_BYTES * 2];
    xta_array *array[2] = {NULL, NULL};
    uint8_t *cells[2];
    size_t n[2];
    xta_error err;
    xta_box box[2];

    snprintf(path[0], sizeof path[0], "%s/%s", a, name);
    snprintf(path[1], sizeof path[1], "%s/%s", b, name);
    for (int k = 0; k < 2; k++) {
        STORY_OK(story, xta_array_open(path[k], NULL, &array[k], &err), err);
        box[k] = xta_array_bounds(array[k]);
    }
    STORY_CHECK(story, xta_box_equal(&box[0], &box[1]), "%s: other bounds", name);
    STORY_CHECK(story, xta_array_type(array[0]) == xta_array_type(array[1]), "%s: type", name);
    for (int k = 0; k < 2; k++) {
        cells[k] = read_cells(array[k], &n[k], story);
    }
    for (size_t k = 0; k < n[0]; k++) {
        STORY_CHECK(story, cells[0][k] == cells[1][k], "%s: byte %zu of %zu of the cells differs",
                    name, k, n[0]);
    }
    for (int k = 0; k < 2; k++) {
        free(cells[k]);
        (void)xta_array_close(array[k], NULL);
    }
}

/* Everything of `a` is in `b`. */
static void compare_all(const char *a, const char *b, bool contents, const test_story *story)
{
    DIR *folder = opendir(a);
    const struct dirent *entry;

    STORY_CHECK(story, folder != NULL, "%s: cannot be listed", a);
    while ((entry = readdir(folder)) != NULL) {
        const char *name = entry->d_name;
        if (name[0] == '.' || strcmp(name, "follow.lock") == 0 || ends_with(name, ".new")) {
            continue;
        }
        STORY_CHECK(story, rig_has(b, name), "%s is in %s alone", name, a);
        if (contents && ends_with(name, ".xmd")) {
            char array[256];
            snprintf(array, sizeof array, "%.*s", (int)(strlen(name) - 4), name);
            compare_arrays(a, b, array, story);
        } else if (contents && !ends_with(name, ".xta")) {
            compare_files(a, b, name, story);
        }
    }
    closedir(folder);
}

void rig_compare(const char *a, const char *b, const test_story *story)
{
    compare_all(a, b, true, story);
    compare_all(b, a, false, story);
}
