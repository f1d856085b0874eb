/* Global arrays: what they are, and their cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pexta/ga.h"

#include <ga.h>

xta_status xta__ga_inquire(int g_a, xta__ga *ga, xta_error *err)
{
    if (!GA_Valid_handle(g_a)) {
        return xta__fail(err, XTA_EARG, 0, "there is no global array %d", g_a);
    }
    if (GA_Is_mirrored(g_a) || GA_Get_pgroup(g_a) != GA_Pgroup_get_world()) {
        return xta__fail(err, XTA_EUNSUPPORTED, 0,
                         "global array %d (%s) is mirrored, or belongs to a group of processes; "
                         "copy it to one of the world group first",
                         g_a, GA_Inquire_name(g_a));
    }
    ga->g_a = g_a;
    NGA_Inquire64(g_a, &ga->type, &ga->ndim, ga->dims);
    ga->one_block = GA_Total_blocks(g_a) <= 0;
    return XTA_OK;
}

xta_box xta__ga_block(const xta__ga *ga, int rank)
{
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM];
    bool empty = false;

    NGA_Distribution64(ga->g_a, rank, lo, hi);
    for (int axis = 0; axis < ga->ndim; axis++) {
        empty = empty || lo[axis] < 0 || hi[axis] < lo[axis];
        hi[axis]++;
    }
    for (int axis = 0; axis < ga->ndim && empty; axis++) {
        lo[axis] = hi[axis] = 0;
    }
    return xta_box_make(ga->ndim, lo, hi);
}

void xta__ga_block_lengths(const xta__ga *ga, int64_t lengths[])
{
    int n_blocks[PEXTA_MAX_NDIM], cyclic[PEXTA_MAX_NDIM];

    if (!ga->one_block) {
        GA_Get_block_info(ga->g_a, n_blocks, cyclic);
    }
    for (int axis = 0; axis < ga->ndim; axis++) {
        lengths[axis] = ga->one_block ? 0 : cyclic[axis];
    }
    for (int rank = 0; rank < xta__pexta.n_ranks && ga->one_block; rank++) {
        xta_box block = xta__ga_block(ga, rank);
        for (int axis = 0; axis < ga->ndim; axis++) {
            int64_t length = block.hi[axis] - block.lo[axis];
            lengths[axis] = length > lengths[axis] ? length : lengths[axis];
        }
    }
}

/* ---- cells ---- */

int xta__file_axis(const xta__move *move, int g_axis)
{
    return move->transposed ? move->box.ndim - 1 - g_axis : g_axis;
}

typedef struct g_section {
    int64_t lo[PEXTA_MAX_NDIM], hi[PEXTA_MAX_NDIM], ld[PEXTA_MAX_NDIM];
} g_section;

/* Where the cells of a piece lie in the global array, and in a dense buffer in its order. */
static g_section section_of(const xta__move *move, const xta_box *piece)
{
    g_section s = {{0}, {0}, {0}};

    for (int g_axis = 0; g_axis < piece->ndim; g_axis++) {
        int axis = xta__file_axis(move, g_axis);
        s.lo[g_axis] = move->g_lo[g_axis] + piece->lo[axis] - move->box.lo[axis];
        s.hi[g_axis] = s.lo[g_axis] + piece->hi[axis] - piece->lo[axis] - 1;
        if (g_axis > 0) {
            s.ld[g_axis - 1] = s.hi[g_axis] - s.lo[g_axis] + 1;
        }
    }
    return s;
}

void xta__get_job(const xta__move *move, const xta__job *job)
{
    g_section s = section_of(move, &job->box);

    NGA_Get64(move->g_a, s.lo, s.hi, job->cells, s.ld);
}

void xta__put_job(const xta__move *move, const xta__job *job)
{
    g_section s = section_of(move, &job->box);

    NGA_Put64(move->g_a, s.lo, s.hi, job->cells, s.ld);
}
