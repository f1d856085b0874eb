/* N-FINDR: exchanges that make the simplex larger, position after position, until none does.
 *
 * One step knows the best pixel for every position as long as nothing is exchanged, so a sweep
 * costs a step for each exchange and not for each position; the outcome is that of looking at every
 * position in turn.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "endmembers/simplex/nfindr.h"

#include "endmembers/pixels/winner.h"
#include "endmembers/simplex/selection_step.h"
#include "endmembers/simplex/selection_trace.h"
#include "util/try.h"

xta_status xta__nfindr_exchange(selection *s, size_t n, size_t vertex[], xta_error *err)
{
    const winner *winners = NULL;
    xta_status status = XTA_OK;

    s->p->converged = false;
    while (!s->p->converged && s->p->n_sweeps < s->max_sweeps) {
        s->p->converged = true;
        for (size_t k = 0; k < n; k++) {
            if (winners == NULL) {
                XTA_TRY(xta__selection_step(s, STEP_EXCHANGE, n, vertex, &winners, err));
            }
            if (winners[k].found) {
                XTA_TRY(xta__selection_add_pixel(s, &winners[k], &vertex[k], err));
                winners = NULL;
                s->p->converged = false;
            }
        }
        s->p->n_sweeps++;
    }
done:
    return status;
}
