/* Regions extracted from random arrays, compared with cell-by-cell counting.
 *
 * Arrays of 1 to 4 axes with negative coordinates, of every number type, in files and in memory;
 * boxes and spheres that overlap and extend beyond the array, or masks; on all axes or on some;
 * within memory limits down to a few cells. Every read of the array is checked: no cell is read
 * twice, no chunk without a region is read, and addresses ascend.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "extract_rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double value_of(const trial *t, uint64_t cell)
{
    double v = 0;

    (void)!xta_type_convert(t->type, t->raw + cell * t->cell_bytes, XTA_F64, &v, 1, NULL);
    return v;
}

/* ---- watching ---- */

static void watch(void *user, xta_array *array, bool write, const xta_box *box, const int64_t *step)
{
    trial *t = user;
    xta_array_info info;
    int64_t at[XTA_MAX_NDIM], chunk[XTA_MAX_NDIM];
    uint64_t address = 0;
    xta_error err;

    STORY_CHECK(&t->story, !write && step == NULL, "the array is not only read");
    STORY_OK(&t->story, xta_array_inquire(array, &info, &err), err);
    memcpy(at, box->lo, sizeof at);
    do {
        uint8_t *n = &t->n_reads[trial_number(&t->bounds, at)];
        STORY_CHECK(&t->story, *n == 0, "a cell is read twice");
        *n = 1;
        for (int axis = 0; axis < box->ndim; axis++) {
            int64_t c = info.chunk[axis];
            chunk[axis] = at[axis] / c - (at[axis] % c < 0);
        }
        STORY_OK(&t->story, xta_array_chunk_address(array, chunk, &address, &err), err);
        STORY_CHECK(&t->story, !t->any_read || address >= t->last_address, "address %lu after %lu",
                    (unsigned long)address, (unsigned long)t->last_address);
        t->last_address = address;
        t->any_read = true;
    } while (trial_next(box, at));
}

static int told_region(void *user, size_t k, uint64_t n_cells, const xta_box *box)
{
    trial *t = user;

    STORY_CHECK(&t->story, k == t->n_told++, "region %zu is told out of order", k);
    STORY_CHECK(&t->story, n_cells == t->n_in[k], "region %zu: %lu cells, not %lu", k,
                (unsigned long)n_cells, (unsigned long)t->n_in[k]);
    STORY_CHECK(&t->story, xta_box_contains(&t->space, box), "region %zu: its box leaves", k);
    return 0;
}

/* Split the coordinate of a cell: its coordinate in the space, and its position on the remaining
 * axes. */
static uint64_t split(const trial *t, const int64_t at[], int64_t space[])
{
    uint64_t position = 0;
    int m = 0;

    for (int axis = 0; axis < t->bounds.ndim; axis++) {
        if (m < t->space.ndim && t->axes[m] == axis) {
            space[m++] = at[axis];
        } else {
            position = position * (uint64_t)(t->bounds.hi[axis] - t->bounds.lo[axis]) +
                       (uint64_t)(at[axis] - t->bounds.lo[axis]);
        }
    }
    return position;
}

static int told_piece(void *user, const xta_region_piece *piece)
{
    trial *t = user;
    size_t k = piece->region;
    int64_t at[XTA_MAX_NDIM], space[XTA_MAX_NDIM];
    bool first = true;

    memcpy(at, piece->cells.lo, sizeof at);
    do {
        uint64_t position = split(t, at, space);
        int64_t rank = t->rank[k][trial_number(&t->space, space)];
        STORY_CHECK(&t->story, rank >= 0, "region %zu: a cell that is not in it", k);
        STORY_CHECK(&t->story, !first || (uint64_t)rank == piece->rank,
                    "region %zu: rank %lu, not %ld", k, (unsigned long)piece->rank, (long)rank);
        first = false;
        uint8_t *seen = &t->seen[k][(uint64_t)rank * t->n_positions + position];
        STORY_CHECK(&t->story, *seen == 0, "region %zu: a cell comes twice", k);
        *seen = 1;
        const uint8_t *cell = piece->first;
        for (int axis = 0; axis < piece->cells.ndim; axis++) {
            cell += (at[axis] - piece->cells.lo[axis]) * piece->strides[axis];
        }
        STORY_CHECK(
            &t->story,
            memcmp(cell, t->raw + trial_number(&t->bounds, at) * t->cell_bytes, t->cell_bytes) == 0,
            "region %zu: a wrong cell", k);
    } while (trial_next(&piece->cells, at));
    return 0;
}

