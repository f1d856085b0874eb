/* Prints an array as the library reads it, in the format of tools/reference_reader, so that a test
 * can compare the two outputs line by line.
 *
 *     format_look PATH [--step K] [--writable] [--cells FILE] [--history]
 *
 * The first line is the status of opening, and, if it is not XTA_OK, a tab and the text. --cells
 * puts all cells into a file, row-major and little-endian.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/xta.h>

#include "store/store.h"

static const char *const orders[] = {"row", "column", "morton", "hilbert"};
static const char *const policies[] = {"exact", "linear", "exponential", "cubical", "shell"};

static void must(xta_status status, const xta_error *err)
{
    if (status != XTA_OK) {
        printf("%s\t%s\n", xta_status_name(status), err->text);
        exit(0);
    }
}

static void print_hex(const void *bytes, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        printf("%02x", ((const uint8_t *)bytes)[k]);
    }
}

/* Values of a type as they lie in files. */
static void print_values(xta_type type, const void *values, size_t bytes)
{
    uint8_t *copy = malloc(bytes + 1);

    if (copy == NULL) {
        abort();
    }
    memcpy(copy, values, bytes);
    xta__swap_cells(type, copy, bytes);
    print_hex(copy, bytes);
    free(copy);
}

static void print_box(const char *before, const xta_box *box)
{
    printf("%s", before);
    for (int axis = 0; axis < box->ndim; axis++) {
        printf("%s%" PRId64 ":%" PRId64, axis > 0 ? "," : "", box->lo[axis], box->hi[axis]);
    }
}

static void print_structure(xta_array *array, const xta_array_info *info)
{
    printf("uuid ");
    print_hex(info->uuid, sizeof info->uuid);
    printf("\ntype %s %zu\n", xta_type_name(info->type), info->cell_bytes);
    printf("order %s\n", orders[info->order]);
    printf("policy %s %u\n", policies[info->policy], info->policy_amount);
    printf("slot %" PRIu64, info->slot_bytes);
    if (info->layout == XTA_DIRECT) {
        printf(" from %" PRIu64, info->data_offset);
    }
    printf("\nfill ");
    print_values(info->type, xta_array_fill_value(array), info->cell_bytes);
    printf("\nchunk ");
    for (int axis = 0; axis < info->ndim; axis++) {
        printf("%s%" PRId64, axis > 0 ? "," : "", info->chunk[axis]);
    }
    print_box("\nbounds ", &info->bounds);
    print_box("\nallocated ", &info->allocated);
    printf("\nchunks %" PRIu64 "\nstep %" PRIu64 "\n", info->n_chunks, info->n_steps);
}

static void print_segments(xta_array *array, uint64_t n_segments)
{
    xta_segment segment;
    xta_error err;

    for (uint64_t k = 0; k < n_segments; k++) {
        must(xta_array_segment(array, k, &segment, &err), &err);
        printf("segment %" PRIu64 " ", k);
        if (segment.initial) {
            printf("initial");
        } else {
            printf("axis %d %s", segment.axis, segment.side == XTA_BACK ? "back" : "front");
        }
        printf(" base %" PRIu64 " chunks %" PRIu64, segment.base, segment.n_chunks);
        print_box(" box ", &segment.chunks);
        printf("\n");
    }
}

static void print_attributes(xta_array *array, int ndim)
{
    xta_attribute value;
    xta_error err;

    for (int axis = 0; axis < ndim; axis++) {
        printf("axis %d name ", axis);
        print_hex(xta_axis_name(array, axis), strlen(xta_axis_name(array, axis)));
        printf(" unit ");
        print_hex(xta_axis_unit(array, axis), strlen(xta_axis_unit(array, axis)));
        printf("\n");
    }
    for (int axis = XTA_ON_ARRAY; axis < ndim; axis++) {
        for (size_t k = 0; k < xta_attribute_count(array, axis); k++) {
            must(xta_attribute_at(array, axis, k, &value, &err), &err);
            printf(axis == XTA_ON_ARRAY ? "attribute array " : "attribute axis %d ", axis);
            print_hex(value.name, strlen(value.name));
            printf(" %s %zu %zu ", xta_type_name(value.type), value.cell_bytes, value.count);
            print_values(value.type, value.values, value.cell_bytes * value.count);
            printf("\n");
        }
    }
}

static int print_work(void *user, const xta_unfinished *work)
{
    (void)user;
    printf("unfinished ");
    print_hex(work->id, sizeof work->id);
    printf(" verb %d made %d source ", (int)work->verb, work->created_array);
    print_hex(work->source, strlen(work->source));
    print_box(" box ", &work->box);
    print_box(" before ", &work->before);
    printf("\n");
    return 0;
}

static int print_step(void *user, const xta_step *step)
{
    static const char *const kinds[] = {"create", "extend", "shrink", "add-axis", "checkpoint"};

    (void)user;
    printf("%" PRIu64 " %s", step->step, kinds[step->kind]);
    for (int k = 0; k < step->n_growths; k++) {
        printf(" %d %s %" PRId64, step->growths[k].axis,
               step->growths[k].side == XTA_BACK ? "back" : "front", step->growths[k].by);
    }
    if (step->kind == XTA_STEP_ADD_AXIS) {
        printf(" %d", step->axis);
    }
    print_box(" bounds ", &step->bounds);
    printf("\n");
    return 0;
}

static void write_cells(xta_array *array, const xta_array_info *info, const char *path)
{
    uint64_t n = 0;
    xta_error err;

    must(xta_box_cells(&info->bounds, &n), &err);
    size_t bytes = (size_t)n * info->cell_bytes;
    uint8_t *cells = malloc(bytes + 1);
    FILE *file = fopen(path, "wb");
    if (cells == NULL || file == NULL) {
        abort();
    }
    must(xta_array_read(array, &info->bounds, NULL, cells, &err), &err);
    xta__swap_cells(info->type, cells, bytes);
    if (fwrite(cells, 1, bytes, file) != bytes || fclose(file) != 0) {
        abort();
    }
    free(cells);
}

int main(int argc, char **argv)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    const char *cells = NULL;
    bool history = false;
    xta_array *array = NULL;
    xta_array_info info;
    xta_error err = {0};

    for (int k = 2; k < argc; k++) {
        options.writable = options.writable || strcmp(argv[k], "--writable") == 0;
        history = history || strcmp(argv[k], "--history") == 0;
        if (k + 1 < argc && strcmp(argv[k], "--cells") == 0) {
            cells = argv[k + 1];
        } else if (k + 1 < argc && strcmp(argv[k], "--step") == 0) {
            options.at_step = true;
            options.step = strtoull(argv[k + 1], NULL, 10);
        }
    }
    if (argc < 2) {
        return 2;
    }
    must(xta_array_open(argv[1], &options, &array, &err), &err);
    printf("XTA_OK\n");
    must(xta_array_inquire(array, &info, &err), &err);
    if (history) {
        must(xta_array_history(array, print_step, NULL, &err), &err);
    } else {
        print_structure(array, &info);
        print_segments(array, info.n_segments);
        print_attributes(array, info.ndim);
        must(xta_array_unfinished(array, print_work, NULL, &err), &err);
    }
    if (cells != NULL) {
        write_cells(array, &info, cells);
    }
    must(xta_array_close(array, &err), &err);
    return 0;
}
