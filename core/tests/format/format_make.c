/* Makes the arrays of the format tests.
 *
 *     format_make golden FOLDER               the arrays of golden/, as they are committed
 *     format_make random FOLDER SEED COUNT    COUNT arrays with histories of their own, r0, r1, ...
 *     format_make append PATH...              one row more in all of these arrays of u8, in one
 *                                             step, of cells 10 k + 1, 10 k + 2, ... in array k
 *
 * The bytes of cell `coord`, as they lie in files, are code(coord), code(coord) + 1, ...: golden.py
 * knows the formula too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/xta.h>

#include "store/journal/format.h"
#include "support/random.h"

static xta_error err;
static const char *folder;
static xta_layout layout; /* of the arrays that are made next */

static void must(xta_status status)
{
    if (status != XTA_OK) {
        fprintf(stderr, "format_make: %s\n", err.text);
        exit(1);
    }
}

static unsigned code(const int64_t coord[], int ndim)
{
    int64_t sum = 17;

    for (int axis = 0; axis < ndim; axis++) {
        sum += (5 * axis + 7) * coord[axis];
    }
    return (unsigned)(sum & 0xff);
}

static void write_codes(xta_array *array, const xta_box *box)
{
    int64_t coord[XTA_MAX_NDIM];
    size_t cell_bytes = xta_array_cell_bytes(array);
    uint8_t *cell = malloc(cell_bytes);
    int axis;

    if (cell == NULL) {
        abort();
    }
    memcpy(coord, box->lo, sizeof coord);
    do {
        for (size_t k = 0; k < cell_bytes; k++) {
            unsigned value = code(coord, box->ndim) + (unsigned)k;
            cell[k] = (uint8_t)(xta_array_type(array) == XTA_BOOL ? value & 1 : value);
        }
        xta__swap_cells(xta_array_type(array), cell, cell_bytes);
        must(xta_array_put(array, coord, cell, &err));
        axis = box->ndim - 1;
        while (axis >= 0 && ++coord[axis] == box->hi[axis]) {
            coord[axis] = box->lo[axis];
            axis--;
        }
    } while (axis >= 0);
    free(cell);
}

static void write_all(xta_array *array)
{
    xta_box bounds = xta_array_bounds(array);

    write_codes(array, &bounds);
}

static xta_array *make(const char *name, xta_type type, int ndim, const int64_t bounds[],
                       const xta_create_options *options)
{
    char path[512];
    xta_array *array = NULL;
    xta_create_options o = *options;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    o.layout = layout;
    must(xta_array_create(path, type, ndim, bounds, &o, &array, &err));
    return array;
}

static void grow(xta_array *array, int axis, xta_side side, int64_t by)
{
    xta_growth growth = {axis, side, by};

    must(xta_array_extend(array, &growth, 1, NULL, &err));
}

/* ---- golden ---- */

/* The array that docs/FORMAT.md shows byte by byte. */
static void make_small(const char *name)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int16_t fill = -1;

    options.chunk = (int64_t[]){2, 2};
    options.fill = &fill;
    options.names = (const char *const[]){"y", "x"};
    xta_array *array = make(name, XTA_I16, 2, (int64_t[]){3, 4}, &options);
    grow(array, 0, XTA_FRONT, 1);
    must(xta_attribute_set_text(array, XTA_ON_ARRAY, "title", "small", &err));
    write_all(array);
    must(xta_array_close(array, &err));
}

static void make_types(void)
{
    for (unsigned type = XTA_BOOL; type <= XTA_BYTES; type++) {
        xta_create_options options = XTA_CREATE_OPTIONS_INIT;
        uint8_t fill[16] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 121, 98, 219};
        char name[32];

        snprintf(name, sizeof name, "type_%s", xta_type_name((xta_type)type));
        xta__swap_cells((xta_type)type, fill, sizeof fill);
        options.chunk = (int64_t[]){4};
        options.fill = fill;
        options.cell_bytes = 7;
        xta_array *array = make(name, (xta_type)type, 1, (int64_t[]){5}, &options);
        write_all(array);
        grow(array, 0, XTA_BACK, 2); // these are fill
        must(xta_attribute_set(array, 0,
                               &(xta_attribute){.name = "same type",
                                                .type = (xta_type)type,
                                                .cell_bytes = 7,
                                                .count = 1,
                                                .values = fill},
                               &err));
        must(xta_array_close(array, &err));
    }
}

