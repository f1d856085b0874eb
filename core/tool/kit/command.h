/* Verbs, their options and a parsed command line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_KIT_COMMAND_H
#define XTA_TOOL_KIT_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <xta/xta.h>

#include "kit/errors.h"
#include "util/try.h"

/* Exit codes. */
enum { CLI_SUCCESS = 0, CLI_FAILURE = 1, CLI_USAGE = 2, CLI_CLOSED_PIPE = 141 };

/* Limit on the buffers of commands that stream. */
#define CLI_BUFFER_BYTES ((uint64_t)32 << 20)

/* The type that the value of an option is parsed into. */
typedef enum cli_kind {
    CLI_KIND_FLAG,   // bool
    CLI_KIND_TEXT,   // const char *, which points into the command line
    CLI_KIND_INT,    // int64_t from `min` to `max`
    CLI_KIND_REAL,   // double
    CLI_KIND_BYTES,  // uint64_t: "4096", "64MiB"
    CLI_KIND_PARSED, // the type that `parse` writes
    CLI_KIND_LIST    // nothing: the option may be repeated, and the verb reads args->given
} cli_kind;

/* Parses a value into memory of the type that the entry names. `what` is "--name", for errors. */
typedef xta_status cli_parser(const char *text, const char *what, void *value, cli_error *err);

/* One option of a verb. The table of a verb's options is the only place that names them: parsing,
 * help, the check of the manual page and completion all use it. The macros below fill entries. */
typedef struct cli_option {
    const char *name; // without its two dashes
    cli_kind kind;
    size_t offset;     // offset of the value in the verb's struct of options
    const char *value; // what help calls the value; NULL for a flag
    int64_t min, max;  // range of CLI_KIND_INT
    const char *range; // message that follows a number out of range; NULL: the limits
    cli_parser *parse;
    const char *text; // one sentence for help
} cli_option;

/* Entries of a table. `type` is the verb's struct of options, `member` receives the value; a member
 * whose option is not given keeps the verb's default. */
#define CLI_OPTION(kind, type, member, name, value, text)                 \
    {                                                                     \
        name, kind, offsetof(type, member), value, 0, 0, NULL, NULL, text \
    }
#define CLI_FLAG(type, member, name, text) CLI_OPTION(CLI_KIND_FLAG, type, member, name, NULL, text)
#define CLI_STRING(type, member, name, value, text) \
    CLI_OPTION(CLI_KIND_TEXT, type, member, name, value, text)
#define CLI_REAL(type, member, name, value, text) \
    CLI_OPTION(CLI_KIND_REAL, type, member, name, value, text)
#define CLI_BYTES(type, member, name, value, text) \
    CLI_OPTION(CLI_KIND_BYTES, type, member, name, value, text)
#define CLI_INT(type, member, name, value, min, max, range, text)                      \
    {                                                                                  \
        name, CLI_KIND_INT, offsetof(type, member), value, min, max, range, NULL, text \
    }
#define CLI_PARSED(type, member, name, value, parse, text)                            \
    {                                                                                 \
        name, CLI_KIND_PARSED, offsetof(type, member), value, 0, 0, NULL, parse, text \
    }
#define CLI_LIST(name, value, text)                           \
    {                                                         \
        name, CLI_KIND_LIST, 0, value, 0, 0, NULL, NULL, text \
    }

typedef struct cli_args cli_args;

/* A subcommand of a command, as help lists it. */
typedef struct cli_entry {
    const char *name;
    const char *summary;
} cli_entry;

typedef struct cli_command {
    const char *name;
    const char *summary; // one line for the list of commands
    const char *usage;   // what follows the name of the command
    const char *details; // paragraphs for help
    const char *example; // lines for help
    const cli_option *options;
    size_t n_options;
    size_t options_bytes; // size of the struct that receives the values of the options, zero before
    int min_words;
    int max_words;
    xta_status (*run)(const cli_args *args, cli_error *err);
    /* For a command that has subcommands: their list, and, instead of `run`, a function that finds
     * the subcommand that a word names. Help and errors call it by both words. */
    const cli_entry *commands;
    size_t n_commands;
    xta_status (*find)(const char *word, const struct cli_command **command, cli_error *err);
} cli_command;

/* One option as it was given. */
typedef struct cli_given {
    const cli_option *option;
    const char *value; // NULL for a flag
} cli_given;

/* A parsed command line. Options keep the order in which they were given. */
struct cli_args {
    const cli_command *command;
    cli_given *given;
    int n_given;
    const char **words;
    int n_words;
    bool help;
    void *values; // the verb's struct of options
    int argc;     // the command line behind the verb
    char *const *argv;
};

#define CLI_COUNT(table) (sizeof(table) / sizeof((table)[0]))

#endif
