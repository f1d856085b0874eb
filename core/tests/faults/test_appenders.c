/* Four processes append 10,000 slabs each to one array, on two axes and all four sides. No slab may
 * be lost.
 *
 * Every step makes the array longer by one on one axis, so the sum of its lengths after a step is
 * the number of the step. Each process records the bounds returned by each of its steps. At the end
 * each number must occur once, the bounds of each step must follow from those of the step before,
 * and each cell must hold the number of the step that added it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/peer.h"
#include "support/random.h"
#include "support/report.h"

#define N_PROCESSES 4
#define START       3 /* cells on each axis at first */

/* The record of one step of a process. */
typedef struct entry {
    uint32_t value; /* in the cells of the slab */
    int32_t axis, side;
    int64_t lo[2], hi[2]; /* bounds after the step */
} entry;

static test_story story;

static xta_box slab_of(const xta_box *after, const xta_growth *growth)
{
    xta_box slab = *after;
    if (growth->side == XTA_BACK) {
        slab.lo[growth->axis] = slab.hi[growth->axis] - growth->by;
    } else {
        slab.hi[growth->axis] = slab.lo[growth->axis] + growth->by;
    }
    return slab;
}

/* A slab for the box with one value in all cells; to be freed. */
static uint32_t *cells_for(const xta_box *box, uint32_t value)
{
    uint64_t n = 0;
    STORY_CHECK(&story, xta_box_cells(box, &n) == XTA_OK, "a slab overflows");
    uint32_t *cells = malloc((size_t)n * sizeof(uint32_t) + 1);
    for (uint64_t i = 0; i < n; i++) {
        cells[i] = value;
    }
    return cells;
}

static void extend_then_write(xta_array *array, const xta_growth *growth, uint32_t value,
                              xta_box *after)
{
    xta_error err;
    STORY_OK(&story, xta_array_extend(array, growth, 1, after, &err), err);
    xta_box slab = slab_of(after, growth);
    uint32_t *cells = cells_for(&slab, value);
    STORY_OK(&story, xta_array_write(array, &slab, NULL, cells, &err), err);
    free(cells);
}

/* Append; if another process changed the other axis meanwhile, refresh and try again. */
static void append(xta_array *array, const xta_growth *growth, uint32_t value, xta_box *after)
{
    xta_error err;
    xta_status status = XTA_EBOX;

    while (status == XTA_EBOX) {
        STORY_OK(&story, xta_array_refresh(array, NULL, &err), err);
        xta_box bounds = xta_array_bounds(array);
        bounds.lo[growth->axis] = 0;
        bounds.hi[growth->axis] = 1;
        uint32_t *cells = cells_for(&bounds, value);
        status = xta_array_append(array, growth, NULL, cells, after, &err);
        free(cells);
    }
    STORY_CHECK(&story, status == XTA_OK, "append: %s: %s", xta_status_name(status), err.text);
}

static void append_all(const char *path, uint64_t seed, uint32_t process, uint64_t n, int out)
{
    xta_array *array = NULL;
    xta_error err;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    test_random random = test_random_make(seed, process + 1);

    options.writable = true;
    options.access = process == 3 ? XTA_ACCESS_CACHED : XTA_ACCESS_AUTO;
    options.cache_bytes = 1 << 20;
    STORY_OK(&story, xta_array_open(path, &options, &array, &err), err);
    for (uint64_t k = 0; k < n; k++) {
        xta_growth growth = {0, XTA_BACK, 1};
        xta_box after = {.ndim = 2};
        entry told = {.value = 1 + process * (uint32_t)n + (uint32_t)k};
        growth.axis = test_random_in(&random, 0, 499) == 0; // The second axis, which stays short.
        growth.side = test_random_chance(&random, 50) ? XTA_BACK : XTA_FRONT;
        if (test_random_chance(&random, 25)) {
            append(array, &growth, told.value, &after);
        } else {
            extend_then_write(array, &growth, told.value, &after);
        }
        told.axis = growth.axis;
        told.side = (int32_t)growth.side;
        memcpy(told.lo, after.lo, sizeof(told.lo));
        memcpy(told.hi, after.hi, sizeof(told.hi));
        STORY_CHECK(&story, test_write_all(out, &told, sizeof(told)), "the log is not written");
    }
    STORY_OK(&story, xta_array_close(array, &err), err);
}

/* ---- comparing ---- */

static uint64_t number_of(const entry *step)
{
    return (uint64_t)(step->hi[0] - step->lo[0] + step->hi[1] - step->lo[1]) - 2 * START;
}

static void read_log(const char *path, uint64_t n, entry *steps, uint64_t n_all)
{
    size_t bytes = 0;
    entry *told = (entry *)(void *)test_file_read(path, &bytes);
    STORY_CHECK(&story, told != NULL && bytes == n * sizeof(entry), "a log is incomplete");
    for (uint64_t k = 0; k < n; k++) {
        uint64_t number = number_of(&told[k]);
        STORY_CHECK(&story, number >= 1 && number <= n_all, "step number %llu",
                    (unsigned long long)number);
        STORY_CHECK(&story, steps[number - 1].value == 0, "two processes did step %llu",
                    (unsigned long long)number);
        steps[number - 1] = told[k];
    }
    free(told);
}