static void make_orders(void)
{
    static const char *const names[] = {"order_row", "order_column", "order_morton",
                                        "order_hilbert"};

    for (unsigned order = XTA_ROW; order <= XTA_HILBERT; order++) {
        xta_create_options options = XTA_CREATE_OPTIONS_INIT;
        options.chunk = (int64_t[]){4, 1, 2, 8};
        options.order = (xta_order)order;
        options.alignment_bytes = 48;
        xta_array *array = make(names[order], XTA_U8, 4, (int64_t[]){7, 1, 3, 9}, &options);
        write_all(array);
        must(xta_array_close(array, &err));
    }
}

static void make_policies(void)
{
    static const char *const names[] = {"policy_exact", "policy_linear", "policy_exponential",
                                        "policy_cubical", "policy_shell"};

    for (unsigned policy = XTA_EXACT; policy <= XTA_SHELL; policy++) {
        xta_create_options options = XTA_CREATE_OPTIONS_INIT;
        options.chunk = (int64_t[]){2, 2};
        options.policy = (xta_policy)policy;
        options.policy_amount = 3;
        xta_array *array = make(names[policy], XTA_U8, 2, (int64_t[]){5, 3}, &options);
        grow(array, 1, XTA_BACK, 1); // stays in ghost cells
        grow(array, 1, XTA_BACK, 1);
        grow(array, 0, XTA_FRONT, 9);
        grow(array, 1, XTA_FRONT, 15);
        write_all(array);
        must(xta_array_close(array, &err));
    }
}

static void make_notes(xta_array *array)
{
    int32_t numbers[] = {1, -2, 3};

    must(xta_attribute_set_text(array, XTA_ON_ARRAY, "title", "first", &err));
    must(xta_attribute_set_f64(array, XTA_ON_ARRAY, "scale", 0.25, &err));
    must(xta_attribute_set_text(array, XTA_ON_ARRAY, "title", "zw\xc3\xb6lf", &err));
    must(xta_attribute_set_text(array, 1, "gone", "soon", &err));
    must(xta_attribute_set(
        array, 1,
        &(xta_attribute){.name = "numbers", .type = XTA_I32, .count = 3, .values = numbers}, &err));
    must(xta_attribute_set_text(array, 0, "empty", "", &err));
    must(xta_attribute_remove(array, 1, "gone", &err));
    must(xta_axis_set_unit(array, 0, "km", &err));
    must(xta_axis_set_unit(array, 1, "s", &err));
    must(xta_axis_set_unit(array, 1, "", &err));
    must(xta_axis_set_name(array, 0, "t", &err));
}

/* Every kind of record, an axis that is initially empty, growth at all sides, an inserted axis,
 * cells that were removed by a shrink and came back by growth. */
static void make_history(const char *name, bool compact)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    uint8_t fill = 9, slab[64];
    char path[512];

    options.chunk = (int64_t[]){2, 3};
    options.fill = &fill;
    options.names = (const char *const[]){NULL, "x"};
    xta_array *array = make(name, XTA_U8, 2, (int64_t[]){0, 4}, &options);
    grow(array, 1, XTA_FRONT, 4); // no address is assigned
    grow(array, 0, XTA_BACK, 3);
    grow(array, 0, XTA_BACK, 2); // uninterrupted
    write_all(array);
    must(xta_array_extend(array, (xta_growth[]){{1, XTA_BACK, 3}, {0, XTA_FRONT, 2}}, 2, NULL,
                          &err));
    make_notes(array);
    must(xta_array_shrink(array, (xta_growth[]){{1, XTA_FRONT, 3}, {0, XTA_BACK, 4}}, 2, NULL,
                          &err));
    must(xta_array_add_axis(array, 1, "band", &err));
    grow(array, 1, XTA_FRONT, 1);
    grow(array, 0, XTA_BACK, 5);
    memset(slab, 0x5a, sizeof slab);
    must(xta_array_append(array, &(xta_growth){1, XTA_BACK, 1}, NULL, slab, NULL, &err));
    must(xta_attribute_set_text(array, 2, "behind", "the new axis", &err));
    must(xta_array_close(array, &err));
    if (compact) {
        snprintf(path, sizeof path, "%s/%s", folder, name);
        must(xta_compact(path, NULL, NULL, &err));
    }
}

