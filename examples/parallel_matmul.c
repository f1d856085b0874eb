/* nprocs: 2 3 7; mpich: 2 */
/* Out-of-core matrix multiplication, C = A B, while A and B grow.
 *
 * The three matrices are arrays on disk. Each rank computes the part of C that lies in its zone,
 * strip by strip: it reads the tiles of A and B it needs, multiplies them with dgemm, and writes
 * the strip. All ranks begin their loop over the inner dimension k at different tiles, so that they
 * do not all read the same tile at once; that order, and the absence of any message between ranks,
 * are the idea of SRUMMA (Krishnan and Nieplocha, 2004).
 *
 * Then the matrices grow: in k, in m (rows), in n (columns, at the front, towards negative
 * coordinates), and finally in all three at once. No cell of A, B or C moves, and only what is new
 * is computed: growth in k adds products to the existing C, growth in m and n computes new cells of
 * C.
 *
 * Usage: mpiexec -n 4 parallel_matmul [--small] [--csv] [folder]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <cblas.h>
#include <float.h>
#include <math.h>

#include "parallel_example.h"

enum { MATRIX_A = 0, MATRIX_B = 1, MATRIX_C = 2, MATRICES = 3 };

typedef struct product {
    xta_parallel *matrix[MATRICES];
    int64_t tile; /* a chunk is one tile, tile x tile cells */
} product;

/* How far one of the dimensions m, k, n grows, in half tiles so that tiles are cut in the
 * middle. */
typedef struct dimension_growth {
    int64_t halves;
    xta_side side;
} dimension_growth;

typedef struct step {
    const char *what;
    dimension_growth m, k, n;
} step;

static const step steps[] = {
    {"k at the back", {0, XTA_BACK}, {3, XTA_BACK}, {0, XTA_BACK}},
    {"m at the back", {3, XTA_BACK}, {0, XTA_BACK}, {0, XTA_BACK}},
    {"n at the front", {0, XTA_BACK}, {0, XTA_BACK}, {2, XTA_FRONT}},
    {"m, k and n at once", {2, XTA_FRONT}, {1, XTA_FRONT}, {3, XTA_BACK}},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* The value of a cell of A or B, between -1 and 1: its coordinates, scrambled by the finaliser of
 * splitmix64. So the reference can compute it without a file. */
static double cell(int matrix, int64_t i, int64_t j)
{
    uint64_t bits = (uint64_t)i * 0x9E3779B97F4A7C15U + (uint64_t)j * 0xC2B2AE3D27D4EB4FU;

    bits += (uint64_t)matrix;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    bits ^= bits >> 31;
    return (double)(bits >> 11) / 4503599627370496.0 - 1;
}

static int64_t length(const xta_box *box, int axis)
{
    return box->hi[axis] - box->lo[axis];
}

/* The cells of `now` outside `old`: whole rows before and after it, then the rest on either
 * side. */
static void new_pieces(const xta_box *old, const xta_box *now, xta_box pieces[4])
{
    for (int k = 0; k < 4; k++) {
        pieces[k] = *now;
    }
    pieces[0].hi[0] = old->lo[0];
    pieces[1].lo[0] = old->hi[0];
    for (int k = 2; k < 4; k++) {
        pieces[k].lo[0] = old->lo[0];
        pieces[k].hi[0] = old->hi[0];
    }
    pieces[2].hi[1] = old->lo[1];
    pieces[3].lo[1] = old->hi[1];
}

/* Write the new cells of A or B; each rank writes those of its zone. */
static void fill_new(job *j, const product *p, int matrix, const xta_box *old)
{
    xta_parallel *array = p->matrix[matrix];
    const xta_box now = xta_parallel_bounds(array), zone = my_zone(j, array);
    xta_box pieces[4];
    xta_error err = {0};

    new_pieces(old, &now, pieces);
    for (int q = 0; q < 4; q++) {
        const xta_box mine = xta_box_intersect(&zone, &pieces[q]);
        double *cells = NULL, *next = NULL;

        if (xta_box_empty(&pieces[q])) {
            continue;
        }
        next = cells = doubles(length(&mine, 0) * length(&mine, 1));
        for (int64_t r = mine.lo[0]; r < mine.hi[0]; r++) {
            for (int64_t c = mine.lo[1]; c < mine.hi[1]; c++) {
                *next++ = cell(matrix, r, c);
            }
        }
        lap(j, COMPUTE);
        TRY(xta_parallel_write_all(array, &mine, NULL, cells, &err));
        free(cells);
    }
    // Other ranks read these cells next: MPI-IO promises them that only after a sync.
    TRY(xta_parallel_sync(array, &err));
    lap(j, IO);
}

/* The chunk border after `from`, or `to` if that comes first. */
static int64_t tile_end(const product *p, int64_t from, int64_t to)
{
    int64_t tiles = from >= 0 ? from / p->tile : -((-from + p->tile - 1) / p->tile);
    int64_t end = (tiles + 1) * p->tile;

    return end < to ? end : to;
}

typedef struct range {
    int64_t lo, hi;
} range;

/* The tiles that [lo, hi) on the axis k meets. */
static int cut(const product *p, range k, range **tiles)
{
    int n = 0;

    *tiles = malloc((size_t)((k.hi - k.lo) / p->tile + 2) * sizeof **tiles);
    if (*tiles == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    while (k.lo < k.hi) {
        (*tiles)[n].lo = k.lo;
        (*tiles)[n].hi = k.lo = tile_end(p, k.lo, k.hi);
        n++;
    }
    return n;
}

/* One strip of C, of at most a tile's rows: C (+)= A[strip's rows, k] B[k, strip's columns]. */
static void multiply_strip(job *j, const product *p, const xta_box *strip, range k, bool add)
{
    const int64_t rows = length(strip, 0), columns = length(strip, 1);
    double *a = doubles(rows * p->tile), *b = doubles(p->tile * columns);
    double *c = doubles(rows * columns);
    range *tiles = NULL;
    const int n = cut(p, k, &tiles);
    xta_error err = {0};

    if (add) {
        TRY(xta_parallel_read(p->matrix[MATRIX_C], strip, NULL, c, &err));
        lap(j, IO);
    }
    for (int t = 0; t < n; t++) {
        const range at = tiles[(t + j->rank) % n]; // each rank starts at another tile, as in SRUMMA
        xta_box box_a = *strip, box_b = *strip;

        box_a.lo[1] = box_b.lo[0] = at.lo;
        box_a.hi[1] = box_b.hi[0] = at.hi;
        TRY(xta_parallel_read(p->matrix[MATRIX_A], &box_a, NULL, a, &err));
        TRY(xta_parallel_read(p->matrix[MATRIX_B], &box_b, NULL, b, &err));
        lap(j, IO);
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)columns,
                    (int)(at.hi - at.lo), 1, a, (int)(at.hi - at.lo), b, (int)columns, 1, c,
                    (int)columns);
        lap(j, COMPUTE);
    }
    TRY(xta_parallel_write(p->matrix[MATRIX_C], strip, NULL, c, &err));
    lap(j, IO);
    free(tiles);
    free(a);
    free(b);
    free(c);
}

