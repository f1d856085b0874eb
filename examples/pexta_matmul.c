/* nprocs: 2 4; mpich: 2 */
/* Out-of-core matrix multiplication with Global Arrays, C = A B, while A and B grow.
 *
 * The matrices lie on disk, as PEXTA arrays; in memory there are global arrays for a stripe of C
 * and for two panels of A and of B. While GA_Dgemm multiplies one pair of panels, the next pair is
 * read. When k has grown, only the new panels are read, and their product is added to the existing
 * C; when m has grown, only the new rows of C are computed. With disk resident arrays each growth
 * would have to copy a matrix to a larger one.
 *
 * Usage: mpiexec -n 4 pexta_matmul [--small] [--csv] [folder]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <ga.h>
#include <macdecls.h>
#include <math.h>

#include <xta/pexta.h>

#include "parallel_example.h"

enum { MATRIX_A = 0, MATRIX_B = 1, MATRIX_C = 2, MATRICES = 3 };

/* Like TRY, for PEXTA calls; the error text is the same on all ranks. */
#define PTRY(call)                                                                  \
    do {                                                                            \
        if ((call) != 0) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, PEXTA_Error_text()); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                           \
        }                                                                           \
    } while (0)

typedef struct product {
    int matrix[MATRICES];
    int64_t m, k, n; /* C is m x n */
    int64_t panel;   /* columns of A, or rows of B, that are multiplied at once */
} product;

/* The value of a cell is a function of its coordinates, between -1 and 1; no two rows or columns
 * are alike. */
static double cell(int matrix, int64_t i, int64_t j)
{
    return sin((double)(1 + matrix + 3 * i) * (double)(2 + j) * 0.37);
}

static int new_global(int64_t rows, int64_t columns, const char *name)
{
    int64_t dims[2] = {rows, columns};
    int g = NGA_Create64(C_DBL, 2, dims, (char *)(uintptr_t)name, NULL);

    if (g == 0) {
        GA_Error((char *)(uintptr_t) "no memory for a global array", 0);
    }
    return g;
}

/* Write the cells of A or B from (row, column) on: each rank makes those of its block. */
static void fill(job *j, const product *p, int matrix, int64_t row_lo, int64_t column_lo)
{
    const int64_t ends[MATRICES][2] = {{p->m, p->k}, {p->k, p->n}, {p->m, p->n}};
    const int64_t rows = ends[matrix][0] - row_lo, columns = ends[matrix][1] - column_lo;
    const int64_t from[2] = {row_lo, column_lo},
                  to[2] = {row_lo + rows - 1, column_lo + columns - 1};
    const int64_t all_lo[2] = {0, 0}, all_hi[2] = {rows - 1, columns - 1};
    const int g = new_global(rows, columns, "new cells");
    int64_t lo[2], hi[2], stride = 0;
    double *cells = NULL;

    NGA_Distribution64(g, GA_Nodeid(), lo, hi);
    if (hi[0] >= lo[0] && hi[1] >= lo[1]) {
        NGA_Access64(g, lo, hi, &cells, &stride);
        for (int64_t r = lo[0]; r <= hi[0]; r++) {
            for (int64_t c = lo[1]; c <= hi[1]; c++) {
                cells[(r - lo[0]) * stride + c - lo[1]] = cell(matrix, row_lo + r, column_lo + c);
            }
        }
        NGA_Release_update64(g, lo, hi);
    }
    GA_Sync();
    lap(j, COMPUTE);
    PTRY(PEXTA_Write_section64(0, g, all_lo, all_hi, p->matrix[matrix], from, to));
    lap(j, IO);
    GA_Destroy(g);
}

/* Two panels of each of A and B, and the requests that fill them. */
typedef struct panels {
    int a[2], b[2], request_a[2], request_b[2];
} panels;