/* Layout 2: an alignment that is not a multiple of the page; large slots; attributes that grow. */
static void make_direct(void)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    double before[] = {-2, -1}, at[] = {0, 1, 2}, behind[] = {3};
    xta_attribute values = {
        .name = "values", .type = XTA_F64, .cell_bytes = 8, .count = 3, .values = at};

    options.chunk = (int64_t[]){2, 3};
    options.alignment_bytes = 48;
    xta_array *array = make("direct_aligned", XTA_U8, 2, (int64_t[]){3, 5}, &options);
    must(xta_attribute_set(array, 0, &values, &err));
    grow(array, 0, XTA_BACK, 1);
    values.count = 1;
    values.values = behind;
    must(xta_attribute_extend(array, 0, XTA_BACK, &values, &err));
    grow(array, 0, XTA_FRONT, 2);
    values.count = 2;
    values.values = before;
    must(xta_attribute_extend(array, 0, XTA_FRONT, &values, &err));
    write_all(array);
    must(xta_array_close(array, &err));
}

/* ---- random ---- */

static test_random dice;

static int64_t any(int64_t lo, int64_t hi)
{
    return test_random_in(&dice, lo, hi);
}

static void write_some(xta_array *array)
{
    xta_box box = xta_array_bounds(array);

    if (xta_box_empty(&box)) {
        return;
    }
    for (int axis = 0; axis < box.ndim; axis++) {
        box.lo[axis] = any(box.lo[axis], box.hi[axis] - 1);
        box.hi[axis] = any(box.lo[axis] + 1, box.hi[axis]);
    }
    write_codes(array, &box);
}

static void append_some(xta_array *array)
{
    xta_box bounds = xta_array_bounds(array);
    xta_growth growth = {(int)any(0, bounds.ndim - 1), (xta_side)any(0, 1), any(1, 2)};
    uint64_t n = 0;

    bounds.lo[growth.axis] = 0;
    bounds.hi[growth.axis] = growth.by;
    must(xta_box_cells(&bounds, &n));
    size_t bytes = (size_t)n * xta_array_cell_bytes(array);
    uint8_t *slab = calloc(1, bytes + 1);
    if (slab == NULL) {
        abort();
    }
    for (size_t k = 0; k < bytes; k++) {
        slab[k] = (uint8_t)(xta_array_type(array) == XTA_BOOL ? k & 1 : k);
    }
    must(xta_array_append(array, &growth, NULL, slab, NULL, &err));
    free(slab);
}

static void change_bounds(xta_array *array, bool shrink)
{
    xta_box bounds = xta_array_bounds(array);
    xta_growth growths[3];
    int n = (int)any(1, 3);

    for (int k = 0; k < n; k++) {
        int axis = (int)any(0, bounds.ndim - 1);
        int64_t length = bounds.hi[axis] - bounds.lo[axis];
        int64_t by = shrink ? any(0, length) / 2 : any(0, length > 12 ? 0 : 4);
        growths[k] = (xta_growth){axis, (xta_side)any(0, 1), by};
        bounds.hi[axis] -= shrink ? by : 0;
    }
    must(shrink ? xta_array_shrink(array, growths, n, NULL, &err)
                : xta_array_extend(array, growths, n, NULL, &err));
}

static void note_something(xta_array *array)
{
    char name[8];
    uint8_t values[64];
    int axis = (int)any(XTA_ON_ARRAY, xta_array_ndim(array) - 1);

    snprintf(name, sizeof name, "a%d", (int)any(0, 5));
    for (size_t k = 0; k < sizeof values; k++) {
        values[k] = (uint8_t)any(0, 255);
    }
    xta_attribute attribute = {.name = name,
                               .type = (xta_type)any(XTA_BOOL, XTA_TEXT),
                               .cell_bytes = 5,
                               .count = (size_t)any(0, 4),
                               .values = values};
    int64_t how = any(0, 5);
    xta_status status =
        how < 3   ? xta_attribute_set(array, axis, &attribute, &err)
        : how < 5 ? xta_attribute_extend(array, axis, (xta_side)(how - 3), &attribute, &err)
                  : xta_attribute_remove(array, axis, name, &err);
    if (status != XTA_ENOENT && !(status == XTA_EARG && (how == 3 || how == 4))) {
        must(status);
    }
    if (axis >= 0) {
        must(xta_axis_set_unit(array, axis, any(0, 1) ? name : "", &err));
    }
}

static xta_array *reopen(xta_array *array, const char *path, bool compact)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;

    must(xta_array_close(array, &err));
    if (compact) {
        must(xta_compact(path, NULL, NULL, &err));
    }
    options.writable = true;
    options.access = any(0, 1) ? XTA_ACCESS_CACHED : XTA_ACCESS_AUTO;
    must(xta_array_open(path, &options, &array, &err));
    return array;
}

