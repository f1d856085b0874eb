/* One small option parser for all subcommands, and the text of --help.
 *
 * An option that has a value uses the next argument whatever it begins with, so that `--box
 * -3:4,0:5` works; only an argument that begins with two dashes and a letter means that the value
 * was forgotten (`--value=--x` is unambiguous).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/errors.h"
#include "kit/parse.h"
#include "util/text.h"

#define HELP_COLUMNS 79
#define HELP_INDENT  22

static xta_status unknown_option(const cli_command *command, const char *name, cli_error *err)
{
    const char *names[64];
    size_t n_names = 0;
    const char *nearest;

    for (size_t k = 0; k < command->n_options && n_names < CLI_COUNT(names) - 1; k++) {
        names[n_names++] = command->options[k].name;
    }
    names[n_names++] = "help";
    nearest = cli_nearest(name, names, n_names);
    if (nearest != NULL) {
        return cli_usage(err, "there is no option --%s; did you mean --%s?", name, nearest);
    }
    return cli_usage(err, "there is no option --%s", name);
}

static const cli_option *find_option(const cli_command *command, const char *name, size_t length)
{
    for (size_t k = 0; k < command->n_options; k++) {
        const char *candidate = command->options[k].name;
        if (strlen(candidate) == length && strncmp(candidate, name, length) == 0) {
            return &command->options[k];
        }
    }
    return NULL;
}

static bool is_long_option(const char *text)
{
    return text[0] == '-' && text[1] == '-' &&
           ((text[2] >= 'a' && text[2] <= 'z') || (text[2] >= 'A' && text[2] <= 'Z'));
}

/* Parse the option at argv[*at]; *at ends on the last argument that belongs to it. */
static xta_status parse_option(cli_args *args, int argc, char *const argv[], int *at,
                               cli_error *err)
{
    const char *name = argv[*at] + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    const cli_option *option = find_option(args->command, name, length);

    if (option == NULL) {
        char cut[64];
        snprintf(cut, sizeof cut, "%.*s", (int)(length < 60 ? length : 60), name);
        return unknown_option(args->command, cut, err);
    }
    if (option->value == NULL && value != NULL) {
        return cli_usage(err, "--%s takes no value, but \"%s\" was given", option->name, value);
    }
    if (option->value != NULL && value == NULL) {
        if (*at + 1 >= argc || is_long_option(argv[*at + 1])) {
            return cli_usage(err, "--%s needs a value: --%s %s", option->name, option->name,
                             option->value);
        }
        value = argv[++*at];
    }
    if (option->kind != CLI_KIND_LIST && cli_has(args, option->name)) {
        return cli_usage(err, "--%s was given twice; give it once", option->name);
    }
    args->given[args->n_given++] = (cli_given){option, value};
    return XTA_OK;
}

static xta_status check_words(const cli_args *args, cli_error *err)
{
    const cli_command *command = args->command;

    if (args->n_words < command->min_words) {
        return cli_usage(err, "an argument is missing: xta %s %s", command->name, command->usage);
    }
    if (args->n_words > command->max_words) {
        return cli_usage(err, "\"%s\" is one argument too many: xta %s%s%s",
                         args->words[command->max_words], command->name,
                         command->usage[0] != '\0' ? " " : "", command->usage);
    }
    return XTA_OK;
}

/* Parse one value into the verb's struct of options. */
static xta_status parse_value(const cli_option *option, const char *text, void *value,
                              cli_error *err)
{
    char what[64];

    snprintf(what, sizeof what, "--%s", option->name);
    switch (option->kind) {
    case CLI_KIND_FLAG:
        *(bool *)value = true;
        return XTA_OK;
    case CLI_KIND_TEXT:
        *(const char **)value = text;
        return XTA_OK;
    case CLI_KIND_REAL:
        return cli_parse_real(text, what, value, err);
    case CLI_KIND_BYTES:
        return cli_parse_bytes(text, what, value, err);
    case CLI_KIND_PARSED:
        return option->parse(text, what, value, err);
    case CLI_KIND_LIST:
        return XTA_OK;
    case CLI_KIND_INT:
        break;
    }
    int64_t number = 0;
    xta_status status = cli_parse_int(text, what, &number, err);
    if (status != XTA_OK) {
        return status;
    }
    if (number >= option->min && number <= option->max) {
        *(int64_t *)value = number;
        return XTA_OK;
    }
    if (option->range != NULL) {
        return cli_usage(err, "%s: %s %s", what, text, option->range);
    }
    return number < option->min ? cli_usage(err, "%s: %s is too few; want at least %" PRId64, what,
                                            text, option->min)
                                : cli_usage(err, "%s: %s is too many; want at most %" PRId64, what,
                                            text, option->max);
}

/* Parse all values, in the order in which they were given. */
static xta_status parse_values(cli_args *args, cli_error *err)
{
    const cli_command *command = args->command;
    xta_status status = XTA_OK;

    args->values = calloc(1, command->options_bytes + 1);
    if (args->values == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the options");
    }
    for (int k = 0; k < args->n_given && status == XTA_OK; k++) {
        const cli_option *option = args->given[k].option;
        status =
            parse_value(option, args->given[k].value, (char *)args->values + option->offset, err);
    }
    return status;
}

