/* Every n-th allocation is refused while flat files are opened and read: the call answers with
 * XTA_ENOMEM and a text, or does without and has the same bytes; nothing stays allocated.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/flat.h>
#include <xta/xta.h>

#include "support/failing_alloc.h"
#include "support/folder.h"
#include "support/report.h"

enum { SET = 5, MOST_BYTES = 1 << 16 };

static test_story story;
static test_folder folder;
static uint8_t expected[SET + 1][MOST_BYTES], bytes[MOST_BYTES];
static uint64_t versions[SET + 1];

static void make_set(void)
{
    static const char *const dimensions[] = {"time", "x"};
    xta_dimension time = {.name = "time", .hi = 5}, x = {.name = "x", .lo = -2, .hi = 9};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const float fill = 3;
    xta_dataset *set = NULL;
    xta_array *array = NULL;
    xta_error err;

    time.coordinates = XTA_COORDINATES_REGULAR;
    time.regular = (xta_regular){.type = XTA_F64, .origin.f = 1, .step.f = 2};
    STORY_OK(&story, xta_dataset_create(test_folder_path(&folder, "set"), NULL, &set, &err), err);
    STORY_OK(&story, xta_dataset_set_dimension(set, &time, &err), err);
    STORY_OK(&story, xta_dataset_set_dimension(set, &x, &err), err);
    STORY_OK(&story, xta_dataset_set_text(set, "time", "units", "s", &err), err);
    STORY_OK(&story, xta_dataset_set_text(set, NULL, "title", "t", &err), err);
    options.fill = &fill;
    STORY_OK(&story,
             xta_dataset_add_member(set, "a", XTA_F32, 2, dimensions, &options, &array, &err), err);
    STORY_OK(&story, xta_attribute_set_text(array, XTA_ON_ARRAY, "global/g", "t", &err), err);
    options.fill = NULL;
    options.cell_bytes = 40;
    STORY_OK(&story,
             xta_dataset_add_member(set, "b", XTA_BYTES, 1, dimensions, &options, NULL, &err), err);
    STORY_OK(&story, xta_dataset_close(set, &err), err);
}

/* Open a file of the set or of its member and read it in two pieces, which cut a cell. */
static xta_status scenario(int kind, xta_error *err)
{
    xta_flat *flat = NULL;
    size_t n = 0, m = 0;
    xta_status status =
        kind == SET
            ? xta_flat_open_set(test_folder_path(&folder, "set"), XTA_ACCESS_AUTO, &flat, err)
            : xta_flat_open(test_folder_path(&folder, "set/a"), (xta_flat_kind)kind,
                            XTA_ACCESS_AUTO, &flat, err);

    if (status == XTA_OK) {
        size_t cut = (size_t)xta_flat_bytes(flat) - 77;
        status = xta_flat_read(flat, 0, cut, bytes, &n, err);
        status = status == XTA_OK ? xta_flat_read(flat, cut, 77, bytes + cut, &m, err) : status;
        STORY_CHECK(&story, status != XTA_OK || n + m == xta_flat_bytes(flat), "%zu bytes", n + m);
        if (versions[kind] == 0) {
            versions[kind] = xta_flat_version(flat);
            memcpy(expected[kind], bytes, n + m);
        }
        STORY_CHECK(&story, versions[kind] == xta_flat_version(flat), "another version");
        STORY_CHECK(&story, status != XTA_OK || memcmp(bytes, expected[kind], n + m) == 0,
                    "other bytes");
    } else {
        STORY_CHECK(&story, flat == NULL, "a file after a failure");
    }
    xta_flat_close(flat);
    return status;
}

static uint64_t fail_allocations(int kind, bool for_good)
{
    xta_error err = {0};

    STORY_OK(&story, scenario(kind, &err), err);
    for (uint64_t n = 1;; n++) {
        int64_t live = failing_alloc_live();
        test_story_begin(&story, "allocations", (uint64_t)kind, n);
        failing_alloc_at(n, for_good);
        failing_alloc_arm(true);
        err.text[0] = '\0';
        xta_status status = scenario(kind, &err);
        failing_alloc_arm(false);
        bool refused = failing_alloc_happened();
        failing_alloc_at(0, false);
        STORY_CHECK(&story, status == XTA_OK || (status == XTA_ENOMEM && refused), "%s: %s",
                    xta_status_name(status), err.text);
        STORY_CHECK(&story, status == XTA_OK || err.text[0] != '\0', "no text");
        STORY_CHECK(&story, failing_alloc_live() == live, "%ld blocks are left",
                    (long)(failing_alloc_live() - live));
        if (!refused) {
            return n - 1;
        }
    }
}

int main(void)
{
    uint64_t n = 0;

    test_folder_make_fast(&folder);
    test_story_begin(&story, "making", 0, 0);
    make_set();
    for (int kind = XTA_FLAT_NPY; kind <= SET; kind++) {
        n += fail_allocations(kind, false) + fail_allocations(kind, true);
    }
    test_folder_remove(&folder);
    printf("test_flat_faults: %lu allocations refused\n", (unsigned long)n);
    return 0;
}
