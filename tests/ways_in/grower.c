/* The writer beside which other programs open a data set: it appends at both ends of two
 * dimensions.
 *
 *     grower FOLDER AT_LEAST [PAUSE_MS [STOP_FILE]]
 *
 * Makes the data set FOLDER with the members temp(time, y, x) and flag(time, y, x), and appends to
 * it, in turn, behind time, behind y, before time and before y, a cell each, with PAUSE_MS between
 * them. It ends after AT_LEAST steps, and not before STOP_FILE exists, if one is named; for further
 * steps the pause is ten times as long. The times are a list; y and x have regular coordinates. A
 * line on standard output follows the creation, and each hundred steps.
 *
 * Each cell is a function of its coordinates (expected.py has the same): of the cell (t, y, x),
 * numbered from that of the creation, time is 6 t hours, y is 1000 y + 500 metres and x is
 * 1000 x + 500 metres; temp is 1e6 t + 1e3 y + x, and flag is 7 t + 13 y + x.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <xta/dataset_append.h>
#include <xta/xta.h>

enum { TIME, Y, X, NDIM };
static const int64_t FIRST[NDIM] = {4, 8, 16};
static const char *const DIMENSIONS[NDIM] = {"time", "y", "x"};

static xta_error error;

static void check(xta_status status)
{
    if (status != XTA_OK) {
        fprintf(stderr, "grower: %s: %s\n", xta_status_name(status), error.text);
        exit(1);
    }
}

/* The cells of both members in a box. */
typedef struct slab {
    double *temp;
    int32_t *flag;
} slab;

static slab slab_make(const xta_box *box)
{
    uint64_t n = 0;
    check(xta_box_cells(box, &n));
    slab made = {malloc(n * sizeof *made.temp), malloc(n * sizeof *made.flag)};
    size_t at = 0;

    if (made.temp == NULL || made.flag == NULL) {
        fprintf(stderr, "grower: no memory\n");
        exit(1);
    }
    for (int64_t t = box->lo[TIME]; t < box->hi[TIME]; t++) {
        for (int64_t y = box->lo[Y]; y < box->hi[Y]; y++) {
            for (int64_t x = box->lo[X]; x < box->hi[X]; x++, at++) {
                made.temp[at] = 1e6 * (double)t + 1e3 * (double)y + (double)x;
                made.flag[at] = (int32_t)(7 * t + 13 * y + x);
            }
        }
    }
    return made;
}

static void slab_clear(slab *made)
{
    free(made->temp);
    free(made->flag);
}

static void set_metres(xta_dataset *set, int dim)
{
    xta_dimension dimension = {
        .name = DIMENSIONS[dim],
        .lo = 0,
        .hi = FIRST[dim],
        .coordinates = XTA_COORDINATES_REGULAR,
        .regular = {XTA_F64, {.f = 500.0}, {.f = 1000.0}},
    };

    check(xta_dataset_set_dimension(set, &dimension, &error));
    check(xta_dataset_set_text(set, dimension.name, "units", "m", &error));
    check(xta_dataset_set_text(set, dimension.name, "standard_name",
                               dim == Y ? "projection_y_coordinate" : "projection_x_coordinate",
                               &error));
}

static xta_dataset *create(const char *folder)
{
    xta_dataset *set = NULL;
    xta_dimension time = {.name = "time", .hi = FIRST[TIME], .unlimited = true};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t chunk[NDIM] = {16, 16, 16};
    xta_array *member = NULL;
    double hours[4] = {0, 6, 12, 18};
    int64_t zero[NDIM] = {0};
    xta_box all = xta_box_make(NDIM, zero, FIRST);
    slab cells = slab_make(&all);

    check(xta_dataset_create(folder, NULL, &set, &error));
    check(xta_dataset_set_dimension(set, &time, &error));
    set_metres(set, Y);
    set_metres(set, X);
    check(xta_dataset_add_member(set, "time", XTA_F64, 1, DIMENSIONS, NULL, &member, &error));
    all = xta_array_bounds(member);
    check(xta_array_write(member, &all, NULL, hours, &error));
    check(xta_attribute_set_text(member, XTA_ON_ARRAY, "units", "hours since 2000-01-01", &error));
    check(xta_attribute_set_text(member, XTA_ON_ARRAY, "standard_name", "time", &error));
    options.chunk = chunk;
    check(
        xta_dataset_add_member(set, "temp", XTA_F64, NDIM, DIMENSIONS, &options, &member, &error));
    all = xta_array_bounds(member);
    check(xta_array_write(member, &all, NULL, cells.temp, &error));
    check(xta_attribute_set_text(member, XTA_ON_ARRAY, "units", "K", &error));
    check(
        xta_dataset_add_member(set, "flag", XTA_I32, NDIM, DIMENSIONS, &options, &member, &error));
    check(xta_array_write(member, &all, NULL, cells.flag, &error));
    check(xta_dataset_sync(set, &error));
    slab_clear(&cells);
    return set;
}

static void append(xta_dataset *set, int dim, xta_side side)
{
    xta_array *temp = NULL;
    check(xta_dataset_member(set, "temp", &temp, &error));
    xta_box box = xta_array_bounds(temp);
    if (side == XTA_BACK) {
        box.lo[dim] = box.hi[dim]++;
    } else {
        box.hi[dim] = box.lo[dim]--;
    }
    slab cells = slab_make(&box);
    xta_member_cells members[] = {{.member = "temp", .cells = cells.temp},
                                  {.member = "flag", .cells = cells.flag}};
    double hours = 6.0 * (double)box.lo[TIME];
    xta_new_coordinates coordinates = {.n = 1, .type = XTA_F64, .values = &hours};
    xta_dataset_slab what = {.dimension = DIMENSIONS[dim],
                             .side = side,
                             .by = 1,
                             .coordinates = dim == TIME ? &coordinates : NULL,
                             .cells = members,
                             .n_cells = 2};
    check(xta_dataset_append(set, &what, NULL, &error));
    slab_clear(&cells);
}

int main(int argc, char **argv)
{
    static const int TURN[4] = {TIME, Y, TIME, Y};

    if (argc < 3) {
        fprintf(stderr, "usage: grower FOLDER AT_LEAST [PAUSE_MS [STOP_FILE]]\n");
        return 2;
    }
    long at_least = strtol(argv[2], NULL, 10), pause_ms = argc > 3 ? strtol(argv[3], NULL, 10) : 0;
    const char *stop = argc > 4 ? argv[4] : NULL;
    struct timespec pause = {pause_ms / 1000, pause_ms % 1000 * 1000000};
    xta_dataset *set = create(argv[1]);

    printf("created\n");
    fflush(stdout);
    for (long step = 0; step < at_least || (stop != NULL && access(stop, F_OK) != 0); step++) {
        append(set, TURN[step % 4], step % 4 < 2 ? XTA_BACK : XTA_FRONT);
        if ((step + 1) % 100 == 0) {
            printf("%ld steps\n", step + 1);
            fflush(stdout);
        }
        for (int pauses = step < at_least ? 1 : 10; pauses > 0; pauses--) {
            nanosleep(&pause, NULL);
        }
    }
    check(xta_dataset_close(set, &error));
    return 0;
}
