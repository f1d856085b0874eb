/* nprocs: 2 3 7; mpich: 2 */
/* Molecular dynamics with Lennard-Jones forces, by force decomposition, while atoms are added.
 *
 * Two arrays on disk grow. The force matrix has a row and a column for each atom: cell (i, j) is
 * the force of atom j on atom i and the energy of the pair. It is distributed to the ranks in
 * blocks, each rank computes the blocks of its zone, and the force on atom i, the sum over row i,
 * is collected from the zones it crosses by one-sided reads. When atoms are added the matrix grows
 * along both axes in one step. The trajectory (frame, atom, x y z) grows along time as the run goes
 * on, and along its second axis when atoms are added; where an atom did not exist yet it holds NaN,
 * its fill value. Growing moves no frame and no pair.
 *
 * The material is a face-centred cubic crystal with free surfaces, onto which new layers are added;
 * units are those of the potential 4 (r^-12 - r^-6); velocity Verlet. Row sums go from the first
 * atom to the last whatever the zones are, so every position is the same, bit for bit, on any
 * number of ranks and in the serial reference.
 *
 * Usage: mpiexec -n 4 parallel_lennard_jones [--small] [--csv] [folder]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "lennard_jones.h"
#include "parallel_example.h"

enum { BATCH = 4 };  /* frames that the trajectory grows by at a time */
enum { EVERY = 5 };  /* time steps from one frame to the next */
enum { PHASES = 3 }; /* phases of the run, each with a fixed number of atoms */

/* The largest relative drift of the energy that is accepted. Under velocity Verlet the energy
 * fluctuates by terms of order time_step^2, here up to 7e-6; with a force 0.4 % too strong for the
 * energy it drifts by 3e-5. */
static const double energy_bound = 2e-5;

/* What is simulated; the same on all ranks and in the reference. */
typedef struct plan {
    int64_t side;   /* a layer has side x side atoms */
    int64_t layers; /* layers in the first phase; each later phase adds one */
    int batches;    /* batches of frames in each phase */
    int64_t block;  /* atoms of a chunk on both axes */
} plan;

static int64_t atoms_in(const plan *p, int phase)
{
    return p->side * p->side * (p->layers + phase);
}

static int64_t frames_in(const plan *p, int phase)
{
    return (int64_t)BATCH * p->batches * phase;
}

/* ---- the run on many ranks ---- */

typedef struct run {
    job *job;
    const plan *plan;
    xta_parallel *pairs, *trajectory;
    xta_zone_memory *memory; /* the force matrix, a zone on each rank */
    int64_t n;               /* atoms now */
    int64_t lo, hi;          /* the atoms that this rank moves */
    int *counts, *starts;    /* for each rank, the number of its coordinates and where they start */
    double *x, *v;           /* of all atoms; v of other ranks' atoms is as old as the phase */
    double *rows, *sums;     /* the matrix rows of this rank's atoms, and their sums */
    double *frames;          /* BATCH frames of this rank's atoms */
} run;

/* Give all ranks the coordinates that each has computed for its own atoms. */
static void share(const run *r, double *of_all)
{
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DOUBLE, of_all, r->counts, r->starts, MPI_DOUBLE,
                   MPI_COMM_WORLD);
}

/* Distribute the atoms anew and put the new ones in their places. */
static void add_atoms(run *r, int64_t before)
{
    const int n_ranks = r->job->n_ranks, rank = r->job->rank;

    for (int k = 0; k < n_ranks; k++) {
        r->starts[k] = (int)(3 * (r->n * k / n_ranks));
        r->counts[k] = (int)(3 * (r->n * (k + 1) / n_ranks)) - r->starts[k];
    }
    r->lo = r->starts[rank] / 3;
    r->hi = r->lo + r->counts[rank] / 3;
    for (int64_t i = before; i < r->n; i++) {
        place(r->plan->side, i, r->x + 3 * i, r->v + 3 * i);
    }
}

