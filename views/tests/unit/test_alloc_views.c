/* Every n-th allocation fails while an array and a data set are opened as views, and while their
 * documents, chunks, references and pages are made: the call returns XTA_ENOMEM with a text, or
 * succeeds without the memory, and nothing stays allocated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/zarr_view.h>

#include "serve/answer.h"
#include "serve/request_path.h"
#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

typedef struct scene {
    test_story story;
    test_folder folder;
    char array[TEST_PATH_BYTES], set[TEST_PATH_BYTES], references[TEST_PATH_BYTES];
} scene;

static xta_status get_all(xta_zarr_view *view, const char *const keys[], xta_error *err)
{
    xta_status status = XTA_OK;

    for (int k = 0; keys[k] != NULL && status == XTA_OK; k++) {
        unsigned char *bytes = NULL;
        size_t n = 0;
        int version = strstr(keys[k], "json") != NULL ? 3 : 2;
        status = xta_zarr_view_get(view, version, keys[k], &bytes, &n, err);
        free(bytes);
    }
    return status;
}

static xta_status view_array(scene *s, xta_error *err)
{
    static const char *const keys[] = {".zmetadata", "zarr.json", "a/.zattrs",
                                       "t/0",        "a/1.0",     NULL};
    xta_zarr_view *view = NULL, *newer = NULL;
    xta_status status = xta_zarr_view_open(s->array, "0", &view, err);

    status = status == XTA_OK ? get_all(view, keys, err) : status;
    status = status == XTA_OK ? xta_zarr_view_open_from(s->array, view, &newer, err) : status;
    xta_zarr_view_close(newer);
    xta_zarr_view_close(view);
    return status;
}

static xta_status view_set(scene *s, xta_error *err)
{
    static const char *const keys[] = {".zmetadata", "m/zarr.json", "t/0", "m/0.0", NULL};
    xta_zarr_view *view = NULL;
    xta_status status = xta_zarr_view_open(s->set, "t=0:4,m_dim1=0:1", &view, err);

    status = status == XTA_OK ? get_all(view, keys, err) : status;
    xta_zarr_view_close(view);
    return status;
}

static xta_status export_references(scene *s, xta_error *err)
{
    xta_zarr_options how = XTA_ZARR_OPTIONS_INIT;
    xta_references_options options = XTA_REFERENCES_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_zarr *zarr = NULL;
    xta_status status = xta_array_open(s->array, NULL, &array, err);

    how.stored = true;
    options.overwrite = XTA_OVERWRITE_ANY;
    status = status == XTA_OK ? xta_zarr_of_array(array, &how, &zarr, err) : status;
    status = status == XTA_OK ? xta_references_export(zarr, s->references, &options, err) : status;
    xta_zarr_free(zarr);
    xta_status closed = xta_array_close(array, NULL);
    return status == XTA_OK ? closed : status;
}

/* The server's own part: an answer is 200, 307, or says that there is no memory. */
static xta_status answer_all(scene *s, xta_error *err)
{
    static const char *const paths[] = {"/set.zarr/.zmetadata",
                                        "/set/latest3",
                                        "/set.json",
                                        "/",
                                        "/set/steps.json",
                                        "/set@t=0:4,m_dim1=0:1.zarr/m/0.0",
                                        "/set/m.xta"};
    catalogue all = {.n = 1, .memory_bytes = 1 << 20};
    source *one = NULL;
    request_path path;
    xta_status status = xta__source_open(s->set, true, &one, err);

    all.sources = &one;
    for (size_t k = 0; k < sizeof paths / sizeof paths[0] && status == XTA_OK; k++) {
        serve_answer answer;
        STORY_CHECK(&s->story, xta__request_path_parse(paths[k], &path) == 0, "%s", paths[k]);
        xta__answer(&all, &path, "http://localhost", &answer);
        bool good = answer.status == 200 || answer.status == 307;
        STORY_CHECK(&s->story, good || (answer.status == 503 && failing_alloc_happened()),
                    "%s: %d: %s", paths[k], answer.status,
                    answer.bytes != NULL ? (char *)answer.bytes : "");
        if (!good) {
            status = xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory", paths[k]);
        }
        xta__answer_clear(&answer);
    }
    xta__source_close(one);
    return status;
}

