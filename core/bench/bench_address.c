/* The cost of computing where a cell lies: F* against the row-major address of a conventional
 * array, for random coordinates in 2 to 7 axes after 100 expansions ([CXA] Fig. 3.5.1, 6.4.1).
 *
 * First the address of a chunk alone, each side with a check of the bounds (one comparison for each
 * axis, as both start at 0; the engine checks such arrays in the same way) and without a call
 * through the library's public API; this uses the private headers of mapping/, so it links the
 * static library. Then a cell of a memory array through xta_array_get, against a C array with a
 * row-major index and a bounds check.
 *
 * Both sides take the number of axes at run time. The engine has a function body for each number of
 * axes up to 7; the conventional address is measured both as a loop over the axes and with a body
 * for each number of axes. Times are processor times.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "geometry/mapping/mapping.h"

#define EXPANSIONS  100
#define FEW_POINTS  2048
#define MANY_POINTS (1 << 18)
#define VISITS      (100 * 1024)
#define REPETITIONS 15
#define MAX_AXES    7
#define MAX_CELLS   ((int64_t)1 << 22)
#define COORD_LIMIT ((int64_t)1 << 40)

/* A conventional array: lengths, and the cells each step on an axis skips. */
typedef struct conventional {
    int ndim;
    int64_t length[MAX_AXES];
    int64_t stride[MAX_AXES];
    double *cells;
} conventional;

typedef struct address_test address_test;

/* A function that computes an address. Called through a volatile pointer, so that the compiler can
 * neither inline it into the loop around it nor specialise it for the one array there is. */
typedef bool address_method(const address_test *test, const int64_t coord[], uint64_t *address);

struct address_test {
    address_method *volatile way;
    int ndim;
    int64_t chunk; // a side
    int sequence[EXPANSIONS];
    int64_t lengths[MAX_AXES]; // in chunks, after the expansions
    xta__mapping mapping;
    conventional plain;
    xta_array *array;
    int n_points; // a few that are visited repeatedly stay in the cache; many do not
    int64_t coords[MANY_POINTS][MAX_AXES];
    uint64_t addresses[MANY_POINTS];
    double cells[MANY_POINTS];
};

static int rounds_of(const address_test *test)
{
    return test->n_points < VISITS ? VISITS / test->n_points : 1;
}

static int64_t chunks_of(const address_test *test)
{
    int64_t n = 1;
    for (int axis = 0; axis < test->ndim; axis++) {
        n *= test->lengths[axis];
    }
    return n;
}

static double nanoseconds(const address_test *test, double seconds)
{
    return seconds * 1e9 / ((double)rounds_of(test) * test->n_points);
}

/* Which axis grows at which step: evenly at first; then expansions are moved from the last axes to
 * the first until there are at most `max_chunks` chunks, while each axis keeps at least one;
 * finally they are shuffled. */
static void choose_sequence(address_test *test, int64_t max_chunks)
{
    uint64_t random = 11;
    int n = 0;

    for (int axis = 0; axis < test->ndim; axis++) {
        test->lengths[axis] = 1;
    }
    for (int i = 0; i < EXPANSIONS; i++) {
        test->lengths[i % test->ndim]++;
    }
    for (int axis = test->ndim - 1; axis > 0 && chunks_of(test) > max_chunks;) {
        if (test->lengths[axis] > 2) {
            test->lengths[axis]--;
            test->lengths[0]++;
        } else {
            axis--;
        }
    }
    for (int axis = 0; axis < test->ndim; axis++) {
        for (int64_t i = 1; i < test->lengths[axis]; i++) {
            test->sequence[n++] = axis;
        }
    }
    for (int i = EXPANSIONS - 1; i > 0; i--) {
        int j = (int)bench_below(&random, i + 1);
        int axis = test->sequence[i];
        test->sequence[i] = test->sequence[j];
        test->sequence[j] = axis;
    }
}

static void grow_mapping(address_test *test)
{
    int64_t lo[MAX_AXES] = {0};
    int64_t hi[MAX_AXES];
    int64_t limit[MAX_AXES];
    uint64_t most = (uint64_t)1 << 40;

    for (int axis = 0; axis < MAX_AXES; axis++) {
        hi[axis] = 1;
        limit[axis] = COORD_LIMIT;
    }
    if (xta__mapping_init(&test->mapping, test->ndim, lo, hi, XTA__TABLE_LIMIT) != XTA_OK) {
        bench_die("no mapping");
    }
    for (int i = 0; i < EXPANSIONS; i++) {
        xta__chunk_growth growth = {test->sequence[i], XTA_BACK, 1};
        if (xta__mapping_reserve(&test->mapping, &growth, 1, limit, most) != XTA_OK) {
            bench_die("the mapping does not grow");
        }
        xta__mapping_grow(&test->mapping, &growth);
    }
}

