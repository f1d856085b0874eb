/* The door of cli/: what the subcommands of the tool share. A subcommand is one file with one
 * constant cli_command; main.c holds the table of them and is the only place that prints an error
 * and chooses an exit code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_CLI_CLI_H
#define XTA_CLI_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <xta/xta.h>

#include "kit/errors.h"

#include "util/try.h"

/* What the shell sees. */
enum { CLI_SUCCESS = 0, CLI_FAILURE = 1, CLI_USAGE = 2 };

/* Buffers of commands that stream stay below this. */
#define CLI_BUFFER_BYTES ((uint64_t)32 << 20)

/* What the value of an option is parsed into. */
typedef enum cli_kind {
    CLI_KIND_FLAG,   // bool
    CLI_KIND_TEXT,   // const char *, which points into the command line
    CLI_KIND_INT,    // int64_t from `min` to `max`
    CLI_KIND_REAL,   // double
    CLI_KIND_BYTES,  // uint64_t: "4096", "64MiB"
    CLI_KIND_PARSED, // what `parse` makes of it
    CLI_KIND_LIST    // nothing: it may be given often, and the verb reads args->given
} cli_kind;

/* Parses a value into memory of the type that the entry names. `what` is "--name", for errors. */
typedef xta_status cli_parser(const char *text, const char *what, void *value, cli_error *err);

/* One option of a verb. The table of a verb's options is the only place that names them: parsing,
 * help, the check of the manual page and completion all use it. The macros below fill entries. */
typedef struct cli_option {
    const char *name; // without its two dashes
    cli_kind kind;
    size_t offset;     // of the value in the verb's struct of options
    const char *value; // what help calls the value; NULL for a flag
    int64_t min, max;  // of CLI_KIND_INT
    const char *range; // what is said behind a number outside of it; NULL: the limits
    cli_parser *parse;
    const char *text; // one sentence for help
} cli_option;

/* Entries of a table. `type` is the verb's struct of options, `member` where the value goes; a
 * member whose option is not given keeps the verb's default. */
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

/* A command of a command, as help lists it. */
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
    size_t options_bytes; // of the struct that the values of the options go into
    const void *defaults; // what it holds before; NULL: zeros
    int min_words;
    int max_words;
    xta_status (*run)(const cli_args *args, cli_error *err);
    /* Of a command that has commands of its own: the list of them, and instead of `run` the one
     * that a word names, which help and errors call by both words. */
    const cli_entry *commands;
    size_t n_commands;
    xta_status (*find)(const char *word, const struct cli_command **command, cli_error *err);
} cli_command;

/* One option as it was given. */
typedef struct cli_given {
    const cli_option *option;
    const char *value; // NULL for a flag
} cli_given;

/* A command line, taken apart. Options keep the order in which they were given. */
struct cli_args {
    const cli_command *command;
    cli_given *given;
    int n_given;
    const char **words;
    int n_words;
    bool help;
    void *values; // the verb's struct of options
};

#define CLI_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- options.c ---- */

/* Take a command line apart: --name value, --name=value, flags, words; "--" ends the options. */
xta_status cli_args_parse(cli_args *args, const cli_command *command, int argc, char *const argv[],
                          cli_error *err);
void cli_args_clear(cli_args *args);

/* Whether an option was given; the text of its (last) value, NULL if it was not given or is a flag;
 * and what that was parsed into, NULL if it was not given. */
bool cli_has(const cli_args *args, const char *name);
const char *cli_get(const cli_args *args, const char *name);
const void *cli_value(const cli_args *args, const char *name);

/* A usage error if an option is not given. */
xta_status cli_need(const cli_args *args, const char *name, cli_error *err);

void cli_print_help(const cli_command *command, FILE *out);

/* Print words of `text`, broken at 79 columns, lines after the first indented by `indent`.
 * `column` is where the first word starts. Ends the last line. */
void cli_print_wrapped(FILE *out, const char *text, int indent, int column);

/* ---- parse.c: numbers, coordinates, boxes ---- */

/* `what` names the option or argument in errors. */
xta_status cli_parse_int(const char *text, const char *what, int64_t *value, cli_error *err);
xta_status cli_parse_real(const char *text, const char *what, double *value, cli_error *err);

/* "a,b,c": at most XTA_MAX_NDIM of them. */
xta_status cli_parse_coords(const char *text, const char *what, int64_t coord[], int *n,
                            cli_error *err);