/* Compute the part of a piece of C that lies in this rank's zone. */
static void multiply_piece(job *j, const product *p, const xta_box *piece, range k, bool add)
{
    const xta_box zone = my_zone(j, p->matrix[MATRIX_C]);
    const xta_box mine = xta_box_intersect(&zone, piece);
    xta_box strip = mine;

    if (xta_box_empty(&mine) || k.lo == k.hi) {
        return;
    }
    while (strip.lo[0] < mine.hi[0]) {
        strip.hi[0] = tile_end(p, strip.lo[0], mine.hi[0]);
        multiply_strip(j, p, &strip, k, add);
        strip.lo[0] = strip.hi[0];
    }
}

/* Bring C up to date with A and B, whose bounds were `old` when C was last computed. */
static void multiply_new(job *j, const product *p, const xta_box old[MATRICES])
{
    const xta_box a = xta_parallel_bounds(p->matrix[MATRIX_A]);
    const xta_box c = xta_parallel_bounds(p->matrix[MATRIX_C]);
    const range whole = {a.lo[1], a.hi[1]};
    const range before = {a.lo[1], old[MATRIX_A].lo[1]}, behind = {old[MATRIX_A].hi[1], a.hi[1]};
    xta_box pieces[4];
    xta_error err = {0};

    multiply_piece(j, p, &old[MATRIX_C], before, true);
    multiply_piece(j, p, &old[MATRIX_C], behind, true);
    new_pieces(&old[MATRIX_C], &c, pieces);
    for (int q = 0; q < 4; q++) {
        multiply_piece(j, p, &pieces[q], whole, false);
    }
    // Zones move when the array grows, so in the next step this rank reads cells of C that other
    // ranks have written.
    TRY(xta_parallel_sync(p->matrix[MATRIX_C], &err));
    lap(j, IO);
}

static void grow(const product *p, int matrix, dimension_growth rows, dimension_growth columns)
{
    xta_growth growths[2] = {{.axis = 0, .side = rows.side, .by = rows.halves * p->tile / 2},
                             {.axis = 1, .side = columns.side, .by = columns.halves * p->tile / 2}};
    xta_error err = {0};

    if (rows.halves > 0 || columns.halves > 0) {
        TRY(xta_parallel_extend(p->matrix[matrix], growths, 2, NULL, &err));
    }
}

