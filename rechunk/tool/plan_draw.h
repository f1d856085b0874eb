/* Plans as pictures, in builds that can draw.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_PLAN_DRAW_H
#define XTA_CLI_PLAN_DRAW_H

#include "kit/cli.h"

#include <xta/rechunk.h>

/* Which axes are shown, and a title. */
typedef struct cli_plan_style {
    const char *rows;    // number of an axis; NULL: chosen
    const char *columns; // number of an axis; NULL: chosen
    const char *title;   // NULL: the block shapes of both sides
} cli_plan_style;

/* Draw a plan to `path`; `look` may be NULL. */
xta_status cli_plan_draw(const xta_rechunk_problem *problem, const xta_rechunk_plan *plan,
                         const cli_plan_style *style, const char *path, cli_error *err);

#endif
