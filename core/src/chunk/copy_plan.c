/* Planning a copy of a box of cells; copy.c says what for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "chunk/copy_plan.h"

static void swap_axes(xta__copy_plan *plan, int a, int b)
{
    size_t count = plan->count[a];
    ptrdiff_t to = plan->to[a], from = plan->from[a];

    plan->count[a] = plan->count[b];
    plan->to[a] = plan->to[b];
    plan->from[a] = plan->from[b];
    plan->count[b] = count;
    plan->to[b] = to;
    plan->from[b] = from;
}

void xta__copy_plan_init(xta__copy_plan *plan, int ndim, size_t cell_bytes, const size_t count[],
                         const ptrdiff_t to[], const ptrdiff_t from[], const xta__coding *coding,
                         bool stream)
{
    plan->ndim = 0;
    plan->cell_bytes = cell_bytes;
    plan->coding = coding;
    plan->stream = stream && coding == NULL;
    for (int axis = 0; axis < ndim; axis++) {
        if (count[axis] == 1) {
            continue;
        }
        int k = plan->ndim++;
        plan->count[k] = count[axis];
        plan->to[k] = to[axis];
        plan->from[k] = from[axis];
        // Insertion sort: the smallest step in the target goes last.
        for (; k > 0 && xta__stride_bytes(plan->to[k]) > xta__stride_bytes(plan->to[k - 1]); k--) {
            swap_axes(plan, k, k - 1);
        }
    }
    // From the inside: cells that are contiguous on both sides become one unit.
    while (plan->ndim > 0 && plan->to[plan->ndim - 1] == (ptrdiff_t)plan->cell_bytes &&
           plan->from[plan->ndim - 1] == (ptrdiff_t)plan->cell_bytes) {
        plan->cell_bytes *= plan->count[--plan->ndim];
    }
    // And axes that continue each other become one axis.
    for (int k = plan->ndim - 1; k > 0; k--) {
        if (plan->to[k - 1] == plan->to[k] * (ptrdiff_t)plan->count[k] &&
            plan->from[k - 1] == plan->from[k] * (ptrdiff_t)plan->count[k]) {
            plan->count[k] *= plan->count[k - 1];
            for (int j = k - 1; j + 1 < plan->ndim; j++) {
                swap_axes(plan, j, j + 1);
            }
            plan->ndim--;
        }
    }
}