/* The flag that a letter stands for, if the command has it; else NULL. */
static const cli_option *short_option(const cli_command *command, const char *text)
{
    return strcmp(text, "-l") == 0   ? find_option(command, "long", 4)
           : strcmp(text, "-R") == 0 ? find_option(command, "recursive", 9)
                                     : NULL;
}

xta_status cli_args_parse(cli_args *args, const cli_command *command, int argc, char *const argv[],
                          cli_error *err)
{
    bool options_end = false;

    *args = (cli_args){.command = command, .argc = argc, .argv = argv};
    args->given = calloc((size_t)argc + 1, sizeof args->given[0]);
    args->words = calloc((size_t)argc + 1, sizeof args->words[0]);
    if (args->given == NULL || args->words == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %d arguments", argc);
    }
    for (int at = 0; at < argc; at++) {
        if (options_end || argv[at][0] != '-' || strcmp(argv[at], "-") == 0) {
            args->words[args->n_words++] = argv[at];
        } else if (strcmp(argv[at], "--") == 0) {
            options_end = true;
        } else if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0) {
            args->help = true;
            return XTA_OK;
        } else if (short_option(command, argv[at]) != NULL) {
            args->given[args->n_given++] = (cli_given){short_option(command, argv[at]), NULL};
        } else if (strncmp(argv[at], "--", 2) == 0) {
            xta_status status = parse_option(args, argc, argv, &at, err);
            if (status != XTA_OK) {
                return status;
            }
        } else {
            return cli_usage(err,
                             "there is no option %s; put \"--\" before an argument that begins "
                             "with a dash",
                             argv[at]);
        }
    }
    xta_status status = check_words(args, err);
    return status == XTA_OK ? parse_values(args, err) : status;
}

void cli_args_clear(cli_args *args)
{
    free(args->given);
    free(args->words);
    free(args->values);
    *args = (cli_args){0};
}

bool cli_has(const cli_args *args, const char *name)
{
    for (int k = 0; k < args->n_given; k++) {
        if (strcmp(args->given[k].option->name, name) == 0) {
            return true;
        }
    }
    return false;
}

const char *cli_get(const cli_args *args, const char *name)
{
    for (int k = args->n_given - 1; k >= 0; k--) {
        if (strcmp(args->given[k].option->name, name) == 0) {
            return args->given[k].value;
        }
    }
    return NULL;
}

const void *cli_value(const cli_args *args, const char *name)
{
    for (int k = args->n_given - 1; k >= 0; k--) {
        const cli_option *option = args->given[k].option;
        if (strcmp(option->name, name) == 0) {
            return (const char *)args->values + option->offset;
        }
    }
    return NULL;
}

xta_status cli_need(const cli_args *args, const char *name, cli_error *err)
{
    if (!cli_has(args, name)) {
        return cli_usage(err, "--%s is missing: xta %s %s", name, args->command->name,
                         args->command->usage);
    }
    return XTA_OK;
}

void cli_print_wrapped(FILE *out, const char *text, int indent, int column)
{
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        if (column > indent && column + 1 + (int)length > HELP_COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", (int)length, text);
        column += (int)length;
        text += length;
        if (*text == '\n') {
            fprintf(out, "\n%*s", text[1] == '\n' ? 0 : indent, "");
            column = indent;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}

/* A word as a shell reads it back: in quotes if it has other characters than most names have. */
static void add_word(xta__text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%^";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        xta__text_printf(text, " %s", word);
        return;
    }
    xta__text_printf(text, " '");
    for (const char *c = word; *c != '\0'; c++) {
        xta__text_printf(text, *c == '\'' ? "'\\''" : "%c", *c);
    }
    xta__text_printf(text, "'");
}

char *cli_command_line(const cli_args *args)
{
    xta__text text = {0};

    xta__text_printf(&text, "xta %s", args->command->name);
    for (int k = 0; k < args->argc; k++) {
        add_word(&text, args->argv[k]);
    }
    return xta__text_detach(&text);
}

static void print_option(FILE *out, const char *name, const char *value, const char *text)
{
    int length =
        fprintf(out, "  --%s%s%s", name, value != NULL ? " " : "", value != NULL ? value : "");

    if (length < HELP_INDENT - 1) {
        fprintf(out, "%*s", HELP_INDENT - length, "");
    } else {
        fprintf(out, "\n%*s", HELP_INDENT, "");
    }
    cli_print_wrapped(out, text, HELP_INDENT, HELP_INDENT);
}

void cli_print_help(const cli_command *command, FILE *out)
{
    int column = fprintf(out, "Usage: xta %s", command->name);

    cli_print_wrapped(out, command->usage, 11, column);
    fputc('\n', out);
    cli_print_wrapped(out, command->details, 0, 0);
    if (command->n_commands > 0) {
        fprintf(out, "\nCommands:\n");
    }
    for (size_t k = 0; k < command->n_commands; k++) {
        fprintf(out, "  %-12s%s\n", command->commands[k].name, command->commands[k].summary);
    }
    fprintf(out, "\nOptions:\n");
    for (size_t k = 0; k < command->n_options; k++) {
        const cli_option *option = &command->options[k];
        print_option(out, option->name, option->value, option->text);
    }
    print_option(out, "help", NULL, "print this text");
    fprintf(out, "\nExample:\n%s\n", command->example);
}
