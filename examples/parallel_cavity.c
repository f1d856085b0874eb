/* nprocs: 2 3; mpich: 2 */
/* Lattice Boltzmann in a lid-driven cavity that grows during the run.
 *
 * The state is one array on disk: (y, x, direction), nine numbers for each cell of the grid. The
 * lid slides at the top. Several times the floor is lowered and the right wall moved outwards: the
 * array grows at the front of y and at the back of x in one step, the lid keeps its coordinate, and
 * the new cells hold the fill value, which is fluid at rest. In the final cavity the flow settles
 * to a steady state, and the velocity on the vertical centre line is compared with the table of
 * Ghia, Ghia and Shin (J. Comput. Phys. 48, 1982, table I).
 *
 * Each rank holds the zone that it computes in an MPI window. Once every HALO time steps it copies
 * its zone and a rim of HALO cells around it, whichever zones they lie in, by one one-sided read.
 * It then needs no other rank for HALO steps, and computes a rim one cell narrower in each. At
 * every growth the zones are stored to the array, the array grows, and the new zones (they lie
 * elsewhere) are loaded. Every cell is computed by the same operations whatever the zones are: the
 * array at the end is the same, bit for bit, on any number of ranks and in the serial reference.
 *
 * Numbers in an array are deviations from the fluid at rest, h_i = f_i - w_i; thus the fill value
 * is 0, and sums lose no digits to the w_i. Model: D2Q9, BGK collision, walls half way between
 * cells where populations bounce back (Krueger et al., The Lattice Boltzmann Method, 2017, chapters
 * 3 and 5).
 *
 * Usage: mpiexec -n 4 parallel_cavity [--small] [--csv] [--re 100|400] [folder]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "lattice_boltzmann.h"
#include "parallel_example.h"

enum { HALO = 8 };    /* time steps between two exchanges, and cells of the rim */
enum { GROWTHS = 4 }; /* growths from half of the final size to all of it */

typedef struct plan {
    int64_t size;   /* side of the final cavity, in cells */
    int64_t chunk;  /* side of a chunk, in cells */
    int64_t steps;  /* between two growths */
    int64_t settle; /* steps in the final cavity */
    int reynolds;
    double tolerance; /* largest error of u / lid speed on the centre line */
} plan;

/* The share of a deviation from equilibrium that a collision leaves: 1 - 1 / tau. The viscosity is
 * (tau - 1/2) / 3, and also, by definition of the Reynolds number, lid_speed * size / Re. */
static double kept(const plan *p)
{
    return 1 - 1 / (0.5 + 3 * lid_speed * (double)p->size / p->reynolds);
}

/* The walls after some growths. The lid is always at the same y; in the final cavity the floor is
 * `size` cells below it. */
static xta_box cavity(const plan *p, int growths)
{
    const int64_t begin = p->size / 2, by = (p->size - begin) / GROWTHS * growths;

    return xta_box_make(3, (int64_t[]){-by, 0, 0}, (int64_t[]){begin, begin + by, Q});
}

/* ---- the run on many ranks ---- */

/* HALO time steps: fetch the zone and its rim, compute, and publish the zone. */
static void run_halo(job *j, xta_zone_memory *memory, const patch *p, double keep)
{
    double *zone = NULL;
    const size_t line = (size_t)(Q * (p->zone.hi[1] - p->zone.lo[1])) * sizeof *zone;
    xta_error err = {0};

    TRY(xta_zone_memory_get(memory, &p->box, XTA_ROW, p->before, &err));
    for (int64_t rim = HALO; rim > 0; rim--) {
        step_patch(p, keep, rim);
    }
    // The zone must not change while another rank still reads it for the previous steps.
    TRY(xta_zone_memory_fence(memory, &err));
    zone = xta_zone_memory_local(memory, NULL, NULL);
    for (int64_t y = p->zone.lo[0]; y < p->zone.hi[0]; y++) {
        memcpy(zone, at(p, p->before, y, p->zone.lo[1]), line);
        zone += line / sizeof *zone;
    }
    TRY(xta_zone_memory_fence(memory, &err));
    lap(j, COMPUTE);
}

