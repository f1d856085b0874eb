/* Copying boxes of cells to and from chunks whose cells are ordered along a curve.
 *
 * Definition: for every cell of the box, compute its position by the order, and copy it. Naive
 * version: that loop, row by row of the box, with a table of positions (kept in tests/oracle). Each
 * cache line of the chunk is then needed repeatedly, in rows that are far apart, and has left the
 * L1 cache each time.
 *
 * First improvement: block by block (order/curve.c). The cells of a block fill a few adjacent cache
 * lines of the chunk (4 KiB for 512 cells of eight bytes), which are fetched once and are then in
 * the L1 cache, in whatever order the ranks need them. While one block is copied the next is
 * prefetched: blocks that are adjacent in memory are not adjacent in the chunk, so the processor
 * cannot predict the next one.
 *
 * Second improvement: a single block is copied to rows of a few cells on many pages of memory. So
 * the blocks of a bar, consecutive along the axis that is fastest in memory, are copied to a tile
 * that holds them as a dense box, and xta__copy_run copies the tile to memory: in long rows,
 * bypassing the caches if requested, transposed, coded. If none of that is needed the cells are
 * copied directly to memory.
 *
 * Blocks that are partly outside the box, and boxes with steps, are copied in the same way with
 * fewer cells of each block.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/curve_copy.h"

#include <string.h>

#define TILE_BYTES ((size_t)32 << 10)

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) (void)(address)
#endif

/* The state of one copy. */
typedef struct curve_copy {
    const xta__curve_box *box;
    bool storing; // into the chunk
    uint8_t *chunk;
    uint8_t *memory;
    void (*changed)(void *user, size_t offset, size_t n);
    void *user;
    int bar;     // axis along which blocks are joined
    bool direct; // no tile
    // The cells of the box that lie in the current blocks; on the axis `bar`, in all blocks of the
    // bar:
    size_t begin[XTA_MAX_NDIM]; // number of the first cell on each axis
    size_t n[XTA_MAX_NDIM];
    xta__copy_plan plan; // between tile and memory, for a bar of the shape `planned`
    size_t planned[XTA_MAX_NDIM];
    ptrdiff_t tile_stride[XTA_MAX_NDIM];
} curve_copy;

/* The cells of the box in one block, as nested loops: the last is the innermost. */
typedef struct block_cells {
    uint8_t *chunk;       // the first cell of the block
    const uint8_t *next;  // the next block's cells, to prefetch
    uint8_t *cells;       // the first cell in the tile or in memory
    const uint16_t *rank; // of the first cell
    int ndim;             // at least 2
    size_t n[XTA_MAX_NDIM + 2];
    ptrdiff_t cell[XTA_MAX_NDIM + 2]; // bytes from one to the next
    size_t step[XTA_MAX_NDIM + 2];    // ranks from one to the next
} block_cells;

size_t xta__curve_tile_bytes(const xta__curve *curve, size_t cell_bytes, size_t n_cells)
{
    size_t most = TILE_BYTES / cell_bytes;

    most = most > curve->block_cells ? most : curve->block_cells;
    return (n_cells < most ? n_cells : most) * cell_bytes;
}

/* The two innermost loops. */
#define PLANE_LOOP(copy)                                             \
    for (size_t i = 0; i < rows; i++) {                              \
        uint8_t *cell = cells + (ptrdiff_t)i * b->cell[b->ndim - 2]; \
        const uint16_t *r = rank + i * b->step[b->ndim - 2];         \
        PREFETCH(b->next + ahead);                                   \
        ahead += n * bytes;                                          \
        for (size_t k = 0; k < n; k++, cell += between, r += step) { \
            uint8_t *there = b->chunk + (size_t)*r * bytes;          \
            copy                                                     \
        }                                                            \
    }

#define TYPED_PLANE(type)                           \
    {                                               \
        const size_t bytes = sizeof(type);          \
        if (storing) {                              \
            PLANE_LOOP(memcpy(there, cell, bytes);) \
        } else {                                    \
            PLANE_LOOP(memcpy(cell, there, bytes);) \
        }                                           \
    }                                               \
    break

/* Copy the cells of the two innermost loops of a block; `ahead` bytes of the next one have been
 * prefetched. */
static size_t copy_plane(const block_cells *b, uint8_t *cells, const uint16_t *rank,
                         size_t cell_bytes, bool storing, size_t ahead)
{
    typedef struct sixteen {
        uint64_t half[2];
    } sixteen;
    size_t rows = b->n[b->ndim - 2], n = b->n[b->ndim - 1], step = b->step[b->ndim - 1];
    ptrdiff_t between = b->cell[b->ndim - 1];

    switch (cell_bytes) {
    case 1:
        TYPED_PLANE(uint8_t);
    case 2:
        TYPED_PLANE(uint16_t);
    case 4:
        TYPED_PLANE(uint32_t);
    case 8:
        TYPED_PLANE(uint64_t);
    case 16:
        TYPED_PLANE(sixteen);
    default: {
        const size_t bytes = cell_bytes;
        PLANE_LOOP(memcpy(storing ? there : cell, storing ? cell : there, bytes);)
    }
    }
    return ahead;
}

