/* Drawing plans in a build without pictures: fails and says why. Compiled in place of plan_draw.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan_draw.h"

xta_status cli_plan_draw(const xta_rechunk_problem *problem, const xta_rechunk_plan *plan,
                         const cli_plan_style *style, const char *path, cli_error *err)
{
    (void)problem;
    (void)plan;
    (void)style;
    return cli_fail(err, XTA_EUNSUPPORTED, 0,
                    "%s: this build draws no pictures; build with Cairo and -DXTA_PICTURE=ON",
                    path);
}