/* The run from one growth to the next: load the zones, compute, and store them. */
static void run_between(job *j, xta_parallel *array, int64_t steps, double keep)
{
    patch p = {.walls = xta_parallel_bounds(array), .zone = my_zone(j, array)};
    xta_zone_memory *memory = NULL;
    xta_error err = {0};
    int64_t cells = 0;

    p.box = with_rim(&p.zone, HALO, &p.walls);
    cells = (p.box.hi[0] - p.box.lo[0]) * (p.box.hi[1] - p.box.lo[1]);
    p.before = doubles(Q * cells);
    p.after = doubles(Q * cells);
    TRY(xta_zone_memory_new(array, NULL, XTA_ROW, &memory, &err));
    lap(j, GROWTH);
    TRY(xta_zone_memory_load(memory, &err));
    TRY(xta_zone_memory_fence(memory, &err));
    lap(j, IO);
    for (int64_t k = 0; k < steps; k += HALO) {
        run_halo(j, memory, &p, keep);
    }
    TRY(xta_zone_memory_store(memory, &err));
    lap(j, IO);
    TRY(xta_zone_memory_free(memory, &err));
    free(p.before);
    free(p.after);
}

static void run_all(job *j, const plan *p)
{
    const xta_box first = cavity(p, 0);
    xta_parallel *array =
        create_anew(j, "cavity", 3, first.hi, (int64_t[]){p->chunk, p->chunk, Q}, NULL);
    xta_error err = {0};

    for (int growths = 0; growths <= GROWTHS; growths++) {
        const int64_t by = p->size / 2 / GROWTHS;
        const xta_growth wider[2] = {{.axis = 0, .side = XTA_FRONT, .by = by},
                                     {.axis = 1, .side = XTA_BACK, .by = by}};
        char size[64];
        xta_box now;

        if (growths > 0) {
            TRY(xta_parallel_extend(array, wider, 2, NULL, &err));
            lap(j, GROWTH);
        }
        run_between(j, array, growths < GROWTHS ? p->steps : p->settle, kept(p));
        now = xta_parallel_bounds(array);
        snprintf(size, sizeof size, "%lldx%lld", (long long)(now.hi[0] - now.lo[0]),
                 (long long)(now.hi[1] - now.lo[1]));
        if (j->rank == 0) {
            fprintf(j->say, "%s: y from %lld to %lld, x from 0 to %lld\n", size,
                    (long long)now.lo[0], (long long)now.hi[0], (long long)now.hi[1]);
        }
        row(j, "cavity", size, growths);
    }
    TRY(xta_parallel_close(array, &err));
}

/* ---- the serial reference: the same steps the other way round ---- */

/* What a cell that has collided pushes into its neighbours, or back into itself at the walls. */
static void push(const plan *p, const xta_box *walls, int64_t y, int64_t x, const double out[Q],
                 double *after)
{
    const int64_t floor_y = p->size - walls->hi[0] + walls->lo[0];

    for (int i = 0; i < Q; i++) {
        const int64_t to_y = y + dy[i], to_x = x + dx[i];

        if (to_y < floor_y || to_y >= p->size || to_x < 0 || to_x >= walls->hi[1]) {
            after[Q * (y * p->size + x) + opposite[i]] =
                bounced(opposite[i], out[i], to_y >= p->size);
        } else {
            after[Q * (to_y * p->size + to_x) + i] = out[i];
        }
    }
}

static void reference_step(const plan *p, const xta_box *walls, const double *before, double *after)
{
    const double keep = kept(p);

    for (int64_t y = p->size - walls->hi[0] + walls->lo[0]; y < p->size; y++) {
        for (int64_t x = 0; x < walls->hi[1]; x++) {
            double out[Q];

            collide(keep, before + Q * (y * p->size + x), out);
            push(p, walls, y, x, out, after);
        }
    }
}

/* The whole run in memory that has its final size from the beginning. */
static double *reference_run(const plan *p)
{
    double *before = doubles(Q * p->size * p->size), *after = doubles(Q * p->size * p->size);

    for (int growths = 0; growths <= GROWTHS; growths++) {
        const xta_box walls = cavity(p, growths);
        const int64_t steps = growths < GROWTHS ? p->steps : p->settle;

        for (int64_t k = 0; k < steps; k++) {
            double *other = before;

            reference_step(p, &walls, before, after);
            before = after;
            after = other;
        }
    }
    free(after);
    return before;
}

/* ---- the table ---- */

