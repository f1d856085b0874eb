/* xta version: which version this is, and what it was built with.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "version.h"

#include "kit/programs.h"

static xta_status run(const cli_args *args, cli_error *err)
{
    (void)args;
    printf("xta %s\n", xta_version());
    fflush(stdout);
    // The import program lists its formats; a build without that program has none.
    if (cli_program_copy_output("import", "--formats") == XTA_EIO) {
        return cli_fail(err, XTA_EIO, 0, "xta-import: cannot tell its formats");
    }
    return XTA_OK;
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
