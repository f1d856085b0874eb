/* Hilbert order: successive cells are neighbours, and cells near each other are mostly near on the
 * curve.
 *
 * Definition (equal lengths 2^m, n axes; [BUTZ] in the form of [LAWDER]). The position is cut into
 * m groups of n bits, highest first, and so are the coordinates: group i of the coordinates holds
 * bit m - i of each, the first axis highest. For each group,
 *
 *   Lawder   here
 *   rho      rho       group of the position
 *   sigma    gray      Gray code of rho
 *   J        principal the last bit of rho, counted from 1 at the highest, that
 *                      differs from its lowest bit; n if there is none
 *   tau      exit      gray with its lowest bit flipped and then, if the number of ones is
 *                      odd, the bit at the principal place too
 *   ~        turn      rotation to the right by the sum of (J - 1) over the groups before
 *   omega    flip      sum (without carry) of all turned taus before
 *   alpha    alpha     group of the coordinates: flip + turned gray
 *
 * Each group selects one of the 2^n parts of a cube along a Gray code; `turn` and `flip` orient the
 * curve in that part so that it begins where the curve of the previous part ends. Every step is
 * invertible.
 *
 * The first coordinate is the highest bit of a group, so the curve leaves the first part of the
 * whole cube along the last axis. Therefore (5,3) is the 52nd cell of the curve of order 3 in two
 * dimensions ([CXA] 5.4.1): docs/decisions/0005-in-chunk-orders.md shows the result of the other
 * choice.
 *
 * Lengths that differ (compact Hilbert indices, [HRC]). Take the curve of the smallest cube around
 * the box. On high levels the short axes have no bit: alpha is 0 there, so these bits of gray are
 * given by flip, and each such bit of rho follows from the one above it. Omitting these bits from
 * rho loses nothing and keeps the order of the cells; the remainder is the rank of the cell among
 * the cells of the box, without gaps. If all lengths are equal no bit is omitted and the result is
 * the curve itself, so one function serves both cases. Axes of length 1 are removed first: they
 * would change n.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "geometry/order/hilbert.h"

/* The orientation of the curve in the current part of the cube. */
typedef struct orientation {
    int n;         // axes that count, >= 1
    uint32_t mask; // n ones
    int turn;      // 0 .. n - 1
    uint32_t flip;
} orientation;

static orientation orientation_at_start(const xta__grid *grid)
{
    int n = grid->n_kept;

    return (orientation){.n = n, .mask = n == 32 ? UINT32_MAX : ((uint32_t)1 << n) - 1};
}

/* Rotation of n bits, 0 <= by < n. In 64 bits, so that a shift by n = 32 is defined. */
static uint32_t rotate_right(uint32_t value, int by, const orientation *o)
{
    return (uint32_t)((uint64_t)value >> by | (uint64_t)value << (o->n - by)) & o->mask;
}

static uint32_t rotate_left(uint32_t value, int by, const orientation *o)
{
    return (uint32_t)((uint64_t)value << by | (uint64_t)value >> (o->n - by)) & o->mask;
}

static uint32_t from_gray(uint32_t gray)
{
    // Each bit is the sum of all bits of `gray` from the top down to it.
    gray ^= gray >> 1;
    gray ^= gray >> 2;
    gray ^= gray >> 4;
    gray ^= gray >> 8;
    gray ^= gray >> 16;
    return gray;
}

/* The lowest bit of `bits` that is one, counted from 0. Not for 0. */
static int lowest_one(uint32_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctz(bits);
#else
    int place = 0;

    while ((bits >> place & 1) == 0) {
        place++;
    }
    return place;
#endif
}

/* Enter the part `rho` of the cube. */
static void descend(orientation *o, uint32_t rho, uint32_t gray)
{
    // Counted from the lowest bit: n - J. Bits equal to the lowest become 0, the rest 1.
    uint32_t differing = ((rho & 1) != 0 ? ~rho : rho) & o->mask;
    int place = differing == 0 ? 0 : lowest_one(differing);
    // The lowest bit of rho is the sum of all bits of its Gray code, of which one is flipped.
    uint32_t exit_is_odd = ~rho & 1;
    uint32_t exit = gray ^ 1 ^ exit_is_odd << place;

    o->flip ^= rotate_right(exit, o->turn, o);
    o->turn += o->n - 1 - place;
    o->turn -= o->turn >= o->n ? o->n : 0;
}

