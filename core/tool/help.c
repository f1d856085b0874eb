/* xta help: the list of commands, or the help of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "help.h"

#include <stdlib.h>

#include "kit/command_table.h"
#include "kit/print/json.h"
#include "kit/programs.h"

/* Values of the options. */
typedef struct help_options {
    bool json;
} help_options;

static const cli_option options[] = {
    CLI_FLAG(help_options, json, "json", "print one JSON object"),
};

/* ---- JSON ---- */

static void json_command(void *user, const char *name, const char *summary)
{
    if (cli_json_list_next(user)) {
        fputs("{\"name\": ", stdout);
        cli_json_text(stdout, name);
        fputs(", \"summary\": ", stdout);
        cli_json_text(stdout, summary);
        fputc('}', stdout);
    }
}

static xta_status json_commands(cli_error *err)
{
    cli_json_list list = {.out = stdout, .name = "commands"};
    xta_status status = cli_commands_visit(json_command, &list, err);

    if (status == XTA_OK) {
        cli_json_list_end(&list);
    }
    return status;
}

static void json_text(const cli_args *args, const char *text)
{
    fputs("{\"command\": \"", stdout);
    for (int k = 0; k < args->n_words; k++) {
        printf("%s%s", k > 0 ? " " : "", args->words[k]);
    }
    fputs("\", \"text\": ", stdout);
    cli_json_text(stdout, text);
    fputs("}\n", stdout);
}

/* The help of a command of this program. */
static xta_status json_own(const cli_args *args, const cli_command *command, cli_error *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);

    if (out == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the help of %s", command->name);
    }
    cli_print_help(command, out);
    bool whole = fclose(out) == 0;
    if (whole) {
        json_text(args, text);
    }
    free(text);
    return whole ? XTA_OK
                 : cli_fail(err, XTA_ENOMEM, 0, "no memory for the help of %s", command->name);
}

/* The help of a separate program. */
static xta_status json_program(const cli_args *args, cli_error *err)
{
    const char *words[] = {"--help", args->n_words == 2 ? args->words[1] : NULL};
    char *text = NULL;
    xta_status status = cli_program_output(args->words[0], args->n_words, words, &text);

    if (status == XTA_OK) {
        json_text(args, text);
    } else if (status == XTA_ENOENT) {
        status = cli_command_unknown(args->words[0], err);
    } else if (args->n_words == 2) {
        status = cli_usage(err, "xta %s has no command \"%s\"", args->words[0], args->words[1]);
    } else {
        status = cli_fail(err, status, 0, "xta %s --help failed", args->words[0]);
    }
    free(text);
    return status;
}

/* ---- text ---- */

static xta_status run(const cli_args *args, cli_error *err)
{
    const help_options *values = args->values;

    if (args->n_words == 0) {
        return values->json ? json_commands(err) : cli_print_commands(stdout, err);
    }
    const cli_command *command = cli_command_find(args->words[0]);
    if (command == NULL && values->json) {
        return json_program(args, err);
    }
    if (command == NULL) {
        // A separate program prints its own help: xta-VERB --help [WORD].
        char *words[] = {(char *)(uintptr_t)args->words[0], (char *)(uintptr_t) "--help",
                         args->n_words == 2 ? (char *)(uintptr_t)args->words[1] : NULL};
        return cli_run_program(args->n_words + 1, words, err);
    }
    if (args->n_words == 2) {
        return cli_usage(err, "\"%s\" is one argument too many: %s has no commands of its own",
                         args->words[1], command->name);
    }
    if (values->json) {
        return json_own(args, command, err);
    }
    cli_print_help(command, stdout);
    return XTA_OK;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "explain a command",
    .usage = "[COMMAND [COMMAND]] [--json]",
    .details = "Prints the commands, or what one of them does: the same as xta COMMAND --help. A "
               "command that has commands of its own takes the second word.",
    .example = "  xta help read",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(help_options),
    .min_words = 0,
    .max_words = 2,
    .run = run,
};
