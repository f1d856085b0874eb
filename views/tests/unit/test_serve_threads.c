/* Threads ask one server for snapshots while the array grows at both ends: the first cell of every
 * chunk is that of the step that its address names, and an address without a pin keeps its first
 * cell.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/zarr_view.h>

#include "serve/answer.h"
#include "serve/request_path.h"
#include "support/folder.h"
#include "support/report.h"

enum { CLIENTS = 4, FIRST_CELLS = 4 };

typedef struct scene {
    test_story story;
    test_folder folder;
    char path[TEST_PATH_BYTES];
    catalogue all;
    source *one;
    int rounds;
} scene;

/* After step k the array has grown by (k + 1) / 2 cells at the back and k / 2 at the front. */
static int64_t first_cell(uint64_t step)
{
    return -(int64_t)(step / 2);
}

static void ask(const scene *s, const char *text, int status, serve_answer *answer)
{
    request_path path;

    STORY_CHECK(&s->story, xta__request_path_parse(text, &path) == 0, "%s", text);
    xta__answer(&s->all, &path, "http://localhost", answer);
    STORY_CHECK(&s->story, answer->status == status, "%s: %d: %.200s", text, answer->status,
                answer->bytes != NULL ? (char *)answer->bytes : "");
}

static void check_first(const scene *s, const char *text, int64_t wanted)
{
    serve_answer answer;
    int64_t cell = 0;

    ask(s, text, 200, &answer);
    memcpy(&cell, answer.bytes, sizeof cell);
    STORY_CHECK(&s->story, cell == wanted, "%s: %" PRId64 " instead of %" PRId64, text, cell,
                wanted);
    xta__answer_clear(&answer);
}

static void *client(void *user)
{
    const scene *s = user;
    char text[200];
    serve_answer answer;

    for (int k = 0; k < s->rounds; k++) {
        ask(s, "/a/latest", 307, &answer);
        uint64_t step = strtoull(strchr(answer.location, '@') + 1, NULL, 10);
        xta__answer_clear(&answer);
        snprintf(text, sizeof text, "/a@%" PRIu64 ".zarr/a/0", step);
        check_first(s, text, first_cell(step));
        snprintf(text, sizeof text, "/a@%" PRIu64 ".zarr3/a/c/0", step / 2);
        check_first(s, text, first_cell(step / 2));
        ask(s, "/a.zarr/.zmetadata", 200, &answer);
        xta__answer_clear(&answer);
        check_first(s, "/a.zarr/a/0", 0);
        ask(s, "/a.json", 200, &answer);
        xta__answer_clear(&answer);
    }
    return NULL;
}

static void grow(scene *s, xta_array *array, int steps)
{
    xta_error err;

    for (int k = 0; k < steps; k++) {
        xta_box bounds = xta_array_bounds(array);
        const xta_growth growth = {.axis = 0, .side = k % 2 == 0 ? XTA_BACK : XTA_FRONT, .by = 1};
        int64_t cell = k % 2 == 0 ? bounds.hi[0] : bounds.lo[0] - 1;
        STORY_OK(&s->story, xta_array_append(array, &growth, NULL, &cell, NULL, &err), err);
    }
}

int main(void)
{
    static scene s;
    const char *scale = getenv("XTA_SCALE");
    const int64_t bounds[1] = {FIRST_CELLS}, chunk[1] = {3};
    const int64_t cells[FIRST_CELLS] = {0, 1, 2, 3};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    pthread_t threads[CLIENTS];
    xta_error err;

    s.rounds = (int)(40 * (scale != NULL ? strtod(scale, NULL) : 1)) + 5;
    test_folder_make_fast(&s.folder);
    test_folder_join(&s.folder, "a", s.path);
    test_story_begin(&s.story, "test_serve_threads", 0, 0);
    options.chunk = chunk;
    STORY_OK(&s.story, xta_array_create(s.path, XTA_I64, 1, bounds, &options, &array, &err), err);
    xta_box all = xta_array_bounds(array);
    STORY_OK(&s.story, xta_array_write(array, &all, NULL, cells, &err), err);
    STORY_OK(&s.story, xta__source_open(s.path, true, &s.one, &err), err);
    s.all = (catalogue){.sources = &s.one, .n = 1, .memory_bytes = 1 << 24};
    for (int k = 0; k < CLIENTS; k++) {
        STORY_CHECK(&s.story, pthread_create(&threads[k], NULL, client, &s) == 0, "no thread");
    }
    grow(&s, array, 4 * s.rounds);
    for (int k = 0; k < CLIENTS; k++) {
        pthread_join(threads[k], NULL);
    }
    xta__source_close(s.one);
    STORY_OK(&s.story, xta_array_close(array, &err), err);
    test_folder_remove(&s.folder);
    printf("test_serve_threads: %d clients, %d rounds, %d steps\n", CLIENTS, s.rounds,
           4 * s.rounds);
    return 0;
}
