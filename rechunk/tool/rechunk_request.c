/* The command line of rechunk as a request: words, options, and which of them can be combined.
 *
 * Cuts are written as lengths, one for each axis: 350,350,350. A sum means irregular cuts, whose
 * lengths follow one another and must fill the axis: 100+250,350,350.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rechunk.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/cells/cells.h"

static const char *const home_names[] = {
    [XTA_BLOCKS_FILES] = "files", [XTA_BLOCKS_CHUNKS] = "chunks", [XTA_BLOCKS_WHOLE] = "whole"};

const char *cli_home_name(xta_block_home home)
{
    return (unsigned)home < CLI_COUNT(home_names) ? home_names[home] : "?";
}

static xta_status parse_strategy(const char *text, cli_request *request, cli_error *err)
{
    const char *names[CLI_STRATEGIES + 1] = {"all"};
    const char *nearest;

    for (int k = 0; k < CLI_STRATEGIES; k++) {
        names[k + 1] = xta_rechunk_strategy_name((xta_rechunk_strategy)k);
        if (strcmp(text, names[k + 1]) == 0) {
            request->strategy = (xta_rechunk_strategy)k;
            return XTA_OK;
        }
    }
    if (strcmp(text, "all") == 0) {
        request->every = true;
        return request->plan ? XTA_OK
                             : cli_usage(err, "--strategy: all is for --plan; a run follows one of "
                                              "sweep, keep, baseline, split, merge");
    }
    nearest = cli_nearest(text, names, CLI_COUNT(names));
    return cli_usage(err,
                     "--strategy: \"%s\" is none%s%s; want sweep, keep, baseline, split, merge "
                     "or, with --plan, all",
                     text, nearest != NULL ? "; did you mean " : "",
                     nearest != NULL ? nearest : "");
}

const char *cli_variant_name(int k)
{
    static const char *const names[] = {"any-order", "uneven", "mirrored", "whole-reads"};

    return k < (int)CLI_COUNT(names) ? names[k] : NULL;
}

/* Names joined by commas. */
static xta_status parse_variants(const char *text, cli_request *request, cli_error *err)
{
    for (const char *at = text; at != NULL; at = strchr(at, ',')) {
        const char *name;
        int k = 0;
        at += *at == ',';
        size_t length = strcspn(at, ",");
        while ((name = cli_variant_name(k)) != NULL &&
               (strlen(name) != length || strncmp(at, name, length) != 0)) {
            k++;
        }
        if (name == NULL) {
            return cli_usage(err,
                             "--variants: \"%.*s\" is none; want any-order, uneven, mirrored or "
                             "whole-reads, or several joined by commas",
                             (int)(length < 60 ? length : 60), at);
        }
        request->variants |= 1U << k;
    }
    return XTA_OK;
}

/* Check that what is for keep goes with the strategy. */
static xta_status check_keep(const cli_args *args, const cli_request *request, cli_error *err)
{
    bool keep = request->strategy == XTA_RECHUNK_KEEP;

    if (cli_has(args, "read") && !keep) {
        return cli_usage(err, "--read belongs to --strategy keep, the only one that reads buffers");
    }
    if ((request->variants & XTA_VARIANT_WHOLE_READS) != 0 && !keep) {
        return cli_usage(err, "--variants: whole-reads belongs to --strategy keep");
    }
    if (cli_has(args, "variants") && !keep && !request->every &&
        request->strategy != XTA_RECHUNK_SWEEP) {
        return cli_usage(err, "--variants belongs to keep, and to sweep, which compares with it");
    }
    if (cli_has(args, "read") && cli_has(args, "variants")) {
        return cli_usage(err, "--read and --variants exclude one another: given buffers are not "
                              "searched");
    }
    return XTA_OK;
}

static xta_status parse_home(const char *text, size_t length, xta_block_home *home, cli_error *err)
{
    for (size_t k = 0; k < CLI_COUNT(home_names); k++) {
        if (strlen(home_names[k]) == length && strncmp(text, home_names[k], length) == 0) {
            *home = (xta_block_home)k;
            return XTA_OK;
        }
    }
    return cli_usage(err,
                     "--blocks: \"%.*s\" is no home of blocks; want files, chunks or whole, or "
                     "two of them for source and target, as in files,chunks",
                     (int)(length < 60 ? length : 60), text);
}

static xta_status parse_homes(const char *text, cli_request *request, cli_error *err)
{
    size_t length = strcspn(text, ",");
    xta_status status = XTA_OK;

    request->has_homes = true;
    XTA_TRY(parse_home(text, length, &request->homes[0], err));
    request->homes[1] = request->homes[0];
    if (text[length] == ',') {
        XTA_TRY(parse_home(text + length + 1, strlen(text + length + 1), &request->homes[1], err));
    }
done:
    return status;
}

static xta_status parse_count(const char *text, cli_request *request, cli_error *err)
{
    bool live = strcmp(text, "live") == 0;

    if (!live && strcmp(text, "allocated") != 0) {
        return cli_usage(err,
                         "--count: \"%s\" is nothing the limit could count; want live or "
                         "allocated",
                         text);
    }
    if (live && !request->plan) {
        return cli_usage(err,
                         "--count: live is for --plan; a run keeps what it allocates below the "
                         "limit");
    }
    request->account = live ? XTA_ACCOUNT_LIVE : XTA_ACCOUNT_ALLOCATED;
    return XTA_OK;
}

