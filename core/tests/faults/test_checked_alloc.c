/* Out of memory while cells are stored by checked calls: the chunk is released, so that a discard,
 * which waits for all stores, can go on.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"
#include "util/os.h"

enum { CELL = 100, SIDE = 256, CHUNK = 128 };

static test_story story;
static test_folder folder;
static xta_error err;
static uint8_t cells[SIDE * SIDE * CELL];
static const uint8_t zeros[CELL];

static int say_shares(int fd)
{
    (void)fd;
    return 1;
}

static xta_status change(xta_array *array, int kind)
{
    const xta_box part = {.ndim = 2, .lo = {1, 1}, .hi = {SIDE - 1, SIDE - 1}};
    const int64_t at[2] = {5, 6};

    return kind == 0   ? xta_array_write(array, &part, NULL, cells, &err)
           : kind == 1 ? xta_array_fill(array, &part, cells, &err)
                       : xta_array_put(array, at, cells, &err);
}

/* Each allocation of a change fails once, then none; afterwards everything is released. */
static uint64_t fail_each(xta_array *array, int kind)
{
    const xta_box all = {.ndim = 2, .hi = {SIDE, SIDE}};
    uint64_t n_failed = 0;
    bool happened = true;

    for (uint64_t n = 1; happened; n++) {
        STORY_OK(&story, change(array, 0), err); // so that the units are prepared
        failing_alloc_at(n, false);
        failing_alloc_arm(true);
        xta_status status = change(array, kind);
        failing_alloc_arm(false);
        happened = failing_alloc_happened();
        STORY_CHECK(&story, status == XTA_OK || (happened && status == XTA_ENOMEM),
                    "kind %d, allocation %llu: %s", kind, (unsigned long long)n, err.text);
        n_failed += status == XTA_ENOMEM;
        failing_alloc_at(0, false);
        STORY_OK(&story, xta_array_fill(array, &all, zeros, &err), err);
    }
    return n_failed;
}

static void fail_in(xta_order order, const char *path)
{
    const int64_t lengths[2] = {SIDE, SIDE}, chunk[2] = {CHUNK, CHUNK};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    options.chunk = chunk;
    options.order = order;
    options.cell_bytes = CELL;
    options.access = XTA_ACCESS_MAPPED;
    STORY_OK(&story, xta_array_create(path, XTA_BYTES, 2, lengths, &options, &array, &err), err);
    for (int kind = 0; kind < 3; kind++) {
        uint64_t n_failed = fail_each(array, kind);
        printf("test_checked_alloc: order %d, kind %d: %llu calls without memory\n", (int)order,
               kind, (unsigned long long)n_failed);
        STORY_CHECK(&story, n_failed > 0, "kind %d takes no memory", kind);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
    test_pair_remove(path);
}

int main(void)
{
    xta__os_calls calls = *xta__os();
    char path[TEST_PATH_BYTES];

    test_story_begin(&story, "test_checked_alloc", 0, 0);
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", path);
    calls.shares_blocks = say_shares;
    xta__os_replace(&calls);
    alarm(100); // a chunk that is not released would block the discard forever
    for (int order = XTA_ROW; order <= XTA_HILBERT; order++) {
        fail_in((xta_order)order, path);
    }
    test_folder_remove(&folder);
    return 0;
}
