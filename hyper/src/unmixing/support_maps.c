/* The maps from pixels to abundances, computed once for each set of active endmembers.
 *
 * If abundances add up to one, a set with corners c_0 ... c_k spans a plane c_0 + sum b_i (c_i -
 * c_0), and a_i = b_i, a_0 = 1 - sum b_i; otherwise the plane goes through zero and a_i = b_i for
 * all. The directions D are made orthonormal (Gram-Schmidt, twice), D = U R, so b = R^-1 U^T (y -
 * c_0).
 *
 * For an endmember j outside the set let d be the part of c_j - c_0 outside the plane. The
 * condition of Kuhn and Tucker for a_j = 0 is d . (y - c_0) <= 0. If it does not hold, adding j
 * reduces the squared distance by at least (d . (y - c_0) / |d|)^2.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "unmixing/support_maps.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/reproducible_dot.h"
#include "util/clones.h"

typedef struct known_set {
    support_set set;
    double *map; /* NULL: unused */
} known_set;

struct set_maps {
    const xta_unmixer *unmixer;
    size_t most, n, capacity; /* a hash table of `capacity` sets, a power of two */
    known_set *known;
    double *rest;      /* q x width: what is left of c - c_0 of every endmember */
    double *share;     /* width */
    size_t *member;    /* p */
    double *direction; /* p x q: U */
    double *factor;    /* p x p: R, row-major */
    double *inverse;   /* p x q: R^-1 U^T */
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
    maps->capacity = 64;
    maps->known = calloc(maps->capacity, sizeof *maps->known);
    maps->rest = calloc(q * unmixer->width + 1, sizeof(double));
    maps->share = calloc(unmixer->width, sizeof(double));
    maps->member = calloc(p, sizeof *maps->member);
    maps->direction = calloc(p * q + 1, sizeof(double));
    maps->factor = calloc(p * p, sizeof(double));
    maps->inverse = calloc(p * q + 1, sizeof(double));
    if (maps->known == NULL || maps->rest == NULL || maps->share == NULL || maps->member == NULL ||
        maps->direction == NULL || maps->factor == NULL || maps->inverse == NULL) {
        xta__set_maps_free(maps);
        return NULL;
    }
    return maps;
}

static void drop_maps(set_maps *maps)
{
    for (size_t k = 0; k < maps->capacity; k++) {
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
        drop_maps(maps);
    }
    free(maps->known);
    free(maps->rest);
    free(maps->share);
    free(maps->member);
    free(maps->direction);
    free(maps->factor);
    free(maps->inverse);
    free(maps);
}

