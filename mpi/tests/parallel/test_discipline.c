/* nprocs: 1 2 3 4 7; mpich: 2 */
/* Ranks that disagree on any argument of any call, that make different calls, that come late or not
 * at all: the call gives an error on all ranks, nothing is changed, and the handle stays usable.
 * test_structure.c has the simple cases; this file has the rest of each list.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "parallel/mpi_test.h"

#include <string.h>
#include <time.h>

#include <xta/parallel.h>

#include "support/random.h"

#define SEED  20261121
#define TRIES 20000

static xta_error err;
static bool odd; /* this rank is the one that differs */

/* ---- creating and opening ---- */

/* The arguments of create; one member differs on one rank. */
typedef struct creation {
    const char *path;
    xta_type type;
    int ndim;
    int64_t bounds[2], chunk[2];
    int32_t fill;
    const char *names[2];
    xta_create_options create;
    xta_parallel_options options;
} creation;

static creation usual(void)
{
    creation c = {.path = xta_test_path("never"),
                  .type = XTA_I32,
                  .ndim = 2,
                  .bounds = {8, 8},
                  .chunk = {4, 8},
                  .fill = 3,
                  .names = {"y", "x"},
                  .create = XTA_CREATE_OPTIONS_INIT,
                  .options = XTA_PARALLEL_OPTIONS_INIT};
    return c;
}

static void differ_in_shape(creation *c, int which)
{
    switch (which) {
    case 0:
        c->path = xta_test_path("elsewhere");
        break;
    case 1:
        c->type = XTA_F32;
        break;
    case 2:
        c->ndim = 1;
        break;
    case 3:
        c->bounds[1] = 9;
        break;
    case 4:
        c->chunk[0] = 2;
        break;
    case 5:
        c->create.chunk = NULL;
        break;
    case 6:
        c->fill = 4;
        break;
    case 7:
        c->create.fill = NULL;
        break;
    default:
        c->names[1] = NULL;
    }
}

static void differ_in_options(creation *c, int which)
{
    switch (which) {
    case 9:
        c->create.order = XTA_MORTON;
        break;
    case 10:
        c->create.policy = XTA_CUBICAL;
        break;
    case 11:
        c->create.policy_amount = 3;
        break;
    case 12:
        c->create.alignment_bytes = 4096;
        break;
    case 13:
        c->create.chunk_bytes = 1000;
        break;
    case 14:
        c->create.cell_bytes = 12;
        break;
    case 15:
        c->options.io = XTA_IO_MPI;
        break;
    case 16:
        c->create.exclusive_writer = true;
        break;
    default:
        c->options.timeout_s = 30;
    }
}

static void test_creating(void)
{
    enum { VARIANTS = 18 };
    xta_parallel *p = NULL;
    xta_array *array = NULL;

    for (int which = 0; which < VARIANTS && xta_test_ranks > 1; which++) {
        creation c = usual();
        c.create.chunk = c.chunk;
        c.create.fill = &c.fill;
        c.create.names = c.names;
        c.options.timeout_s = 20;
        if (odd && which < 9) {
            differ_in_shape(&c, which);
        } else if (odd) {
            differ_in_options(&c, which);
        }
        XTA_CHECK_STATUS(xta_parallel_create(MPI_COMM_WORLD, c.path, c.type, c.ndim, c.bounds,
                                             &c.create, &c.options, &p, &err),
                         XTA_EARG, err);
        XTA_CHECK(strstr(err.text, "disagree") != NULL, "way %d: %s", which, err.text);
        XTA_CHECK(p == NULL, "way %d: a handle came back", which);
        XTA_CHECK_STATUS(xta_array_open(c.path, NULL, &array, &err), XTA_ENOENT, err);
    }
    // Options that any rank leaves out are the defaults.
    creation c = usual();
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, xta_test_path("sparing"), c.type, c.ndim,
                                     c.bounds, odd ? NULL : &c.create, odd ? NULL : &c.options, &p,
                                     &err),
                 err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

