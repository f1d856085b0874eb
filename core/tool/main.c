/* xta: the verbs of the core, and the way to those that are programs of their own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "kit/program.h"
#include "programs.h"

static const cli_command *const commands[] = {
    &cli_create, &cli_extend,  &cli_shrink, &cli_add_axis, &cli_info, &cli_address,
    &cli_read,   &cli_write,   &cli_fill,   &cli_tune,     &cli_attr, &cli_ls,
    &cli_check,  &cli_compact, &cli_undo,   &cli_upgrade,  &cli_help, &cli_version,
};

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
    cli_programs programs;
    const char **names = NULL;
    const char *nearest = NULL;
    xta_status status = XTA_OK;

    CLI_TRY(cli_programs_list(&programs, err));
    names = calloc(CLI_COUNT(commands) + programs.n, sizeof names[0]);
    if (names != NULL) {
        for (size_t k = 0; k < CLI_COUNT(commands); k++) {
            names[k] = commands[k]->name;
        }
        for (size_t k = 0; k < programs.n; k++) {
            names[CLI_COUNT(commands) + k] = programs.names[k];
        }
        nearest = cli_nearest(name, names, CLI_COUNT(commands) + programs.n);
    }
    if (nearest != NULL) {
        status = cli_usage(err, "there is no command \"%s\"; did you mean %s?", name, nearest);
    } else {
        status = cli_usage(err, "there is no command \"%s\"", name);
    }
done:
    cli_programs_clear(&programs);
    free(names);
    return status;
}

xta_status cli_print_commands(FILE *out, cli_error *err)
{
    cli_programs programs;
    xta_status status = cli_programs_list(&programs, err);

    fprintf(out,
            "Usage: xta COMMAND ...\n\n"
            "Arrays that grow in every direction, in place, by appending only.\n\nCommands:\n");
    for (size_t k = 0; k < CLI_COUNT(commands); k++) {
        fprintf(out, "  %-12s%s\n", commands[k]->name, commands[k]->summary);
    }
    for (size_t k = 0; k < programs.n; k++) {
        char *summary = cli_program_line(programs.names[k], "--summary");
        fprintf(out, "  %-12s%s\n", programs.names[k], summary != NULL ? summary : "");
        free(summary);
    }
    fprintf(out, "\nxta help COMMAND explains a command; xta --version prints the version.\n");
    cli_programs_clear(&programs);
    return status;
}

xta_status cli_run_program(int argc, char *argv[], cli_error *err)
{
    xta_status status = cli_program_exec(argv[0], argc - 1, argv + 1, err);

    return status == XTA_ENOENT ? cli_command_unknown(argv[0], err) : status;
}

/* What stands where a command is expected. */
static xta_status dispatch(int argc, char *argv[], const char **name, cli_error *err)
{
    if (argc < 1) {
        return cli_usage(err, "a command is missing");
    }
    if (strcmp(argv[0], "--version") == 0 || strcmp(argv[0], "-V") == 0) {
        printf("xta %s\n", xta_version());
        return XTA_OK;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        return cli_print_commands(stdout, err);
    }
    const cli_command *command = cli_command_find(argv[0]);
    if (command == NULL) {
        return cli_run_program(argc, argv, err);
    }
    *name = command->name;
    return cli_run_command(command, argc - 1, argv + 1, err);
}

int main(int argc, char *argv[])
{
    return cli_program(dispatch, argc, argv);
}