static void check_order(const entry *steps, uint64_t n_all, xta_box *bounds)
{
    for (uint64_t k = 0; k < n_all; k++) {
        STORY_CHECK(&story, steps[k].value != 0, "step %llu was lost", (unsigned long long)k + 1);
        if (steps[k].side == (int32_t)XTA_BACK) {
            bounds->hi[steps[k].axis]++;
        } else {
            bounds->lo[steps[k].axis]--;
        }
        STORY_CHECK(&story,
                    memcmp(bounds->lo, steps[k].lo, sizeof(steps[k].lo)) == 0 &&
                        memcmp(bounds->hi, steps[k].hi, sizeof(steps[k].hi)) == 0,
                    "step %llu: the bounds told do not follow", (unsigned long long)k + 1);
    }
}

/* Which step added a row or a column: 0 for the first box. */
static uint32_t *brought_in(const entry *steps, uint64_t n_all, int axis, const xta_box *bounds)
{
    size_t n = (size_t)(bounds->hi[axis] - bounds->lo[axis]);
    uint32_t *by = calloc(n, sizeof(uint32_t));
    for (uint64_t k = 0; k < n_all; k++) {
        if (steps[k].axis == axis) {
            int64_t at =
                steps[k].side == (int32_t)XTA_BACK ? steps[k].hi[axis] - 1 : steps[k].lo[axis];
            by[at - bounds->lo[axis]] = (uint32_t)k + 1;
        }
    }
    return by;
}

static void check_cells(xta_array *array, const entry *steps, uint64_t n_all, const xta_box *bounds)
{
    xta_error err;
    int64_t n_rows = bounds->hi[0] - bounds->lo[0];
    int64_t n_columns = bounds->hi[1] - bounds->lo[1];
    uint32_t *rows = brought_in(steps, n_all, 0, bounds);
    uint32_t *columns = brought_in(steps, n_all, 1, bounds);
    uint32_t *cells = malloc((size_t)(n_rows * n_columns) * sizeof(uint32_t));

    xta_box has = xta_array_bounds(array);
    STORY_CHECK(&story, xta_box_equal(&has, bounds), "the bounds at the end are wrong");
    STORY_OK(&story, xta_array_read(array, bounds, NULL, cells, &err), err);
    for (int64_t i = 0; i < n_rows; i++) {
        for (int64_t j = 0; j < n_columns; j++) {
            uint32_t step = rows[i] > columns[j] ? rows[i] : columns[j];
            uint32_t expected = step == 0 ? 0 : steps[step - 1].value;
            STORY_CHECK(&story, cells[i * n_columns + j] == expected,
                        "cell %lld,%lld holds %u instead of %u of step %u",
                        (long long)(bounds->lo[0] + i), (long long)(bounds->lo[1] + j),
                        cells[i * n_columns + j], expected, step);
        }
    }
    free(cells);
    free(columns);
    free(rows);
}

static void wait_for_all(void)
{
    for (int i = 0; i < N_PROCESSES; i++) {
        int status = 0;
        STORY_CHECK(&story, wait(&status) > 0 && status == 0, "a process failed");
    }
}

static void start(const char *path, const test_folder *folder, uint64_t seed, uint64_t n)
{
    char name[32];
    char log[TEST_PATH_BYTES];

    fflush(NULL);
    for (uint32_t process = 0; process < N_PROCESSES; process++) {
        snprintf(name, sizeof(name), "log%u", process);
        test_folder_join(folder, name, log);
        if (fork() == 0) {
            FILE *out = fopen(log, "wb");
            STORY_CHECK(&story, out != NULL, "no log");
            append_all(path, seed, process, n, fileno(out));
            fclose(out);
            _exit(0);
        }
    }
}

int main(void)
{
    test_folder folder;
    char path[TEST_PATH_BYTES];
    char log[TEST_PATH_BYTES];
    xta_array *array = NULL;
    xta_error err;
    static const int64_t bounds[] = {START, START};
    static const int64_t chunk[] = {64, 16};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    uint64_t seed = test_seed("test_appenders", 20240303);
    uint64_t n = test_scale(10000);
    uint64_t n_all = N_PROCESSES * n;

    test_story_begin(&story, "test_appenders", seed, 0);
    test_folder_make(&folder);
    test_folder_join(&folder, "a", path);
    options.chunk = chunk;
    STORY_OK(&story, xta_array_create(path, XTA_U32, 2, bounds, &options, &array, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    start(path, &folder, seed, n);
    wait_for_all();

    entry *steps = calloc((size_t)n_all, sizeof(entry));
    for (int process = 0; process < N_PROCESSES; process++) {
        char name[32];
        snprintf(name, sizeof(name), "log%d", process);
        read_log(test_folder_join(&folder, name, log), n, steps, n_all);
    }
    xta_box at_end = {.ndim = 2, .hi = {START, START}};
    check_order(steps, n_all, &at_end);
    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    check_cells(array, steps, n_all, &at_end);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    free(steps);
    test_folder_remove(&folder);
    printf("test_appenders: %llu steps by %d processes, none lost\n", (unsigned long long)n_all,
           N_PROCESSES);
    return 0;
}