/* `unit` is what a coordinate counts: chunks, or cells of a chunk's side. */
static void choose_points(address_test *test, int64_t unit, int n_points)
{
    uint64_t random = 17;

    test->n_points = n_points;
    test->plain.ndim = test->ndim;
    int64_t stride = 1;
    for (int axis = test->ndim - 1; axis >= 0; axis--) {
        test->plain.length[axis] = test->lengths[axis] * unit;
        test->plain.stride[axis] = stride;
        stride *= test->plain.length[axis];
    }
    for (int i = 0; i < test->n_points; i++) {
        for (int axis = 0; axis < test->ndim; axis++) {
            test->coords[i][axis] = bench_below(&random, test->plain.length[axis]);
        }
    }
}

static inline __attribute__((always_inline)) bool
row_major_of_axes(const conventional *plain, const int64_t coord[], int ndim, uint64_t *address)
{
    int64_t sum = 0;
#pragma GCC unroll 8
    for (int axis = 0; axis < ndim; axis++) {
        if ((uint64_t)coord[axis] >= (uint64_t)plain->length[axis]) {
            return false;
        }
        sum += coord[axis] * plain->stride[axis];
    }
    *address = (uint64_t)sum;
    return true;
}

/* What a library for any number of axes does: a loop over them. */
static bool row_major(const address_test *test, const int64_t coord[], uint64_t *address)
{
    const conventional *plain = &test->plain;
    int64_t sum = 0;
    for (int axis = 0; axis < plain->ndim; axis++) {
        if ((uint64_t)coord[axis] >= (uint64_t)plain->length[axis]) {
            return false;
        }
        sum += coord[axis] * plain->stride[axis];
    }
    *address = (uint64_t)sum;
    return true;
}

/* One body for each number of axes, chosen at run time: what the engine does. */
static bool row_major_by_bodies(const address_test *test, const int64_t coord[], uint64_t *address)
{
    const conventional *plain = &test->plain;

    switch (plain->ndim) {
    case 2:
        return row_major_of_axes(plain, coord, 2, address);
    case 3:
        return row_major_of_axes(plain, coord, 3, address);
    case 4:
        return row_major_of_axes(plain, coord, 4, address);
    case 5:
        return row_major_of_axes(plain, coord, 5, address);
    case 6:
        return row_major_of_axes(plain, coord, 6, address);
    default:
        return row_major_of_axes(plain, coord, 7, address);
    }
}

static bool f_star(const address_test *test, const int64_t coord[], uint64_t *address)
{
    const xta__mapping *mapping = &test->mapping;

    switch (mapping->ndim) {
    case 2:
        return xta__address_from_zero(mapping, coord, 2, address);
    case 3:
        return xta__address_from_zero(mapping, coord, 3, address);
    case 4:
        return xta__address_from_zero(mapping, coord, 4, address);
    case 5:
        return xta__address_from_zero(mapping, coord, 5, address);
    case 6:
        return xta__address_from_zero(mapping, coord, 6, address);
    default:
        return xta__address_from_zero(mapping, coord, 7, address);
    }
}

/* Compute the address of every coordinate, repeatedly. */
static double visit(address_test *test)
{
    int rounds = rounds_of(test);
    bool ok = true;
    double start = bench_cpu_now();
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < test->n_points; i++) {
            ok &= test->way(test, test->coords[i], &test->addresses[i]);
        }
    }
    double taken = bench_cpu_now() - start;
    if (!ok) {
        bench_die("a place lies outside");
    }
    return taken;
}

static double run_row_major(void *state, int repetition)
{
    address_test *test = state;
    (void)repetition;
    test->way = row_major;
    return visit(test);
}

static double run_row_major_by_bodies(void *state, int repetition)
{
    address_test *test = state;
    (void)repetition;
    test->way = row_major_by_bodies;
    return visit(test);
}

static double run_f_star(void *state, int repetition)
{
    address_test *test = state;
    (void)repetition;
    test->way = f_star;
    double taken = visit(test);
    for (int i = 0; i < test->n_points; i++) {
        int64_t back[XTA_MAX_NDIM];
        xta__mapping_inverse(&test->mapping, test->addresses[i], back);
        if (memcmp(back, test->coords[i], (size_t)test->ndim * sizeof back[0]) != 0) {
            bench_die("F* gives a wrong address");
        }
    }
    return taken;
}

