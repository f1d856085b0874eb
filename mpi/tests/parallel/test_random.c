/* nprocs: 1 2 3 4 7; mpich: 2 */
/* Random histories of arrays shared by the ranks, each step compared with a model cell by cell.
 *
 * Arrays of 1 to 4 axes (and more, as axes are added), of every type, order and policy, accessed
 * through mappings and through MPI-IO. They grow at both sides by all ranks together, by one rank
 * alone and by the serial library, and shrink. Cells are written in every distribution and in
 * slices not aligned with chunks, from memory of every layout and type, collectively and not; they
 * are read by all ranks, and at the end by the serial library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/mpi_test.h"
#include "parallel/ranks.h"

#define STEPS_OF_AN_ARRAY 40

/* MPICH waits without yielding, which takes long if the ranks outnumber the processors. */
#ifdef MPICH_VERSION
#define ARRAYS 4
#else
#define ARRAYS 24
#endif

typedef struct weighted_step {
    int weight;
    void (*take)(ranks *t);
} weighted_step;

static const weighted_step steps[] = {
    {14, ranks_extend}, {6, ranks_extend_alone}, {5, ranks_foreign},      {6, ranks_refresh},
    {6, ranks_shrink},  {1, ranks_add_axis},     {20, ranks_write_zones}, {20, ranks_write_slices},
    {14, ranks_read},   {8, ranks_read_alone},   {4, ranks_refused},      {6, ranks_zone_memory},
    {3, ranks_compare}, {3, ranks_reopen},
};
#define N_STEPS (sizeof steps / sizeof steps[0])

static void take_random_step(ranks *t)
{
    int total = 0;
    for (size_t k = 0; k < N_STEPS; k++) {
        total += steps[k].weight;
    }
    int at = (int)test_random_in(&t->rig.random, 0, total - 1);
    size_t k = 0;
    while (at >= steps[k].weight) {
        at -= steps[k++].weight;
    }
    steps[k].take(t);
}

int main(int argc, char **argv)
{
    static ranks t;
    const char *only = getenv("XTA_PART");

    xta_test_begin(&argc, &argv);
    uint64_t seed = test_seed("test_random", 11);
    uint64_t n = test_scale(ARRAYS), part = only != NULL ? strtoull(only, NULL, 0) : 0, done = 0;
    t.rank = xta_test_rank;
    t.n_ranks = xta_test_ranks;
    t.hints = MPI_INFO_NULL;
    snprintf(t.rig.path, sizeof t.rig.path, "%s", xta_test_path("random"));
    do {
        test_story_begin(&t.rig.story, "test_random", seed, part);
        t.rig.random = test_random_make(seed, part);
        ranks_begin(&t);
        for (int k = 0; k < STEPS_OF_AN_ARRAY; k++) {
            take_random_step(&t);
        }
        ranks_end(&t);
        XTA_CHECK(true, "array %d", (int)part);
        done++;
        part++;
    } while (only == NULL && done < n);
    if (xta_test_rank == 0) {
        printf("test_random: %d arrays of %d steps agree\n", (int)done, STEPS_OF_AN_ARRAY);
    }
    return xta_test_end();
}