/* Begin to read the panels of A (its rows [row, row + rows)) and B that begin at `k`. */
static void begin_read(const product *p, panels *of, int which, int64_t row, int64_t rows,
                       int64_t k)
{
    const int64_t zero[2] = {0, 0};
    const int64_t end_a[2] = {rows - 1, p->panel - 1}, end_b[2] = {p->panel - 1, p->n - 1};
    const int64_t a_lo[2] = {row, k}, a_hi[2] = {row + rows - 1, k + p->panel - 1};
    const int64_t b_lo[2] = {k, 0}, b_hi[2] = {k + p->panel - 1, p->n - 1};

    PTRY(PEXTA_IRead_section(0, of->a[which], zero, end_a, p->matrix[MATRIX_A], a_lo, a_hi,
                             &of->request_a[which]));
    PTRY(PEXTA_IRead_section(0, of->b[which], zero, end_b, p->matrix[MATRIX_B], b_lo, b_hi,
                             &of->request_b[which]));
}

/* Rows [row, p->m) of C: add the product of what A and B hold from `k` on; k = 0 computes C
 * anew. */
static void multiply(job *j, const product *p, int64_t row, int64_t k)
{
    const int64_t rows = p->m - row, zero[2] = {0, 0}, end[2] = {rows - 1, p->n - 1};
    const int64_t c_lo[2] = {row, 0}, c_hi[2] = {p->m - 1, p->n - 1};
    const int g_c = new_global(rows, p->n, "C");
    panels of;

    for (int w = 0; w < 2; w++) {
        of.a[w] = new_global(rows, p->panel, "panel of A");
        of.b[w] = new_global(p->panel, p->n, "panel of B");
    }
    GA_Zero(g_c);
    begin_read(p, &of, 0, row, rows, k);
    if (k > 0) {
        PTRY(PEXTA_Read_section64(0, g_c, zero, end, p->matrix[MATRIX_C], c_lo, c_hi));
    }
    for (int now = 0; k < p->k; now = 1 - now, k += p->panel) {
        if (k + p->panel < p->k) {
            begin_read(p, &of, 1 - now, row, rows, k + p->panel);
        }
        PTRY(PEXTA_Wait(of.request_a[now]));
        PTRY(PEXTA_Wait(of.request_b[now]));
        lap(j, IO);
        GA_Dgemm('n', 'n', (int)rows, (int)p->n, (int)p->panel, 1, of.a[now], of.b[now], 1, g_c);
        lap(j, COMPUTE);
    }
    PTRY(PEXTA_Write_section64(0, g_c, zero, end, p->matrix[MATRIX_C], c_lo, c_hi));
    lap(j, IO);
    for (int w = 0; w < 2; w++) {
        GA_Destroy(of.a[w]);
        GA_Destroy(of.b[w]);
    }
    GA_Destroy(g_c);
}

/* Rank 0 alone: compare the file, read by the serial library, with the product by definition. The
 * error bound is that of parallel_matmul.c. */
static bool check(const job *j, const product *p)
{
    const double ku = (double)p->k * DBL_EPSILON / 2, factor = 2 * ku / (1 - ku);
    double *row_c = doubles(p->n), *row_a = doubles(p->k), *b = doubles(p->k * p->n);
    double worst = 0, share = 0;
    xta_array *array = NULL;
    xta_error err = {0};

    for (int64_t q = 0; q < p->k * p->n; q++) {
        b[q] = cell(MATRIX_B, q / p->n, q % p->n);
    }
    TRY(xta_array_open(path_of(j, "pexta_c").text, NULL, &array, &err));
    for (int64_t r = 0; r < p->m; r++) {
        const xta_box line = xta_box_make(2, (int64_t[]){r, 0}, (int64_t[]){r + 1, p->n});

        TRY(xta_array_read(array, &line, NULL, row_c, &err));
        for (int64_t q = 0; q < p->k; q++) {
            row_a[q] = cell(MATRIX_A, r, q);
        }
        for (int64_t c = 0; c < p->n; c++) {
            double sum = 0, absolute = 0;

            for (int64_t q = 0; q < p->k; q++) {
                sum += row_a[q] * b[q * p->n + c];
                absolute += fabs(row_a[q] * b[q * p->n + c]);
            }
            worst = fmax(worst, fabs(row_c[c] - sum));
            share = fmax(share, fabs(row_c[c] - sum) / (factor * absolute));
        }
    }
    TRY(xta_array_close(array, &err));
    free(row_c);
    free(row_a);
    free(b);
    fprintf(j->say, "C %s with the serial reference: largest difference %.2e, %.1e of the bound\n",
            share <= 1 ? "agrees" : "does not agree", worst, share);
    return share <= 1;
}