/* As cli_parse_coords, where exactly `ndim` are wanted. */
xta_status cli_parse_coords_of(const char *text, const char *what, int ndim, int64_t coord[],
                               cli_error *err);

/* "4096", "64KiB", "1.5GiB", "4.3GB": binary units and decimal ones, with up to six digits behind
 * the point. */
xta_status cli_parse_bytes(const char *text, const char *what, uint64_t *bytes, cli_error *err);

/* "lo:hi,...", one for each axis of `bounds`: an omitted limit is that of the bounds, ":" the whole
 * axis, "3" one coordinate. Limits outside the bounds are left to the library. */
xta_status cli_parse_box(const char *text, const xta_box *bounds, xta_box *box, cli_error *err);

xta_status cli_parse_order(const char *text, xta_order *order, cli_error *err);
xta_status cli_parse_policy(const char *text, xta_policy *policy, uint32_t *amount, cli_error *err);

/* The type of the option --type, with a usage error for an unknown one. */
xta_status cli_parse_type(const char *text, xta_type *type, size_t *cell_bytes, cli_error *err);

/* Of the shape of cli_parser. */
typedef struct cli_cell_type {
    xta_type type;
    size_t cell_bytes;
} cli_cell_type;
typedef struct cli_coords {
    int n;
    int64_t at[XTA_MAX_NDIM];
} cli_coords;
typedef struct cli_growth_policy {
    xta_policy policy;
    uint32_t amount;
} cli_growth_policy;
cli_parser cli_parse_order_value;  // xta_order
cli_parser cli_parse_type_value;   // cli_cell_type: any type
cli_parser cli_parse_coords_value; // cli_coords
cli_parser cli_parse_policy_value; // cli_growth_policy

const char *cli_order_name(xta_order order);
const char *cli_policy_name(xta_policy policy);

/* ---- value.c: cells as text ---- */

/* Room that the text of one cell needs, with its terminating zero. */
size_t cli_value_capacity(xta_type type, size_t cell_bytes);

/* Write a cell as text, numbers with the fewest digits that read back as the same value. Gives the
 * length. */
size_t cli_value_text(xta_type type, size_t cell_bytes, const void *cell, char *text);

/* Read a cell of a type from text. `what` names the option in errors. */
xta_status cli_value_parse(const char *text, const char *what, xta_type type, size_t cell_bytes,
                           void *cell, cli_error *err);

/* ---- open.c ---- */

/* What every reading verb takes; `type` has a member `int64_t as_of`. */
#define CLI_NO_STEP    "is no step; they are counted from 0"
#define CLI_AS_OF_TEXT "open the array as of this structural step (0 is its creation)"
#define CLI_AS_OF(type) \
    CLI_INT(type, as_of, "as-of", "STEP", 0, INT64_MAX, CLI_NO_STEP, CLI_AS_OF_TEXT)

/* Open for reading, as of the step of --as-of if the command line has it. */
xta_status cli_open_quiet(const cli_args *args, const char *path, xta_array **array,
                          cli_error *err);

/* The same, and have accesses noted where a log is wanted (see log.h). */
xta_status cli_open(const cli_args *args, const char *path, xta_array **array, cli_error *err);
xta_status cli_open_writable(const char *path, xta_array **array, cli_error *err);

/* As cli_open, but not mapped: cells go through a cache of so many bytes. */
xta_status cli_open_cached(const cli_args *args, const char *path, uint64_t cache_bytes,
                           xta_array **array, cli_error *err);

/* Close, and give back `status`, or what the close said if everything before went well. */
xta_status cli_close(xta_array *array, xta_status status, cli_error *err);

/* Print a box as "lo:hi,lo:hi", coordinates as "a,b,c". */
void cli_print_box(FILE *out, const xta_box *box);
void cli_print_coords(FILE *out, const int64_t coord[], int n);

/* The growths of extend and shrink: --axis, --by and --front, which belongs to the pair before it.
 * */
xta_status cli_growths(const cli_args *args, xta_array *array, xta_growth growths[], int *n_growths,
                       cli_error *err);

/* Split FILE:VARIABLE at the last colon, unless a file of the whole name exists or the part behind
 * the colon cannot be a name of a variable. `*file` is the caller's; `*variable` points into it,
 * or is NULL. */
xta_status cli_split_variable(const char *text, char **file, const char **variable, cli_error *err);

#endif
