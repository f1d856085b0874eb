/* A data set that grows, for readers of a mount: `mount_grower FOLDER STEPS`.
 *
 * Its member v has the dimensions time and x; the coordinates of both are regular, and each cell is
 * 1000 times the coordinate of its time plus that of x. Each step appends one to three rows at the
 * back or at the front. Prints the number of rows at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <xta/dataset_append.h>
#include <xta/xta.h>

enum { N_X = 40, MOST_ROWS = 3, TIME_ORIGIN = 5, TIME_STEP = 3, X_ORIGIN = 100 };

static xta_error err;

static void must(xta_status status)
{
    if (status != XTA_OK) {
        fprintf(stderr, "mount_grower: %s\n", err.text);
        exit(1);
    }
}

static void fill(int64_t *cells, int64_t lo, int64_t n)
{
    for (int64_t k = 0; k < n * N_X; k++) {
        cells[k] = (TIME_ORIGIN + (lo + k / N_X) * TIME_STEP) * 1000 + X_ORIGIN + k % N_X;
    }
}

static xta_dataset *make_set(const char *folder)
{
    static const char *const dimensions[] = {"time", "x"};
    xta_dimension time = {.name = "time", .unlimited = true},
                  x = {.name = "x", .hi = N_X, .coordinates = XTA_COORDINATES_REGULAR};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    const int64_t chunk[] = {4, 16};
    xta_dataset *set = NULL;

    time.coordinates = XTA_COORDINATES_REGULAR;
    time.regular = (xta_regular){.type = XTA_I64, .origin.i = TIME_ORIGIN, .step.i = TIME_STEP};
    x.regular = (xta_regular){.type = XTA_I64, .origin.i = X_ORIGIN, .step.i = 1};
    options.chunk = chunk;
    must(xta_dataset_create(folder, NULL, &set, &err));
    must(xta_dataset_set_dimension(set, &time, &err));
    must(xta_dataset_set_dimension(set, &x, &err));
    must(xta_dataset_add_member(set, "v", XTA_I64, 2, dimensions, &options, NULL, &err));
    return set;
}

int main(int argc, char *argv[])
{
    int64_t cells[MOST_ROWS * N_X], lo = 0, hi = 0;
    const struct timespec pause = {.tv_nsec = 1000000};

    if (argc != 3) {
        fprintf(stderr, "usage: mount_grower FOLDER STEPS\n");
        return 2;
    }
    xta_dataset *set = make_set(argv[1]);
    for (int step = 0; step < atoi(argv[2]); step++) {
        const int64_t by = 1 + step % MOST_ROWS;
        bool front = step % 2 == 1;
        const xta_member_cells member = {.member = "v", .cells = cells};
        const xta_dataset_slab slab = {.dimension = "time",
                                       .side = front ? XTA_FRONT : XTA_BACK,
                                       .by = by,
                                       .cells = &member,
                                       .n_cells = 1};
        fill(cells, front ? lo - by : hi, by);
        must(xta_dataset_append(set, &slab, NULL, &err));
        lo -= front ? by : 0;
        hi += front ? 0 : by;
        nanosleep(&pause, NULL);
    }
    must(xta_dataset_close(set, &err));
    printf("%lld\n", (long long)(hi - lo));
    return 0;
}
