/* The room of repartitioning plans.
 *
 * Everything is a product of axes. A *layout* cuts each axis into *parts*, at places where both
 * sides have a cut: no block crosses them, so that the product of one part of each axis, a
 * *component*, is a problem of its own. Few parts differ; each different one is a *span*, with the
 * cuts of both sides seen from its begin.
 *
 * A *course* says how one axis of a component is gone along: into which pieces the blocks of both
 * sides are cut, and in which *events* they are moved. Event e of an axis reads some pieces and
 * writes some, both in ascending order. A *recipe* is a course for each axis and an order of axes;
 * the events of the component are the product of those of the axes, sorted first by group, then by
 * event. At each of them the product of the axes' pieces is read, then written. Whatever the
 * courses are, this is right as long as on each axis a cell's piece is read at an event not later
 * than the one that writes it: then it is so in the sorted product.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PLAN_RECHUNK_H
#define XTA_PLAN_RECHUNK_H

#include "base/base.h"

#include <xta/rechunk.h>

#define XTA__FROM 0
#define XTA__TO   1

/* ---- rechunk_cuts.c: parts of axes ---- */

/* Of an axis with very many blocks some blocks of one length that follow each other are one *fold*:
 * they are read, or written, at one event, each as a piece of its own. */
typedef struct xta__span {
    int64_t length;
    int64_t n[2];      /* blocks, or folds, of each side */
    int64_t *edge[2];  /* n + 1 each, from 0 to length */
    int64_t *count[2]; /* blocks in each fold; NULL: one in each */
    int64_t blocks[2]; /* of each side, in all */
    uint64_t n_parts;  /* how many parts of the axis are like this */
} xta__span;

/* How many blocks fold `k` has, and how long they are. */
static inline int64_t xta__fold_count(const xta__span *span, int side, int64_t k)
{
    return span->count[side] == NULL ? 1 : span->count[side][k];
}

static inline int64_t xta__fold_block(const xta__span *span, int side, int64_t k)
{
    return (span->edge[side][k + 1] - span->edge[side][k]) / xta__fold_count(span, side, k);
}

typedef struct xta__axis {
    int64_t lo, hi;
    xta_cuts cuts[2];
    int64_t n_parts;
    int64_t second; /* where the second part begins, and how long it and those behind it are */
    int64_t period;
    int64_t *begins; /* of irregular parts, n_parts + 1, and the kind of each; else NULL */
    int *kind_of;
    int kind[3]; /* of the first part, of those between, of the last */
    int n_kinds;
    xta__span *kinds;
} xta__axis;

typedef struct xta__layout {
    int ndim;
    xta__axis *axis;
    uint64_t n_components;
    uint64_t n_kinds; /* of components: the product of the axes' */
} xta__layout;

/* `glued`: one component, the whole. XTA_ENOMEM. */
xta_status xta__layout_init(xta__layout *layout, const xta_rechunk_problem *problem, bool glued,
                            xta_error *err);
void xta__layout_clear(xta__layout *layout);

int xta__axis_kind(const xta__axis *axis, int64_t part);
int64_t xta__axis_begin(const xta__axis *axis, int64_t part);

/* The number of the block that holds `x`, counted from the first one of the bounds, and where it
 * begins and ends within the bounds. */
int64_t xta__axis_block(const xta__axis *axis, int side, int64_t x, int64_t *lo, int64_t *hi);

/* The spans of a kind of component, and how many components are of it. */
uint64_t xta__layout_kind(const xta__layout *layout, uint64_t kind, const xta__span *span[]);

/* ---- rechunk_course.c ---- */

/* How memory is counted: cells alive, pieces held, parts held. */
typedef enum xta__measure { XTA__LIVE, XTA__PIECES, XTA__PARTS } xta__measure;

typedef struct xta__course {
    int64_t length;
    int64_t n[2];     /* pieces of each side */
    int64_t *edge[2]; /* n + 1 each */
    int64_t n_events;
    int64_t *first[2]; /* event e moves the pieces first[e] to first[e + 1] - 1 */
    int64_t n_groups;  /* group g holds the events group[g] to group[g + 1] - 1 */
    int64_t *group;
    int64_t n_parts;                /* of pieces read, by output blocks */
    int64_t n_stretches;            /* the same, where folds count as one block */
    int64_t *part;                  /* the edges of these */
    int64_t *part_come, *part_gone; /* n_events + 1: parts read before event e, and freed */
    int64_t *come;                  /* n_events + 1: cells below this one are read before event e */
    int64_t *gone[3];               /* and those below this one are freed, by each measure */
} xta__course;

