/* The table of the subcommands of `xta hyper`.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "verbs/verbs.h"

#include <string.h>

#include "support/options.h"

static const cli_command *const commands[] = {
    &cli_hyper_pct,    &cli_hyper_count,    &cli_hyper_endmembers,
    &cli_hyper_unmix,  &cli_hyper_classify, &cli_hyper_score,
    &cli_hyper_follow, &cli_hyper_report,   &cli_hyper_synth,
};

const cli_command *xta_hyper_command(const char *word)
{
    for (size_t k = 0; k < CLI_COUNT(commands); k++) {
        // The names contain both words: "hyper pct".
        if (strcmp(strchr(commands[k]->name, ' ') + 1, word) == 0) {
            return commands[k];
        }
    }
    return NULL;
}

void xta_hyper_set_communicator(const xta_communicator *communicator)
{
    cli_hyper_set_communicator(communicator);
}