static void test_opening(void)
{
    xta_parallel *p = NULL;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    const char *path = xta_test_path("sparing");
    creation c = usual();

    if (xta_test_ranks == 1) {
        return;
    }
    XTA_CHECK_STATUS(
        xta_parallel_open(MPI_COMM_WORLD, odd ? xta_test_path("other") : path, &options, &p, &err),
        XTA_EARG, err);
    options.writable = odd;
    XTA_CHECK_STATUS(xta_parallel_open(MPI_COMM_WORLD, path, &options, &p, &err), XTA_EARG, err);
    XTA_CHECK(strstr(err.text, "writable") != NULL, "%s", err.text);
    options.writable = true;
    xta_status status = odd ? xta_parallel_open(MPI_COMM_WORLD, path, &options, &p, &err)
                            : xta_parallel_create(MPI_COMM_WORLD, path, c.type, c.ndim, c.bounds,
                                                  NULL, NULL, &p, &err);
    XTA_CHECK_STATUS(status, XTA_EARG, err);
    XTA_CHECK(strstr(err.text, "another call") != NULL, "%s", err.text);
    XTA_CHECK(p == NULL, "a handle came back%s", "");
}

/* Hints of a rank: the same keys and values, set in one sequence or the other, unless one must
 * differ. */
static MPI_Info hints(bool other_way, const char *buffering, bool more)
{
    MPI_Info info;

    MPI_Info_create(&info);
    for (int k = 0; k < 2; k++) {
        if ((k == 0) != other_way) {
            MPI_Info_set(info, "collective_buffering", buffering);
        } else {
            MPI_Info_set(info, "cb_nodes", "1");
        }
    }
    if (more) {
        MPI_Info_set(info, "access_style", "write_mostly");
    }
    return info;
}

/* The remaining options: hints and buffers, in both calls. The error names the one that differs. */
static void test_hints(void)
{
    static const char *const words[] = {"option buffer_bytes: least 4096, greatest 8192",
                                        "option info (the checksum of its keys and values)",
                                        "option info (the number of its keys): least 2, greatest 3",
                                        "option info (the number of its keys): least 0, greatest 2",
                                        "option buffer_bytes: least 4096, greatest 2097152"};
    const char *path = xta_test_path("sparing");
    creation c = usual();
    xta_parallel *p = NULL;
    xta_array *array = NULL;

    // Set in another sequence they are the same; hints that are not announced are ignored.
    for (int way = -1; way < 5; way++) {
        bool differs = odd && way >= 0;
        c.options.buffer_bytes = 4096;
        c.options.timeout_s = 20;
        c.options.has_info = !(differs && way == 3);
        c.options.io = XTA_IO_MPI;
        c.options.info = hints(odd, differs && way == 1 ? "false" : "true", differs && way == 2);
        if (differs && (way == 0 || way == 4)) {
            c.options.buffer_bytes = way == 0 ? 8192 : 0;
        }
        xta_status want = way >= 0 && xta_test_ranks > 1 ? XTA_EARG : XTA_OK;
        XTA_CHECK_STATUS(xta_parallel_open(MPI_COMM_WORLD, path, &c.options, &p, &err), want, err);
        XTA_CHECK(want == XTA_OK || strstr(err.text, words[way]) != NULL, "open: %s", err.text);
        XTA_CHECK_OK(xta_parallel_close(p, &err), err);
        if (want != XTA_OK) {
            XTA_CHECK(p == NULL, "a handle came back%s", "");
            XTA_CHECK_STATUS(xta_parallel_create(MPI_COMM_WORLD, c.path, c.type, c.ndim, c.bounds,
                                                 NULL, &c.options, &p, &err),
                             want, err);
            XTA_CHECK(strstr(err.text, words[way]) != NULL, "create: %s", err.text);
            XTA_CHECK_STATUS(xta_array_open(c.path, NULL, &array, &err), XTA_ENOENT, err);
        }
        MPI_Info_free(&c.options.info);
    }
}

/* Wrong for all in the same way. */
static void test_nonsense(void)
{
    static const int64_t bounds[2] = {4, -1};
    xta_parallel *p = NULL;
    creation c = usual();

    XTA_CHECK_STATUS(
        xta_parallel_create(MPI_COMM_WORLD, c.path, XTA_I32, 2, bounds, NULL, NULL, &p, &err),
        XTA_EARG, err);
    XTA_CHECK_STATUS(xta_parallel_create(MPI_COMM_WORLD, c.path, XTA_I32, XTA_MAX_NDIM + 1, bounds,
                                         NULL, NULL, &p, &err),
                     XTA_EARG, err);
    XTA_CHECK_STATUS(
        xta_parallel_create(MPI_COMM_WORLD, c.path, XTA_I32, -1, bounds, NULL, NULL, &p, &err),
        XTA_EARG, err);
    XTA_CHECK(xta_parallel_create(MPI_COMM_WORLD, c.path, (xta_type)99, 1, bounds, NULL, NULL, &p,
                                  &err) != XTA_OK,
              "a type that is none%s", "");
    XTA_CHECK(p == NULL, "a handle came back%s", "");
}

