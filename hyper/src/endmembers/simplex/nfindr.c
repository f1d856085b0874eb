/* N-FINDR [WINTER99]: exchange vertices of the simplex, position after position, until no exchange
 * makes it larger.
 *
 * Definition: for each position, replace its vertex by the pixel that makes the largest simplex, if
 * that is larger; repeat until a sweep over all positions changes nothing. The naive way passes
 * over all pixels for each position.
 *
 * One pass finds the best pixel for every position, and this stays valid until a vertex is
 * exchanged. So a sweep costs one pass for each exchange and not for each position, with the same
 * outcome.
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
