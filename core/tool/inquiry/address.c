/* xta address: F* and its inverse, for chunks, cells and bytes.
 *
 * Every query prints one line, its fields separated by tabs. --all is made for arrays of millions
 * of chunks: it converts numbers to digits itself and writes them in blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "inquiry/verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "kit/print/json.h"
#include "kit/print/json_cells.h"
#include "util/errors.h"

/* Values of the options. */
typedef struct address_options {
    bool all;
    bool json;
    int64_t as_of;
} address_options;

static const cli_option options[] = {
    CLI_LIST("chunk", "C,C,...", "print the address of this chunk"),
    CLI_LIST("cell", "I,J,...",
             "print the address of the cell's chunk, its position in the chunk, its byte offset"),
    CLI_LIST("address", "Q",
             "print the coordinates of the chunk at this address, and its box of cells"),
    CLI_LIST("offset", "BYTES",
             "print the cell that covers this byte of the data file, and \"ghost\" if it is "
             "outside the bounds"),
    CLI_FLAG(address_options, all, "all",
             "print address and coordinates of every chunk of the allocated box"),
    CLI_FLAG(address_options, json, "json", "print one JSON object"),
    CLI_AS_OF(address_options),
};

static const address_options *values_of(const cli_args *args)
{
    return args->values;
}

/* Where answers go. */
typedef struct answer_state {
    xta_array *array;
    bool json;
    uint64_t n; // answers so far
} answer_state;

/* Begin one answer of JSON. */
static void begin_answer(answer_state *state, const char *question)
{
    printf("%s\n  {\"question\": \"%s\", ", state->n++ > 0 ? "," : "", question);
}

static void put_coords(const char *name, const int64_t coord[], int n)
{
    printf("\"%s\": ", name);
    cli_json_coords(stdout, coord, n);
}

static xta_status print_chunk(answer_state *state, const char *text, cli_error *err)
{
    int64_t chunk[XTA_MAX_NDIM];
    uint64_t address = 0;
    xta_status status = XTA_OK;

    XTA_TRY(cli_parse_coords_of(text, "--chunk", xta_array_ndim(state->array), chunk, err));
    XTA_TRY(xta_array_chunk_address(state->array, chunk, &address, &err->error));
    if (state->json) {
        begin_answer(state, "chunk");
        put_coords("chunk", chunk, xta_array_ndim(state->array));
        printf(", \"address\": %" PRIu64 "}", address);
    } else {
        printf("%" PRIu64 "\n", address);
    }
done:
    return status;
}

static xta_status print_cell(answer_state *state, const char *text, cli_error *err)
{
    int64_t coord[XTA_MAX_NDIM];
    xta_location location;
    xta_status status = XTA_OK;

    XTA_TRY(cli_parse_coords_of(text, "--cell", xta_array_ndim(state->array), coord, err));
    XTA_TRY(xta_array_locate(state->array, coord, &location, &err->error));
    if (state->json) {
        begin_answer(state, "cell");
        put_coords("cell", coord, xta_array_ndim(state->array));
        printf(", \"address\": %" PRIu64 ", \"position\": %" PRIu64 ", \"offset\": %" PRIu64 "}",
               location.address, location.position, location.offset);
    } else {
        printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", location.address, location.position,
               location.offset);
    }
done:
    return status;
}

static xta_status print_address(answer_state *state, const char *text, cli_error *err)
{
    int64_t address = 0;
    xta_chunk chunk;
    xta_status status = XTA_OK;

    XTA_TRY(cli_parse_int(text, "--address", &address, err));
    if (address < 0) {
        return cli_usage(err, "--address: %s is no address; they are counted from 0", text);
    }
    XTA_TRY(xta_array_chunk_at(state->array, (uint64_t)address, &chunk, &err->error));
    if (state->json) {
        begin_answer(state, "address");
        printf("\"address\": %" PRId64 ", ", address);
        put_coords("chunk", chunk.chunk.lo, chunk.chunk.ndim);
        printf(", \"cells\": ");
        cli_json_box(stdout, &chunk.cells);
        printf("}");
        goto done;
    }
    cli_print_coords(stdout, chunk.chunk.lo, chunk.chunk.ndim);
    printf("\t");
    if (xta_box_empty(&chunk.cells)) {
        printf("empty"); // Allocated beyond the bounds.
    } else {
        cli_print_box(stdout, &chunk.cells);
    }
    printf("\n");
done:
    return status;
}

