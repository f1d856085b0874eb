/* The subcommands of `xta hyper`: one file verbs/NAME.c for each.
 *
 * They are in a separate library, which the tool loads when one of them is requested: the linear
 * algebra that they need would double the startup time of every other command. xta-mpi loads the
 * same library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_HYPER_COMMANDS_H
#define XTA_CLI_HYPER_COMMANDS_H

#include <xta/communicator.h>

#include "kit/cli.h"

extern const cli_command cli_hyper_pct, cli_hyper_count, cli_hyper_endmembers, cli_hyper_unmix,
    cli_hyper_classify, cli_hyper_score, cli_hyper_follow, cli_hyper_report, cli_hyper_synth;

/* The command that a word such as "pct" names, or NULL. The tool looks this function up in the
 * library. */
typedef const cli_command *cli_hyper_lookup(const char *word);
XTA_API cli_hyper_lookup xta_hyper_command;

/* cli_hyper_set_communicator, for a program that has loaded the library. */
XTA_API void xta_hyper_set_communicator(const xta_communicator *communicator);

#endif
