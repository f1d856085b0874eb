/* [KEEP] 3.3.1 again: 1000 random cases, as it draws them; for each the seeks by Eq. 2 and Eq. 3,
 * as printed and as docs/ERRATA.md corrects them, against the operations of the plan, counted one
 * by one. Prints lines `case,series,value,unit` with the number of cases in which they differ.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/rechunk.h>

#define N_CASES       1000
#define MOST_BLOCKS   4096
#define MOST_DIVISORS 256

static uint64_t random_state = 20201217;

static int64_t random_below(int64_t n)
{
    random_state += 0x9e3779b97f4a7c15;
    uint64_t z = random_state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (int64_t)((z ^ z >> 31) % (uint64_t)n);
}

/* A case: a cube of side r, blocks I and O, read buffers R. */
typedef struct one_case {
    int64_t r, in[3], out[3], read[3];
} one_case;

/* ---- the equations ---- */

/* c and m of one axis: ends of pieces against ends of blocks of length `block`. */
typedef struct axis_counts {
    uint64_t c, m;
} axis_counts;

static axis_counts counts_of(const int64_t ends[], int64_t n, int64_t r, int64_t block)
{
    axis_counts counts = {0, 0};
    int64_t n_blocks = (r + block - 1) / block, joined = n_blocks, k = 0;

    for (int64_t b = 0; b < n_blocks; b++) {
        uint64_t cuts = 0;
        for (; k < n && ends[k] < (b + 1) * block; k++) {
            cuts++;
        }
        k += k < n && ends[k] == (b + 1) * block;
        counts.c += cuts + (cuts > 0);
        joined += (int64_t)cuts;
    }
    counts.m = (uint64_t)joined - counts.c;
    return counts;
}

/* Eq. 2 without its last term. */
static uint64_t seeks_inside(const axis_counts a[3], int64_t r)
{
    uint64_t n = (uint64_t)r;

    return n * n * a[2].c + n * a[1].c * a[2].m + a[0].c * a[1].m * a[2].m;
}

static uint64_t pieces(const axis_counts a[3])
{
    return (a[0].c + a[0].m) * (a[1].c + a[1].m) * (a[2].c + a[2].m);
}

/* The ends of reads, or of writes: the last output end in each read, or its own if there is
 * none. */
static int64_t list_ends(const one_case *t, int axis, bool write, int64_t ends[])
{
    int64_t n = 0;

    for (int64_t begin = 0; begin < t->r; begin += t->read[axis]) {
        int64_t end = begin + t->read[axis] < t->r ? begin + t->read[axis] : t->r;
        int64_t last = end / t->out[axis] * t->out[axis];
        ends[n++] = write && last > begin && end < t->r ? last : end;
    }
    return n;
}

/* Eq. 3, and the same with its third term corrected. */
static void equation_3(const one_case *t, uint64_t *printed, uint64_t *corrected)
{
    axis_counts reads[3], writes[3];
    int64_t *ends = calloc((size_t)t->r + 1, sizeof *ends);

    if (ends == NULL) {
        exit(1);
    }
    for (int d = 0; d < 3; d++) {
        int64_t n = list_ends(t, d, false, ends);
        reads[d] = counts_of(ends, n, t->r, t->in[d]);
        n = list_ends(t, d, true, ends);
        writes[d] = counts_of(ends, n, t->r, t->out[d]);
    }
    free(ends);
    uint64_t same = seeks_inside(reads, t->r) + seeks_inside(writes, t->r) + pieces(writes);
    *printed = same + reads[0].c * reads[1].c * reads[2].c;
    *corrected = same + pieces(reads);
}

/* Eq. 2: the baseline. */
static uint64_t equation_2(const one_case *t)
{
    axis_counts writes[3];
    uint64_t n_in = 1;
    int64_t *ends = calloc((size_t)t->r + 1, sizeof *ends);

    if (ends == NULL) {
        exit(1);
    }
    for (int d = 0; d < 3; d++) {
        int64_t n = 0;
        for (int64_t x = t->in[d]; x <= t->r; x += t->in[d]) {
            ends[n++] = x;
        }
        n_in *= (uint64_t)n;
        writes[d] = counts_of(ends, n, t->r, t->out[d]);
    }
    free(ends);
    return seeks_inside(writes, t->r) + n_in + pieces(writes);
}

/* ---- counting ---- */

/* An operation opens its block, and then seeks to each row that is contiguous in the block, unless
 * it is the whole block. */
