/* Every n-th allocation fails while regions are described and extracted from an array, while a
 * chunk shape is searched for, and while an access log is written and read: the call returns
 * XTA_ENOMEM with a text, or succeeds without the memory, and nothing stays allocated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/access.h>
#include <xta/extract.h>

#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

typedef struct scene {
    test_story story;
    test_folder folder;
    char log[TEST_PATH_BYTES];
    xta_array *array;
    xta_array *mask;
    uint64_t n_cells; // passed in pieces
} scene;

static int count_cells(void *user, const xta_region_piece *piece)
{
    scene *s = user;
    uint64_t n = 0;

    if (xta_box_cells(&piece->cells, &n) == XTA_OK) {
        s->n_cells += n;
    }
    return 0;
}

/* A set of two boxes and a sphere. */
static xta_status describe(xta_regions **regions, xta_error *err)
{
    const int64_t lo[2] = {1, 2}, hi[2] = {5, 9};
    const double centre[2] = {4.5, 4};
    xta_box box = xta_box_make(2, lo, hi);
    xta_status status = xta_regions_new(2, regions, err);

    if (status == XTA_OK) {
        status = xta_regions_add_box(*regions, "first", &box, err);
    }
    if (status == XTA_OK) {
        status = xta_regions_add_sphere(*regions, "ball", centre, 3, NULL, err);
    }
    if (status == XTA_OK) {
        status = xta_regions_add_box(*regions, NULL, &box, err);
    }
    return status;
}

static xta_status take(scene *s, bool labels, xta_error *err)
{
    xta_extract_options options = XTA_EXTRACT_OPTIONS_INIT;
    xta_extraction *extraction = NULL;
    xta_regions *regions = NULL;
    xta_status status =
        labels ? xta_regions_of_mask(s->mask, 0, NULL, &regions, err) : describe(&regions, err);

    options.piece = count_cells;
    options.user = s;
    s->n_cells = 0;
    if (status == XTA_OK) {
        status = xta_extract(s->array, regions, &options, &extraction, err);
    }
    if (status == XTA_OK) {
        uint64_t wanted = labels ? 96 : 2 * 28 + 26;
        STORY_CHECK(&s->story, s->n_cells == wanted, "%lu cells", (unsigned long)s->n_cells);
        STORY_CHECK(&s->story,
                    xta_extraction_statistics(extraction, 0, 0).sum == (labels ? 96 : 28),
                    "a wrong sum");
    }
    xta_extraction_free(extraction);
    xta_regions_free(regions);
    return status;
}

static xta_status read_regions(scene *s, xta_error *err)
{
    return take(s, false, err);
}

static xta_status take_labels(scene *s, xta_error *err)
{
    return take(s, true, err);
}

static xta_status keep_log(scene *s, xta_error *err)
{
    xta_box bounds = xta_array_bounds(s->array);
    xta_access_log *log = NULL;
    xta_query *queries = NULL;
    int32_t cells[96];
    size_t n = 0;
    xta_status status;

    remove(s->log);
    status = xta_access_log_open(s->log, &log, err);
    if (status != XTA_OK) {
        return status;
    }
    xta_access_log_watch(log, s->array);
    status = xta_array_read(s->array, &bounds, NULL, cells, err);
    xta_array_watch(s->array, NULL, NULL);
    xta_error closing;
    STORY_OK(&s->story, xta_access_log_close(log, &closing), closing);
    if (status == XTA_OK) {
        status = xta_access_log_queries(s->log, &bounds, NULL, &queries, &n, err);
        STORY_CHECK(&s->story, status != XTA_OK || n == 1, "%zu queries", n);
    }
    free(queries);
    return status;
}

static xta_status tune(scene *s, xta_error *err)
{
    xta_box bounds = xta_array_bounds(s->array);
    const xta_query queries[2] = {{.weight = 1, .length = {8, 1}},
                                  {.weight = 1, .length = {1, 12}}};
    xta_tune_problem problem = XTA_TUNE_PROBLEM_INIT;
    xta_tune_answer answer;

    problem.bounds = &bounds;
    problem.cell_bytes = 4;
    problem.chunk_bytes = 4 * 24;
    problem.queries = queries;
    problem.n_queries = 2;
    xta_status status = xta_tune_shape(&problem, &answer, err);
    // 2 chunks for a column and 3 for a row: shapes of 24 cells such as 4 by 6, 8 by 3 or 2 by 12
    // are best.
    STORY_CHECK(&s->story, status != XTA_OK || (answer.exact && answer.cost == 2), "cost %g",
                answer.cost);
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

int main(void)
{
    static const struct {
        const char *name;
        xta_status (*run)(scene *, xta_error *);
        uint64_t least; // the fewest allocations that it must make, or the test would test nothing
    } scenarios[] = {{"regions", read_regions, 10},
                     {"labels", take_labels, 10},
                     {"log", keep_log, 3},
                     {"tune", tune, 10}};
    const int64_t bounds[2] = {8, 12};
    const int32_t one = 1;
    static scene s;
    xta_error err;

    test_folder_make(&s.folder);
    test_folder_join(&s.folder, "log", s.log);
    test_story_begin(&s.story, "test_alloc_regions", 0, 0);
    STORY_OK(&s.story, xta_array_new(XTA_I32, 2, bounds, NULL, &s.array, &err), err);
    STORY_OK(&s.story, xta_array_new(XTA_I32, 2, bounds, NULL, &s.mask, &err), err);
    xta_box all = xta_array_bounds(s.array);
    STORY_OK(&s.story, xta_array_fill(s.array, &all, &one, &err), err);
    STORY_OK(&s.story, xta_array_fill(s.mask, &all, &one, &err), err);
    for (size_t k = 0; k < sizeof scenarios / sizeof scenarios[0]; k++) {
        uint64_t n = fail_each(&s, scenarios[k].name, scenarios[k].run, false);
        uint64_t for_good = fail_each(&s, scenarios[k].name, scenarios[k].run, true);
        STORY_CHECK(&s.story, n >= scenarios[k].least && for_good >= scenarios[k].least,
                    "%s: only %lu allocations", scenarios[k].name, (unsigned long)n);
        printf("%s: each of %lu allocations was refused\n", scenarios[k].name, (unsigned long)n);
    }
    STORY_OK(&s.story, xta_array_close(s.array, &err), err);
    STORY_OK(&s.story, xta_array_close(s.mask, &err), err);
    test_folder_remove(&s.folder);
    return 0;
}
