/* Abundances of one pixel: constrained least squares by an active set [LAWSON74] 23; the problem is
 * that of [HEINZ01].
 *
 * Definition: of all abundances >= 0 (that add up to one, if asked for), those whose mixture is
 * nearest to the pixel. The naive way solves least squares for each of the 2^p sets of endmembers.
 *
 * An active set grows by the endmember that promises to reduce the distance most, as long as there
 * is one. If the best point of the plane of the set has a negative abundance, we go towards it from
 * where we are until the first abundance is zero, and drop that endmember; it may come back. The
 * distance never grows, and each set is met at most once at its best point, so this ends. Signs are
 * decided only above the rounding error of the map; if rounding still makes it cycle, the point
 * reached is the minimum within rounding. The set begins with a guess (fcls_guess.c) that is nearly
 * always right.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "unmixing/fcls.h"

#include <math.h>
#include <string.h>

#include "numeric/reproducible_dot.h"
#include "unmixing/fcls_guess.h"
#include "unmixing/unmixer.h"

static void support_put(support_set *set, size_t i, bool in)
{
    uint64_t bit = (uint64_t)1 << (i % 64);

    set->word[i / 64] = in ? set->word[i / 64] | bit : set->word[i / 64] & ~bit;
}

/* The endmember nearest to the pixel. */
static size_t nearest(const xta_unmixer *u, const double *y)
{
    size_t best = 0;
    double least = INFINITY;

    for (size_t i = 0; i < u->p; i++) {
        double square = 0;
        for (size_t k = 0; k < u->q; k++) {
            double d = y[k] - u->corner[i * u->q + k];
            square += d * d;
        }
        if (square < least) {
            least = square;
            best = i;
        }
    }
    return best;
}

/* The largest step from `a` towards `to`, at most 1, that keeps all abundances of the set >= 0. */
static double step_length(const xta_unmixer *u, const support_set *set, const double *a,
                          const double *to, const double *rounding, double size)
{
    double length = 1;

    for (size_t i = 0; i < u->p; i++) {
        if (xta__support_has(set, i) && to[i] < -rounding[i] * size) {
            length = fmin(length, a[i] / (a[i] - to[i]));
        }
    }
    return length;
}

/* Go from `a` towards `to` by a step of that length; endmembers whose abundance becomes zero leave
 * the set. */
static void move_towards(const xta_unmixer *u, support_set *set, double *a, const double *to,
                         const double *rounding, double size, double length)
{
    for (size_t i = 0; i < u->p; i++) {
        if (!xta__support_has(set, i)) {
            continue;
        }
        bool leaves = to[i] < -rounding[i] * size && a[i] / (a[i] - to[i]) <= length;
        a[i] = leaves ? 0 : fmax(a[i] + length * (to[i] - a[i]), 0);
        if (leaves) {
            support_put(set, i, false);
        }
    }
}

/* The endmember that should enter the set; p if none. */
static size_t entering_endmember(const xta_unmixer *u, const support_set *set, const double *gain,
                                 const double *rounding, double size)
{
    size_t best = u->p;
    double most = 0;

    for (size_t i = 0; i < u->p; i++) {
        if (gain[i] > most && gain[i] > rounding[i] * size && !xta__support_has(set, i)) {
            most = gain[i];
            best = i;
        }
    }
    return best;
}

static double norm(size_t n, const double *y)
{
    double square = 0;

    for (size_t k = 0; k < n; k++) {
        square += y[k] * y[k];
    }
    return sqrt(square);
}

static bool is_empty(const support_set *set)
{
    uint64_t any = 0;

    for (int w = 0; w < SUPPORT_WORDS; w++) {
        any |= set->word[w];
    }
    return any == 0;
}

size_t xta__active_doubles(const xta_unmixer *u)
{
    return 2 * u->width + xta__guess_doubles(u);
}

bool xta__unmix_active(const xta_unmixer *u, set_maps *maps, const double *y, double *work,
                       double *abundances)
{
    double *a = work, *to = work + u->width;
    double size = norm(u->q, y) + u->reach;
    support_set set;

    xta__unmix_guess(u, y, work + 2 * u->width, &set, a);
    if (u->sum_is_one && is_empty(&set)) {
        size_t first = nearest(u, y);
        support_put(&set, first, true);
        a[first] = 1;
    }
    for (size_t turn = 0; turn < 10 * u->p + 30; turn++) {
        const double *map = xta__set_map(maps, &set);
        if (map == NULL) {
            return false;
        }
        const double *rounding = map + (u->q + 1) * u->width;
        xta__apply_map(u->q, u->width, map, y, to);
        double length = step_length(u, &set, a, to, rounding, size);
        if (length < 1) {
            move_towards(u, &set, a, to, rounding, size, length);
            continue;
        }
        for (size_t i = 0; i < u->p; i++) {
            a[i] = xta__support_has(&set, i) ? fmax(to[i], 0) : 0;
        }
        size_t next = entering_endmember(u, &set, to, rounding, size);
        if (next == u->p) {
            break;
        }
        support_put(&set, next, true);
    }
    memcpy(abundances, a, u->p * sizeof *a);
    return true;
}

bool xta__unmix_free(const xta_unmixer *u, set_maps *maps, const double *y, double *work,
                     double *abundances)
{
    support_set all = {{0}};

    for (size_t i = 0; i < u->p; i++) {
        support_put(&all, i, true);
    }
    const double *map = xta__set_map(maps, &all);
    if (map == NULL) {
        return false;
    }
    xta__apply_map(u->q, u->width, map, y, work);
    memcpy(abundances, work, u->p * sizeof *work);
    return true;
}
