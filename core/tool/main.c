/* xta: the table of subcommands, and the one place that prints an error and chooses the exit code.
 *
 * An error is one line on standard error, "xta <command>: what, where, which value, remedy". Exit
 * codes: 0 done, 1 failed, 2 the command line makes no sense.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "describe.h"
#include "interrupt.h"
#include "log.h"

static const cli_command *const commands[] = {
    &cli_create,  &cli_extend,  &cli_shrink, &cli_add_axis, &cli_info,   &cli_address,
    &cli_read,    &cli_write,   &cli_fill,   &cli_import,   &cli_export, &cli_rechunk,
    &cli_extract, &cli_tune,    &cli_draw,   &cli_hyper,    &cli_attr,   &cli_ls,
    &cli_check,   &cli_compact, &cli_undo,   &cli_upgrade,  &cli_help,   &cli_version,
};

const cli_command *cli_command_at(size_t k)
{
    return k < CLI_COUNT(commands) ? commands[k] : NULL;
}

const cli_command *cli_command_find(const char *name)
{
    for (size_t k = 0; k < CLI_COUNT(commands); k++) {
        if (strcmp(commands[k]->name, name) == 0) {
            return commands[k];
        }
    }
    return NULL;
}

xta_status cli_command_unknown(const char *name, cli_error *err)
{
    const char *names[CLI_COUNT(commands)];
    const char *nearest;

    for (size_t k = 0; k < CLI_COUNT(commands); k++) {
        names[k] = commands[k]->name;
    }
    nearest = cli_nearest(name, names, CLI_COUNT(names));
    if (nearest != NULL) {
        return cli_usage(err, "there is no command \"%s\"; did you mean %s?", name, nearest);
    }
    return cli_usage(err, "there is no command \"%s\"", name);
}

void cli_print_commands(FILE *out)
{
    fprintf(out,
            "Usage: xta COMMAND ...\n\n"
            "Arrays that grow in every direction, in place, by appending only.\n\nCommands:\n");
    for (size_t k = 0; k < CLI_COUNT(commands); k++) {
        fprintf(out, "  %-12s%s\n", commands[k]->name, commands[k]->summary);
    }
    fprintf(out, "\nxta help COMMAND explains a command; xta --version prints the version.\n");
}

/* A closed standard stream would lend its number to the next file that is opened, and what is meant
 * for the terminal would go into an array. /dev/null, opened the wrong way round, takes the number
 * and makes every use an error, as it should be. */
static void guard_standard_streams(void)
{
    static const int ways[] = {O_WRONLY, O_RDONLY, O_RDONLY};

    for (int descriptor = 0; descriptor < 3; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            (void)!open("/dev/null", ways[descriptor]);
        }
    }
}

/* Whether everything that was printed has arrived. A failure in the middle has left its mark on the
 * stream, but its cause is forgotten by now. */
static xta_status finish_output(cli_error *err)
{
    bool failed = ferror(stdout) != 0;

    if (fclose(stdout) != 0) {
        return cli_fail(err, errno == ENOSPC ? XTA_ENOSPC : XTA_EIO, errno,
                        "standard output: cannot be written: %s", strerror(errno));
    }
    if (failed) {
        return cli_fail(err, XTA_EIO, 0, "standard output: not everything could be written");
    }
    return XTA_OK;
}

static xta_status run_command(const cli_command *command, int argc, char *argv[], cli_error *err)
{
    cli_args args;
    xta_status status = cli_args_parse(&args, command, argc, argv, err);

    if (status == XTA_OK && args.help) {
        cli_print_help(command, stdout);
    } else if (status == XTA_OK) {
        status = cli_log_end(command->run(&args, err), err);
    }
    cli_args_clear(&args);
    return status;
}

/* What stands where a command of a command is expected. */
static xta_status dispatch_inner(const cli_command *command, int argc, char *argv[],
                                 const char **name, cli_error *err)
{
    const cli_command *inner = NULL;
    xta_status status = XTA_OK;

    if (argc < 1) {
        return cli_usage(err, "what to do is missing: xta %s %s", command->name, command->usage);
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        cli_print_help(command, stdout);
        return XTA_OK;
    }
    CLI_TRY(command->find(argv[0], &inner, err));
    *name = inner->name;
    status = run_command(inner, argc - 1, argv + 1, err);
done:
    return status;
}

/* What stands where a command is expected. */
static xta_status dispatch(int argc, char *argv[], const char **name, cli_error *err)
{
    const cli_command *command;

    if (argc < 2) {
        return cli_usage(err, "a command is missing");
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("xta %s\n", xta_version());
        return XTA_OK;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_print_commands(stdout);
        return XTA_OK;
    }
    command = cli_command_find(argv[1]);
    if (command == NULL) {
        return cli_command_unknown(argv[1], err);
    }
    *name = command->name;
    if (command->find == NULL) {
        return run_command(command, argc - 2, argv + 2, err);
    }
    return dispatch_inner(command, argc - 2, argv + 2, name, err);
}

int main(int argc, char *argv[])
{
    cli_error err = {0};
    const char *name = NULL;
    xta_status status;
    xta_status finished;
    cli_error at_end = {0};

    guard_standard_streams();
    // A reader that goes away is an error like any other, not a silent death.
    signal(SIGPIPE, SIG_IGN);
    status = dispatch(argc, argv, &name, &err);
    finished = finish_output(&at_end);
    if (status == XTA_OK && finished != XTA_OK) {
        status = finished;
        err = at_end;
    }
    if (status == XTA_OK) {
        return CLI_SUCCESS;
    }
    fprintf(stderr, "xta%s%s: ", name != NULL ? " " : "", name != NULL ? name : "");
    cli_print_name(stderr, err.error.text);
    if (err.usage) {
        fprintf(stderr, "; see xta help%s%s", name != NULL ? " " : "", name != NULL ? name : "");
    }
    fputc('\n', stderr);
    if (status == XTA_ECANCELLED) {
        cli_interrupt_pass_on();
    }
    return err.usage ? CLI_USAGE : CLI_FAILURE;
}
