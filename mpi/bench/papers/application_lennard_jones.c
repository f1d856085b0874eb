/* Molecular dynamics of a Lennard-Jones system by force decomposition ([CXA] Fig. 8.5.5), with the
 * physics of examples/parallel_lennard_jones.c: the force matrix, a cell of four numbers for each
 * pair of atoms, is a global array, and atoms are added between sessions. A session begins with
 * the forces on disk, where those of new atoms are still 0.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "../../../examples/lennard_jones.h"
#include "application.h"

enum { SIDE = 16, BLOCK = 64 }; // atoms along a layer of the crystal, and of a chunk

typedef struct atoms {
    int64_t n, lo, hi; // all; those that this process moves
    double *x, *v;     // of all; v only of this process' own
    double *rows;      // of the matrix, for the atoms of this process
    double *sums;      // force and energy of each of them
} atoms;

static void add_atoms(atoms *a, int64_t by)
{
    int64_t rank = GA_Nodeid(), n_ranks = GA_Nnodes();
    size_t before = (size_t)a->n * 3;

    // Velocities have to be known where their atoms will be moved.
    for (int64_t k = 0; k < 3 * a->n; k++) {
        if (k < 3 * a->lo || k >= 3 * a->hi) {
            a->v[k] = 0;
        }
    }
    if (before > 0) {
        GA_Dgop(a->v, (int)before, (char *)(uintptr_t) "+");
    }
    for (; by > 0; by--, a->n++) {
        place(SIDE, a->n, a->x + 3 * a->n, a->v + 3 * a->n);
    }
    a->lo = a->n * rank / n_ranks;
    a->hi = a->n * (rank + 1) / n_ranks;
}

/* Give all processes the positions that each has computed. */
static void share(const atoms *a)
{
    memset(a->x, 0, (size_t)(3 * a->lo) * sizeof a->x[0]);
    memset(a->x + 3 * a->hi, 0, (size_t)(3 * (a->n - a->hi)) * sizeof a->x[0]);
    GA_Dgop(a->x, (int)(3 * a->n), (char *)(uintptr_t) "+");
}

/* Compute the pairs that lie in this process' block. */
static void fill_pairs(const atoms *a, int g)
{
    int64_t lo[3], hi[3];
    double *cell = global_access(g, lo, hi);

    for (int64_t i = lo[0]; i < hi[0]; i++) {
        for (int64_t j = lo[1]; j < hi[1]; j++, cell += PAIR) {
            if (i != j) {
                pair(a->x + 3 * i, a->x + 3 * j, cell);
            }
        }
    }
    global_release(g);
}

/* Sum each row of `n` pairs, from the first to the last. */
static void sum_rows(int64_t n_rows, int64_t n, const double *rows, double *sums)
{
    memset(sums, 0, (size_t)(PAIR * n_rows) * sizeof sums[0]);
    for (int64_t i = 0; i < n_rows; i++) {
        for (int64_t q = 0; q < PAIR * n; q++) {
            sums[PAIR * i + q % PAIR] += rows[PAIR * n * i + q];
        }
    }
}

static void fetch_sums(const atoms *a, int g)
{
    int64_t lo[3] = {a->lo, 0, 0}, hi[3] = {a->hi - 1, a->n - 1, PAIR - 1},
            strides[2] = {a->n, PAIR};

    if (a->hi > a->lo) {
        NGA_Get64(g, lo, hi, a->rows, strides);
    }
    sum_rows(a->hi - a->lo, a->n, a->rows, a->sums);
    GA_Sync(); // before anyone changes the pairs
}

static void session(application_run *r, disk_array *pairs, atoms *a, int64_t grows)
{
    const int64_t mine = a->hi - a->lo, by[3] = {grows, grows, 0};
    int g = global_new(3, pairs->dims);

    GA_Zero(g);
    ranks_settle();
    r->since = ranks_now();
    store_read_all(pairs, g);
    application_lap(r, IO);
    if (grows > 0) {
        store_begin_growth(pairs, by);
    }
    fetch_sums(a, g);
    for (int step = 0; step < r->steps; step++) {
        advance(mine, a->sums, a->v + 3 * a->lo, a->x + 3 * a->lo, true);
        share(a);
        fill_pairs(a, g);
        fetch_sums(a, g);
        advance(mine, a->sums, a->v + 3 * a->lo, a->x + 3 * a->lo, false);
    }
    application_lap(r, COMPUTE);
    store_write_all(pairs, g);
    application_lap(r, IO);
    if (grows > 0) {
        r->store->end_growth(pairs);
    }
    application_lap(r, GROWTH);
    GA_Destroy(g);
}

static void *memory_for(int64_t n)
{
    double *memory = calloc((size_t)n + 1, sizeof *memory);

    if (memory == NULL) {
        bench_die("no memory");
    }
    return memory;
}

/* ---- the reference: one process, no matrix ---- */

static void reference_sums(int64_t n, const double *x, double *sums)
{
    memset(sums, 0, (size_t)(PAIR * n) * sizeof sums[0]);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) {
            double out[PAIR] = {0};
            if (i != j) {
                pair(x + 3 * i, x + 3 * j, out);
            }
            for (int k = 0; k < PAIR; k++) {
                sums[PAIR * i + k] += out[k];
            }
        }
    }
}

/* The positions must be the same, bit for bit. */
static void check(const application_run *r, const atoms *a)
{
    double *x = memory_for(3 * a->n), *v = memory_for(3 * a->n), *sums = memory_for(PAIR * a->n);
    int64_t n = 0;

    for (int s = 0; s < r->sessions; s++) {
        for (int64_t by = s == 0 ? r->size : application_growth(r, s - 1); by > 0; by--, n++) {
            place(SIDE, n, x + 3 * n, v + 3 * n);
        }
        for (int step = 0; step < r->steps; step++) {
            advance(n, sums, v, x, true);
            reference_sums(n, x, sums);
            advance(n, sums, v, x, false);
        }
    }
    if (n != a->n || memcmp(x, a->x, (size_t)(3 * n) * sizeof x[0]) != 0) {
        bench_die("%s: the atoms are elsewhere than in the reference", r->store->name);
    }
    free(x);
    free(v);
    free(sums);
}

void application_lennard_jones(application_run *r)
{
    disk_array pairs = {.name = "pairs",
                        .ndim = 3,
                        .dims = {r->size, r->size, PAIR},
                        .typical = {BLOCK, BLOCK, PAIR},
                        .growing = true};
    atoms a = {0};
    int64_t most = r->size;

    for (int s = 0; s < r->sessions; s++) {
        most += application_growth(r, s);
    }
    a.x = memory_for(3 * most);
    a.v = memory_for(3 * most);
    a.rows = memory_for((most / GA_Nnodes() + 1) * most * PAIR);
    a.sums = memory_for((most / GA_Nnodes() + 1) * PAIR);
    store_create(r->store, &pairs);
    int g = global_new(3, pairs.dims);
    GA_Zero(g);
    store_write_all(&pairs, g);
    GA_Destroy(g);
    add_atoms(&a, r->size);
    for (int s = 0; s < r->sessions; s++) {
        session(r, &pairs, &a, application_growth(r, s));
        add_atoms(&a, application_growth(r, s));
    }
    if (GA_Nodeid() == 0) {
        check(r, &a);
    }
    r->store->remove(&pairs);
    free(a.x);
    free(a.v);
    free(a.rows);
    free(a.sums);
}