/* What a course is made of: edges of pieces, ends of events, and ends of groups (none: one
 * group). */
typedef struct xta__course_parts {
    const int64_t *edge[2];
    int64_t n[2];
    const int64_t *event; /* ends: all but the first 0 */
    int64_t n_events;
    const int64_t *group; /* ends */
    int64_t n_groups;
    bool by_begin; /* an event belongs to the group where it begins, not where it ends */
} xta__course_parts;

/* XTA_ENOMEM. */
xta_status xta__course_init(xta__course *course, const xta__span *span,
                            const xta__course_parts *parts);
xta_status xta__course_copy(xta__course *course, const xta__course *from);
void xta__course_clear(xta__course *course);

/* The union of edges, ascending, each once; `out` has room for all of them. Returns how many. */
int64_t xta__merge_edges(const int64_t *a, int64_t n_a, const int64_t *b, int64_t n_b,
                         int64_t *out);

typedef struct xta__recipe {
    int ndim;
    int group_order[XTA_MAX_NDIM]; /* slowest axis first */
    int event_order[XTA_MAX_NDIM];
    const xta__course *course[XTA_MAX_NDIM]; /* borrowed or owned, as the holder says */
} xta__recipe;

void xta__recipe_order(xta__recipe *recipe, const int order[]);

/* Courses that go with their owner. */
typedef struct xta__pool {
    size_t n, room;
    xta__course **course;
} xta__pool;

xta_status xta__pool_add(xta__pool *pool, const xta__span *span, const xta__course_parts *parts,
                         const xta__course **course);
/* Free the course that was added last. */
void xta__pool_drop(xta__pool *pool);
/* Make the courses of `recipe` the pool's, by copying them. */
xta_status xta__pool_keep(xta__pool *pool, xta__recipe *recipe);
void xta__pool_clear(xta__pool *pool);

/* ---- rechunk_peak.c ---- */

/* A point of a walk through a component, in cells: not yet written, and read. What is alive there
 * is left + read - all. */
typedef struct xta__point {
    uint64_t left, read;
} xta__point;

/* Those points of a walk, in its order, that are the greatest for some mixture of both. */
typedef struct xta__hull {
    uint64_t cells; /* of all */
    size_t n, room;
    xta__point *point;
} xta__hull;

/* XTA_ENOMEM. The hull of the walk (LIVE or PIECES) over all axes but `without` (-1: over all). */
xta_status xta__hull_init(xta__hull *hull, const xta__recipe *recipe, int without,
                          xta__measure measure);
void xta__hull_clear(xta__hull *hull);

/* The greatest of left * a + read * b. */
uint64_t xta__hull_max(const xta__hull *hull, uint64_t a, uint64_t b);

/* The most bytes held at once, without staging. Never too low; exact unless the component has
 * more than XTA__MOST_TOURED events, or, of PARTS, more than `most_parts` parts, or unless
 * it is `stop` or more, where the answer may be anything from `stop` on. XTA_ENOMEM. */
xta_status xta__peak(const xta__recipe *recipe, xta__measure measure, uint64_t cell_bytes,
                     uint64_t most_parts, uint64_t stop, uint64_t *peak);

#define XTA__MOST_TOURED ((uint64_t)1 << 20)

/* How many events the walk has. */
uint64_t xta__recipe_events(const xta__recipe *recipe);

/* ---- rechunk_seeks.c ---- */

typedef struct xta__seeks {
    uint64_t n;     /* pieces */
    uint64_t runs;  /* R */
    uint64_t seeks; /* T */
    uint64_t cells; /* moved, those of slots beyond the bounds too */
} xta__seeks;

/* The axis number `i` of a side, from its slowest on. */
static inline int xta__slow_axis(const xta_rechunk_problem *problem, int side, int i)
{
    bool column = side == XTA__FROM ? problem->from_column : problem->to_column;

    return column ? problem->bounds.ndim - 1 - i : i;
}

/* What one axis contributes on one side. */
typedef struct xta__tally {
    uint64_t length;
    uint64_t cut;           /* pieces of blocks that are cut */
    uint64_t whole;         /* blocks that are not, as long as their slots */
    uint64_t clipped;       /* blocks that are not, but shorter than their slots */
    uint64_t uncut_length;  /* of both of these */
    uint64_t slot_length;   /* of their slots */
    uint64_t pieces_length; /* of the slots of all pieces, each piece counting one */
} xta__tally;

