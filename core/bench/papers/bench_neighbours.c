/* Which order keeps neighbours nearest ([CXA] 5.4.2, 10.2)? Nothing is timed here: positions are
 * counted.
 *
 * Cubes of cells on 2 to 4 axes in row-major, column-major, Morton and Hilbert order, and in that
 * of an extendible array whose axes grow in turn by one ([DRX] Fig. 2c, the symmetric linear shell
 * order). For cells that share a face, the mean distance of their positions and the largest one;
 * for boxes of some side, at all places or at random ones, the mean number of clusters: runs of
 * positions that make up the box, which is how often a reader has to seek.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "geometry/mapping/mapping.h"
#include "geometry/order/order.h"

#define MAX_AXES    4
#define MOST_PLACES 2000

enum { ROW, COLUMN, MORTON, HILBERT, SHELLS, N_ORDERS };

static const char *const names[N_ORDERS] = {"row-major", "column-major", "Morton", "Hilbert",
                                            "shells"};

typedef struct cube {
    int n;
    int64_t side;
    uint64_t n_cells;
    uint64_t *position; // of each cell, by its row-major number
    uint64_t *cell;     // at each position
} cube;

/* Row-major number of a cell. */
static uint64_t number_of(const cube *c, const int64_t coord[])
{
    uint64_t number = 0;

    for (int axis = 0; axis < c->n; axis++) {
        number = number * (uint64_t)c->side + (uint64_t)coord[axis];
    }
    return number;
}

static void coord_of(const cube *c, uint64_t number, int64_t coord[])
{
    for (int axis = c->n - 1; axis >= 0; axis--) {
        coord[axis] = (int64_t)(number % (uint64_t)c->side);
        number /= (uint64_t)c->side;
    }
}

static void fill_from_mapping(cube *c)
{
    static const int64_t zero[MAX_AXES] = {0}, one[MAX_AXES] = {1, 1, 1, 1};
    static const int64_t limit[MAX_AXES] = {1 << 20, 1 << 20, 1 << 20, 1 << 20};
    int64_t coord[MAX_AXES];
    xta__mapping mapping;

    if (xta__mapping_init(&mapping, c->n, zero, one, XTA__TABLE_LIMIT) != XTA_OK) {
        bench_die("no memory for a mapping");
    }
    for (int64_t k = 0; k < (c->side - 1) * c->n; k++) {
        xta__chunk_growth growth = {(int)(k % c->n), XTA_BACK, 1};
        if (xta__mapping_reserve(&mapping, &growth, 1, limit, UINT64_MAX / 4) != XTA_OK) {
            bench_die("no memory for growth %d", (int)k);
        }
        xta__mapping_grow(&mapping, &growth);
    }
    for (uint64_t number = 0; number < c->n_cells; number++) {
        coord_of(c, number, coord);
        c->position[number] = xta__mapping_address(&mapping, coord);
    }
    xta__mapping_clear(&mapping);
}

static void fill_from_grid(cube *c, xta_order order)
{
    const int64_t lengths[MAX_AXES] = {c->side, c->side, c->side, c->side};
    int64_t coord[MAX_AXES];
    xta__grid grid;

    if (xta__grid_init(&grid, order, c->n, lengths) != XTA_OK) {
        bench_die("no grid of %d axes", c->n);
    }
    for (uint64_t number = 0; number < c->n_cells; number++) {
        coord_of(c, number, coord);
        c->position[number] = xta__grid_position(&grid, coord);
    }
}

static cube make(int n, int64_t side, int order)
{
    static const xta_order orders[] = {XTA_ROW, XTA_COLUMN, XTA_MORTON, XTA_HILBERT};
    cube c = {.n = n, .side = side, .n_cells = 1};

    for (int axis = 0; axis < n; axis++) {
        c.n_cells *= (uint64_t)side;
    }
    c.position = bench_memory(c.n_cells * sizeof c.position[0]);
    c.cell = bench_memory(c.n_cells * sizeof c.cell[0]);
    if (order == SHELLS) {
        fill_from_mapping(&c);
    } else {
        fill_from_grid(&c, orders[order]);
    }
    memset(c.cell, 0xff, c.n_cells * sizeof c.cell[0]);
    for (uint64_t number = 0; number < c.n_cells; number++) {
        if (c.position[number] >= c.n_cells || c.cell[c.position[number]] != UINT64_MAX) {
            bench_die("%s order is no order", names[order]);
        }
        c.cell[c.position[number]] = number;
    }
    return c;
}