/* Compute the pairs of this rank's zone, in the window from which other ranks read them. */
static void fill_zone(const run *r)
{
    const xta_zones *zones = xta_zone_memory_zones(r->memory);
    const xta_box bounds = xta_parallel_bounds(r->pairs);
    double *cell = xta_zone_memory_local(r->memory, NULL, NULL);
    xta_box zone;

    if (xta_zones_n_boxes(zones, r->job->rank) == 0) {
        return;
    }
    zone = xta_zones_cells(zones, r->job->rank, 0, &bounds);
    for (int64_t i = zone.lo[0]; i < zone.hi[0]; i++) {
        for (int64_t j = zone.lo[1]; j < zone.hi[1]; j++, cell += PAIR) {
            if (i != j) {
                pair(r->x + 3 * i, r->x + 3 * j, cell);
            }
        }
    }
}

/* Forces and energies of this rank's atoms, read from the zones that hold them. */
static void sum_rows(const run *r)
{
    const int64_t lo[3] = {r->lo, 0, 0}, hi[3] = {r->hi, r->n, PAIR};
    const xta_box rows = xta_box_make(3, lo, hi);
    xta_error err = {0};

    TRY(xta_zone_memory_fence(r->memory, &err));
    fill_zone(r);
    TRY(xta_zone_memory_fence(r->memory, &err));
    TRY(xta_zone_memory_get(r->memory, &rows, XTA_ROW, r->rows, &err));
    memset(r->sums, 0, (size_t)(PAIR * (r->hi - r->lo)) * sizeof *r->sums);
    for (int64_t i = 0; i < r->hi - r->lo; i++) {
        for (int64_t q = 0; q < PAIR * r->n; q++) {
            r->sums[PAIR * i + q % PAIR] += r->rows[PAIR * r->n * i + q];
        }
    }
}

