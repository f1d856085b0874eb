/* xta draw in a build without pictures: it says so. Compiled in place of cmd_draw.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

static xta_status run(const cli_args *args, cli_error *err)
{
    return cli_fail(err, XTA_EUNSUPPORTED, 0,
                    "%s: this build draws no pictures; build with Cairo and -DXTA_PICTURE=ON",
                    args->words[0]);
}

const cli_command cli_draw = {
    .name = "draw",
    .summary = "draw an allocation map or a quicklook (not in this build)",
    .usage = "A",
    .details = "This build draws no pictures.",
    .example = "  xta draw runs",
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