xta__tally xta__tally_axis(const xta_rechunk_problem *problem, const xta__span *span,
                           const xta__course *course, int axis, int side);

xta__seeks xta__seeks_sum(const xta_rechunk_problem *problem, const xta__tally tally[], int side);

/* Of one side of a component. */
xta__seeks xta__seeks_of(const xta_rechunk_problem *problem, const xta__span *const span[],
                         const xta__recipe *recipe, int side);

/* The runs of one piece [lo, hi) in the block [block_lo, block_hi). */
uint64_t xta__piece_runs(const xta_rechunk_problem *problem, int side, const xta_box *piece,
                         const xta_box *block);

/* ---- rechunk_limit.c ---- */

/* Bytes of a staging buffer under a limit: enough for large operations, a row where rows are longer
 * than that and the limit allows, a block where only blocks can be moved. */
uint64_t xta__staging_under(const xta_rechunk_problem *problem, xta__measure measure,
                            uint64_t limit);

/* What is left of a limit for what is held; 0 where there is no room even for staging. */
uint64_t xta__budget_under(const xta_rechunk_problem *problem, xta__measure measure,
                           uint64_t limit);

/* The least limit that leaves `need` bytes. */
uint64_t xta__limit_for(const xta_rechunk_problem *problem, xta__measure measure, uint64_t need);

/* ---- strategies ---- */

/* What plans are compared by: fewer runs first, and of equal runs fewer cells moved. */
typedef struct xta__cost {
    uint64_t runs, cells;
} xta__cost;

static inline bool xta__cheaper(xta__cost a, xta__cost b)
{
    return a.runs < b.runs || (a.runs == b.runs && a.cells < b.cells);
}

/* What is to be found for one kind of component. */
typedef struct xta__search {
    const xta_rechunk_problem *problem;
    const xta__span *span[XTA_MAX_NDIM];
    xta__measure measure;
    uint64_t budget; /* bytes held at most */
    uint64_t effort; /* events that may be toured to find one order */
    xta__cost limit; /* a plan that is not cheaper is of no use */
    xta__pool pool;  /* courses made on the way */
    bool found;
    xta__recipe best;
    xta__cost best_cost;
    uint64_t best_peak;
    const char *way;
    uint64_t least_peak;         /* of all that was tried: what would be enough */
    int64_t shape[XTA_MAX_NDIM]; /* of what is read at a time, where there is one */
} xta__search;

/* Look at a recipe: is it the best so far? */
xta_status xta__search_try(xta__search *search, const xta__recipe *recipe, const char *way,
                           bool *fits);

xta_status xta__plan_baseline(xta__search *search);
xta_status xta__plan_one_sided(xta__search *search, int side);

/* Try all that split (XTA__FROM) or merge (XTA__TO) tries; n: the blocks of a slab on each axis
 * that it ends with. */
xta_status xta__try_one_sided(xta__search *search, int side, int64_t n[]);

/* The plan with the fewest seeks, or the cheapest one of those below the search's limit. */
xta_status xta__plan_keep(xta__search *search, bool by_cost);
xta_status xta__plan_sweep(xta__search *search);

/* ---- rechunk_plan.c ---- */

struct xta_rechunk_plan {
    xta_rechunk_problem problem; /* its axes in reverse, if `reversed` */
    bool reversed;
    uint64_t enough; /* where no plan fits: the bytes that would be enough; UINT64_MAX: none */
    int64_t *edges;  /* copies of irregular cuts */
    xta__layout layout;
    xta__recipe *recipe; /* of each kind of component */
    xta__pool pool;
    xta_rechunk_facts facts;
};

/* ---- rechunk_problem.c ---- */

/* XTA_EARG: bounds, cuts or sizes make no sense. */
xta_status xta__problem_check(const xta_rechunk_problem *problem, xta_error *err);

/* Copy the problem and its edges to a plan. XTA_ENOMEM. */
xta_status xta__problem_copy(xta_rechunk_plan *plan, const xta_rechunk_problem *problem);

/* The same problem with its axes in reverse: what was column-major is row-major. */
void xta__problem_reverse(xta_rechunk_problem *problem);

#endif
