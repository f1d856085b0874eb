/* The assignment of least cost.
 *
 * Definition: of all ways to give each row a column of its own (rows being the shorter side), the
 * one whose costs add up to the least. The naive way tries all of them, n! sums.
 *
 * The Hungarian method [KUHN55], here as successive shortest paths, keeps a price for each row and
 * column such that cost - price(row) - price(column) >= 0 everywhere, and 0 along the assignment.
 * Rows are added one by one, each by the cheapest alternating path (Dijkstra's algorithm on the
 * reduced costs); then the prices along that path are adjusted. That takes n^3 steps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/score.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

typedef struct assigning {
    size_t m, n; /* m rows <= n columns */
    const double *cost;
    size_t row_step, column_step; /* steps in the cost matrix as given, which may be transposed */
    double *row_price;            /* m */
    double *column_price;         /* n + 1; column n stands for "the row that is being added" */
    double *slack;                /* n: cheapest reduced cost of reaching the column */
    size_t *row_of;               /* n + 1 */
    size_t *before;               /* n: the column before it on the cheapest path */
    bool *reached;                /* n + 1 */
} assigning;

static bool assigning_new(assigning *a)
{
    a->row_price = calloc(a->m, sizeof *a->row_price);
    a->column_price = calloc(a->n + 1, sizeof *a->column_price);
    a->slack = calloc(a->n, sizeof *a->slack);
    a->row_of = calloc(a->n + 1, sizeof *a->row_of);
    a->before = calloc(a->n, sizeof *a->before);
    a->reached = calloc(a->n + 1, sizeof *a->reached);
    return a->row_price != NULL && a->column_price != NULL && a->slack != NULL &&
           a->row_of != NULL && a->before != NULL && a->reached != NULL;
}

static void assigning_clear(assigning *a)
{
    free(a->row_price);
    free(a->column_price);
    free(a->slack);
    free(a->row_of);
    free(a->before);
    free(a->reached);
}

/* Relax all columns from the row of column `from`; returns the nearest one not yet reached. */
static size_t relax_columns(assigning *a, size_t from)
{
    size_t row = a->row_of[from];
    size_t nearest = NONE;
    for (size_t c = 0; c < a->n; c++) {
        if (a->reached[c]) {
            continue;
        }
        double reduced = a->cost[row * a->row_step + c * a->column_step] - a->row_price[row] -
                         a->column_price[c];
        if (reduced < a->slack[c]) {
            a->slack[c] = reduced;
            a->before[c] = from;
        }
        if (nearest == NONE || a->slack[c] < a->slack[nearest]) {
            nearest = c;
        }
    }
    return nearest;
}

/* Change the prices of all rows and columns reached by `by`, so that the reduced cost of the
 * nearest column becomes 0.
 */
static void adjust_prices(assigning *a, double by)
{
    for (size_t c = 0; c <= a->n; c++) {
        if (a->reached[c]) {
            a->row_price[a->row_of[c]] += by;
            a->column_price[c] -= by;
        } else {
            a->slack[c] -= by;
        }
    }
}

static void add_row(assigning *a, size_t row)
{
    size_t at = a->n;
    a->row_of[at] = row;
    memset(a->reached, 0, (a->n + 1) * sizeof *a->reached);
    for (size_t c = 0; c < a->n; c++) {
        a->slack[c] = HUGE_VAL;
    }
    while (a->row_of[at] != NONE) {
        a->reached[at] = true;
        size_t next = relax_columns(a, at);
        adjust_prices(a, a->slack[next]);
        at = next;
    }
    while (at != a->n) {
        a->row_of[at] = a->row_of[a->before[at]];
        at = a->before[at];
    }
}

xta_status xta_assign(size_t n_rows, size_t n_columns, const double *cost, int64_t *column_of,
                      xta_error *err)
{
    if (n_rows == 0 || n_columns == 0) {
        return xta_error_set(err, XTA_EARG, 0, "an assignment needs at least one row and column");
    }
    for (size_t k = 0; k < n_rows * n_columns; k++) {
        if (!isfinite(cost[k])) {
            return xta_error_set(err, XTA_EARG, 0, "the cost of row %zu, column %zu is no number",
                                 k / n_columns, k % n_columns);
        }
    }
    bool turned = n_rows > n_columns;
    assigning a = {.m = turned ? n_columns : n_rows,
                   .n = turned ? n_rows : n_columns,
                   .cost = cost,
                   .row_step = turned ? 1 : n_columns,
                   .column_step = turned ? n_columns : 1};
    if (!assigning_new(&a)) {
        assigning_clear(&a);
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for an assignment of %zu to %zu",
                             n_rows, n_columns);
    }
    for (size_t c = 0; c <= a.n; c++) {
        a.row_of[c] = NONE;
    }
    for (size_t row = 0; row < a.m; row++) {
        add_row(&a, row);
    }
    for (size_t row = 0; row < n_rows; row++) {
        column_of[row] = -1;
    }
    for (size_t c = 0; c < a.n; c++) {
        if (a.row_of[c] != NONE) {
            column_of[turned ? c : a.row_of[c]] = (int64_t)(turned ? a.row_of[c] : c);
        }
    }
    assigning_clear(&a);
    return XTA_OK;
}