__attribute__((noinline)) static void row_major_inverse(const conventional *plain, uint64_t address,
                                                        int64_t coord[])
{
    for (int axis = plain->ndim - 1; axis >= 0; axis--) {
        coord[axis] = (int64_t)(address % (uint64_t)plain->length[axis]);
        address /= (uint64_t)plain->length[axis];
    }
}

static double run_row_major_inverse(void *state, int repetition)
{
    address_test *test = state;
    int64_t coord[MAX_AXES];
    int64_t sum = 0;
    (void)repetition;
    double start = bench_cpu_now();
    for (int i = 0; i < test->n_points; i++) {
        row_major_inverse(&test->plain, test->addresses[i], coord);
        sum += coord[0];
    }
    double taken = bench_cpu_now() - start;
    if (sum < 0) {
        bench_die("the inverse gives a wrong place");
    }
    return taken;
}

static double run_f_star_inverse(void *state, int repetition)
{
    address_test *test = state;
    int64_t coord[XTA_MAX_NDIM];
    int64_t sum = 0;
    (void)repetition;
    double start = bench_cpu_now();
    for (int i = 0; i < test->n_points; i++) {
        xta__mapping_inverse(&test->mapping, test->addresses[i], coord);
        sum += coord[0];
    }
    double taken = bench_cpu_now() - start;
    if (sum < 0) {
        bench_die("the inverse gives a wrong place");
    }
    return taken;
}

static void compare_addresses(address_test *test)
{
    bench_side sides[] = {
        {run_f_star, test}, {run_row_major, test}, {run_row_major_by_bodies, test}};
    bench_side inverses[] = {{run_f_star_inverse, test}, {run_row_major_inverse, test}};
    double seconds[3];
    char name[64];

    choose_sequence(test, INT64_MAX);
    grow_mapping(test);
    choose_points(test, 1, FEW_POINTS);
    bench_alternate(sides, 3, REPETITIONS, seconds);
    snprintf(name, sizeof name, "%d axes", test->ndim);
    bench_print(&(bench_row){name, "chunk address", nanoseconds(test, seconds[0]),
                             "row-major address", nanoseconds(test, seconds[1]), "ns", BENCH_COST,
                             2});
    bench_print(&(bench_row){name, "chunk address", nanoseconds(test, seconds[0]),
                             "row-major address (a body for each number of axes)",
                             nanoseconds(test, seconds[2]), "ns", BENCH_COST, 0});
    run_f_star(test, 0);
    bench_alternate(inverses, 2, REPETITIONS, seconds);
    bench_print(&(bench_row){name, "inverse of a chunk address", seconds[0] * 1e9 / FEW_POINTS,
                             "row-major inverse", seconds[1] * 1e9 / FEW_POINTS, "ns", BENCH_COST,
                             0});
    xta__mapping_clear(&test->mapping);
}

static void check_cells(const address_test *test, const char *who)
{
    for (int i = 0; i < test->n_points; i++) {
        if (test->cells[i] != bench_value(test->ndim, test->coords[i])) {
            bench_die("wrong data from %s", who);
        }
    }
}

static double run_plain_get(void *state, int repetition)
{
    address_test *test = state;
    int rounds = rounds_of(test);
    bool ok = true;
    (void)repetition;
    memset(test->cells, 0, (size_t)test->n_points * sizeof(double));
    test->way = row_major;
    double start = bench_cpu_now();
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < test->n_points; i++) {
            uint64_t address = 0;
            ok &= test->way(test, test->coords[i], &address);
            test->cells[i] = test->plain.cells[address];
        }
    }
    double taken = bench_cpu_now() - start;
    if (!ok) {
        bench_die("a place lies outside");
    }
    check_cells(test, "the conventional array");
    return taken;
}

static double run_get(void *state, int repetition)
{
    address_test *test = state;
    int rounds = rounds_of(test);
    (void)repetition;
    memset(test->cells, 0, (size_t)test->n_points * sizeof(double));
    double start = bench_cpu_now();
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < test->n_points; i++) {
            BENCH_XTA(xta_array_get(test->array, test->coords[i], &test->cells[i], &bench_error));
        }
    }
    double taken = bench_cpu_now() - start;
    check_cells(test, "xta_array_get");
    return taken;
}

static double run_chunk_address(void *state, int repetition)
{
    address_test *test = state;
    int rounds = rounds_of(test);
    (void)repetition;
    double start = bench_cpu_now();
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < test->n_points; i++) {
            BENCH_XTA(xta_array_chunk_address(test->array, test->coords[i], &test->addresses[i],
                                              &bench_error));
        }
    }
    return bench_cpu_now() - start;
}