/* Over all pairs of cells that share a face. */
static double stretch(const cube *c, double *largest)
{
    uint64_t sum = 0, pairs = 0, most = 0;
    int64_t coord[MAX_AXES];

    for (uint64_t number = 0; number < c->n_cells; number++) {
        uint64_t step = c->n_cells;
        coord_of(c, number, coord);
        for (int axis = 0; axis < c->n; axis++) {
            step /= (uint64_t)c->side;
            if (coord[axis] + 1 == c->side) {
                continue;
            }
            int64_t d = (int64_t)(c->position[number + step] - c->position[number]);
            uint64_t distance = (uint64_t)(d < 0 ? -d : d);
            sum += distance;
            most = distance > most ? distance : most;
            pairs++;
        }
    }
    *largest = (double)most;
    return (double)sum / (double)pairs;
}

static bool inside(const cube *c, uint64_t number, const int64_t lo[], int64_t length)
{
    int64_t coord[MAX_AXES];

    coord_of(c, number, coord);
    for (int axis = 0; axis < c->n; axis++) {
        if (coord[axis] < lo[axis] || coord[axis] >= lo[axis] + length) {
            return false;
        }
    }
    return true;
}

/* The cells of a box whose predecessor is not in it. */
static uint64_t clusters_of(const cube *c, const int64_t lo[], int64_t length)
{
    int64_t coord[MAX_AXES];
    uint64_t n = 0;
    int axis;

    memcpy(coord, lo, sizeof coord);
    do {
        uint64_t position = c->position[number_of(c, coord)];
        n += position == 0 || !inside(c, c->cell[position - 1], lo, length);
        for (axis = c->n - 1; axis >= 0 && ++coord[axis] == lo[axis] + length; axis--) {
            coord[axis] = lo[axis];
        }
    } while (axis >= 0);
    return n;
}

static double clusters(const cube *c, int64_t length)
{
    int64_t places = c->side - length + 1, all = 1;
    int64_t lo[MAX_AXES] = {0};
    uint64_t random = 3, sum = 0;

    for (int axis = 0; axis < c->n; axis++) {
        all *= places;
    }
    int64_t visits = all < MOST_PLACES ? all : MOST_PLACES;
    for (int64_t v = 0; v < visits; v++) {
        int64_t rest = visits == all ? v : bench_below(&random, all);
        for (int axis = 0; axis < c->n; axis++) {
            lo[axis] = rest % places;
            rest /= places;
        }
        sum += clusters_of(c, lo, length);
    }
    return (double)sum / (double)visits;
}

static void compare(int n, int64_t side)
{
    enum { MEAN, LARGEST, FEW, MANY, N_FIGURES };
    double figure[N_ORDERS][N_FIGURES];
    char metric[N_FIGURES][64], name[64];

    for (int order = 0; order < N_ORDERS; order++) {
        cube c = make(n, side, order);
        figure[order][MEAN] = stretch(&c, &figure[order][LARGEST]);
        figure[order][FEW] = clusters(&c, 2);
        figure[order][MANY] = clusters(&c, side / 4);
        free(c.position);
        free(c.cell);
    }
    snprintf(metric[MEAN], sizeof metric[0], "mean distance of neighbours");
    snprintf(metric[LARGEST], sizeof metric[0], "largest distance of neighbours");
    snprintf(metric[FEW], sizeof metric[0], "clusters of a box of side 2");
    snprintf(metric[MANY], sizeof metric[0], "clusters of a box of side %d", (int)side / 4);
    for (int f = 0; f < (side / 4 > 2 ? N_FIGURES : MANY); f++) {
        for (int order = 1; order < N_ORDERS; order++) {
            snprintf(name, sizeof name, "%d axes of %d cells; %s", n, (int)side, names[order]);
            bench_print(&(bench_row){name, metric[f], figure[order][f], names[ROW], figure[ROW][f],
                                     f < FEW ? "cells" : "clusters", BENCH_COST, 0});
        }
    }
}

int main(void)
{
    bench_begin("neighbours");
    compare(2, bench_small() ? 32 : 256);
    compare(3, bench_small() ? 16 : 64);
    compare(4, bench_small() ? 8 : 16);
    return 0;
}