static uint64_t seeks_of(const xta_rechunk_op *op, const int64_t block[3])
{
    uint64_t rows = 1, outer = 1;
    bool whole = true;

    for (int d = 0; d < 3; d++) {
        int64_t length = op->piece.hi[d] - op->piece.lo[d];
        if (length < block[d]) {
            rows = outer;
            whole = false;
        }
        outer *= (uint64_t)length;
    }
    return whole ? 1 : 1 + rows;
}

static uint64_t count_seeks(const one_case *t, xta_rechunk_strategy strategy)
{
    const int64_t zero[3] = {0, 0, 0}, shape[3] = {t->r, t->r, t->r};
    xta_rechunk_problem problem = XTA_RECHUNK_PROBLEM_INIT;
    xta_rechunk_plan *plan = NULL;
    xta_rechunk_iterator *walk = NULL;
    xta_rechunk_op op;
    xta_error err = {0};
    uint64_t seeks = 0;

    problem.bounds = xta_box_make(3, zero, shape);
    problem.from = xta_partition_regular(3, t->in, NULL);
    problem.to = xta_partition_regular(3, t->out, NULL);
    if (strategy == XTA_RECHUNK_KEEP) {
        problem.buffer = xta_partition_regular(3, t->read, NULL);
    }
    problem.cell_bytes = 1;
    problem.memory_bytes = (uint64_t)1 << 50;
    problem.strategy = strategy;
    if (xta_rechunk_plan_new(&problem, &plan, &err) != XTA_OK ||
        xta_rechunk_iterator_new(plan, 0, xta_rechunk_plan_facts(plan)->n_components, &walk,
                                 &err) != XTA_OK) {
        fprintf(stderr, "keep_model: %s\n", err.text);
        exit(1);
    }
    while (xta_rechunk_iterator_next(walk, &op)) {
        seeks += seeks_of(&op, op.write ? t->out : t->in);
    }
    xta_rechunk_iterator_free(walk);
    xta_rechunk_plan_free(plan);
    return seeks;
}

/* ---- cases ---- */

static int divisors_of(int64_t r, int64_t out[])
{
    int n = 0;

    for (int64_t k = 1; k <= r && n < MOST_DIVISORS; k++) {
        if (r % k == 0) {
            out[n++] = k;
        }
    }
    return n;
}

static uint64_t n_blocks(int64_t r, const int64_t shape[3])
{
    uint64_t n = 1;

    for (int d = 0; d < 3; d++) {
        n *= (uint64_t)((r + shape[d] - 1) / shape[d]);
    }
    return n;
}

/* A side of the cube, and cubic blocks; the shapes of reads are the candidates of 3.2.2. */
static bool draw_case(one_case *t)
{
    static const int64_t prime[4] = {2, 3, 5, 7};
    int64_t divisor[MOST_DIVISORS];

    t->r = 1;
    for (int k = 0; k < 4; k++) {
        int64_t x = prime[random_below(4)];
        t->r *= random_below(2) == 0 ? x : x * x;
    }
    if (t->r > 20000) {
        return false; // more cells than cases of this kind need
    }
    int n = divisors_of(t->r, divisor);
    int64_t in = divisor[random_below(n)], out = divisor[random_below(n)];
    int64_t longest = (out + in - 1) / in * in;
    for (int d = 0; d < 3; d++) {
        t->in[d] = in;
        t->out[d] = out;
        do {
            t->read[d] = d == 2 ? longest : divisor[random_below(n)];
        } while (t->read[d] > longest);
    }
    return in != out && t->r % longest == 0 && n_blocks(t->r, t->in) <= MOST_BLOCKS &&
           n_blocks(t->r, t->out) <= MOST_BLOCKS && n_blocks(t->r, t->read) <= MOST_BLOCKS;
}

int main(void)
{
    int wrong_2 = 0, wrong_3 = 0, wrong_corrected = 0;

    for (int k = 0; k < N_CASES;) {
        one_case t;
        uint64_t printed, corrected;
        if (!draw_case(&t)) {
            continue;
        }
        k++;
        equation_3(&t, &printed, &corrected);
        uint64_t keep = count_seeks(&t, XTA_RECHUNK_KEEP);
        wrong_2 += equation_2(&t) != count_seeks(&t, XTA_RECHUNK_BASELINE);
        wrong_3 += printed != keep;
        wrong_corrected += corrected != keep;
    }
    printf("cases,drawn,%d,cases\n", N_CASES);
    printf("Eq. 2,wrong,%d,cases\n", wrong_2);
    printf("Eq. 3 as printed,wrong,%d,cases\n", wrong_3);
    printf("Eq. 3 corrected,wrong,%d,cases\n", wrong_corrected);
    return 0;
}