static xta_status print_offset(answer_state *state, const char *text, cli_error *err)
{
    int64_t coord[XTA_MAX_NDIM];
    int64_t offset = 0;
    bool ghost = false;
    xta_status status = XTA_OK;

    XTA_TRY(cli_parse_int(text, "--offset", &offset, err));
    if (offset < 0) {
        return cli_usage(err, "--offset: %s is no byte of a file", text);
    }
    XTA_TRY(xta_array_cell_at(state->array, (uint64_t)offset, coord, &ghost, &err->error));
    if (state->json) {
        begin_answer(state, "offset");
        printf("\"offset\": %" PRId64 ", ", offset);
        put_coords("cell", coord, xta_array_ndim(state->array));
        printf(", \"ghost\": %s}", ghost ? "true" : "false");
    } else {
        cli_print_coords(stdout, coord, xta_array_ndim(state->array));
        printf("%s\n", ghost ? "\tghost" : "");
    }
done:
    return status;
}

/* Write the digits of a number to `at`; returns the position after them. */
static char *put_number(char *at, uint64_t value)
{
    char digits[20];
    int n = 0;

    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (n > 0) {
        *at++ = digits[--n];
    }
    return at;
}

/* Print one line of --all. Stops the iteration once standard output has failed. */
static int print_line(void *user, const xta_chunk *chunk)
{
    char line[21 * (XTA_MAX_NDIM + 1) + 2];
    char *at = put_number(line, chunk->address);

    (void)user;
    *at++ = '\t';
    for (int axis = 0; axis < chunk->chunk.ndim; axis++) {
        int64_t coord = chunk->chunk.lo[axis];
        if (axis > 0) {
            *at++ = ',';
        }
        if (coord < 0) {
            *at++ = '-';
        }
        at = put_number(at, coord < 0 ? -(uint64_t)coord : (uint64_t)coord);
    }
    *at++ = '\n';
    return fwrite(line, 1, (size_t)(at - line), stdout) != (size_t)(at - line);
}

static int put_line(void *user, const xta_chunk *chunk)
{
    answer_state *state = user;

    begin_answer(state, "all");
    put_coords("chunk", chunk->chunk.lo, chunk->chunk.ndim);
    printf(", \"address\": %" PRIu64 "}", chunk->address);
    return ferror(stdout);
}

static xta_status print_all(answer_state *state, const char *text, cli_error *err)
{
    xta_status status = xta_array_each_chunk(
        state->array, NULL, state->json ? put_line : print_line, state, &err->error);

    int os_errno = errno;

    (void)text;
    if (status == XTA_ECANCELLED) {
        return cli_fail(err, xta__status_of_errno(os_errno), os_errno,
                        "standard output: cannot be written: %s", strerror(os_errno));
    }
    return status;
}

static const struct {
    const char *name;
    xta_status (*print)(answer_state *state, const char *text, cli_error *err);
} questions[] = {{"chunk", print_chunk},
                 {"cell", print_cell},
                 {"address", print_address},
                 {"offset", print_offset},
                 {"all", print_all}};

static xta_status answer(answer_state *state, const cli_given *given, cli_error *err)
{
    for (size_t k = 0; k < CLI_COUNT(questions); k++) {
        if (strcmp(given->option->name, questions[k].name) == 0) {
            return questions[k].print(state, given->value, err);
        }
    }
    return XTA_OK; // --as-of and --json are no queries.
}

static xta_status run(const cli_args *args, cli_error *err)
{
    answer_state state = {.json = values_of(args)->json};
    xta_status status = XTA_OK;

    if (args->n_given == cli_has(args, "as-of") + cli_has(args, "json")) {
        return cli_usage(err,
                         "nothing is asked; give --chunk, --cell, --address, --offset or --all");
    }
    XTA_TRY(cli_open(args, args->words[0], &state.array, err));
    if (state.json) {
        printf("{\"array\": ");
        cli_json_text(stdout, args->words[0]);
        printf(", \"answers\": [");
    }
    for (int k = 0; k < args->n_given; k++) {
        XTA_TRY(answer(&state, &args->given[k], err));
    }
    fputs(state.json ? "\n]}\n" : "", stdout);
done:
    return cli_close(state.array, status, err);
}

const cli_command cli_address = {
    .name = "address",
    .summary = "print where chunks, cells and bytes lie",
    .usage = "A {--chunk C,C,... | --cell I,J,... | --address Q | --offset BYTES | --all} "
             "[--json] [--as-of STEP]",
    .details = "Answers each question with one line, parts separated by tabs, in the order asked; "
               "questions may be repeated. --all prints a line ADDRESS<TAB>C,C,... for every chunk "
               "in address order.",
    .example = "  xta address runs --chunk 1,0,0",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(address_options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