/* Parse the options whose values stand alone. */
static xta_status parse_values(const cli_args *args, cli_request *request, cli_error *err)
{
    const cli_rechunk_values *values = request->values;
    xta_status status = XTA_OK;

    request->memory_bytes = UINT64_C(1) << 30;
    request->account = request->source == NULL ? XTA_ACCOUNT_LIVE : XTA_ACCOUNT_ALLOCATED;
    if (cli_has(args, "memory")) {
        request->memory_bytes = values->memory_bytes;
        if (request->memory_bytes == 0) {
            return cli_usage(err, "--memory: nothing can be done with 0 bytes");
        }
    }
    if (values->strategy != NULL) {
        XTA_TRY(parse_strategy(values->strategy, request, err));
    }
    if (values->variants != NULL) {
        XTA_TRY(parse_variants(values->variants, request, err));
    }
    XTA_TRY(check_keep(args, request, err));
    if (values->count != NULL) {
        XTA_TRY(parse_count(values->count, request, err));
    }
    if (values->blocks != NULL) {
        XTA_TRY(parse_homes(values->blocks, request, err));
    }
    if (cli_has(args, "threads")) {
        request->n_threads = (int)values->threads;
    }
    if (cli_has(args, "order")) {
        request->order = values->order;
        request->has_order = true;
    }
    if (cli_has(args, "from-order")) {
        request->from_order = values->from_order;
    }
    if (cli_has(args, "type")) {
        request->type = values->type.type;
        request->cell_bytes = values->type.cell_bytes;
    }
    if (values->bounds.n > 0) {
        request->ndim = values->bounds.n;
        memcpy(request->lengths, values->bounds.at, sizeof request->lengths);
    }
done:
    return status;
}

/* Two options that cannot be combined, since one makes the other meaningless. */
typedef struct clash {
    const char *one;
    const char *other;
    const char *why;
} clash;

static xta_status check_clashes(const cli_args *args, cli_error *err)
{
    static const clash clashes[] = {
        {"plan", "verify", "a plan moves nothing"},
        {"plan", "resume", "a plan moves nothing"},
        {"in-place", "blocks", "an array has chunks"},
        {"in-place", "to-format", "an array stays one"},
        {"in-place", "read", "buffers are given for a copy"},
    };

    for (size_t k = 0; k < CLI_COUNT(clashes); k++) {
        if (cli_has(args, clashes[k].one) && cli_has(args, clashes[k].other)) {
            return cli_usage(err, "--%s and --%s exclude one another: %s", clashes[k].one,
                             clashes[k].other, clashes[k].why);
        }
    }
    if (cli_has(args, "draw") && !cli_has(args, "plan")) {
        return cli_usage(err, "--draw belongs to --plan, which is missing");
    }
    if (cli_has(args, "explain") && (!cli_has(args, "plan") || cli_has(args, "json"))) {
        return cli_usage(err, "--explain belongs to --plan, and its text is not for JSON");
    }
    if (cli_has(args, "count") && !cli_has(args, "plan")) {
        return cli_usage(err, "--count belongs to --plan, which is missing; a run keeps what it "
                              "allocates below the limit");
    }
    if (cli_has(args, "blocks") && !cli_has(args, "plan")) {
        return cli_usage(err, "--blocks belongs to --plan, which is missing; a run sees where its "
                              "blocks are");
    }
    return XTA_OK;
}

/* Check how many files the command line names, and what it needs if there are none. */
static xta_status check_words(const cli_request *request, cli_error *err)
{
    static const char *const of_shapes[] = {"bounds", "from", "type"};
    int wanted = request->in_place ? 1 : 2;

    if (request->source == NULL && !request->plan) {
        return cli_usage(err, "an argument is missing: xta rechunk %s",
                         request->args->command->usage);
    }
    for (size_t k = 0; k < CLI_COUNT(of_shapes) && request->source == NULL; k++) {
        if (!cli_has(request->args, of_shapes[k])) {
            return cli_usage(err,
                             "--%s is missing; a plan from shapes alone needs --bounds, --from, "
                             "--chunk and --type",
                             of_shapes[k]);
        }
    }
    if (!request->plan && request->args->n_words < wanted) {
        return cli_usage(err, "the target is missing: xta rechunk %s",
                         request->args->command->usage);
    }
    if (request->in_place && request->args->n_words > 1) {
        return cli_usage(err,
                         "--in-place: \"%s\" is one argument too many; the array stays where it "
                         "is",
                         request->args->words[1]);
    }
    return XTA_OK;
}