/* Run a scenario until no allocation fails any more. Returns how many allocations there were. */
static uint64_t fail_each(scene *s, const char *name, xta_status (*scenario)(scene *, xta_error *),
                          bool for_good)
{
    for (uint64_t n = 1;; n++) {
        xta_error err = {0};
        int64_t live = failing_alloc_live();
        test_story_begin(&s->story, name, 0, n);
        failing_alloc_at(n, for_good);
        failing_alloc_arm(true);
        xta_status status = scenario(s, &err);
        failing_alloc_arm(false);
        bool refused = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&s->story, status == XTA_OK || (status == XTA_ENOMEM && refused), "%s: %s",
                    xta_status_name(status), err.text);
        STORY_CHECK(&s->story, status == XTA_OK || err.text[0] != '\0', "no text");
        STORY_CHECK(&s->story, failing_alloc_live() == live, "%ld blocks are left",
                    (long)(failing_alloc_live() - live));
        if (!refused) {
            STORY_OK(&s->story, status, err);
            return n - 1;
        }
    }
}

static void make_scene(scene *s)
{
    const int64_t bounds[2] = {4, 3}, chunk[2] = {2, 3};
    const char *const names[2] = {"t", NULL}, *const one_name[2] = {"t", NULL};
    const float fill = -1;
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_regular regular = {XTA_F64, {.f = 0.5}, {.f = 2}};
    xta_dimension t = {.name = "t",
                       .hi = 4,
                       .coordinates = XTA_COORDINATES_REGULAR,
                       .regular = {XTA_I32, {.i = 5}, {.i = 3}}};
    xta_array *array = NULL;
    xta_dataset *set = NULL;
    xta_error err;

    options.chunk = chunk;
    options.fill = &fill;
    options.names = names;
    STORY_OK(&s->story, xta_array_create(s->array, XTA_F32, 2, bounds, &options, &array, &err),
             err);
    STORY_OK(&s->story, xta_axis_set_regular(array, 0, &regular, &err), err);
    STORY_OK(&s->story, xta_attribute_set_text(array, XTA_ON_ARRAY, "units", "K", &err), err);
    STORY_OK(&s->story, xta_array_close(array, &err), err);
    STORY_OK(&s->story, xta_dataset_create(s->set, NULL, &set, &err), err);
    STORY_OK(&s->story, xta_dataset_set_dimension(set, &t, &err), err);
    STORY_OK(&s->story, xta_dataset_add_member(set, "m", XTA_U8, 2, one_name, NULL, NULL, &err),
             err);
    STORY_OK(&s->story, xta_dataset_close(set, &err), err);
}

int main(void)
{
    static const struct {
        const char *name;
        xta_status (*run)(scene *, xta_error *);
        uint64_t least; // the fewest allocations that it must make, or the test would test nothing
    } scenarios[] = {{"array", view_array, 30},
                     {"set", view_set, 30},
                     {"references", export_references, 20},
                     {"answers", answer_all, 60}};
    static scene s;

    test_folder_make_fast(&s.folder);
    test_folder_join(&s.folder, "a", s.array);
    test_folder_join(&s.folder, "set", s.set);
    test_folder_join(&s.folder, "refs.json", s.references);
    test_story_begin(&s.story, "test_alloc_views", 0, 0);
    make_scene(&s);
    for (size_t k = 0; k < sizeof scenarios / sizeof scenarios[0]; k++) {
        uint64_t n = fail_each(&s, scenarios[k].name, scenarios[k].run, false);
        uint64_t for_good = fail_each(&s, scenarios[k].name, scenarios[k].run, true);
        STORY_CHECK(&s.story, n >= scenarios[k].least && for_good >= scenarios[k].least,
                    "%s: only %lu allocations", scenarios[k].name, (unsigned long)n);
        printf("%s: each of %lu allocations was refused\n", scenarios[k].name, (unsigned long)n);
    }
    test_folder_remove(&s.folder);
    return 0;
}