/* u / lid speed at x = 1/2; heights are k / 128. The ends, 0 at the floor and 1 at the lid, are
 * imposed by the walls and left out. */
static const struct {
    int height;
    double re100, re400;
} ghia[] = {
    {7, -0.03717, -0.08186},  {8, -0.04192, -0.09266},  {9, -0.04775, -0.10338},
    {13, -0.06434, -0.14612}, {22, -0.10150, -0.24299}, {36, -0.15662, -0.32726},
    {58, -0.21090, -0.17119}, {64, -0.20581, -0.11477}, {79, -0.13641, 0.02135},
    {94, 0.00332, 0.16256},   {109, 0.23151, 0.29093},  {122, 0.68717, 0.55892},
    {123, 0.73722, 0.61756},  {124, 0.78871, 0.68439},  {125, 0.84123, 0.75837},
};

/* u / lid speed on the centre line, which runs between two columns, in row `y` from the floor. */
static double centre(const plan *p, const double *cells, int64_t y)
{
    double density, uy, left, right;

    flow(cells + Q * (y * p->size + p->size / 2 - 1), &density, &uy, &left);
    flow(cells + Q * (y * p->size + p->size / 2), &density, &uy, &right);
    return 0.5 * (left + right) / lid_speed;
}

/* The largest difference from the table. Values between rows are those of the polynomial through
 * four rows. */
static double against_ghia(const job *j, const plan *p, const double *cells)
{
    double worst = 0;

    for (size_t k = 0; k < sizeof ghia / sizeof ghia[0]; k++) {
        const double expected = p->reynolds == 400 ? ghia[k].re400 : ghia[k].re100;
        const double row_at = (double)(ghia[k].height * p->size) / 128 - 0.5;
        const int64_t begin = (int64_t)fmin(fmax(floor(row_at) - 1, 0), (double)p->size - 4);
        double u = 0;

        for (int64_t a = begin; a < begin + 4; a++) {
            double share = 1;

            for (int64_t b = begin; b < begin + 4; b++) {
                share *= a == b ? 1 : (row_at - (double)b) / (double)(a - b);
            }
            u += share * centre(p, cells, a);
        }
        fprintf(j->say, "  u(%.4f) = %8.5f, table %8.5f\n", ghia[k].height / 128., u, expected);
        worst = fmax(worst, fabs(u - expected));
    }
    return worst;
}

/* Rank 0 alone, with the array read through the serial library. */
static bool check(const job *j, const plan *p)
{
    double *cells = doubles(Q * p->size * p->size), *reference = reference_run(p);
    xta_array *array = NULL;
    xta_error err = {0};
    xta_box bounds;
    bool same = false, near = false;
    double worst = 0;

    TRY(xta_array_open(path_of(j, "cavity").text, NULL, &array, &err));
    bounds = xta_array_bounds(array);
    TRY(xta_array_read(array, &bounds, NULL, cells, &err));
    TRY(xta_array_close(array, &err));
    same = memcmp(cells, reference, (size_t)(Q * p->size * p->size) * sizeof *cells) == 0;
    worst = against_ghia(j, p, cells);
    near = worst <= p->tolerance;
    fprintf(j->say, "Re %d: at most %.4f of the lid's speed from Ghia, Ghia and Shin (%s %.3f)\n",
            p->reynolds, worst, near ? "tolerance" : "too far: tolerance", p->tolerance);
    fprintf(j->say, "the cavity %s with the serial reference: %s\n",
            same ? "agrees" : "does not agree", same ? "every bit" : "bits differ");
    free(cells);
    free(reference);
    return same && near;
}

int main(int argc, char **argv)
{
    job j = job_begin(argc, argv);
    const plan small = {.size = 48, .chunk = 16, .steps = 200, .settle = 3600, .tolerance = 0.02};
    const plan large = {.size = 128, .chunk = 16, .steps = 400, .settle = 16000, .tolerance = 0.01};
    plan p = j.small ? small : large;
    bool agrees = true;

    p.reynolds = j.reynolds == 400 ? 400 : 100;
    if (p.reynolds == 400) { // less viscous: slower to settle, thinner layers at the walls
        p.settle *= 4;
        p.tolerance *= 1.5;
    }
    run_all(&j, &p);
    if (j.rank == 0) {
        agrees = check(&j, &p);
    }
    return job_end(&j, agrees);
}
