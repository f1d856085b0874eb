/* xta-mpi hyper: the commands of xta hyper, by many processes.
 *
 * They are the same commands, in the library that xta loads: all processes do all steps together,
 * and a communicator (xta_communicator) says which rank leads. Here it is the communicator of the
 * ranks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "mpi_tool.h"

#include <dlfcn.h>
#include <string.h>

#include <xta/parallel.h>

typedef void communicator_setter(const xta_communicator *communicator);

/* Give the library that was loaded for a command the communicator of the ranks. */
static xta_status hand_over_communicator(const xta_communicator *communicator, cli_error *err)
{
    communicator_setter *set = NULL;
    void *library = dlopen(XTA_HYPER_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
    void *symbol = library != NULL ? dlsym(library, "xta_hyper_set_communicator") : NULL;

    // Copied as in the loader of verbs.
    memcpy(&set, &symbol, sizeof set);
    if (set == NULL) {
        return cli_fail(err, XTA_EUNSUPPORTED, 0,
                        XTA_HYPER_LIBRARY
                        " is of another version; install the one of this xta-mpi");
    }
    set(communicator);
    return XTA_OK;
}

/* Collective. Run a command that all ranks have found, with its own command line. */
static xta_status run_command(const mpi_ranks *ranks, const cli_command *command, int argc,
                              char *argv[], cli_error *err)
{
    cli_args args;
    xta_communicator *communicator = NULL;
    xta_status status =
        xta__ranks_agree(ranks, cli_args_parse(&args, command, argc, argv, err), err);

    if (status == XTA_OK && args.help) {
        if (ranks->rank == 0) {
            cli_print_help(command, stdout);
        }
        cli_args_clear(&args);
        return XTA_OK;
    }
    if (status == XTA_OK) {
        status = xta_communicator_mpi(ranks->comm, &communicator, &err->error);
    }
    if (status == XTA_OK) {
        status = xta__ranks_agree(ranks, hand_over_communicator(communicator, err), err);
    }
    if (status == XTA_OK) {
        status = command->run(&args, err);
        status = xta__ranks_agree(ranks, status, err);
    }
    xta_communicator_mpi_free(communicator);
    cli_args_clear(&args);
    return status;
}

xta_status xta__mpi_hyper_run(const mpi_ranks *ranks, int argc, char *argv[], cli_error *err)
{
    const cli_command *command = NULL;
    xta_status status;

    if (argc < 1) {
        return cli_usage(err, "what to do is missing: xta-mpi hyper %s", cli_hyper.usage);
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        if (ranks->rank == 0) {
            cli_print_help(&cli_hyper, stdout);
        }
        return XTA_OK;
    }
    status = xta__ranks_agree(ranks, cli_hyper.find(argv[0], &command, err), err);
    return status == XTA_OK ? run_command(ranks, command, argc - 1, argv + 1, err) : status;
}
