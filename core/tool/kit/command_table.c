/* Finding verbs, listing them, and running those that are programs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/command_table.h"

#include <stdlib.h>
#include <string.h>

#include "kit/programs.h"

static const cli_command *const *table;
static size_t n_commands;

void cli_commands_set(const cli_command *const commands[], size_t n)
{
    table = commands;
    n_commands = n;
}

const cli_command *cli_command_find(const char *name)
{
    for (size_t k = 0; k < n_commands; k++) {
        if (strcmp(table[k]->name, name) == 0) {
            return table[k];
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

    XTA_TRY(cli_programs_list(&programs, err));
    names = calloc(n_commands + programs.n, sizeof names[0]);
    if (names != NULL) {
        for (size_t k = 0; k < n_commands; k++) {
            names[k] = table[k]->name;
        }
        for (size_t k = 0; k < programs.n; k++) {
            names[n_commands + k] = programs.names[k];
        }
        nearest = cli_nearest(name, names, n_commands + programs.n);
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

xta_status cli_commands_visit(cli_command_visit *visit, void *user, cli_error *err)
{
    cli_programs programs;
    xta_status status = cli_programs_list(&programs, err);

    for (size_t k = 0; k < n_commands; k++) {
        visit(user, table[k]->name, table[k]->summary);
    }
    for (size_t k = 0; k < programs.n; k++) {
        char *summary = cli_program_line(programs.names[k], "--summary");
        visit(user, programs.names[k], summary != NULL ? summary : "");
        free(summary);
    }
    cli_programs_clear(&programs);
    return status;
}

static void print_command(void *user, const char *name, const char *summary)
{
    fprintf(user, "  %-12s%s\n", name, summary);
}

xta_status cli_print_commands(FILE *out, cli_error *err)
{
    fprintf(out,
            "Usage: xta COMMAND ...\n\n"
            "Arrays that grow in every direction, in place, by appending only.\n\nCommands:\n");
    xta_status status = cli_commands_visit(print_command, out, err);
    fprintf(out, "\nxta help COMMAND explains a command; xta --version prints the version.\n");
    return status;
}

xta_status cli_run_program(int argc, char *argv[], cli_error *err)
{
    xta_status status = cli_program_exec(argv[0], argc - 1, argv + 1, err);

    return status == XTA_ENOENT ? cli_command_unknown(argv[0], err) : status;
}
