/* A guess at which endmembers are active in a pixel, found fast; fcls.c verifies it.
 *
 * If abundances add up to one, let d_i = c_i - y. The point of the simplex nearest to the pixel is,
 * up to a factor, the b >= 0 that minimises |sum b_i d_i|^2 + s^2 (1 - sum b_i)^2 ([LAWSON74]
 * 23.4): least squares without an equation, with the products H_ij = d_i . d_j + s^2 and the right
 * sides s^2. Otherwise it is least squares already, with H_ij = c_i . c_j and the right sides c_i .
 * y. So one active set serves both.
 *
 * Working with products squares the errors. But each step needs only one new row of H and one of
 * its factor, so the data of a pixel stay in the first-level cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "unmixing/fcls_guess.h"

#include <math.h>
#include <string.h>

#include "numeric/reproducible_dot.h"
#include "util/clones.h"

/* Memory of a guess, in `work`: */
typedef struct guess {
    size_t p, width;
    size_t n;                                    /* members */
    double *right, *diagonal, *scale, *gradient; /* width */
    double *x;                                   /* width: the members' b, in the order they came */
    double *target;                              /* width: the values at which they would be best */
    double *half;                                /* width: L^-1 of the right sides */
    double *rows;                                /* p x width: rows of H of the members */
    double *factor;                              /* p x width: L, with 1 / L_ii in the diagonal */
    uint16_t *member;
    support_set in, never;
} guess;

static void set_bit(support_set *set, size_t i, bool on)
{
    uint64_t bit = (uint64_t)1 << (i % 64);

    set->word[i / 64] = on ? set->word[i / 64] | bit : set->word[i / 64] & ~bit;
}

/* Row j of H. */
static inline void make_row(const xta_unmixer *u, const guess *g, size_t j, const double *f,
                            double constant, double *row)
{
    const double *gram = u->gram + j * u->width;

    if (!u->sum_is_one) {
        memcpy(row, gram, g->width * sizeof *row);
        return;
    }
    for (size_t i = 0; i < g->width; i++) {
        row[i] = gram[i] - f[i] + (constant - f[j]);
    }
}

/* Append the row of the factor for the newest member; false if it depends on the others. */
static inline bool extend_factor(guess *g, size_t n)
{
    double *l = g->factor + n * g->width;
    const double *row = g->rows + n * g->width;
    size_t j = g->member[n];
    double rest = row[j], right = g->right[j];

    for (size_t i = 0; i < n; i++) {
        const double *li = g->factor + i * g->width;
        double value = row[g->member[i]];
        for (size_t k = 0; k < i; k++) {
            value -= li[k] * l[k];
        }
        l[i] = value * li[i];
        rest -= l[i] * l[i];
        right -= l[i] * g->half[i];
    }
    if (!(rest > 1e-13 * row[j])) {
        return false;
    }
    l[n] = 1 / sqrt(rest);
    g->half[n] = right * l[n];
    return true;
}

/* Find the best values of the members; returns the least of them. */
static inline double find_target(guess *g)
{
    double least = INFINITY;

    for (size_t i = g->n; i-- > 0;) {
        double value = g->half[i];
        for (size_t k = i + 1; k < g->n; k++) {
            value -= g->factor[k * g->width + i] * g->target[k];
        }
        g->target[i] = value * g->factor[i * g->width + i];
        least = g->target[i] < least ? g->target[i] : least;
    }
    return least;
}

/* Go towards the target until the first member becomes zero, and drop all members that are zero
 * then. False if the others have no factor, which only rounding can cause. */
static inline bool step_back(guess *g)
{
    double length = 1;
    size_t n = 0, first = 0;
    bool good = true;

    for (size_t i = 0; i < g->n; i++) {
        double x = g->x[i], to = g->target[i];
        if (to <= 0 && x < length * (x - to)) {
            length = x / (x - to);
            first = i;
        }
    }
    for (size_t i = 0; i < g->n; i++) {
        double x = g->x[i], to = g->target[i];
        bool leaves = to <= 0 && (i == first || x <= length * (x - to));
        if (leaves) {
            set_bit(&g->in, g->member[i], false);
            continue;
        }
        g->x[n] = x + length * (to - x);
        g->member[n] = g->member[i];
        memmove(g->rows + n * g->width, g->rows + i * g->width, g->width * sizeof(double));
        good = good && extend_factor(g, n);
        n++;
    }
    g->n = n;
    return good;
}