/* The position's groups of the levels from the highest down to `lowest`. The orientation of the
 * curve on the levels below depends on `turn` and `flip` alone. */
static uint64_t hilbert_block(const xta__grid *grid, const int64_t coord[], int lowest,
                              uint64_t *pattern)
{
    orientation o = orientation_at_start(grid);
    uint64_t position = 0;

    for (int level = grid->n_levels - 1; level >= lowest; level--) {
        uint32_t alpha = 0;
        for (int k = 0; k < grid->n_kept; k++) {
            alpha = alpha << 1 | (uint32_t)(coord[grid->kept[k]] >> level & 1);
        }
        uint32_t gray = rotate_left(alpha ^ o.flip, o.turn, &o);
        uint32_t rho = from_gray(gray);
        uint32_t free = rotate_left(grid->free_axes[level], o.turn, &o);
        if (free == o.mask) {
            position = position << o.n | rho;
        } else {
            for (int bit = o.n - 1; bit >= 0; bit--) {
                uint32_t taken = free >> bit & 1;
                position = position << taken | (rho >> bit & taken);
            }
        }
        descend(&o, rho, gray);
    }
    *pattern = (uint64_t)o.turn << 32 | o.flip;
    return position;
}

static uint64_t hilbert_position(const xta__grid *grid, const int64_t coord[])
{
    uint64_t pattern;

    return hilbert_block(grid, coord, 0, &pattern);
}

/* The group of the position on one level: its free bits are the lowest of `rest`, highest first;
 * the others follow from the Gray code's bit, which `fixed` gives, and the bit above. */
static uint32_t rebuild_group(uint64_t rest, int n_free, uint32_t free, uint32_t fixed, int n)
{
    uint32_t rho = 0;

    for (int bit = n - 1; bit >= 0; bit--) {
        uint32_t above = rho & 1;
        if ((free >> bit & 1) != 0) {
            n_free--;
            rho = rho << 1 | (uint32_t)(rest >> n_free & 1);
        } else {
            rho = rho << 1 | (above ^ (fixed >> bit & 1));
        }
    }
    return rho;
}

static int count_ones(uint32_t bits)
{
    int n = 0;

    for (; bits != 0; bits &= bits - 1) {
        n++;
    }
    return n;
}

static void hilbert_coord(const xta__grid *grid, uint64_t position, int64_t coord[])
{
    orientation o = orientation_at_start(grid);
    int below = 0; // bits of the position that belong to lower levels

    for (int axis = 0; axis < grid->ndim; axis++) {
        coord[axis] = 0;
    }
    for (int level = 0; level < grid->n_levels; level++) {
        below += count_ones(grid->free_axes[level]);
    }
    for (int level = grid->n_levels - 1; level >= 0; level--) {
        int n_free = count_ones(grid->free_axes[level]);
        below -= n_free;
        uint32_t free = rotate_left(grid->free_axes[level], o.turn, &o);
        uint32_t fixed = rotate_left(o.flip, o.turn, &o);
        uint32_t rho = rebuild_group(position >> below, n_free, free, fixed, o.n);
        uint32_t gray = rho ^ rho >> 1;
        uint32_t alpha = rotate_right(gray, o.turn, &o) ^ o.flip;
        for (int k = grid->n_kept - 1; k >= 0; k--) {
            coord[grid->kept[k]] |= (int64_t)(alpha & 1) << level;
            alpha >>= 1;
        }
        descend(&o, rho, gray);
    }
}

const xta__layout xta__layout_hilbert = {
    .needs_powers_of_two = true,
    .strided = false,
    .prepare = NULL,
    .position = hilbert_position,
    .coord = hilbert_coord,
    .block = hilbert_block,
};