/* ---- judging ---- */

typedef struct naive {
    uint64_t count, n_nan;
    double min, max;
    long double sum, sum_of_sizes;
    __extension__ __int128 whole;
} naive;

static void judge_position(trial *t, const xta_region_statistics *got, const naive *want)
{
    bool is_float = t->type == XTA_F16 || t->type == XTA_F32 || t->type == XTA_F64;
    double sum = is_float ? (double)want->sum : (double)want->whole;

    STORY_CHECK(&t->story, got->count == want->count && got->n_nan == want->n_nan,
                "%lu cells and %lu NaN, not %lu and %lu", (unsigned long)got->count,
                (unsigned long)got->n_nan, (unsigned long)want->count, (unsigned long)want->n_nan);
    if (want->count == 0) {
        STORY_CHECK(&t->story,
                    isnan(got->min) && isnan(got->max) && isnan(got->mean) && got->sum == 0,
                    "an empty region with statistics");
        return;
    }
    STORY_CHECK(&t->story, got->min == want->min && got->max == want->max,
                "from %g to %g, not %g to %g", got->min, got->max, want->min, want->max);
    double close = is_float ? 1e-14 * (double)want->sum_of_sizes : 0;
    STORY_CHECK(&t->story, isinf(sum) ? got->sum == sum : fabs(got->sum - sum) <= close,
                "sum %.17g, not %.17g", got->sum, sum);
    STORY_CHECK(&t->story, isinf(sum) || got->mean == got->sum / (double)want->count, "mean %.17g",
                got->mean);
    double cell = 0;
    (void)!xta_type_convert(t->type, got->min_cell, XTA_F64, &cell, 1, NULL);
    STORY_CHECK(&t->story, cell == want->min, "cell of the least %g, not %g", cell, want->min);
}

static void judge_region(trial *t, const xta_extraction *e, size_t k)
{
    naive *want = calloc(t->n_positions, sizeof *want);
    int64_t at[XTA_MAX_NDIM], space[XTA_MAX_NDIM];

    memcpy(at, t->bounds.lo, sizeof at);
    do {
        uint64_t position = split(t, at, space);
        uint64_t cell = trial_number(&t->bounds, at);
        double v = value_of(t, cell);
        naive *w = &want[position];
        if (t->rank[k][trial_number(&t->space, space)] < 0) {
            continue;
        }
        if (isnan(v)) {
            w->n_nan++;
            continue;
        }
        w->min = w->count == 0 || v < w->min ? v : w->min;
        w->max = w->count == 0 || v > w->max ? v : w->max;
        w->sum += v;
        w->sum_of_sizes += fabs(v);
        w->count++;
        int64_t i = 0;
        uint64_t u = 0;
        if (xta_type_convert(t->type, t->raw + cell * t->cell_bytes, XTA_I64, &i, 1, NULL) ==
            XTA_OK) {
            w->whole += i;
        } else if (t->type == XTA_U64) {
            memcpy(&u, t->raw + cell * 8, 8);
            w->whole += u;
        }
    } while (trial_next(&t->bounds, at));
    for (uint64_t p = 0; p < t->n_positions; p++) {
        xta_region_statistics got = xta_extraction_statistics(e, k, p);
        judge_position(t, &got, &want[p]);
    }
    free(want);
}

