/* Step 5: three processes append to one array at the same time, while a fourth one reads it. Nobody
 * waits for a reader, each slab gets a place of its own, and a reader never sees an incomplete
 * slab.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <sys/wait.h>
#include <unistd.h>

#include "example.h"

enum { WRITERS = 3, SLABS = 200, WIDTH = 64 };

static void append_slabs(int who)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_growth growth = {.axis = 0, .side = XTA_BACK, .by = 1};
    int32_t row[WIDTH];
    xta_array *array = NULL;
    xta_error err;

    options.writable = true;
    TRY(xta_array_open("shared", &options, &array, &err));
    for (int k = 0; k < SLABS; k++) {
        for (int i = 0; i < WIDTH; i++) {
            row[i] = who * SLABS + k + 1;
        }
        TRY(xta_array_append(array, &growth, NULL, row, NULL, &err));
    }
    TRY(xta_array_close(array, &err));
    exit(0);
}

/* Every row within the bounds holds one value, which is not the fill value. */
static int64_t check_rows(xta_array *array, int64_t from)
{
    xta_box box = xta_array_bounds(array);
    int32_t row[WIDTH];
    xta_error err;

    for (int64_t r = from; r < box.hi[0]; r++) {
        xta_box one = box;
        one.lo[0] = r;
        one.hi[0] = r + 1;
        TRY(xta_array_read(array, &one, NULL, row, &err));
        for (int i = 0; i < WIDTH; i++) {
            EXPECT(row[i] != 0 && row[i] == row[0]);
        }
    }
    return box.hi[0];
}

int main(void)
{
    const int64_t bounds[2] = {0, WIDTH};
    xta_array *array = NULL;
    xta_error err;
    int64_t seen = 0;
    int status = 0;

    begin_anew("shared");
    TRY(xta_array_create("shared", XTA_I32, 2, bounds, NULL, &array, &err));
    TRY(xta_array_close(array, &err));
    for (int who = 0; who < WRITERS; who++) {
        pid_t child = fork();
        EXPECT(child >= 0);
        if (child == 0) {
            append_slabs(who);
        }
    }
    TRY(xta_array_open("shared", NULL, &array, &err));
    while (seen < WRITERS * SLABS) {
        TRY(xta_array_refresh(array, NULL, &err));
        seen = check_rows(array, seen);
    }
    for (int who = 0; who < WRITERS; who++) {
        EXPECT(wait(&status) > 0 && status == 0);
    }
    printf("%lld rows by %d processes, each of them whole\n", (long long)seen, WRITERS);
    TRY(xta_array_close(array, &err));
    return 0;
}