static void copy_block(const block_cells *b, size_t cell_bytes, bool storing)
{
    size_t index[XTA_MAX_NDIM + 2] = {0}, ahead = 0;
    uint8_t *cells = b->cells;
    const uint16_t *rank = b->rank;

    for (;;) {
        ahead = copy_plane(b, cells, rank, cell_bytes, storing, ahead);
        int k = b->ndim - 3;
        for (; k >= 0; k--) {
            cells += b->cell[k];
            rank += b->step[k];
            if (++index[k] < b->n[k]) {
                break;
            }
            cells -= (ptrdiff_t)b->n[k] * b->cell[k];
            rank -= b->n[k] * b->step[k];
            index[k] = 0;
        }
        if (k < 0) {
            return;
        }
    }
}

/* Report which bytes of a block have been written: all, or cell by cell. */
static void report_changed(const curve_copy *c, const block_cells *b)
{
    size_t bytes = c->box->cell_bytes, base = (size_t)(b->chunk - c->chunk);
    size_t index[XTA_MAX_NDIM + 2] = {0}, cells = 1;
    const uint16_t *rank = b->rank;
    int k = 0;

    for (int axis = 0; axis < b->ndim; axis++) {
        cells *= b->n[axis];
    }
    if (cells == c->box->curve->block_cells) {
        c->changed(c->user, base, cells * bytes);
        return;
    }
    while (k >= 0) {
        c->changed(c->user, base + *rank * bytes, bytes);
        for (k = b->ndim - 1; k >= 0; k--) {
            rank += b->step[k];
            if (++index[k] < b->n[k]) {
                break;
            }
            rank -= b->n[k] * b->step[k];
            index[k] = 0;
        }
    }
}

/* How many cells of the box from number `begin` on lie in the same block; *block: its
 * coordinate. */
static size_t cells_in_block(const curve_copy *c, int axis, size_t begin, int64_t *block)
{
    const xta__curve_box *box = c->box;
    int shift = box->curve->shift[axis];
    int64_t at = box->first[axis] + (int64_t)begin * box->step[axis];
    int64_t left = ((at >> shift) + 1) * ((int64_t)1 << shift) - at;
    size_t n = (size_t)((left - 1) / box->step[axis]) + 1;

    *block = at >> shift;
    return n < box->count[axis] - begin ? n : box->count[axis] - begin;
}

/* Set up the loops over the block at `block`; on the axis of the bar n[bar] = `along` cells are
 * copied, from number `begin` on. */
static void lay_block(const curve_copy *c, const int64_t block[], size_t begin, size_t along,
                      block_cells *b)
{
    const xta__curve_box *box = c->box;
    const xta__curve *curve = box->curve;
    const ptrdiff_t *stride = c->direct ? box->stride : c->tile_stride;
    uint64_t first = xta__curve_block(curve, block, &b->rank);

    b->chunk = c->chunk + (size_t)first * box->cell_bytes;
    b->cells = c->direct ? c->memory : box->tile;
    // Two loops of one iteration, in case there are no others.
    b->ndim = 2;
    b->n[0] = b->n[1] = 1;
    b->cell[0] = b->cell[1] = 0;
    b->step[0] = b->step[1] = 0;
    for (int axis = 0; axis < curve->grid.ndim; axis++) {
        size_t from = axis == c->bar ? begin : c->begin[axis];
        size_t n = axis == c->bar ? along : c->n[axis];
        int64_t within = box->first[axis] + (int64_t)from * box->step[axis] -
                         block[axis] * ((int64_t)1 << curve->shift[axis]);
        b->rank += (size_t)within * curve->stride[axis];
        b->cells += (ptrdiff_t)(c->direct ? from : from - c->begin[axis]) * stride[axis];
        if (n > 1) {
            b->n[b->ndim] = n;
            b->cell[b->ndim] = stride[axis];
            b->step[b->ndim++] = (size_t)box->step[axis] * curve->stride[axis];
        }
    }
}

/* Copy the blocks of a bar between the chunk and the tile or memory. `block`: coordinates of the
 * first one. */
static void copy_bar(const curve_copy *c, int64_t block[])
{
    size_t at = c->begin[c->bar], end = at + c->n[c->bar];
    block_cells two[2];
    int now = 0;

    size_t n = cells_in_block(c, c->bar, at, &block[c->bar]);
    lay_block(c, block, at, n, &two[now]);
    while (at < end) {
        at += n;
        two[now].next = two[now].chunk;
        if (at < end) {
            n = cells_in_block(c, c->bar, at, &block[c->bar]);
            lay_block(c, block, at, n, &two[1 - now]);
            two[now].next = two[1 - now].chunk;
        }
        copy_block(&two[now], c->box->cell_bytes, c->storing);
        if (c->changed != NULL) {
            report_changed(c, &two[now]);
        }
        now = 1 - now;
    }
}