/* ---- an open array ---- */

static xta_parallel *create(const char *name, xta_parallel_io io, double timeout_s)
{
    static const int64_t bounds[2] = {8, 8}, chunk[2] = {4, 8};
    xta_create_options create_options = XTA_CREATE_OPTIONS_INIT;
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;
    xta_parallel *p = NULL;
    char text[64];

    snprintf(text, sizeof text, "%s%d", name, (int)io);
    create_options.chunk = chunk;
    options.io = io;
    options.timeout_s = timeout_s;
    // On a busy machine even ranks that call at the same time may miss a short limit.
    xta_status status = XTA_ETIMEDOUT;
    for (int k = 0; k < TRIES && status == XTA_ETIMEDOUT; k++) {
        status = xta_parallel_create(MPI_COMM_WORLD, xta_test_path(text), XTA_I32, 2, bounds,
                                     &create_options, &options, &p, &err);
    }
    XTA_CHECK_OK(status, err);
    return p;
}

/* The array of create(), with nothing changed. */
static void check_unchanged(xta_parallel *p, const char *after_what)
{
    xta_box bounds = xta_parallel_bounds(p);
    xta_array_info info;
    int32_t cells[64];
    int wrong = 0;

    XTA_CHECK(bounds.ndim == 2 && bounds.lo[0] == 0 && bounds.hi[0] == 8 && bounds.lo[1] == 0 &&
                  bounds.hi[1] == 8,
              "the bounds changed: %s", after_what);
    XTA_CHECK_OK(xta_array_inquire(xta_parallel_array(p), &info, &err), err);
    XTA_CHECK(info.n_steps == 0, "%d steps: %s", (int)info.n_steps, after_what);
    XTA_CHECK_OK(xta_parallel_read(p, &bounds, NULL, cells, &err), err);
    for (int k = 0; k < 64; k++) {
        wrong += cells[k] != 0;
    }
    XTA_CHECK(wrong == 0, "%d cells are written: %s", wrong, after_what);
}

