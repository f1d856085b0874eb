/* Every n-th allocation is refused, and every n-th read of a file fails, while an array is reduced:
 * the call answers with a status and a text, or does without; nothing stays allocated, and no
 * result file is left behind.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/reduce.h>

#include "support/failing_alloc.h"
#include "support/faulty_os.h"
#include "support/folder.h"
#include "support/report.h"

static test_story story;
static test_folder folder;
static xta_array *array;
static int64_t labels[2000];

static const xta_reduce_statistic all[] = {XTA_REDUCE_COUNT, XTA_REDUCE_SUM, XTA_REDUCE_MEAN,
                                           XTA_REDUCE_MIN,   XTA_REDUCE_MAX, XTA_REDUCE_VAR};
enum { N = sizeof all / sizeof all[0] };

/* Reduce over the last axes into arrays in memory, or at `path`; all cells are 1. */
static xta_status reduce(bool grouped, const char *path, xta_error *err)
{
    static const int axes[2] = {1, 2};
    xta_reduce_options options = XTA_REDUCE_OPTIONS_INIT;
    xta_array *results[N] = {NULL};
    xta_status status = XTA_OK;
    double sums[3] = {0};

    options.axes = axes;
    options.n_axes = 2;
    options.threads = grouped ? 2 : 1;
    options.group_axis = 1;
    options.labels = grouped ? labels : NULL;
    options.n_labels = 2000;
    for (int s = 0; s < N && status == XTA_OK; s++) {
        char name[TEST_PATH_BYTES];
        snprintf(name, sizeof name, "%s%d", path != NULL ? path : "", s);
        status = xta_reduce_create(array, &options, all[s], path != NULL ? name : NULL, &results[s],
                                   err);
        if (status != XTA_OK) {
            STORY_CHECK(&story, results[s] == NULL, "an array after a failure");
        }
    }
    if (status == XTA_OK) {
        status = xta_reduce(array, &options, all, N, results, NULL, err);
    }
    if (status == XTA_OK && !grouped) {
        xta_box box = xta_array_bounds(results[1]);
        status = xta_array_read(results[1], &box, NULL, sums, err);
        STORY_CHECK(&story, status != XTA_OK || (sums[0] == 8000 && sums[2] == 8000),
                    "a wrong sum: %g", sums[0]);
    }
    for (int s = 0; s < N; s++) {
        xta_error closing;
        xta_status closed = xta_array_close(results[s], &closing);
        status = status == XTA_OK && closed != XTA_OK ? closed : status;
        if (status == closed && closed != XTA_OK) {
            *err = closing;
        }
    }
    return status;
}

static xta_status plain(xta_error *err)
{
    return reduce(false, NULL, err);
}

/* By two threads, which share the items. */
static xta_status with_groups(xta_error *err)
{
    return reduce(true, NULL, err);
}

static uint64_t fail_allocations(const char *name, xta_status (*scenario)(xta_error *),
                                 bool for_good)
{
    for (uint64_t n = 1;; n++) {
        xta_error err = {0};
        int64_t live = failing_alloc_live();
        test_story_begin(&story, name, 0, n);
        failing_alloc_at(n, for_good);
        failing_alloc_arm(true);
        xta_status status = scenario(&err);
        failing_alloc_arm(false);
        bool refused = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&story, status == XTA_OK || (status == XTA_ENOMEM && refused), "%s: %s",
                    xta_status_name(status), err.text);
        STORY_CHECK(&story, status == XTA_OK || err.text[0] != '\0', "no text");
        STORY_CHECK(&story, failing_alloc_live() == live, "%ld blocks are left",
                    (long)(failing_alloc_live() - live));
        if (!refused) {
            STORY_OK(&story, status, err);
            return n - 1;
        }
    }
}

/* Open the array through a cache of two chunks, so that its cells are read by calls. */
static void open_cached(const char *path)
{
    xta_open_options open = XTA_OPEN_OPTIONS_INIT;
    xta_error err;

    open.access = XTA_ACCESS_CACHED;
    open.cache_bytes = 4096;
    STORY_OK(&story, xta_array_open(path, &open, &array, &err), err);
}

static uint64_t fail_reads(const char *name, xta_status (*scenario)(xta_error *), const char *path)
{
    for (uint64_t n = 1;; n++) {
        xta_error err = {0}, closing;
        test_story_begin(&story, name, 0, n);
        open_cached(path);
        faulty_os_start();
        faulty_os_fail_at(n, EIO, true);
        xta_status status = scenario(&err);
        bool happened = faulty_os_happened();
        faulty_os_fail_at(0, 0, false);
        faulty_os_stop();
        STORY_CHECK(&story, status == XTA_OK || (happened && err.text[0] != '\0'), "%s: %s",
                    xta_status_name(status), err.text);
        STORY_OK(&story, xta_array_close(array, &closing), closing);
        if (!happened) {
            STORY_OK(&story, status, err);
            return n - 1;
        }
    }
}

int main(void)
{
    const int64_t bounds[3] = {3, 2000, 4}, chunk[3] = {1, 300, 4};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    const float one = 1;
    const char *path;
    xta_error err;

    test_folder_make_fast(&folder);
    path = test_folder_path(&folder, "a");
    test_story_begin(&story, "test_reduce_faults", 0, 0);
    for (int k = 0; k < 2000; k++) {
        labels[k] = k / 7 % 5;
    }
    create.chunk = chunk;
    STORY_OK(&story, xta_array_create(path, XTA_F32, 3, bounds, &create, &array, &err), err);
    xta_box box = xta_array_bounds(array);
    STORY_OK(&story, xta_array_fill(array, &box, &one, &err), err);
    for (int for_good = 0; for_good < 2; for_good++) {
        uint64_t n = fail_allocations("plain", plain, for_good);
        uint64_t grouped = fail_allocations("groups", with_groups, for_good);
        STORY_CHECK(&story, n >= 20 && grouped > n, "only %lu allocations", (unsigned long)n);
        printf("each of %lu and %lu allocations was refused\n", (unsigned long)n,
               (unsigned long)grouped);
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
    uint64_t n = fail_reads("plain reads", plain, path);
    uint64_t shared = fail_reads("shared reads", with_groups, path);
    STORY_CHECK(&story, n >= 10 && shared >= 10, "only %lu and %lu reads", (unsigned long)n,
                (unsigned long)shared);
    printf("each of %lu and %lu reads has failed\n", (unsigned long)n, (unsigned long)shared);
    test_folder_remove(&folder);
    return 0;
}
