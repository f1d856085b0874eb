/* xta-mpi hyper: the commands of xta hyper, by many processes.
 *
 * They are the same commands, in the library that xta loads: they take all steps together and ask a
 * team who leads. Here the ranks become that team.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "mpi_tool.h"

#include <dlfcn.h>
#include <string.h>

#include <xta/parallel.h>

typedef void set_team(const xta_team *team);

/* Tell the library that was loaded for a command who takes part. */
static xta_status join(const xta_team *team, cli_error *err)
{
    set_team *set = NULL;
    void *library = dlopen(XTA_HYPER_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "xta_hyper_set_team") : NULL;

    // As in cli/cmd_hyper.c.
    memcpy(&set, &symbol, sizeof set);
    if (set == NULL) {
        return cli_fail(err, XTA_EUNSUPPORTED, 0,
                        XTA_HYPER_LIBRARY
                        " is of another version; install the one of this xta-mpi");
    }
    set(team);
    return XTA_OK;
}

/* Collective. A command that all ranks have found, with its own command line. */
static xta_status run(const mpi_team *team, const cli_command *command, int argc, char *argv[],
                      cli_error *err)
{
    cli_args args;
    xta_team *ranks = NULL;
    xta_status status = xta__team_agree(team, cli_args_parse(&args, command, argc, argv, err), err);

    if (status == XTA_OK && args.help) {
        if (team->rank == 0) {
            cli_print_help(command, stdout);
        }
        cli_args_clear(&args);
        return XTA_OK;
    }
    if (status == XTA_OK) {
        status = xta_team_mpi(team->comm, &ranks, &err->error);
    }
    if (status == XTA_OK) {
        status = xta__team_agree(team, join(ranks, err), err);
    }
    if (status == XTA_OK) {
        status = command->run(&args, err);
        status = xta__team_agree(team, status, err);
    }
    xta_team_mpi_free(ranks);
    cli_args_clear(&args);
    return status;
}

xta_status xta__mpi_hyper_run(const mpi_team *team, int argc, char *argv[], cli_error *err)
{
    const cli_command *command = NULL;
    xta_status status;

    if (argc < 1) {
        return cli_usage(err, "what to do is missing: xta-mpi hyper %s", cli_hyper.usage);
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        if (team->rank == 0) {
            cli_print_help(&cli_hyper, stdout);
        }
        return XTA_OK;
    }
    status = xta__team_agree(team, cli_hyper.find(argv[0], &command, err), err);
    return status == XTA_OK ? run(team, command, argc - 1, argv + 1, err) : status;
}