xta_status cli_rechunk_parse(const cli_args *args, cli_request *request, cli_error *err)
{
    const cli_rechunk_values *values = args->values;
    xta_status status = XTA_OK;

    *request = (cli_request){
        .args = args,
        .values = values,
        .source = args->n_words > 0 ? args->words[0] : NULL,
        .target = args->n_words > 1 ? args->words[1] : NULL,
        .plan = values->plan,
        .json = values->json,
        .verify = values->verify,
        .resume = values->resume,
        .in_place = values->in_place,
    };
    XTA_TRY(check_clashes(args, err));
    XTA_TRY(check_words(request, err));
    if (request->target == NULL) {
        XTA_TRY(cli_need(args, "chunk", err));
    }
    XTA_TRY(parse_values(args, request, err));
done:
    return status;
}

void cli_rechunk_clear(cli_request *request)
{
    free(request->edges[0]);
    free(request->edges[1]);
    free(request->edges[2]);
    *request = (cli_request){0};
}

/* Parse a positive length at `*at`, and move `*at` past it. */
static bool consume_length(const char **at, int64_t *length)
{
    char *end = NULL;

    if (**at < '0' || **at > '9' || strspn(*at, "0123456789") > 18) {
        return false;
    }
    *length = strtoll(*at, &end, 10);
    *at = end;
    return *length > 0;
}

static size_t count_lengths(const char *text)
{
    size_t n = 1;

    for (; *text != '\0'; text++) {
        n += *text == '+' || *text == ',';
    }
    return n;
}

/* Parse the cuts of one axis: a length, or a sum of lengths that fills [lo, hi). Edges are written
 * at `*room`, which advances. */
static bool take_cuts(const char **at, int64_t lo, int64_t hi, int64_t **free_edges, xta_cuts *cuts)
{
    int64_t *edges = *free_edges;
    int64_t n = 0, length = 0;

    if (!consume_length(at, &length)) {
        return false;
    }
    if (**at != '+') {
        *cuts = (xta_cuts){.length = length};
        return **at == ',' || **at == '\0';
    }
    edges[n++] = lo;
    edges[n] = length <= hi - lo ? lo + length : hi;
    while (**at == '+') {
        ++*at;
        if (!consume_length(at, &length) || length > hi - edges[n]) {
            return false;
        }
        edges[n + 1] = edges[n] + length;
        n++;
    }
    *cuts = (xta_cuts){.n_edges = n + 1, .edges = edges};
    *free_edges += n + 1;
    return edges[n] == hi && (**at == ',' || **at == '\0');
}

xta_status cli_rechunk_cuts(cli_request *request, int side, const xta_box *bounds,
                            xta_partition *partition, cli_error *err)
{
    const char *option = side == 0 ? "from" : side == 1 ? "chunk" : "read";
    const char *text = cli_get(request->args, option);
    const char *at = text;
    int64_t *free_edges = calloc(2 * count_lengths(text), sizeof *free_edges);
    int axis = 0;

    free(request->edges[side]);
    request->edges[side] = free_edges;
    if (free_edges == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "--%s: no memory for its cuts", option);
    }
    *partition = (xta_partition){.ndim = bounds->ndim};
    for (; axis < bounds->ndim; axis++) {
        if (!take_cuts(&at, bounds->lo[axis], bounds->hi[axis], &free_edges,
                       &partition->axis[axis])) {
            return cli_usage(err,
                             "--%s: axis %d of \"%s\": want a length of at least 1, or lengths "
                             "joined by + that add up to the axis, which has %" PRId64,
                             option, axis, text, bounds->hi[axis] - bounds->lo[axis]);
        }
        if (*at == '\0') {
            break;
        }
        at++;
    }
    if (axis + 1 != bounds->ndim) {
        return cli_usage(err, "--%s: \"%s\" does not have a length for each of the %d axes", option,
                         text, bounds->ndim);
    }
    return XTA_OK;
}

xta_status cli_rechunk_buffer(cli_request *request, const xta_box *bounds, xta_partition *buffer,
                              cli_error *err)
{
    *buffer = (xta_partition){0};
    if (!cli_has(request->args, "read")) {
        return XTA_OK;
    }
    xta_status status = cli_rechunk_cuts(request, 2, bounds, buffer, err);
    for (int axis = 0; axis < buffer->ndim; axis++) {
        buffer->axis[axis].origin = buffer->axis[axis].n_edges == 0 ? bounds->lo[axis] : 0;
    }
    return status;
}

xta_status cli_rechunk_block(const cli_request *request, const char *option, int ndim,
                             int64_t block[], cli_error *err)
{
    const char *text = cli_get(request->args, option);
    char what[16];
    xta_status status = XTA_OK;
    int n = 0;

    snprintf(what, sizeof what, "--%s", option);
    if (strchr(text, '+') != NULL) {
        return cli_usage(err,
                         "--%s: \"%s\": irregular blocks can be planned but not written; give "
                         "one length for each axis",
                         option, text);
    }
    XTA_TRY(cli_parse_coords(text, what, block, &n, err));
    if (n != ndim) {
        return cli_usage(err, "--%s: %d numbers for %d axes; give one for each", option, n, ndim);
    }
    for (int axis = 0; axis < ndim; axis++) {
        if (block[axis] < 1) {
            return cli_usage(err, "--%s: axis %d: %" PRId64 " is no length; want 1 or more", option,
                             axis, block[axis]);
        }
    }
done:
    return status;
}
