/* xta version: which version this is, and what it was built with.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include "bridge_door.h"

static xta_status run(const cli_args *args, cli_error *err)
{
    (void)args;
    cli_bridges bridges;
    xta_status status = XTA_OK;

    printf("xta %s\n", xta_version());
    CLI_TRY(cli_bridges_load(&bridges, &err->error));
    for (int k = 0; bridges.name(k) != NULL; k++) {
        printf("bridge %s\n", bridges.summary(k)); // It begins with the name.
    }
done:
    return status;
}

const cli_command cli_version = {
    .name = "version",
    .summary = "print the version and the formats of this build",
    .usage = "",
    .details = "Prints the version and a line for each format that import and export know. "
               "xta --version prints the version alone.",
    .example = "  xta version",
    .min_words = 0,
    .max_words = 0,
    .run = run,
};
