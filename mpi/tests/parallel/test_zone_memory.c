/* nprocs: 1 2 3 4 7; mpich: 2 */
/* Zones in memory against the model: each distribution in each order, boxes with several owners,
 * all ranks at once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/zone_world.h"

static bool offered(xta_type type, MPI_Op op)
{
    return op == MPI_REPLACE ||
           (type != XTA_F16 && type != XTA_BYTES && !(type == XTA_BOOL && op == MPI_SUM) &&
            !(is_complex(type) && (op == MPI_MIN || op == MPI_MAX)));
}

static void test_accumulate(world *w)
{
    const MPI_Op ops[] = {MPI_PROD, MPI_SUM, MPI_MIN, MPI_MAX, MPI_REPLACE};
    uint8_t cell[64] = {0};
    xta_box one = w->bounds;

    for (int axis = 0; axis < one.ndim; axis++) {
        one.hi[axis] = one.lo[axis] + 1;
    }
    for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++) {
        if (!offered(w->type, ops[k])) {
            XTA_CHECK_STATUS(
                xta_zone_memory_accumulate(w->memory, &one, XTA_ROW, cell, ops[k], &err), XTA_ETYPE,
                err);
            continue;
        }
        // Several times with no fence in between: these operations may be done in any order. Many
        // products overflow most types, so there the ranks use disjoint boxes.
        bool wraps = w->type == XTA_U32 || w->type == XTA_U64 || w->type == XTA_BOOL;
        bool apart = ops[k] == MPI_REPLACE || (ops[k] == MPI_PROD && !wraps);
        for (int times = apart ? 1 : 3; times > 0; times--) {
            all_at_once(w, ops[k], apart);
        }
        fence(w);
        compare_gets(w, 2);
        fence(w);
    }
}

static void test_put(world *w)
{
    for (int k = 0; k < 3; k++) {
        all_at_once(w, MPI_OP_NULL, true);
        fence(w);
        compare_gets(w, 2);
        fence(w);
    }
    // Visible without a fence, once the rank that puts is known to be done.
    xta_box box = random_box(&w->common, &w->bounds);
    combine_box(w, (int)test_random_in(&w->common, 0, xta_test_ranks - 1), &box, MPI_OP_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    compare_gets(w, 1);
    fence(w);
    compare_local(w);
    fence(w);
}

/* New zones are zero. */
static void test_zero(world *w)
{
    number *model = w->cells;

    w->cells = calloc(count(&w->bounds), sizeof w->cells[0]);
    compare_gets(w, 1);
    compare_local(w);
    free(w->cells);
    w->cells = model;
    fence(w);
}

/* One array and its zones. */
static void test_zones(world *w, xta_distribution_kind kind)
{
    make_zones(w, kind);
    test_zero(w);
    XTA_CHECK_OK(xta_zone_memory_load(w->memory, &err), err);
    compare_gets(w, 4);
    compare_local(w);
    fence(w);
    test_put(w);
    test_accumulate(w);
    XTA_CHECK_OK(xta_zone_memory_store(w->memory, &err), err);
    compare_file(w);
    XTA_CHECK_OK(xta_zone_memory_free(w->memory, &err), err);
}

/* Ranks of MPICH spin while they wait, and here they outnumber the processors. */
static uint64_t choose_rounds(void)
{
    char words[MPI_MAX_LIBRARY_VERSION_STRING];
    int n = 0;

    MPI_Get_library_version(words, &n);
    return strstr(words, "MPICH") != NULL ? test_scale(1) : test_scale(5);
}

static void random_zones(void)
{
    uint64_t n_shares = 6 * choose_rounds();

    for (uint64_t part = 0; part < n_shares; part++) {
        int kind = (int)(part % 3);
        char name[32];
        world w = make_world(part);
        snprintf(name, sizeof name, "array%d", (int)part);
        w.order = part / 3 % 2 == 0 ? XTA_ROW : XTA_COLUMN;
        make_array(&w, name);
        snprintf(w.story, sizeof w.story, "seed %llu, part %llu: kind %d, order %d, %s, %d axes",
                 (unsigned long long)seed, (unsigned long long)part, kind, (int)w.order,
                 xta_type_name(w.type), w.bounds.ndim);
        test_zones(&w, (xta_distribution_kind)kind);
        clear_world(&w);
    }
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    agree_on_seed("zone_memory", 20240801);
    random_zones();
    return xta_test_end();
}