static void report(job *j, const product *p, const char *what, int growths)
{
    char size[64];

    snprintf(size, sizeof size, "%lldx%lldx%lld", (long long)p->m, (long long)p->k,
             (long long)p->n);
    if (j->rank == 0) {
        fprintf(j->say, "%s: %s\n", what, size);
    }
    row(j, "pexta_matmul", size, growths);
}

static void run(job *j, product *p)
{
    static const char *const names[MATRICES] = {"pexta_a", "pexta_b", "pexta_c"};
    const int64_t dims[MATRICES][2] = {{p->m, p->k}, {p->k, p->n}, {p->m, p->n}};
    const int64_t typical[2] = {p->panel, p->panel};
    const int64_t columns[2] = {0, p->panel}, rows[2] = {p->panel, 0};

    for (int q = 0; q < MATRICES; q++) {
        PTRY(PEXTA_Create64(C_DBL, 2, dims[q], names[q], path_of(j, names[q]).text, PEXTA_RW,
                            typical, PEXTA_NO_GA, &p->matrix[q]));
    }
    lap(j, IO);
    fill(j, p, MATRIX_A, 0, 0);
    fill(j, p, MATRIX_B, 0, 0);
    multiply(j, p, 0, 0);
    report(j, p, "to begin with", 0);

    lap(j, COMPUTE);
    PTRY(PEXTA_Extend64(p->matrix[MATRIX_A], columns, NULL, NULL));
    PTRY(PEXTA_Extend64(p->matrix[MATRIX_B], rows, NULL, NULL));
    lap(j, GROWTH);
    p->k += p->panel;
    fill(j, p, MATRIX_A, 0, p->k - p->panel);
    fill(j, p, MATRIX_B, p->k - p->panel, 0);
    multiply(j, p, 0, p->k - p->panel);
    report(j, p, "k has grown", 1);

    PTRY(PEXTA_Extend64(p->matrix[MATRIX_A], rows, NULL, NULL));
    PTRY(PEXTA_Extend64(p->matrix[MATRIX_C], rows, NULL, NULL));
    lap(j, GROWTH);
    p->m += p->panel;
    fill(j, p, MATRIX_A, p->m - p->panel, 0);
    multiply(j, p, p->m - p->panel, 0);
    for (int q = 0; q < MATRICES; q++) {
        PTRY(PEXTA_Close(p->matrix[q]));
    }
    lap(j, IO);
    report(j, p, "m has grown", 2);
}

int main(int argc, char **argv)
{
    job j = job_begin(argc, argv);
    product p = {.panel = j.small ? 32 : 128};
    bool agrees = true;

    p.m = 3 * p.panel;
    p.k = 4 * p.panel;
    p.n = 3 * p.panel + p.panel / 2;
    GA_Initialize();
    MA_init(C_DBL, 1000000, 1000000);
    PTRY(PEXTA_Init(-1, -1, -1, -1));
    run(&j, &p);
    PTRY(PEXTA_Terminate());
    GA_Terminate();
    if (j.rank == 0) {
        agrees = check(&j, &p);
    }
    return job_end(&j, agrees);
}
