/* What an answer says.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xta_cube_answer_free(xta_cube_answer *answer)
{
    if (answer == NULL) {
        return;
    }
    for (int k = 0; k < answer->ndim; k++) {
        free(answer->axes[k].labels);
    }
    for (size_t k = 0; k < answer->n_readings; k++) {
        free((char *)answer->readings[k].levels);
    }
    free(answer->readings);
    xta__planes_clear(&answer->planes);
    free(answer);
}

int xta_cube_answer_ndim(const xta_cube_answer *answer)
{
    return answer->n_shown;
}

int xta_cube_answer_axis(const xta_cube_answer *answer, int k)
{
    return answer->shown[k];
}

int64_t xta_cube_answer_length(const xta_cube_answer *answer, int k)
{
    return (int64_t)answer->axes[answer->shown[k]].n;
}

int64_t xta_cube_answer_label(const xta_cube_answer *answer, int k, int64_t n)
{
    return answer->axes[answer->shown[k]].labels[n];
}

void xta_cube_answer_text(const xta_cube_answer *answer, int k, int64_t n, char text[48])
{
    const xta__answer_axis *axis = &answer->axes[answer->shown[k]];
    int64_t label = axis->labels[n];

    if (axis->grouping == XTA__PERIODS) {
        xta_calendar_group_text(axis->calendar, axis->by, label, text);
    } else if (axis->grouping == XTA__BLOCKS) {
        snprintf(text, 48, "[%" PRId64 ":%" PRId64 ")", label * axis->cells,
                 (label + 1) * axis->cells);
    } else {
        snprintf(text, 48, "%" PRId64, label);
    }
}

xta_cube_values xta_cube_answer_values(const xta_cube_answer *answer, uint64_t n)
{
    xta_cube_number const *const *at = (xta_cube_number const *const *)answer->planes.at;
    xta_cube_values v;

    memset(&v, 0, sizeof v);
    v.count = at[XTA_CUBE_COUNT][n].u;
    v.sum = at[XTA_CUBE_SUM] != NULL ? at[XTA_CUBE_SUM][n] : v.sum;
    v.min = at[XTA_CUBE_MIN] != NULL ? at[XTA_CUBE_MIN][n] : v.min;
    v.max = at[XTA_CUBE_MAX] != NULL ? at[XTA_CUBE_MAX][n] : v.max;
    return v;
}

const xta_cube_reading *xta_cube_answer_reading(const xta_cube_answer *answer, size_t k)
{
    return k < answer->n_readings ? &answer->readings[k] : NULL;
}