static void test_growths(xta_parallel_io io)
{
    xta_parallel *p = create("growths", io, 0);
    const xta_growth good = {0, XTA_BACK, 4};
    const xta_growth other[] = {{1, XTA_BACK, 4}, {0, XTA_FRONT, 4}, {0, XTA_BACK, 5}};
    const char *const words[] = {"axis", "side", "cells"};
    xta_growth two[2] = {{0, XTA_BACK, 1}, {1, XTA_BACK, 1}};
    xta_box after;

    for (int k = 0; k < 3 && xta_test_ranks > 1; k++) {
        XTA_CHECK_STATUS(xta_parallel_extend(p, odd ? &other[k] : &good, 1, &after, &err), XTA_EARG,
                         err);
        XTA_CHECK(strstr(err.text, words[k]) != NULL, "%s", err.text);
        XTA_CHECK_STATUS(xta_parallel_shrink(p, odd ? &other[k] : &good, 1, &after, &err), XTA_EARG,
                         err);
    }
    if (xta_test_ranks > 1) {
        // The same growths in another order, and one less.
        const xta_growth turned[2] = {two[1], two[0]};
        XTA_CHECK_STATUS(xta_parallel_extend(p, odd ? turned : two, 2, &after, &err), XTA_EARG,
                         err);
        XTA_CHECK_STATUS(xta_parallel_extend(p, two, odd ? 1 : 2, &after, &err), XTA_EARG, err);
        XTA_CHECK_STATUS(xta_parallel_add_axis(p, odd, "t", &err), XTA_EARG, err);
        XTA_CHECK_STATUS(xta_parallel_add_axis(p, 0, odd ? "t" : "u", &err), XTA_EARG, err);
    }
    // Wrong on all ranks.
    XTA_CHECK_STATUS(xta_parallel_extend(p, two, 0, &after, &err), XTA_EARG, err);
    two[1].axis = 7;
    XTA_CHECK_STATUS(xta_parallel_extend(p, two, 2, &after, &err), XTA_EARG, err);
    two[1] = (xta_growth){1, XTA_BACK, INT64_MAX};
    XTA_CHECK_STATUS(xta_parallel_extend(p, two, 2, &after, &err), XTA_EOVERFLOW, err);
    XTA_CHECK_STATUS(xta_parallel_shrink(p, two, 2, &after, &err), XTA_EBOX, err);
    XTA_CHECK_STATUS(xta_parallel_add_axis(p, 3, "t", &err), XTA_EARG, err);
    XTA_CHECK_STATUS(xta_parallel_add_axis(p, 0, "a\nb", &err), XTA_EARG, err);
    check_unchanged(p, "growths that were refused");
    XTA_CHECK_OK(xta_parallel_extend(p, &good, 1, &after, &err), err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* One of the collective functions, with valid arguments. */
static xta_status call(xta_parallel *p, int which)
{
    static const xta_growth growth = {0, XTA_BACK, 4};
    static int32_t cells[64];
    xta_box all = xta_parallel_bounds(p);

    for (int k = 0; k < 64; k++) {
        cells[k] = k + 1;
    }
    switch (which) {
    case 0:
        return xta_parallel_sync(p, &err);
    case 1:
        return xta_parallel_extend(p, &growth, 1, NULL, &err);
    case 2:
        return xta_parallel_shrink(p, &growth, 1, NULL, &err);
    case 3:
        return xta_parallel_add_axis(p, 0, "t", &err);
    case 4:
        return xta_parallel_refresh(p, NULL, &err);
    case 5:
        return xta_parallel_read_all(p, &all, NULL, cells, &err);
    case 6:
        return xta_parallel_write_all(p, &all, NULL, cells, &err);
    default:
        return xta_parallel_close(p, &err);
    }
}
enum { CALLS = 8 };

/* All pairs of calls, and then any calls on any ranks. */
static void test_different_calls(xta_parallel_io io)
{
    xta_parallel *p = create("calls", io, 0);
    test_random random = test_random_make(SEED, 0);

    for (int a = 0; a < CALLS && xta_test_ranks > 1; a++) {
        for (int b = 0; b < CALLS; b++) {
            xta_status status = a == b ? XTA_EARG : call(p, odd ? a : b);
            XTA_CHECK(status == XTA_EARG, "call %d against %d gives %d", a, b, (int)status);
        }
    }
    for (int k = 0; k < 40 && xta_test_ranks > 2; k++) {
        bool same = true;
        int first = (int)test_random_in(&random, 0, CALLS - 1), mine = first;
        for (int rank = 1; rank < xta_test_ranks; rank++) {
            int its = (int)test_random_in(&random, 0, CALLS - 1);
            mine = rank == xta_test_rank ? its : mine;
            same = same && its == first;
        }
        xta_status status = same ? XTA_EARG : call(p, mine);
        XTA_CHECK(status == XTA_EARG, "call %d gives %d in round %d", mine, (int)status, k);
    }
    // A wrong argument on one rank does not hide that another rank is in another call.
    if (xta_test_ranks > 1) {
        xta_box far = {.ndim = 2, .hi = {100, 100}};
        int32_t cell = 0;
        xta_status status = odd ? xta_parallel_write_all(p, &far, NULL, &cell, &err) : call(p, 1);
        XTA_CHECK_STATUS(status, XTA_EARG, err);
    }
    check_unchanged(p, "different calls");
    XTA_CHECK_OK(call(p, 7), err);
}

/* ---- cells ---- */

static void test_boxes(xta_parallel_io io)
{
    xta_parallel *p = create("boxes", io, 0);
    xta_box all = xta_parallel_bounds(p), odd_box = all;
    xta_io_options options = XTA_IO_OPTIONS_INIT;
    int64_t step[2] = {1, 0};
    int32_t cells[64] = {0};
    double values[64] = {0};

    // An invalid box on one rank.
    odd_box.ndim = odd ? 30000 : 2;
    XTA_CHECK_STATUS(xta_parallel_write_all(p, &odd_box, NULL, cells, &err), XTA_EBOX, err);
    XTA_CHECK_STATUS(xta_parallel_read_all(p, &odd_box, NULL, cells, &err), XTA_EBOX, err);
    odd_box.ndim = odd ? -1 : 2;
    XTA_CHECK_STATUS(xta_parallel_read_all(p, &odd_box, NULL, cells, &err), XTA_EBOX, err);
    // Invalid options on one rank.
    options.step = step;
    XTA_CHECK_STATUS(xta_parallel_write_all(p, &all, odd ? &options : NULL, cells, &err), XTA_EARG,
                     err);
    options = (xta_io_options)XTA_IO_OPTIONS_INIT;
    options.struct_size = 1;
    XTA_CHECK_STATUS(xta_parallel_write_all(p, &all, odd ? &options : NULL, cells, &err), XTA_EARG,
                     err);
    // A value that does not fit, on one rank, in the last cell: no rank writes anything.
    options = (xta_io_options)XTA_IO_OPTIONS_INIT;
    options.type = XTA_F64;
    for (int k = 0; k < 64; k++) {
        values[k] = k + 1;
        cells[k] = k + 1;
    }
    values[63] = 1e300;
    XTA_CHECK_STATUS(xta_parallel_write_all(p, &all, odd ? &options : NULL,
                                            odd ? (void *)values : (void *)cells, &err),
                     XTA_ERANGE, err);
    check_unchanged(p, "writes that were refused");
    // The rank in error asks for no text; the others get one all the same.
    odd_box = all;
    odd_box.hi[0] += odd;
    XTA_CHECK(xta_parallel_write_all(p, &odd_box, NULL, cells, odd ? NULL : &err) == XTA_EBOX,
              "no error%s", "");
    XTA_CHECK(odd || strstr(err.text, "XTA_EBOX") != NULL ||
                  strstr(err.text, "leaves the bounds") != NULL,
              "%s", err.text);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
}

/* ---- time ---- */

/* A close that times out leaves the handle open. */
static void close_patiently(xta_parallel *p)
{
    xta_status status = XTA_ETIMEDOUT;

    for (int k = 0; k < TRIES && status == XTA_ETIMEDOUT; k++) {
        status = xta_parallel_close(p, &err);
    }
    XTA_CHECK_OK(status, err);
}

/* Each call with one rank missing: the others get an error, and the handle stays usable. */
static void test_missing(xta_parallel_io io, int missing)
{
    xta_parallel *p = create(missing == 0 ? "first" : "last", io, 0.05);

    for (int which = 0; which < CALLS && xta_test_ranks > 1; which++) {
        if (xta_test_rank != missing) {
            XTA_CHECK(call(p, which) == XTA_ETIMEDOUT, "call %d: %s", which, err.text);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    xta_status status = XTA_ETIMEDOUT;
    for (int k = 0; k < TRIES && status == XTA_ETIMEDOUT; k++) {
        status = call(p, 4);
    }
    XTA_CHECK_OK(status, err);
    check_unchanged(p, "calls that timed out");
    close_patiently(p);
}

/* With a limit long enough for a busy machine: rank 0 knows which rank is missing, and all waiting
 * ranks are notified. If rank 0 is missing, the ranks right behind it know that. */
static void test_names(int missing)
{
    xta_parallel *p = create(missing == 0 ? "names0" : "names", XTA_IO_AUTO, 1);
    char name[32];

    snprintf(name, sizeof name, "rank %d is missing", missing);
    if (xta_test_rank != missing && xta_test_ranks > 1) {
        XTA_CHECK(call(p, 4) == XTA_ETIMEDOUT, "%s", err.text);
        bool told = missing > 0 || (xta_test_rank - 1) / 2 == 0;
        XTA_CHECK(!told || strstr(err.text, name) != NULL, "no '%s': %s", name, err.text);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    close_patiently(p);
}

/* The same for creating and opening, where there is no handle yet. */
static void test_missing_at_create_and_open(int missing)
{
    creation c = usual();
    xta_parallel *p = NULL;
    xta_array *array = NULL;

    c.options.timeout_s = 0.04;
    c.path = xta_test_path(missing == 0 ? "missing0" : "missing1");
    for (int k = 0; k < 2; k++) {
        if (xta_test_rank != missing) {
            xta_status status =
                k == 0 ? xta_parallel_create(MPI_COMM_WORLD, c.path, c.type, c.ndim, c.bounds, NULL,
                                             &c.options, &p, &err)
                       : xta_parallel_open(MPI_COMM_WORLD, c.path, &c.options, &p, &err);
            XTA_CHECK_STATUS(status, XTA_ETIMEDOUT, err);
            XTA_CHECK(p == NULL, "a handle came back%s", "");
        }
        MPI_Barrier(MPI_COMM_WORLD);
        XTA_CHECK_STATUS(xta_array_open(c.path, NULL, &array, &err), XTA_ENOENT, err);
    }
    // Remains of the first attempts do not disturb a later one.
    c.options.timeout_s = 20;
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, c.path, c.type, c.ndim, c.bounds, NULL,
                                     &c.options, &p, &err),
                 err);
    XTA_CHECK_OK(xta_parallel_close(p, &err), err);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Ranks that come at random moments and give up at random moments: either all go on or none does,
 * and no rank is left waiting. The shorter the limit, the more often a rank gives up, comes back
 * and gives up again while others are still being asked. */
static void test_late(void)
{
    enum { ROUNDS = 200 };
    double limit_s = xta_test_ranks <= 3 ? 0.0005 : 0.008;
    xta_parallel *p = create("late", XTA_IO_AUTO, limit_s);
    test_random random = test_random_make(SEED, 1 + (uint64_t)xta_test_rank);
    long went_on = 0;

    for (int k = 0; k < ROUNDS; k++) {
        double late = limit_s * (double)test_random_in(&random, 0, 2000) / 1000;
        struct timespec pause = {0, (long)(late * 1e9)};
        nanosleep(&pause, NULL);
        int tries = (int)test_random_in(&random, 1, 6), met = 0, least = 0, most = 0;
        for (int t = 0; t < tries && met == 0; t++) {
            xta_status status = xta_parallel_refresh(p, NULL, &err);
            XTA_CHECK(status == XTA_OK || status == XTA_ETIMEDOUT, "%d: %s", (int)status, err.text);
            met = status == XTA_OK;
        }
        MPI_Allreduce(&met, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&met, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        XTA_CHECK(least == most, "round %d: some ranks met, others did not", k);
        went_on += most;
    }
    if (xta_test_rank == 0) {
        printf("%d ranks met in %ld of %d rounds\n", xta_test_ranks, went_on, ROUNDS);
    }
    close_patiently(p);
}

/* ---- one status ---- */

static void test_agreement(void)
{
    const char *const names[] = {"red", "green", "blue"};
    int64_t values[300];
    const char *many[300];

    for (int k = 0; k < 300; k++) {
        values[k] = k;
        many[k] = "one of many";
    }
    XTA_CHECK_OK(xta_agree_on(MPI_COMM_WORLD, "paint", 3, names, values, &err), err);
    XTA_CHECK_OK(xta_agree_on(MPI_COMM_WORLD, "paint", 300, many, values, &err), err);
    XTA_CHECK_OK(xta_agree_on(MPI_COMM_WORLD, "paint", 0, NULL, NULL, &err), err);
    XTA_CHECK_OK(xta_agree(MPI_COMM_WORLD, XTA_OK, NULL), err);
    if (xta_test_ranks == 1) {
        return;
    }
    values[1] = odd ? INT64_MIN : INT64_MAX;
    XTA_CHECK_STATUS(xta_agree_on(MPI_COMM_WORLD, "paint", 3, names, values, &err), XTA_EARG, err);
    XTA_CHECK(strstr(err.text, "green") != NULL && strstr(err.text, "-9223372036854775808") != NULL,
              "%s", err.text);
    values[1] = 1;
    values[299] = odd;
    XTA_CHECK_STATUS(xta_agree_on(MPI_COMM_WORLD, "paint", 300, many, values, &err), XTA_EARG, err);
    XTA_CHECK_STATUS(xta_agree_on(MPI_COMM_WORLD, odd ? "paint" : "draw", 3, names, values, &err),
                     XTA_EARG, err);
    XTA_CHECK_STATUS(xta_agree_on(MPI_COMM_WORLD, "paint", odd ? 2 : 3, names, values, &err),
                     XTA_EARG, err);
    // The error of the lowest rank in error is returned.
    err = (xta_error){.status = XTA_EIO};
    snprintf(err.text, sizeof err.text, "rank %d speaks", xta_test_rank);
    XTA_CHECK_STATUS(xta_agree(MPI_COMM_WORLD, xta_test_rank == 0 ? XTA_OK : XTA_EIO, &err),
                     XTA_EIO, err);
    XTA_CHECK(strcmp(err.text, "rank 1 speaks") == 0, "%s", err.text);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    odd = xta_test_rank == xta_test_ranks - 1;
    test_agreement();
    test_creating();
    test_opening();
    test_hints();
    test_nonsense();
    for (int io = XTA_IO_AUTO; io <= XTA_IO_MPI; io++) {
        test_growths((xta_parallel_io)io);
        test_different_calls((xta_parallel_io)io);
        test_boxes((xta_parallel_io)io);
        test_missing((xta_parallel_io)io, xta_test_ranks - 1);
    }
    if (xta_test_ranks > 1) {
        test_missing(XTA_IO_AUTO, 0);
        test_names(0);
        test_names(xta_test_ranks / 2);
        test_missing_at_create_and_open(0);
        test_missing_at_create_and_open(xta_test_ranks - 1);
    }
    test_late();
    return xta_test_end();
}