/* Check that no chunk was read without a region in it. */
static void judge_chunks(trial *t, const xta_extract_facts *facts)
{
    xta_array_info info;
    xta_error err;
    uint64_t n_chunks = 0, n_cells = 0;

    STORY_OK(&t->story, xta_array_inquire(t->array, &info, &err), err);
    for (uint64_t q = 0; q < info.n_chunks; q++) {
        xta_chunk chunk;
        int64_t at[XTA_MAX_NDIM], space[XTA_MAX_NDIM];
        bool read = false, wanted = false;
        STORY_OK(&t->story, xta_array_chunk_at(t->array, q, &chunk, &err), err);
        if (xta_box_empty(&chunk.cells)) {
            continue;
        }
        memcpy(at, chunk.cells.lo, sizeof at);
        do {
            split(t, at, space);
            n_cells += t->n_reads[trial_number(&t->bounds, at)];
            read = read || t->n_reads[trial_number(&t->bounds, at)] != 0;
            for (size_t k = 0; k < t->n_regions; k++) {
                wanted = wanted || t->rank[k][trial_number(&t->space, space)] >= 0;
            }
        } while (trial_next(&chunk.cells, at));
        STORY_CHECK(&t->story, read == wanted, "chunk %lu is %s", (unsigned long)q,
                    read ? "read though no region touches it" : "not read");
        n_chunks += read;
    }
    STORY_CHECK(&t->story, facts->n_chunks_read == n_chunks && facts->n_cells_read == n_cells,
                "%lu chunks and %lu cells read, not %lu and %lu",
                (unsigned long)facts->n_chunks_read, (unsigned long)facts->n_cells_read,
                (unsigned long)n_chunks, (unsigned long)n_cells);
}

/* ---- one trial ---- */

/* Extract; if a box extends beyond the array, try again with boxes clipped, and if the limit is too
 * small, with the memory that the text says is enough. */
static xta_extraction *extract(trial *t, xta_extract_options *options)
{
    xta_extraction *e = NULL;
    xta_error err;

    for (;;) {
        xta_status status = xta_extract(t->array, t->regions, options, &e, &err);
        if (status == XTA_OK) {
            return e;
        }
        const char *enough = strstr(err.text, "; ");
        STORY_CHECK(&t->story, enough != NULL, "%s: %s", xta_status_name(status), err.text);
        uint64_t bytes = strtoull(enough + 2, NULL, 10);
        if (status == XTA_EBOX && !options->clip) {
            options->clip = true;
        } else {
            STORY_CHECK(&t->story,
                        status == XTA_ENOMEM && options->memory_bytes > 0 &&
                            options->memory_bytes < bytes,
                        "%s: %s", xta_status_name(status), err.text);
            options->memory_bytes = bytes;
        }
        t->n_told = 0;
    }
}

static void judge(trial *t, const xta_extraction *e, const xta_extract_options *options)
{
    const xta_extract_facts *facts = xta_extraction_facts(e);

    STORY_CHECK(&t->story,
                facts->n_regions == t->n_regions && facts->n_axes == t->space.ndim &&
                    facts->n_positions == t->n_positions,
                "the facts are wrong");
    STORY_CHECK(&t->story,
                options->memory_bytes == 0 || facts->memory_bytes <= options->memory_bytes,
                "%lu bytes, the limit is %lu", (unsigned long)facts->memory_bytes,
                (unsigned long)options->memory_bytes);
    for (size_t k = 0; k < t->n_regions; k++) {
        if (!options->no_statistics) {
            judge_region(t, e, k);
        }
        for (uint64_t i = 0; options->piece != NULL && i < t->n_in[k] * t->n_positions; i++) {
            STORY_CHECK(&t->story, t->seen[k][i] == 1, "region %zu: cell %lu did not come", k,
                        (unsigned long)i);
        }
    }
    judge_chunks(t, facts);
}

