/* Every n-th allocation fails while an array is repartitioned, beside itself and in place: the call
 * returns XTA_ENOMEM with a text, or succeeds without the memory; nothing stays allocated; the
 * source is intact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include <xta/repartition.h>

#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

#define ROWS    31
#define COLUMNS 26

static test_story story;
static xta_error err;
static char source[TEST_PATH_BYTES], target[TEST_PATH_BYTES], notes[TEST_PATH_BYTES];
static uint16_t cells[ROWS * COLUMNS];

static void make_source(void)
{
    const int64_t bounds[2] = {ROWS, COLUMNS}, chunk[2] = {7, 5};
    const xta_box box = xta_box_make(2, (int64_t[]){0, 0}, bounds);
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    o.chunk = chunk;
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        cells[k] = (uint16_t)(k * 40503u >> 3);
    }
    STORY_OK(&story, xta_array_create(source, XTA_U16, 2, bounds, &o, &array, &err), err);
    STORY_OK(&story, xta_array_write(array, &box, NULL, cells, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static void check_cells(const char *path)
{
    uint16_t found[ROWS * COLUMNS];
    xta_array *array = NULL;

    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    const xta_box bounds = xta_array_bounds(array);
    STORY_OK(&story, xta_array_read(array, &bounds, NULL, found, &err), err);
    STORY_CHECK(&story, memcmp(cells, found, sizeof cells) == 0, "%s: cells differ", path);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

static xta_create_options other_chunks(bool odd)
{
    static const int64_t chunk[2][2] = {{4, 9}, {6, 6}};
    xta_create_options changes = XTA_CREATE_OPTIONS_INIT;

    changes.chunk = chunk[odd];
    return changes;
}

/* From file to file, with a resume log and verification. */
static xta_status beside(uint64_t n)
{
    const xta_create_options changes = other_chunks(false);
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;
    xta_blocks from = {.calls = NULL}, to = {.calls = NULL};
    xta_array *one = NULL, *other = NULL;

    (void)n;
    o.memory_bytes = 1024;
    o.n_threads = 1;
    o.verify = true;
    o.resume_path = notes;
    xta_status status = xta_array_open(source, NULL, &one, &err);
    status = status == XTA_OK ? xta_array_create_like(one, target, &changes, &other, &err) : status;
    status = status == XTA_OK ? xta_blocks_of_array(one, &from, &err) : status;
    status = status == XTA_OK ? xta_blocks_into_array(other, &to, &err) : status;
    status = status == XTA_OK ? xta_repartition_run(&from, &to, &o, NULL, &err) : status;
    xta_status closed = xta_blocks_close(&from, true, NULL);
    closed = closed == XTA_OK ? xta_blocks_close(&to, status == XTA_OK, NULL) : closed;
    STORY_CHECK(&story, closed == XTA_OK, "blocks are not closed");
    xta_array_close(one, NULL);
    xta_array_close(other, NULL);
    return status;
}

static xta_status in_place(uint64_t n)
{
    const xta_create_options changes = other_chunks(n % 2 == 1);
    xta_repartition_options o = XTA_REPARTITION_OPTIONS_INIT;

    o.memory_bytes = 1024;
    o.n_threads = 1;
    return xta_array_rechunk(source, &changes, &o, NULL, &err);
}

/* Make one allocation after the other fail. Returns how many calls failed because of it. */
static uint64_t try_all(xta_status (*call)(uint64_t n), const char *made)
{
    uint64_t tried = 0, refused = 0;
    bool happened = true;

    while (happened) {
        int64_t before = failing_alloc_live();
        failing_alloc_at(++tried, false);
        failing_alloc_arm(true);
        xta_status status = call(tried);
        failing_alloc_arm(false);
        happened = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&story, failing_alloc_live() == before, "allocation %llu: memory is lost",
                    (unsigned long long)tried);
        STORY_CHECK(&story, status == XTA_OK || (status == XTA_ENOMEM && happened),
                    "allocation %llu: %s: %s", (unsigned long long)tried, xta_status_name(status),
                    err.text);
        refused += status != XTA_OK;
        check_cells(source);
        if (status == XTA_OK) {
            check_cells(made);
        }
        test_pair_remove(target);
        remove(notes);
    }
    return refused;
}

int main(void)
{
    test_folder folder;

    test_story_begin(&story, "test_alloc_repartition", 0, 0);
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "source", source);
    test_folder_join(&folder, "target", target);
    test_folder_join(&folder, "notes", notes);
    make_source();
    uint64_t n_beside = try_all(beside, target), n_in_place = try_all(in_place, source);
    STORY_CHECK(&story, n_beside > 50 && n_in_place > 50, "only %llu and %llu calls were refused",
                (unsigned long long)n_beside, (unsigned long long)n_in_place);
    test_folder_remove(&folder);
    printf("test_alloc_repartition: %llu and %llu refusals\n", (unsigned long long)n_beside,
           (unsigned long long)n_in_place);
    return 0;
}