static size_t place_of(const known_set *known, size_t capacity, const support_set *set)
{
    uint64_t hash = 0;

    for (int w = 0; w < SUPPORT_WORDS; w++) {
        hash = (hash ^ set->word[w]) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    size_t at = (size_t)hash & (capacity - 1);
    while (known[at].map != NULL && memcmp(&known[at].set, set, sizeof *set) != 0) {
        at = (at + 1) & (capacity - 1);
    }
    return at;
}

/* ---- one set ---- */

/* Remove a direction from all columns; `share` is how much of it was in each. */
XTA__CLONES static void project_columns(size_t q, size_t width, const double *u, double *columns,
                                        double *share)
{
    for (size_t at = 0; at < width; at += DOT_WIDTH) {
        dot_vector sum = {0};
        for (size_t k = 0; k < q; k++) {
            sum += u[k] * *(const dot_vector *)(columns + k * width + at);
        }
        *(dot_vector *)(share + at) = sum;
        for (size_t k = 0; k < q; k++) {
            *(dot_vector *)(columns + k * width + at) -= u[k] * sum;
        }
    }
}

static double short_dot(size_t n, const double *a, const double *b)
{
    double sum = 0;

    for (size_t k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

/* Make direction number i: what is left of its member, made orthogonal to those before once more.
 */
static void make_direction(set_maps *maps, size_t i, size_t member)
{
    size_t p = maps->unmixer->p, q = maps->unmixer->q, width = maps->unmixer->width;
    double *v = maps->direction + i * q;

    for (size_t k = 0; k < q; k++) {
        v[k] = maps->rest[k * width + member];
    }
    for (size_t before = 0; before < i; before++) {
        const double *u = maps->direction + before * q;
        double s = short_dot(q, u, v);
        for (size_t k = 0; k < q; k++) {
            v[k] -= s * u[k];
        }
        maps->factor[before * p + i] += s;
    }
    double length = sqrt(short_dot(q, v, v));
    maps->factor[i * p + i] = length;
    for (size_t k = 0; k < q; k++) {
        v[k] /= length;
    }
}

/* Find the directions of the plane, the part of all endmembers outside of it, and R^-1 U^T. */
static void span_plane(set_maps *maps, const double *base, const size_t *member, size_t n)
{
    const xta_unmixer *u = maps->unmixer;
    size_t p = u->p, q = u->q, width = u->width;

    for (size_t k = 0; k < q; k++) {
        for (size_t j = 0; j < width; j++) {
            maps->rest[k * width + j] = u->across[k * width + j] - (base != NULL ? base[k] : 0);
        }
    }
    for (size_t i = 0; i < n; i++) {
        make_direction(maps, i, member[i]);
        project_columns(q, width, maps->direction + i * q, maps->rest, maps->share);
        for (size_t j = i + 1; j < n; j++) {
            maps->factor[i * p + j] = maps->share[member[j]];
        }
    }
    for (size_t i = 0; i < n; i++) {
        project_columns(q, width, maps->direction + i * q, maps->rest, maps->share);
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

static double rounding_of(const xta_unmixer *u, double length)
{
    return 4 * DBL_EPSILON * (double)(u->q + 4) * length;
}

/* Function number j of the map: row . (y - base) + constant. */
static void put_function(const xta_unmixer *u, double *map, size_t j, const double *row,
                         const double *base, double constant)
{
    for (size_t k = 0; k < u->q; k++) {
        map[k * u->width + j] = row[k];
        constant -= base != NULL ? row[k] * base[k] : 0;
    }
    map[u->q * u->width + j] = constant;
    map[(u->q + 1) * u->width + j] = rounding_of(u, sqrt(short_dot(u->q, row, row)));
}

/* Write the functions of all endmembers as if they were outside the set; those of the members are
 * written over them. */
static void put_outsiders(const set_maps *maps, double *map, const double *base)
{
    const xta_unmixer *u = maps->unmixer;
    size_t q = u->q, width = u->width;
    double *constant = map + q * width, *scale = map + (q + 1) * width;

    for (size_t k = 0; k < q; k++) {
        for (size_t j = 0; j < width; j++) {
            double d = maps->rest[k * width + j];
            scale[j] += d * d;
        }
    }
    for (size_t j = 0; j < width; j++) {
        scale[j] = scale[j] > 0 ? 1 / sqrt(scale[j]) : 0;
    }
    for (size_t k = 0; k < q; k++) {
        for (size_t j = 0; j < width; j++) {
            map[k * width + j] = maps->rest[k * width + j] * scale[j];
            constant[j] -= base != NULL ? map[k * width + j] * base[k] : 0;
        }
    }
    for (size_t j = 0; j < width; j++) {
        scale[j] = rounding_of(u, 1);
    }
}

static void compute_map(set_maps *maps, const support_set *set, double *map)
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
    span_plane(maps, base, member, n);
    put_outsiders(maps, map, base);
    for (size_t i = 0; i < n; i++) {
        put_function(u, map, member[i], maps->inverse + i * q, base, 0);
    }
    if (base != NULL) {
        double *row = maps->rest;
        memset(row, 0, q * sizeof *row);
        for (size_t k = 0; k < n * q; k++) {
            row[k % q] -= maps->inverse[k];
        }
        put_function(u, map, maps->member[0], row, base, 1);
    }
}

/* ---- all sets ---- */

static bool allocate_maps(set_maps *maps)
{
    if (maps->n >= maps->most) {
        drop_maps(maps);
        return true;
    }
    if (2 * maps->n < maps->capacity) {
        return true;
    }
    size_t capacity = 2 * maps->capacity;
    known_set *known = calloc(capacity, sizeof *known);
    if (known == NULL) {
        return false;
    }
    for (size_t k = 0; k < maps->capacity; k++) {
        if (maps->known[k].map != NULL) {
            known[place_of(known, capacity, &maps->known[k].set)] = maps->known[k];
        }
    }
    free(maps->known);
    maps->known = known;
    maps->capacity = capacity;
    return true;
}

const double *xta__set_map(set_maps *maps, const support_set *set)
{
    size_t at = place_of(maps->known, maps->capacity, set);

    if (maps->known[at].map != NULL) {
        return maps->known[at].map;
    }
    double *map = calloc(map_doubles(maps->unmixer), sizeof *map);
    if (map == NULL || !allocate_maps(maps)) {
        free(map);
        return NULL;
    }
    compute_map(maps, set, map);
    maps->known[place_of(maps->known, maps->capacity, set)] = (known_set){.set = *set, .map = map};
    maps->n++;
    return map;
}