static void run_trial(trial *t)
{
    xta_extract_options options = XTA_EXTRACT_OPTIONS_INIT;
    bool all_axes;
    xta_error err;

    trial_make_array(t);
    trial_make_regions(t);
    memset(t->n_reads, 0, sizeof t->n_reads);
    t->any_read = false;
    t->n_told = 0;
    for (size_t k = 0; k < t->n_regions; k++) {
        t->seen[k] = calloc(t->n_in[k] * t->n_positions + 1, 1);
    }
    all_axes = t->space.ndim == t->bounds.ndim;
    options.axes = all_axes && test_random_chance(&t->random, 50) ? NULL : t->axes;
    options.memory_bytes =
        test_random_chance(&t->random, 50) ? 0 : (uint64_t)test_random_in(&t->random, 1, 60000);
    options.no_statistics = test_random_chance(&t->random, 20);
    if (test_random_chance(&t->random, 60)) {
        options.region = told_region;
        options.piece = told_piece;
        options.user = t;
    }
    if (t->n_regions == 0) {
        xta_extraction *none = NULL;
        STORY_FAILS(&t->story, xta_extract(t->array, t->regions, &options, &none, &err), XTA_EARG,
                    err);
    } else {
        xta_array_watch(t->array, watch, t);
        xta_extraction *e = extract(t, &options);
        xta_array_watch(t->array, NULL, NULL);
        judge(t, e, &options);
        xta_extraction_free(e);
    }
    for (size_t k = 0; k < t->n_regions; k++) {
        free(t->seen[k]);
        free(t->rank[k]);
    }
    xta_regions_free(t->regions);
    STORY_OK(&t->story, xta_array_close(t->mask, &err), err);
    STORY_OK(&t->story, xta_array_close(t->array, &err), err);
    test_pair_remove(t->path);
}

/* A hundred thousand small spheres in an array of a million chunks: regions must be found by chunk,
 * or this would not finish. The sum over them is known, since every cell holds 1. */
static void many_regions(trial *t)
{
    const int64_t length[2] = {20000, 20000};
    const int64_t chunk[2] = {20, 20};
    const uint8_t one = 1;
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_extraction *e = NULL;
    uint64_t count = 0;
    double sum = 0;
    xta_error err;

    create.chunk = chunk;
    create.fill = &one;
    STORY_OK(&t->story, xta_array_new(XTA_U8, 2, length, &create, &t->array, &err), err);
    STORY_OK(&t->story, xta_regions_new(2, &t->regions, &err), err);
    for (int k = 0; k < 100000; k++) {
        double centre[2] = {(double)test_random_in(&t->random, 5, 19994), 10};
        centre[1] = k % 2 == 0 ? 10 : (double)test_random_in(&t->random, 5, 19994);
        STORY_OK(&t->story, xta_regions_add_sphere(t->regions, NULL, centre, 2, NULL, &err), err);
    }
    STORY_OK(&t->story, xta_extract(t->array, t->regions, NULL, &e, &err), err);
    for (size_t k = 0; k < 100000; k++) {
        xta_region_statistics s = xta_extraction_statistics(e, k, 0);
        STORY_CHECK(&t->story, s.count == 13 && s.sum == 13 && s.min == 1 && s.max == 1,
                    "region %zu has %lu cells", k, (unsigned long)s.count);
        count += s.count;
        sum += s.sum;
    }
    STORY_CHECK(&t->story, count == 1300000 && sum == 1300000, "%lu cells", (unsigned long)count);
    xta_extraction_free(e);
    xta_regions_free(t->regions);
    STORY_OK(&t->story, xta_array_close(t->array, &err), err);
}

int main(void)
{
    static trial t;
    uint64_t seed = test_seed("test_extract", 20240612);
    uint64_t n = test_scale(3000);
    const char *only = getenv("XTA_PART");

    test_folder_make_fast(&t.folder);
    test_folder_join(&t.folder, "a", t.path);
    for (uint64_t part = only != NULL ? strtoull(only, NULL, 0) : 0; part < n; part++) {
        test_story_begin(&t.story, "test_extract", seed, part);
        t.random = test_random_make(seed, part);
        if (part == 0) {
            many_regions(&t);
        } else {
            run_trial(&t);
        }
        if (only != NULL) {
            break;
        }
    }
    test_folder_remove(&t.folder);
    printf("test_extract: %lu arrays\n", (unsigned long)n);
    return 0;
}
