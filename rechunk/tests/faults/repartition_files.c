/* See repartition_files.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "repartition_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

test_story story;
xta_error err;
test_folder folder;

uint64_t noted_blocks(const char *path, bool is_noted[], uint64_t n_blocks)
{
    size_t bytes = 0;
    char *text = (char *)test_file_read(path, &bytes), *save = NULL;
    uint64_t n = 0;

    memset(is_noted, 0, n_blocks * sizeof is_noted[0]);
    if (text == NULL) {
        return 0;
    }
    text = realloc(text, bytes + 1);
    text[bytes] = '\0';
    // A last line without a newline does not count.
    char *end = strrchr(text, '\n');
    text[end != NULL ? end - text : 0] = '\0';
    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        unsigned long long block = 0;
        if (sscanf(line, "block %llu", &block) == 1 && block < n_blocks) {
            n += !is_noted[block];
            is_noted[block] = true;
        }
    }
    free(text);
    return n;
}

#define ROWS    120
#define COLUMNS 90

static uint16_t cells[ROWS * COLUMNS], arrived[ROWS * COLUMNS];

void make_source(const char *path)
{
    const int64_t bounds[2] = {ROWS, COLUMNS}, chunk[2] = {7, 11};
    const xta_box box = xta_box_make(2, (int64_t[]){0, 0}, bounds);
    xta_create_options o = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;

    o.chunk = chunk;
    for (size_t k = 0; k < ROWS * COLUMNS; k++) {
        cells[k] = (uint16_t)(k * 40503u >> 3);
    }
    STORY_OK(&story, xta_array_create(path, XTA_U16, 2, bounds, &o, &array, &err), err);
    STORY_OK(&story, xta_array_write(array, &box, NULL, cells, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}

int64_t check_file(const char *path)
{
    xta_array *array = NULL;
    xta_array_info info;

    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    const xta_box bounds = xta_array_bounds(array);
    memset(arrived, 0, sizeof arrived);
    STORY_OK(&story, xta_array_read(array, &bounds, NULL, arrived, &err), err);
    STORY_CHECK(&story, memcmp(cells, arrived, sizeof cells) == 0, "%s: cells differ", path);
    STORY_OK(&story, xta_array_inquire(array, &info, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    return info.chunk[0];
}

void open_to_write(const char *path)
{
    xta_open_options writable = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    writable.writable = true;
    STORY_OK(&story, xta_array_open(path, &writable, &array, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
}