/* Plan a dense tile for a bar of this shape, and the copy between it and memory. */
static void plan_tile(curve_copy *c)
{
    const xta__curve_box *box = c->box;
    int ndim = box->curve->grid.ndim;
    ptrdiff_t stride = (ptrdiff_t)box->cell_bytes;
    size_t bytes = (size_t)ndim * sizeof c->n[0];

    if (memcmp(c->planned, c->n, bytes) == 0) {
        return;
    }
    memcpy(c->planned, c->n, bytes);
    for (int axis = ndim - 1; axis >= 0; axis--) {
        c->tile_stride[axis] = stride;
        stride *= (ptrdiff_t)c->n[axis];
    }
    xta__copy_plan_init(&c->plan, ndim, box->cell_bytes, c->n,
                        c->storing ? c->tile_stride : box->stride,
                        c->storing ? box->stride : c->tile_stride, box->coding, box->stream);
}

/* Copy one bar, of as many blocks as the tile can hold. `block`: coordinates of its first block;
 * only the one on axis `bar` is changed. */
static void move_bar(curve_copy *c, int64_t block[])
{
    const xta__curve_box *box = c->box;
    uint8_t *memory = c->memory;

    if (c->direct) {
        copy_bar(c, block);
        return;
    }
    plan_tile(c);
    for (int axis = 0; axis < box->curve->grid.ndim; axis++) {
        memory += (ptrdiff_t)c->begin[axis] * box->stride[axis];
    }
    if (c->storing) {
        xta__copy_run(&c->plan, box->tile, memory);
        copy_bar(c, block);
    } else {
        copy_bar(c, block);
        xta__copy_run(&c->plan, memory, box->tile);
    }
}

/* Copy all bars that follow one another on the axis `bar`. */
static void move_line(curve_copy *c, int64_t block[])
{
    const xta__curve_box *box = c->box;
    size_t across = box->cell_bytes, count = box->count[c->bar];

    for (int axis = 0; axis < box->curve->grid.ndim; axis++) {
        across *= axis == c->bar ? 1 : c->n[axis];
    }
    size_t most = c->direct ? count : box->tile_bytes / across;
    for (size_t at = 0; at < count; at += c->n[c->bar]) {
        // The tile holds at least one block.
        size_t n = cells_in_block(c, c->bar, at, &block[c->bar]);
        while (n < count - at) {
            int64_t unused;
            size_t more = cells_in_block(c, c->bar, at + n, &unused);
            if (n + more > most) {
                break;
            }
            n += more;
        }
        c->begin[c->bar] = at;
        c->n[c->bar] = n;
        move_bar(c, block);
    }
}

/* The axis of the bars: memory is best traversed along its smallest stride. */
static int axis_of_bars(const xta__curve_box *box)
{
    int found = box->curve->grid.ndim - 1;
    ptrdiff_t least = PTRDIFF_MAX;

    for (int axis = box->curve->grid.ndim - 1; axis >= 0; axis--) {
        ptrdiff_t stride = box->stride[axis] < 0 ? -box->stride[axis] : box->stride[axis];
        if (box->count[axis] > 1 && stride < least) {
            least = stride;
            found = axis;
        }
    }
    return found;
}

static void move_box(curve_copy *c)
{
    const xta__curve_box *box = c->box;
    int ndim = box->curve->grid.ndim, axis;
    int64_t block[XTA_MAX_NDIM];

    c->bar = axis_of_bars(box);
    c->direct = box->coding == NULL && !box->stream &&
                (box->count[c->bar] == 1 ||
                 (c->bar == ndim - 1 && box->stride[c->bar] == (ptrdiff_t)box->cell_bytes));
    memset(c->planned, 0, (size_t)ndim * sizeof c->planned[0]);
    for (axis = 0; axis < ndim; axis++) {
        c->begin[axis] = 0;
        c->n[axis] = cells_in_block(c, axis, 0, &block[axis]);
    }
    do {
        move_line(c, block);
        for (axis = ndim - 1; axis >= 0; axis--) {
            if (axis == c->bar) {
                continue;
            }
            c->begin[axis] += c->n[axis];
            bool more = c->begin[axis] < box->count[axis];
            c->begin[axis] = more ? c->begin[axis] : 0;
            c->n[axis] = cells_in_block(c, axis, c->begin[axis], &block[axis]);
            if (more) {
                break;
            }
        }
    } while (axis >= 0);
}

void xta__curve_read(const xta__curve_box *box, void *memory, const void *chunk)
{
    curve_copy c;

    c.box = box;
    c.storing = false;
    c.chunk = (uint8_t *)(uintptr_t)chunk; // only read
    c.memory = memory;
    c.changed = NULL;
    c.user = NULL;
    move_box(&c);
}

void xta__curve_write(const xta__curve_box *box, void *chunk, const void *memory,
                      void (*changed)(void *user, size_t offset, size_t n), void *user)
{
    curve_copy c;

    c.box = box;
    c.storing = true;
    c.chunk = chunk;
    c.memory = (uint8_t *)(uintptr_t)memory; // only read
    c.changed = changed;
    c.user = user;
    move_box(&c);
}
