/* Several threads extract regions from one array at once, with one set of boxes and one mask; each
 * must get the same result as alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <xta/extract.h>

#include "support/random.h"
#include "support/report.h"

#define THREADS 4
#define LENGTH  40

typedef struct worker {
    test_story *story;
    xta_array *array;
    xta_regions *regions[2];
    double sum[2];
    uint64_t n_cells;
} worker;

static int count_cells(void *user, const xta_region_piece *piece)
{
    worker *w = user;
    uint64_t n = 0;

    if (xta_box_cells(&piece->cells, &n) == XTA_OK) {
        w->n_cells += n;
    }
    return 0;
}

static void *work(void *user)
{
    worker *w = user;
    xta_extract_options options = XTA_EXTRACT_OPTIONS_INIT;
    xta_error err;

    options.memory_bytes = 20000;
    options.piece = count_cells;
    options.user = w;
    for (int k = 0; k < 2; k++) {
        xta_extraction *e = NULL;
        xta_status status = xta_extract(w->array, w->regions[k], &options, &e, &err);
        if (status == XTA_ENOMEM) {
            // The ranks of the mask need more memory; how much does not matter here.
            options.memory_bytes = 0;
            status = xta_extract(w->array, w->regions[k], &options, &e, &err);
        }
        STORY_OK(w->story, status, err);
        for (size_t r = 0; r < xta_regions_count(w->regions[k]); r++) {
            w->sum[k] += xta_extraction_statistics(e, r, 0).sum * (double)(r + 1);
        }
        xta_extraction_free(e);
    }
    return NULL;
}

int main(void)
{
    static test_story story;
    const int64_t length[3] = {LENGTH, LENGTH, LENGTH}, chunk[3] = {7, 8, 9};
    static int16_t cells[LENGTH * LENGTH * LENGTH];
    static uint8_t labels[LENGTH * LENGTH * LENGTH];
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL, *mask = NULL;
    worker alone = {.story = &story}, many[THREADS];
    pthread_t thread[THREADS];
    test_random random = test_random_make(test_seed("test_extract_threads", 20240613), 0);
    xta_error err;

    test_story_begin(&story, "test_extract_threads", 0, 0);
    create.chunk = chunk;
    STORY_OK(&story, xta_array_new(XTA_I16, 3, length, &create, &array, &err), err);
    STORY_OK(&story, xta_array_new(XTA_U8, 3, length, &create, &mask, &err), err);
    for (size_t k = 0; k < sizeof labels; k++) {
        cells[k] = (int16_t)test_random_in(&random, -1000, 1000);
        labels[k] = (uint8_t)test_random_in(&random, 0, 5);
    }
    xta_box all = xta_array_bounds(array);
    STORY_OK(&story, xta_array_write(array, &all, NULL, cells, &err), err);
    STORY_OK(&story, xta_array_write(mask, &all, NULL, labels, &err), err);
    STORY_OK(&story, xta_regions_new(3, &alone.regions[0], &err), err);
    for (int k = 0; k < 200; k++) {
        const double centre[3] = {(double)test_random_in(&random, 0, LENGTH),
                                  (double)test_random_in(&random, 0, LENGTH),
                                  (double)test_random_in(&random, 0, LENGTH)};
        STORY_OK(&story, xta_regions_add_sphere(alone.regions[0], NULL, centre, k % 9, NULL, &err),
                 err);
    }
    STORY_OK(&story, xta_regions_of_mask(mask, 0, NULL, &alone.regions[1], &err), err);
    alone.array = array;
    for (int k = 0; k < THREADS; k++) {
        many[k] = alone;
    }
    work(&alone);
    for (int k = 0; k < THREADS; k++) {
        STORY_CHECK(&story, pthread_create(&thread[k], NULL, work, &many[k]) == 0, "no thread");
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
        STORY_CHECK(&story,
                    many[k].n_cells == alone.n_cells && many[k].sum[0] == alone.sum[0] &&
                        many[k].sum[1] == alone.sum[1],
                    "thread %d: %lu cells and sums %g, %g; alone %lu and %g, %g", k,
                    (unsigned long)many[k].n_cells, many[k].sum[0], many[k].sum[1],
                    (unsigned long)alone.n_cells, alone.sum[0], alone.sum[1]);
    }
    STORY_CHECK(&story, alone.n_cells > 50000, "only %lu cells", (unsigned long)alone.n_cells);
    xta_regions_free(alone.regions[0]);
    xta_regions_free(alone.regions[1]);
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_OK(&story, xta_array_close(mask, &err), err);
    printf("test_extract_threads: %lu cells in each of %d threads\n", (unsigned long)alone.n_cells,
           THREADS);
    return 0;
}