/* Kinetic and potential energy of all atoms. */
static double energy(const run *r)
{
    double mine = 0, all = 0;

    for (int64_t i = r->lo; i < r->hi; i++) {
        for (int k = 0; k < 3; k++) {
            mine += 0.5 * r->v[3 * i + k] * r->v[3 * i + k];
        }
        mine += 0.5 * r->sums[PAIR * (i - r->lo) + 3];
    }
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Compute and write BATCH frames. Rank 0 alone extends the trajectory, while the others begin to
 * compute; they see the growth when they refresh, before they write. */
static void run_batch(run *r, int64_t frame)
{
    const int64_t mine = r->hi - r->lo;
    const int64_t lo[3] = {frame, r->lo, 0}, hi[3] = {frame + BATCH, r->hi, 3};
    const xta_box box = xta_box_make(3, lo, hi);
    const xta_growth later = {.axis = 0, .side = XTA_BACK, .by = BATCH};
    xta_error err = {0};

    if (r->job->rank == 0) {
        TRY(xta_parallel_extend_alone(r->trajectory, &later, 1, NULL, &err));
        lap(r->job, GROWTH);
    }
    for (int step = 1; step <= BATCH * EVERY; step++) {
        advance(mine, r->sums, r->v + 3 * r->lo, r->x + 3 * r->lo, true);
        share(r, r->x);
        sum_rows(r);
        advance(mine, r->sums, r->v + 3 * r->lo, r->x + 3 * r->lo, false);
        if (step % EVERY == 0) {
            memcpy(r->frames + 3 * mine * (step / EVERY - 1), r->x + 3 * r->lo,
                   (size_t)(3 * mine) * sizeof *r->x);
        }
    }
    lap(r->job, COMPUTE);
    TRY(xta_parallel_refresh(r->trajectory, NULL, &err));
    lap(r->job, GROWTH);
    TRY(xta_parallel_write_all(r->trajectory, &box, NULL, r->frames, &err));
    lap(r->job, IO);
}

/* A phase with a fixed number of atoms. Returns the relative drift of the energy. */
static double run_phase(run *r, int phase)
{
    xta_error err = {0};
    double begin = 0, worst = 0;

    TRY(xta_zone_memory_new(r->pairs, NULL, XTA_ROW, &r->memory, &err));
    lap(r->job, GROWTH);
    r->rows = doubles((r->hi - r->lo) * r->n * PAIR);
    r->sums = doubles((r->hi - r->lo) * PAIR);
    r->frames = doubles((r->hi - r->lo) * 3 * BATCH);
    sum_rows(r);
    begin = energy(r);
    for (int b = 0; b < r->plan->batches; b++) {
        run_batch(r, frames_in(r->plan, phase) + (int64_t)b * BATCH);
        worst = fmax(worst, fabs((energy(r) - begin) / begin));
    }
    share(r, r->v);
    lap(r->job, COMPUTE);
    TRY(xta_zone_memory_store(r->memory, &err));
    lap(r->job, IO);
    TRY(xta_zone_memory_free(r->memory, &err));
    free(r->rows);
    free(r->sums);
    free(r->frames);
    if (r->job->rank == 0) {
        fprintf(r->job->say,
                "%lld atoms: energy %.6f for each, strays by %.1e of it (bound %.0e)\n",
                (long long)r->n, begin / (double)r->n, worst, energy_bound);
    }
    return worst;
}

/* All phases. Returns the largest relative drift of the energy. */
static double run_all(job *j, const plan *p)
{
    const int64_t n = atoms_in(p, 0), most = atoms_in(p, PHASES - 1);
    const double nan_value = NAN;
    run r = {.job = j, .plan = p};
    double worst = 0;
    xta_error err = {0};

    r.pairs = create_anew(j, "pairs", 3, (int64_t[]){n, n, PAIR},
                          (int64_t[]){p->block, p->block, PAIR}, NULL);
    r.trajectory = create_anew(j, "trajectory", 3, (int64_t[]){0, n, 3},
                               (int64_t[]){BATCH, p->block, 3}, &nan_value);
    r.x = doubles(3 * most);
    r.v = doubles(3 * most);
    r.counts = calloc((size_t)j->n_ranks * 2, sizeof *r.counts);
    TRY(r.counts != NULL ? XTA_OK : xta_error_set(&err, XTA_ENOMEM, 0, "no memory"));
    r.starts = r.counts + j->n_ranks;
    for (int phase = 0; phase < PHASES; phase++) {
        const int64_t before = r.n, by = atoms_in(p, phase) - before;
        const xta_growth more[2] = {{.axis = 0, .side = XTA_BACK, .by = by},
                                    {.axis = 1, .side = XTA_BACK, .by = by}};
        char size[32];

        r.n += by;
        if (phase > 0) {
            TRY(xta_parallel_extend(r.pairs, more, 2, NULL, &err));
            TRY(xta_parallel_extend(r.trajectory, &more[1], 1, NULL, &err));
            lap(j, GROWTH);
        }
        add_atoms(&r, before);
        worst = fmax(worst, run_phase(&r, phase));
        snprintf(size, sizeof size, "%lld", (long long)r.n);
        row(j, "lennard_jones", size, p->batches + (phase > 0 ? 2 : 0));
    }
    TRY(xta_parallel_close(r.pairs, &err));
    TRY(xta_parallel_close(r.trajectory, &err));
    free(r.counts);
    free(r.x);
    free(r.v);
    return worst;
}

/* ---- the serial reference: the same integrator without blocks, matrix or zones ---- */

typedef struct reference {
    int64_t n;
    double *x, *v, *sums;
} reference;

static void reference_sums(const reference *s)
{
    memset(s->sums, 0, (size_t)(PAIR * s->n) * sizeof *s->sums);
    for (int64_t i = 0; i < s->n; i++) {
        for (int64_t j = 0; j < s->n; j++) {
            double out[PAIR] = {0};

            if (i != j) {
                pair(s->x + 3 * i, s->x + 3 * j, out);
            }
            for (int k = 0; k < PAIR; k++) {
                s->sums[PAIR * i + k] += out[k];
            }
        }
    }
}

/* Whether a frame on disk is the reference's, bit for bit, and NaN where there was no atom yet. */
static bool same_frame(const reference *s, xta_array *trajectory, int64_t frame, double *got)
{
    xta_box box = xta_array_bounds(trajectory);
    bool same = true;
    xta_error err = {0};

    box.lo[0] = frame;
    box.hi[0] = frame + 1;
    TRY(xta_array_read(trajectory, &box, NULL, got, &err));
    for (int64_t q = 3 * s->n; q < 3 * box.hi[1]; q++) {
        same = same && isnan(got[q]);
    }
    return same && memcmp(got, s->x, (size_t)(3 * s->n) * sizeof *got) == 0;
}

static bool same_pairs(const reference *s, xta_array *pairs, double *got)
{
    xta_box line = xta_array_bounds(pairs);
    bool same = line.hi[0] == s->n && line.hi[1] == s->n;
    xta_error err = {0};

    for (int64_t i = 0; same && i < s->n; i++) {
        line.lo[0] = i;
        line.hi[0] = i + 1;
        TRY(xta_array_read(pairs, &line, NULL, got, &err));
        for (int64_t j = 0; j < s->n; j++) {
            double out[PAIR] = {0};

            if (i != j) {
                pair(s->x + 3 * i, s->x + 3 * j, out);
            }
            same = same && memcmp(got + PAIR * j, out, sizeof out) == 0;
        }
    }
    return same;
}

/* Rank 0 alone: repeat the run, and compare it with the arrays on disk, read by the serial
 * library. */
static bool check(const job *j, const plan *p)
{
    const int64_t most = atoms_in(p, PHASES - 1);
    reference s = {.x = doubles(3 * most), .v = doubles(3 * most), .sums = doubles(PAIR * most)};
    double *got = doubles(PAIR * most);
    xta_array *trajectory = NULL, *pairs = NULL;
    int64_t frame = 0, wrong = 0;
    bool pairs_agree = false;
    xta_error err = {0};

    TRY(xta_array_open(path_of(j, "trajectory").text, NULL, &trajectory, &err));
    TRY(xta_array_open(path_of(j, "pairs").text, NULL, &pairs, &err));
    for (int phase = 0; phase < PHASES; phase++) {
        for (; s.n < atoms_in(p, phase); s.n++) {
            place(p->side, s.n, s.x + 3 * s.n, s.v + 3 * s.n);
        }
        reference_sums(&s);
        for (; frame < frames_in(p, phase + 1); frame++) {
            for (int step = 0; step < EVERY; step++) {
                advance(s.n, s.sums, s.v, s.x, true);
                reference_sums(&s);
                advance(s.n, s.sums, s.v, s.x, false);
            }
            wrong += same_frame(&s, trajectory, frame, got) ? 0 : 1;
        }
    }
    pairs_agree = same_pairs(&s, pairs, got) && xta_array_bounds(trajectory).hi[0] == frame;
    fprintf(j->say, "the run %s with the serial reference: %lld of %lld frames differ by a bit%s\n",
            wrong == 0 && pairs_agree ? "agrees" : "does not agree", (long long)wrong,
            (long long)frame, pairs_agree ? "" : "; the force matrix on disk is another");
    TRY(xta_array_close(trajectory, &err));
    TRY(xta_array_close(pairs, &err));
    free(s.x);
    free(s.v);
    free(s.sums);
    free(got);
    return wrong == 0 && pairs_agree;
}

int main(int argc, char **argv)
{
    job j = job_begin(argc, argv);
    const plan small = {.side = 4, .layers = 3, .batches = 4, .block = 16};
    const plan large = {.side = 8, .layers = 3, .batches = 10, .block = 32};
    const plan *p = j.small ? &small : &large;
    bool agrees = run_all(&j, p) <= energy_bound;

    if (j.rank == 0) {
        agrees = check(&j, p) && agrees;
    }
    return job_end(&j, agrees);
}