static xta_array *make_one(const char *name)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    int64_t chunk[4], bounds[4];
    uint8_t fill[16] = {0};
    int ndim = (int)any(1, 4);

    options.order = (xta_order)any(XTA_ROW, XTA_HILBERT);
    for (int axis = 0; axis < ndim; axis++) {
        chunk[axis] = options.order >= XTA_MORTON ? (int64_t)1 << any(0, 3) : any(1, 5);
        bounds[axis] = any(0, 7);
    }
    for (size_t k = 0; k < sizeof fill && any(0, 2) > 0; k++) {
        fill[k] = (uint8_t)any(0, 255);
    }
    options.chunk = chunk;
    options.fill = fill;
    options.cell_bytes = (uint32_t)any(1, 16);
    options.policy = (xta_policy)any(XTA_EXACT, XTA_SHELL);
    options.policy_amount = (uint32_t)any(2, 3);
    options.alignment_bytes = (uint64_t)any(0, 1) * 64;
    xta_type type = (xta_type)any(XTA_BOOL, XTA_BYTES);
    fill[0] = type == XTA_BOOL ? fill[0] & 1 : fill[0];
    return make(name, type, ndim, bounds, &options);
}

static void make_random(const char *name)
{
    char path[512];
    int64_t n_steps = any(3, 20);

    snprintf(path, sizeof path, "%s/%s", folder, name);
    layout = any(0, 2) > 0 ? XTA_LAYOUT_DEFAULT : XTA_HEADERLESS;
    xta_array *array = make_one(name);
    for (int64_t step = 0; step < n_steps; step++) {
        int64_t what = any(0, 19);
        if (what < 6) {
            change_bounds(array, false);
        } else if (what < 8) {
            change_bounds(array, true);
        } else if (what < 13) {
            write_some(array);
        } else if (what == 13 && xta_array_ndim(array) < 5) {
            must(xta_array_add_axis(array, (int)any(0, xta_array_ndim(array)), NULL, &err));
        } else if (what < 17) {
            note_something(array);
        } else if (what == 17) {
            append_some(array);
        } else {
            array = reopen(array, path, what == 18 && any(0, 2) == 0);
        }
    }
    must(xta_array_close(array, &err));
}

/* ---- append ---- */

static void append_together(char *const paths[], int n)
{
    enum { MOST = 8, WIDTH = 64 };
    const xta_growth row = {0, XTA_BACK, 1};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_append_member members[MOST] = {0};
    uint8_t cells[MOST][WIDTH];

    if (n > MOST) {
        abort();
    }
    options.writable = true;
    for (int k = 0; k < n; k++) {
        members[k] = (xta_append_member){.growths = &row, .n_growths = 1, .cells = cells[k]};
        must(xta_array_open(paths[k], &options, &members[k].array, &err));
        for (int i = 0; i < WIDTH; i++) {
            cells[k][i] = (uint8_t)(10 * k + i + 1);
        }
    }
    must(xta_arrays_append(members, n, NULL, &err));
    for (int k = 0; k < n; k++) {
        must(xta_array_close(members[k].array, &err));
    }
}

int main(int argc, char **argv)
{
    char name[32];

    if (argc == 3 && strcmp(argv[1], "golden") == 0) {
        folder = argv[2];
        layout = XTA_HEADERLESS;
        make_small("small");
        make_types();
        make_orders();
        make_policies();
        make_history("history", false);
        make_history("compacted", true);
        layout = XTA_DIRECT;
        make_small("direct_small");
        make_history("direct_history", false);
        make_history("direct_compacted", true);
        make_direct();
        return 0;
    }
    if (argc == 5 && strcmp(argv[1], "random") == 0) {
        folder = argv[2];
        for (uint64_t k = 0; k < strtoull(argv[4], NULL, 10); k++) {
            dice = test_random_make(strtoull(argv[3], NULL, 10), k);
            snprintf(name, sizeof name, "r%" PRIu64, k);
            make_random(name);
        }
        return 0;
    }
    if (argc > 2 && strcmp(argv[1], "append") == 0) {
        append_together(argv + 2, argc - 2);
        return 0;
    }
    fprintf(stderr,
            "usage: format_make golden FOLDER | random FOLDER SEED COUNT | append PATH...\n");
    return 2;
}
