/* The write after cubical growth ([CXA] Fig. 8.5.3): a cube grows on its three axes in turn, each
 * time by one chunk, and all ranks write the new part. XTA extends in place; HDF5 enters new chunks
 * into its index; a disk array of Global Arrays cannot grow, so a larger one is made and the old
 * one is copied into it.
 *
 * Each growth is timed with the write of its new part, from when all ranks are ready to when all
 * are done; each growth starts with the machine in the same state. A row is the sum of the three
 * growths that lead from one cube to the next. At the end every cell is read back and compared.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

enum { CHUNK = 32, CUBES = 3, NAME_BYTES = 100 };

static const side *const sides[] = {&side_ours, &side_dra, &side_hdf5};
enum { SIDES = sizeof sides / sizeof sides[0], OURS = 0, DRA = 1 };

/* The time of a side for each cube, and in total. */
static double taken[SIDES][CUBES + 1][MOST_REPETITIONS];

static void take_section(const side *s, task *t)
{
    distribute(t);
    if (s->take != NULL) {
        s->take(t);
    }
}

/* Grow one axis by one chunk. */
static double grow_once(const side *s, task *t, int axis)
{
    int64_t old[AXES];

    memcpy(old, t->bounds, sizeof old);
    t->bounds[axis] += CHUNK;
    t->section = bench_box(AXES, (int64_t[AXES]){0}, t->bounds);
    t->section.lo[axis] = old[axis];
    take_section(s, t);
    fill_cells(s, t);
    if (s->prepare != NULL) {
        s->prepare(t, old);
    }
    settle_machine(t);
    double begin = begin_together();
    s->grow(t, old, axis);
    double seconds = end_together(begin);
    if (s->settle != NULL) {
        s->settle(t);
    }
    return seconds;
}

static void write_first(const side *s, task *t)
{
    t->section = bench_box(AXES, (int64_t[AXES]){0}, t->bounds);
    s->create(t);
    take_section(s, t);
    fill_cells(s, t);
    s->write(t);
}

static void check_all(const side *s, task *t)
{
    s->close(t);
    s->open(t);
    t->section = bench_box(AXES, (int64_t[AXES]){0}, t->bounds);
    take_section(s, t);
    clear_cells(s, t);
    s->read(t);
    verify_cells(s, t);
    s->close(t);
    s->remove(t);
}

static void run_once(const side *s, task t, double seconds[CUBES + 1])
{
    memset(seconds, 0, (CUBES + 1) * sizeof seconds[0]);
    write_first(s, &t);
    for (int cube = 0; cube < CUBES; cube++) {
        for (int axis = 0; axis < AXES; axis++) {
            double once = grow_once(s, &t, axis);
            seconds[cube] += once;
            seconds[CUBES] += once;
        }
    }
    check_all(s, &t);
}

/* The growth to one cube from the previous one; number CUBES is the total. */
static void name_of(const task *t, int cube, char name[NAME_BYTES])
{
    int64_t from = cube < CUBES ? t->bounds[0] + cube * CHUNK : t->bounds[0];
    int64_t to = cube < CUBES ? from + CHUNK : t->bounds[0] + CUBES * CHUNK;

    snprintf(name, NAME_BYTES, "%lld^3 to %lld^3 f64; axes in turn; ranks: %d", (long long)from,
             (long long)to, t->n_ranks);
}

static void print_rows(const task *t, double median[SIDES][CUBES + 1])
{
    char name[NAME_BYTES];

    for (int cube = 0; cube <= CUBES; cube++) {
        name_of(t, cube, name);
        for (int k = 0; k < SIDES; k++) {
            if (k == OURS) {
                continue;
            }
            bench_print(&(bench_row){.name = name,
                                     .metric = "growth and write of the new part",
                                     .ours = median[OURS][cube] * 1e3,
                                     .peer_name = sides[k]->name,
                                     .peer = median[k][cube] * 1e3,
                                     .unit = "ms",
                                     .sense = BENCH_TIME,
                                     .target = k == DRA ? 10 : 1});
        }
    }
}

static void compare(task *t, int repetitions)
{
    double median[SIDES][CUBES + 1];
    char name[NAME_BYTES];
    task last = *t;

    for (int axis = 0; axis < AXES; axis++) {
        last.bounds[axis] += CUBES * CHUNK;
    }
    last.section = bench_box(AXES, (int64_t[AXES]){0}, last.bounds);
    distribute(&last);
    t->cells = bench_memory(task_bytes(&last) + 1);
    for (int repetition = -1; repetition < repetitions; repetition++) {
        for (int turn = 0; turn < SIDES; turn++) {
            int k = (turn + repetition + 1) % SIDES;
            double seconds[CUBES + 1];
            run_once(sides[k], *t, seconds);
            for (int cube = 0; cube <= CUBES && repetition >= 0; cube++) {
                taken[k][cube][repetition] = seconds[cube];
            }
        }
    }
    free(t->cells);
    for (int k = 0; k < SIDES; k++) {
        for (int cube = 0; cube <= CUBES; cube++) {
            name_of(t, cube, name);
            median[k][cube] = median_of(t, name, sides[k], taken[k][cube], repetitions);
        }
    }
    if (t->rank == 0) {
        print_rows(t, median);
    }
}

int main(int argc, char **argv)
{
    int64_t first = (bench_small() ? 256 : 512) - CUBES * CHUNK;
    task t = {.bounds = {first, first, first},
              .chunk = {CHUNK, CHUNK, CHUNK},
              .collective = true,
              .growing = true};

    begin_ranks(&t, &argc, &argv, "parallel_growth",
                "growth and the write of the new part; nothing is synced");
    compare(&t, 3);
    end_ranks();
    return 0;
}
