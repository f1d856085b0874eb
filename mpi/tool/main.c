/* xta-mpi: the subcommands that many processes run together. Rank 0 prints; all ranks exit with the
 * same code, which is one of xta's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "mpi_tool.h"

#include <signal.h>
#include <string.h>

#include <xta/parallel.h>

static void print_help(FILE *out)
{
    fprintf(out,
            "Usage: mpiexec -n N xta-mpi COMMAND ...\n\nCommands:\n  %-12s%s\n  %-12s%s\n\n"
            "xta-mpi COMMAND --help explains a command; xta-mpi --version prints the version.\n",
            xta__mpi_rechunk.name, xta__mpi_rechunk.summary, cli_hyper.name, cli_hyper.summary);
}

static xta_status run_rechunk(const mpi_ranks *ranks, int argc, char *argv[], cli_error *err)
{
    cli_args args;
    xta_status status =
        xta__ranks_agree(ranks, cli_args_parse(&args, &xta__mpi_rechunk, argc, argv, err), err);

    if (status == XTA_OK && args.help && ranks->rank == 0) {
        cli_print_help(&xta__mpi_rechunk, stdout);
    } else if (status == XTA_OK && !args.help) {
        status = xta__mpi_rechunk_run(ranks, &args, err);
    }
    cli_args_clear(&args);
    return status;
}

/* Run the command named by the first argument. Every rank has the same arguments. */
static xta_status dispatch(const mpi_ranks *ranks, int argc, char *argv[], cli_error *err)
{
    if (argc < 2) {
        return cli_usage(err, "a command is missing");
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "--help") == 0) {
        if (ranks->rank == 0 && argv[1][2] == 'v') {
            printf("xta-mpi %s\n", xta_version());
        } else if (ranks->rank == 0) {
            print_help(stdout);
        }
        return XTA_OK;
    }
    xta_status status = ranks->n_ranks == 1 ? xta_launcher_check(&err->error) : XTA_OK;
    if (status != XTA_OK) {
        return status;
    }
    if (strcmp(argv[1], xta__mpi_rechunk.name) == 0) {
        return run_rechunk(ranks, argc - 2, argv + 2, err);
    }
    if (strcmp(argv[1], cli_hyper.name) == 0) {
        return xta__mpi_hyper_run(ranks, argc - 2, argv + 2, err);
    }
    return cli_usage(err, "there is no command \"%s\"; there are %s and %s", argv[1],
                     xta__mpi_rechunk.name, cli_hyper.name);
}

int main(int argc, char *argv[])
{
    mpi_ranks ranks = {.comm = MPI_COMM_WORLD};
    cli_error err = {0};
    xta_status status;

    signal(SIGPIPE, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(ranks.comm, &ranks.rank);
    MPI_Comm_size(ranks.comm, &ranks.n_ranks);
    status = dispatch(&ranks, argc, argv, &err);
    if (status == XTA_OK && fflush(stdout) != 0) {
        status = cli_fail(&err, XTA_EIO, 0, "standard output: not everything could be written");
    }
    if (status != XTA_OK && ranks.rank == 0) {
        fprintf(stderr, "xta-mpi%s%s: %s\n", argc > 1 ? " " : "", argc > 1 ? argv[1] : "",
                err.error.text);
    }
    MPI_Finalize();
    return status == XTA_OK ? CLI_SUCCESS : err.usage ? CLI_USAGE : CLI_FAILURE;
}