/* The endmember that promises the largest gain; p if none promises any. */
static inline size_t most_promising(const guess *g, double least)
{
    size_t best = g->p;

    for (size_t i = 0; i < g->p; i++) {
        double promise = g->gradient[i] * g->scale[i];
        if (promise > least && !xta__support_has(&g->in, i) && !xta__support_has(&g->never, i)) {
            least = promise;
            best = i;
        }
    }
    return best;
}

static inline void find_gradient(guess *g)
{
    memcpy(g->gradient, g->right, g->width * sizeof(double));
    for (size_t m = 0; m < g->n; m++) {
        const double *row = g->rows + m * g->width;
        for (size_t i = 0; i < g->width; i++) {
            g->gradient[i] -= row[i] * g->x[m];
        }
    }
}

/* Add an endmember, and drop those that become negative. */
static inline bool add_endmember(const xta_unmixer *u, guess *g, size_t j, const double *f,
                                 double constant)
{
    g->member[g->n] = (uint16_t)j;
    make_row(u, g, j, f, constant, g->rows + g->n * g->width);
    if (!extend_factor(g, g->n)) {
        set_bit(&g->never, j, true);
        return true;
    }
    g->x[g->n++] = 0;
    set_bit(&g->in, j, true);
    for (size_t turn = 0; g->n > 0 && find_target(g) <= 0; turn++) {
        if (!step_back(g) || turn > 2 * g->p) {
            return false;
        }
    }
    memcpy(g->x, g->target, g->n * sizeof(double));
    find_gradient(g);
    return true;
}

static inline void set_layout(guess *g, const xta_unmixer *u, double *work)
{
    size_t width = u->width;

    *g = (guess){.p = u->p, .width = width};
    g->right = work;
    g->diagonal = work + width;
    g->scale = work + 2 * width;
    g->gradient = work + 3 * width;
    g->x = work + 4 * width;
    g->target = work + 5 * width;
    g->half = work + 6 * width;
    g->member = (uint16_t *)(void *)(work + 7 * width);
    g->rows = work + 8 * width;
    g->factor = g->rows + u->p * width;
}

size_t xta__guess_doubles(const xta_unmixer *u)
{
    return (9 + 2 * u->p) * u->width;
}

XTA__CLONES void xta__unmix_guess(const xta_unmixer *u, const double *y, double *work,
                                  support_set *set, double *abundances)
{
    double *f = work, constant = u->reach * u->reach, sum = 0, most = 0;
    double s2 = constant > 0 ? constant : 1;
    guess g;

    set_layout(&g, u, work + u->width);
    xta__apply_map(u->q, u->width, u->across, y, f);
    constant = s2;
    for (size_t k = 0; k < u->q; k++) {
        constant += y[k] * y[k];
    }
    for (size_t i = 0; i < u->width; i++) {
        double square = u->square[i];
        g.right[i] = u->sum_is_one ? s2 : f[i];
        g.diagonal[i] = u->sum_is_one ? square - 2 * f[i] + constant : square;
        g.scale[i] = g.diagonal[i] > 0 ? 1 / sqrt(g.diagonal[i]) : 0;
        g.gradient[i] = g.right[i];
    }
    for (size_t i = 0; i < u->p; i++) {
        double promise = g.right[i] * g.scale[i];
        most = promise > most ? promise : most;
    }
    for (size_t turn = 0; turn < 3 * u->p + 10; turn++) {
        size_t j = most_promising(&g, 1e-11 * most);
        if (j == u->p || !add_endmember(u, &g, j, f, constant)) {
            break;
        }
    }
    for (size_t m = 0; m < g.n; m++) {
        sum += g.x[m];
    }
    memset(abundances, 0, u->width * sizeof *abundances);
    *set = (support_set){{0}};
    for (size_t m = 0; m < g.n && sum > 0 && isfinite(sum); m++) {
        abundances[g.member[m]] = u->sum_is_one ? g.x[m] / sum : g.x[m];
        set_bit(set, g.member[m], true);
    }
}
