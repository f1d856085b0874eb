/* Every operation of a small plan is replayed cell by cell, independently of how the plan was made.
 * Blocks are found by going along the cuts, which is slow but simple.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "planner/check_plan.h"

#include "planner/plan_iterator.h"

bool xta__plan_check_init(xta__plan_check *check, const xta_rechunk_problem *problem,
                          const xta_rechunk_facts *facts)
{
    uint64_t cells = 0;

    *check = (xta__plan_check){.problem = problem, .facts = facts};
    return xta_box_cells(&problem->bounds, &cells) == XTA_OK && cells <= XTA__MOST_CHECKED_CELLS;
}

static const xta_cuts *cuts_of(const xta__plan_check *check, int side, int axis)
{
    return side == XTA__FROM ? &check->problem->from.axis[axis] : &check->problem->to.axis[axis];
}

/* Whether a block ends at x: at a bound or a cut. */
static bool is_cut(const xta__plan_check *check, int side, int axis, int64_t x)
{
    const xta_cuts *cuts = cuts_of(check, side, axis);
    bool cut = x == check->problem->bounds.lo[axis] || x == check->problem->bounds.hi[axis];

    for (int64_t k = 0; cuts->length == 0 && k < cuts->n_edges; k++) {
        cut |= cuts->edges[k] == x;
    }
    return cut || (cuts->length > 0 && xta__floor_mod(x - cuts->origin, cuts->length) == 0);
}

/* Check P1 on one axis; *whole: the piece spans the whole block. */
static const char *check_interval(const xta__plan_check *check, const xta_rechunk_op *op, int axis,
                                  bool *whole)
{
    const xta_box *bounds = &check->problem->bounds;
    int64_t lo = op->piece.lo[axis], hi = op->piece.hi[axis];
    int side = op->write ? XTA__TO : XTA__FROM;
    int64_t block = 0;

    if (lo >= hi || lo < bounds->lo[axis] || hi > bounds->hi[axis]) {
        return "P1: a piece is empty or leaves the bounds";
    }
    for (int64_t x = bounds->lo[axis] + 1; x <= lo; x++) {
        block += is_cut(check, side, axis, x);
    }
    if (block != op->block[axis]) {
        return "P1: a piece lies in another block than its operation names";
    }
    for (int64_t x = lo + 1; x < hi; x++) {
        if (is_cut(check, side, axis, x)) {
            return "P1: a piece lies in several blocks";
        }
    }
    *whole = *whole && is_cut(check, side, axis, lo) && is_cut(check, side, axis, hi);
    return NULL;
}

static const char *check_piece(const xta__plan_check *check, const xta_rechunk_op *op)
{
    const char *flaw = NULL;
    bool whole = true;

    if (op->piece.ndim != check->problem->bounds.ndim) {
        return "P1: a piece has other axes than the bounds";
    }
    for (int axis = 0; axis < op->piece.ndim && flaw == NULL; axis++) {
        flaw = check_interval(check, op, axis, &whole);
    }
    if (flaw == NULL && op->whole != whole) {
        flaw = "P1: `whole` is not true";
    }
    if (flaw == NULL && op->component >= check->facts->n_components) {
        flaw = "P7: there is no such component";
    }
    return flaw;
}

/* The row-major number of a cell within the bounds. */
static size_t cell_number(const xta_box *bounds, const int64_t coord[])
{
    size_t number = 0;

    for (int axis = 0; axis < bounds->ndim; axis++) {
        number = number * (size_t)(bounds->hi[axis] - bounds->lo[axis]) +
                 (size_t)(coord[axis] - bounds->lo[axis]);
    }
    return number;
}

static bool next_cell(const xta_box *box, int64_t coord[])
{
    for (int axis = box->ndim - 1; axis >= 0; axis--) {
        if (++coord[axis] < box->hi[axis]) {
            return true;
        }
        coord[axis] = box->lo[axis];
    }
    return false;
}

/* Check P2 to P4, as far as one operation allows. */
static const char *check_cells(xta__plan_check *check, const xta_rechunk_op *op)
{
    int side = op->write ? XTA__TO : XTA__FROM;
    int64_t coord[XTA_MAX_NDIM];

    for (int axis = 0; axis < op->piece.ndim; axis++) {
        coord[axis] = op->piece.lo[axis];
    }
    do {
        size_t cell = cell_number(&check->problem->bounds, coord);
        if (check->moved[side][cell]) {
            return op->write ? "P3: a cell is written twice" : "P2: a cell is read twice";
        }
        if (op->write && !check->moved[XTA__FROM][cell]) {
            return "P4: a cell is written before it is read";
        }
        check->moved[side][cell] = true;
        check->n_cells[side]++;
    } while (next_cell(&op->piece, coord));
    return NULL;
}

const char *xta__plan_check_op(xta__plan_check *check, const xta_rechunk_op *op)
{
    int side = op->write ? XTA__TO : XTA__FROM;
    const char *flaw = check_piece(check, op);

    if (flaw == NULL) {
        flaw = check_cells(check, op);
    }
    check->n[side]++;
    check->runs[side] += op->runs;
    check->live_bytes =
        (check->n_cells[XTA__FROM] - check->n_cells[XTA__TO]) * check->problem->cell_bytes;
    if (flaw == NULL && check->live_bytes > check->facts->peak_live_bytes) {
        flaw = "P5: more cells are held than the facts say";
    }
    if (flaw == NULL && check->problem->account == XTA_ACCOUNT_LIVE &&
        check->live_bytes > check->problem->memory_bytes) {
        flaw = "P5: more cells are held than the limit allows";
    }
    return flaw;
}

const char *xta__plan_check_end(const xta__plan_check *check)
{
    const xta_rechunk_facts *facts = check->facts;
    uint64_t cells = 0;

    (void)!xta_box_cells(&check->problem->bounds, &cells);
    if (check->n_cells[XTA__FROM] != cells) {
        return "P2: a cell is not read";
    }
    if (check->n_cells[XTA__TO] != cells) {
        return "P3: a cell is not written";
    }
    if (check->problem->account == XTA_ACCOUNT_ALLOCATED &&
        facts->peak_allocated_bytes > check->problem->memory_bytes) {
        return "P6: more is allocated than the limit allows";
    }
    if (check->n[XTA__FROM] != facts->n_reads || check->n[XTA__TO] != facts->n_writes) {
        return "P7: there are more or fewer operations than the facts say";
    }
    if (check->runs[XTA__FROM] != facts->read_runs || check->runs[XTA__TO] != facts->write_runs) {
        return "P7: there are more or fewer runs than the facts say";
    }
    return NULL;
}

const char *xta__check_plan(const xta_rechunk_plan *plan)
{
    xta_rechunk_problem problem = plan->problem;
    xta_rechunk_iterator walk;
    xta__plan_check check;
    xta_rechunk_op op;
    const char *flaw = NULL;

    if (plan->reversed) {
        xta__problem_reverse(&problem); // the caller's order of axes applies to operations
    }
    if (!xta__plan_check_init(&check, &problem, &plan->facts)) {
        return NULL;
    }
    xta__plan_iterator_init(&walk, plan, 0, plan->facts.n_components);
    while (flaw == NULL && xta_rechunk_iterator_next(&walk, &op)) {
        flaw = xta__plan_check_op(&check, &op);
    }
    return flaw == NULL ? xta__plan_check_end(&check) : flaw;
}
