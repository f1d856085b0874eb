/* Sets of active endmembers, each worked out once.
 *
 * With the sum of one, a set with corners c_0 ... c_k spans a plane, c_0 + sum b_i (c_i - c_0), and
 * a_i = b_i, a_0 = 1 - sum b_i; without it the plane goes through zero and a_i = b_i for all. The
 * directions D are made orthonormal (Gram-Schmidt, twice), D = U R, so b = R^-1 U^T (y - c_0). For
 * an endmember outside let d be what is left of c_j - c_0 outside the plane. The condition of Kuhn
 * and Tucker for a_j = 0 is d . (y - c_0) <= 0, and if it does not hold, taking j in makes the
 * square of the distance smaller by at least (d . (y - c_0) / |d|)^2.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lanes.h"
#include "unmix.h"

typedef struct known_set {
    support set;
    double *map; /* NULL: the place is free */
} known_set;

struct set_maps {
    const xta_unmixer *unmixer;
    size_t most, n, room; /* sets; `room` places, a power of two */
    known_set *known;
    size_t *member;    /* p */
    double *direction; /* p x q: U */
    double *factor;    /* p x p: R, row-major */
    double *inverse;   /* p x q: R^-1 U^T */
    double *rest;      /* q */
};

static size_t map_doubles(const xta_unmixer *u)
{
    return (u->q + 2) * u->width;
}

set_maps *xta__set_maps_new(const xta_unmixer *unmixer, size_t most_bytes)
{
    set_maps *maps = calloc(1, sizeof *maps);
    size_t p = unmixer->p, q = unmixer->q;

    if (maps == NULL) {
        return NULL;
    }
    maps->unmixer = unmixer;
    maps->most = most_bytes / (map_doubles(unmixer) * sizeof(double) + 4 * sizeof(known_set));
    maps->most = maps->most > 16 ? maps->most : 16;
    maps->room = 64;
    maps->known = calloc(maps->room, sizeof *maps->known);
    maps->member = calloc(p, sizeof *maps->member);
    maps->direction = calloc(p * q + 1, sizeof(double));
    maps->factor = calloc(p * p, sizeof(double));
    maps->inverse = calloc(p * q + 1, sizeof(double));
    maps->rest = calloc(q + 1, sizeof(double));
    if (maps->known == NULL || maps->member == NULL || maps->direction == NULL ||
        maps->factor == NULL || maps->inverse == NULL || maps->rest == NULL) {
        xta__set_maps_free(maps);
        return NULL;
    }
    return maps;
}

static void forget(set_maps *maps)
{
    for (size_t k = 0; k < maps->room; k++) {
        free(maps->known[k].map);
        maps->known[k].map = NULL;
    }
    maps->n = 0;
}

void xta__set_maps_free(set_maps *maps)
{
    if (maps == NULL) {
        return;
    }
    if (maps->known != NULL) {
        forget(maps);
    }
    free(maps->known);
    free(maps->member);
    free(maps->direction);
    free(maps->factor);
    free(maps->inverse);
    free(maps->rest);
    free(maps);
}

static size_t place_of(const known_set *known, size_t room, const support *set)
{
    uint64_t hash = 0;

    for (int w = 0; w < SUPPORT_WORDS; w++) {
        hash = (hash ^ set->word[w]) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    size_t at = (size_t)hash & (room - 1);
    while (known[at].map != NULL && memcmp(&known[at].set, set, sizeof *set) != 0) {
        at = (at + 1) & (room - 1);
    }
    return at;
}

/* ---- one set ---- */

/* Take the directions found so far out of v, twice; what was taken goes to row `column` of R^T. */
static void make_orthogonal(set_maps *maps, size_t n, double *v, size_t column)
{
    size_t p = maps->unmixer->p, q = maps->unmixer->q;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            const double *u = maps->direction + i * q;
            double s = xta__dot(q, u, v);
            for (size_t k = 0; k < q; k++) {
                v[k] -= s * u[k];
            }
            if (column < p) {
                maps->factor[i * p + column] += s;
            }
        }
    }
}