/* The same coordinates in one call. */
static double run_chunk_addresses(void *state, int repetition)
{
    static int64_t chunks[FEW_POINTS * MAX_AXES];
    static uint64_t addresses[FEW_POINTS];
    address_test *test = state;
    int rounds = rounds_of(test);
    (void)repetition;
    for (int i = 0; i < test->n_points; i++) {
        memcpy(chunks + (size_t)i * (size_t)test->ndim, test->coords[i],
               (size_t)test->ndim * sizeof chunks[0]);
    }
    double start = bench_cpu_now();
    for (int round = 0; round < rounds; round++) {
        BENCH_XTA(xta_array_chunk_addresses(test->array, (size_t)test->n_points, chunks, addresses,
                                            &bench_error));
    }
    double taken = bench_cpu_now() - start;
    for (int i = 0; i < test->n_points; i++) {
        uint64_t one = 0;
        BENCH_XTA(xta_array_chunk_address(test->array, test->coords[i], &one, &bench_error));
        if (one != addresses[i]) {
            bench_die("the batch gives a wrong address");
        }
    }
    return taken;
}

/* A memory array with the history of the test, all cells written, and the same cells in a C array.
 */
static void make_arrays(address_test *test)
{
    int64_t chunk[MAX_AXES];
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    for (int axis = 0; axis < test->ndim; axis++) {
        chunk[axis] = test->chunk;
    }
    options.chunk = chunk;
    BENCH_XTA(xta_array_new(XTA_F64, test->ndim, chunk, &options, &test->array, &bench_error));
    for (int i = 0; i < EXPANSIONS; i++) {
        xta_growth growth = {test->sequence[i], XTA_BACK, test->chunk};
        BENCH_XTA(xta_array_extend(test->array, &growth, 1, NULL, &bench_error));
    }
    xta_box all = xta_array_bounds(test->array);
    uint64_t n = 0;
    if (xta_box_cells(&all, &n) != XTA_OK) {
        bench_die("too many cells");
    }
    test->plain.cells = bench_memory((size_t)n * sizeof(double));
    bench_fill(&all, test->plain.cells);
    BENCH_XTA(xta_array_write(test->array, &all, NULL, test->plain.cells, &bench_error));
}

static void compare_cells(address_test *test)
{
    bench_side sides[] = {{run_get, test}, {run_plain_get, test}};
    bench_side addresses[] = {
        {run_row_major, test}, {run_chunk_address, test}, {run_chunk_addresses, test}};
    double seconds[3];
    int64_t chunk_cells = 1;
    char name[64];

    for (int axis = 0; axis < test->ndim; axis++) {
        chunk_cells *= test->chunk;
    }
    choose_sequence(test, MAX_CELLS / chunk_cells);
    choose_points(test, test->chunk, FEW_POINTS);
    make_arrays(test);
    snprintf(name, sizeof name, "%d axes; chunk %lld a side", test->ndim, (long long)test->chunk);
    bench_alternate(sides, 2, REPETITIONS, seconds);
    bench_print(&(bench_row){name, "cell of a memory array (in the cache)",
                             nanoseconds(test, seconds[0]), "cell of a C array",
                             nanoseconds(test, seconds[1]), "ns", BENCH_COST, 0});
    choose_points(test, test->chunk, MANY_POINTS);
    bench_alternate(sides, 2, REPETITIONS, seconds);
    bench_print(&(bench_row){name, "cell of a memory array (any of 32 MiB)",
                             nanoseconds(test, seconds[0]), "cell of a C array",
                             nanoseconds(test, seconds[1]), "ns", BENCH_COST, 0});
    choose_points(test, 1, FEW_POINTS);
    bench_alternate(addresses, 3, REPETITIONS, seconds);
    bench_print(&(bench_row){name, "xta_array_chunk_address", nanoseconds(test, seconds[1]),
                             "row-major address", nanoseconds(test, seconds[0]), "ns", BENCH_COST,
                             0});
    bench_print(&(bench_row){name, "xta_array_chunk_addresses", nanoseconds(test, seconds[2]),
                             "row-major address", nanoseconds(test, seconds[0]), "ns", BENCH_COST,
                             4});
    BENCH_XTA(xta_array_close(test->array, &bench_error));
    free(test->plain.cells);
}

int main(void)
{
    static const int64_t chunks[MAX_AXES + 1] = {0, 0, 32, 4, 4, 2, 2, 2};
    static address_test test;

    bench_begin("address");
    for (test.ndim = 2; test.ndim <= MAX_AXES; test.ndim++) {
        compare_addresses(&test);
    }
    for (test.ndim = 2; test.ndim <= MAX_AXES; test.ndim++) {
        test.chunk = chunks[test.ndim];
        compare_cells(&test);
    }
    return 0;
}