/* Rank 0 alone: the whole product by the definition, C read through the serial library. Two sums of
 * K products in different order differ by no more than 2 K u / (1 - K u) times the sum of the
 * products' absolute values, u half of epsilon (Higham, Accuracy and Stability, 3.1). */
static bool check(const job *j, const xta_box bounds[MATRICES])
{
    const xta_box *c = &bounds[MATRIX_C];
    const int64_t k0 = bounds[MATRIX_A].lo[1], n_k = length(&bounds[MATRIX_A], 1);
    const int64_t columns = length(c, 1);
    const double ku = (double)n_k * DBL_EPSILON / 2, factor = 2 * ku / (1 - ku);
    double *b = doubles(n_k * columns), *got = doubles(columns);
    double *sum = doubles(columns), *absolute = doubles(columns);
    double worst = 0, share = 0;
    xta_array *array = NULL;
    xta_error err = {0};

    TRY(xta_array_open(path_of(j, "matrix_c").text, NULL, &array, &err));
    for (int64_t q = 0; q < n_k * columns; q++) {
        b[q] = cell(MATRIX_B, k0 + q / columns, c->lo[1] + q % columns);
    }
    for (xta_box line = *c; line.lo[0] < c->hi[0]; line.lo[0]++) {
        line.hi[0] = line.lo[0] + 1;
        TRY(xta_array_read(array, &line, NULL, got, &err));
        memset(sum, 0, (size_t)columns * sizeof *sum);
        memset(absolute, 0, (size_t)columns * sizeof *absolute);
        for (int64_t q = 0; q < n_k * columns; q++) {
            const double a = cell(MATRIX_A, line.lo[0], k0 + q / columns);
            sum[q % columns] += a * b[q];
            absolute[q % columns] += fabs(a * b[q]);
        }
        for (int64_t q = 0; q < columns; q++) {
            worst = fmax(worst, fabs(got[q] - sum[q]));
            share = fmax(share, fabs(got[q] - sum[q]) / (factor * absolute[q]));
        }
    }
    TRY(xta_array_close(array, &err));
    free(b);
    free(got);
    free(sum);
    free(absolute);
    fprintf(j->say, "C %s with the serial reference: largest difference %.2e, %.1e of the bound\n",
            share <= 1 ? "agrees" : "does not agree", worst, share);
    return share <= 1;
}

static void size_text(const xta_box bounds[MATRICES], char text[64])
{
    snprintf(text, 64, "%lldx%lldx%lld", (long long)length(&bounds[MATRIX_A], 0),
             (long long)length(&bounds[MATRIX_A], 1), (long long)length(&bounds[MATRIX_B], 1));
}

int main(int argc, char **argv)
{
    static const char *const names[MATRICES] = {"matrix_a", "matrix_b", "matrix_c"};
    job j = job_begin(argc, argv);
    product p = {.tile = j.small ? 32 : 128};
    const int64_t begin[2] = {4 * p.tile, 4 * p.tile}, chunk[2] = {p.tile, p.tile};
    xta_box old[MATRICES] = {{.ndim = 2}, {.ndim = 2}, {.ndim = 2}}, bounds[MATRICES];
    xta_error err = {0};
    char size[64];
    bool agrees = true;

    for (int q = 0; q < MATRICES; q++) {
        p.matrix[q] = create_anew(&j, names[q], 2, begin, chunk, NULL);
    }
    for (int s = 0; s <= STEPS; s++) {
        if (s > 0) {
            const step *now = &steps[s - 1];
            lap(&j, COMPUTE);
            grow(&p, MATRIX_A, now->m, now->k);
            grow(&p, MATRIX_B, now->k, now->n);
            grow(&p, MATRIX_C, now->m, now->n);
            lap(&j, GROWTH);
        }
        fill_new(&j, &p, MATRIX_A, &old[MATRIX_A]);
        fill_new(&j, &p, MATRIX_B, &old[MATRIX_B]);
        multiply_new(&j, &p, old);
        for (int q = 0; q < MATRICES; q++) {
            old[q] = bounds[q] = xta_parallel_bounds(p.matrix[q]);
        }
        size_text(bounds, size);
        if (j.rank == 0) {
            fprintf(j.say, "%s: %s\n", s > 0 ? steps[s - 1].what : "to begin with", size);
        }
        row(&j, "matmul", size, s);
    }
    for (int q = 0; q < MATRICES; q++) {
        TRY(xta_parallel_close(p.matrix[q], &err));
    }
    if (j.rank == 0) {
        agrees = check(&j, bounds);
    }
    return job_end(&j, agrees);
}