/* The directions of the plane, and R^-1 U^T. */
static void invert(set_maps *maps, const double *base, const size_t *member, size_t n)
{
    const xta_unmixer *u = maps->unmixer;
    size_t p = u->p, q = u->q;

    memset(maps->factor, 0, p * p * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        double *v = maps->direction + i * q;
        for (size_t k = 0; k < q; k++) {
            v[k] = u->corner[member[i] * q + k] - (base != NULL ? base[k] : 0);
        }
        make_orthogonal(maps, i, v, i);
        double length = sqrt(xta__dot(q, v, v));
        maps->factor[i * p + i] = length;
        for (size_t k = 0; k < q; k++) {
            v[k] /= length;
        }
    }
    for (size_t i = n; i-- > 0;) {
        double *row = maps->inverse + i * q;
        memcpy(row, maps->direction + i * q, q * sizeof(double));
        for (size_t j = i + 1; j < n; j++) {
            for (size_t k = 0; k < q; k++) {
                row[k] -= maps->factor[i * p + j] * maps->inverse[j * q + k];
            }
        }
        for (size_t k = 0; k < q; k++) {
            row[k] /= maps->factor[i * p + i];
        }
    }
}

/* Function number j of the map: row . (y - base) + constant. */
static void put_function(const xta_unmixer *u, double *map, size_t j, const double *row,
                         const double *base, double constant)
{
    double squares = 0;

    for (size_t k = 0; k < u->q; k++) {
        map[k * u->width + j] = row[k];
        constant -= base != NULL ? row[k] * base[k] : 0;
        squares += row[k] * row[k];
    }
    map[u->q * u->width + j] = constant;
    map[(u->q + 1) * u->width + j] = 4 * DBL_EPSILON * (double)(u->q + 4) * sqrt(squares);
}

static void put_outsider(set_maps *maps, double *map, size_t j, const double *base, size_t n)
{
    const xta_unmixer *u = maps->unmixer;
    double *d = maps->rest;

    for (size_t k = 0; k < u->q; k++) {
        d[k] = u->corner[j * u->q + k] - (base != NULL ? base[k] : 0);
    }
    make_orthogonal(maps, n, d, u->p);
    double length = sqrt(xta__dot(u->q, d, d));
    for (size_t k = 0; k < u->q; k++) {
        d[k] = length > 0 ? d[k] / length : 0;
    }
    put_function(u, map, j, d, base, 0);
}

static void work_out(set_maps *maps, const support *set, double *map)
{
    const xta_unmixer *u = maps->unmixer;
    size_t n = 0, q = u->q;

    for (size_t i = 0; i < u->p; i++) {
        if (xta__support_has(set, i)) {
            maps->member[n++] = i;
        }
    }
    size_t skip = u->sum_is_one ? 1 : 0;
    const double *base = skip == 1 ? u->corner + maps->member[0] * q : NULL;
    const size_t *member = maps->member + skip;
    n -= skip;
    invert(maps, base, member, n);
    for (size_t i = 0; i < n; i++) {
        put_function(u, map, member[i], maps->inverse + i * q, base, 0);
    }
    if (base != NULL) {
        memset(maps->rest, 0, q * sizeof(double));
        for (size_t k = 0; k < n * q; k++) {
            maps->rest[k % q] -= maps->inverse[k];
        }
        put_function(u, map, maps->member[0], maps->rest, base, 1);
    }
    for (size_t j = 0; j < u->p; j++) {
        if (!xta__support_has(set, j)) {
            put_outsider(maps, map, j, base, n);
        }
    }
}

/* ---- all of them ---- */

static bool make_room(set_maps *maps)
{
    if (maps->n >= maps->most) {
        forget(maps);
        return true;
    }
    if (2 * maps->n < maps->room) {
        return true;
    }
    size_t room = 2 * maps->room;
    known_set *known = calloc(room, sizeof *known);
    if (known == NULL) {
        return false;
    }
    for (size_t k = 0; k < maps->room; k++) {
        if (maps->known[k].map != NULL) {
            known[place_of(known, room, &maps->known[k].set)] = maps->known[k];
        }
    }
    free(maps->known);
    maps->known = known;
    maps->room = room;
    return true;
}

const double *xta__set_map(set_maps *maps, const support *set)
{
    size_t at = place_of(maps->known, maps->room, set);

    if (maps->known[at].map != NULL) {
        return maps->known[at].map;
    }
    double *map = calloc(map_doubles(maps->unmixer), sizeof *map);
    if (map == NULL || !make_room(maps)) {
        free(map);
        return NULL;
    }
    work_out(maps, set, map);
    maps->known[place_of(maps->known, maps->room, set)] = (known_set){.set = *set, .map = map};
    maps->n++;
    return map;
}
