/* xta serve: arrays over HTTP.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <xta/serve.h>

#include "kit/interrupt.h"
#include "kit/print/json.h"

enum { DEFAULT_PORT = 8420 };

typedef struct serve_options {
    int64_t port;
    const char *bind;
    const char *cors;
    const char *url;
    bool follow;
    int64_t connections;
    int64_t timeout;
    uint64_t memory_bytes;
    int64_t seconds;
    bool json;
} serve_options;

static const cli_option options[] = {
    CLI_INT(serve_options, port, "port", "N", 0, 65535, "is no port; they are 0 to 65535",
            "the port (8420); 0: any that is free"),
    CLI_STRING(serve_options, bind, "bind", "ADDRESS",
               "the numeric address to listen at (127.0.0.1: this machine alone)"),
    CLI_STRING(serve_options, cors, "cors", "ORIGIN",
               "let pages of this origin read the answers; *: of any"),
    CLI_STRING(serve_options, url, "url", "PREFIX",
               "the address by which clients reach the server, if a proxy is before it"),
    CLI_FLAG(serve_options, follow, "follow",
             "addresses without a pin show what is appended at the back"),
    CLI_INT(serve_options, connections, "connections", "N", 1, 10000, "is not from 1 to 10000",
            "the most at one time (512)"),
    CLI_INT(serve_options, timeout, "timeout", "SECONDS", 1, 86400, "is not from 1 to 86400",
            "close a connection on which nothing moves for so long (30)"),
    CLI_BYTES(serve_options, memory_bytes, "memory", "SIZE",
              "the most that answers on their way take (1GiB)"),
    CLI_INT(serve_options, seconds, "for", "SECONDS", 0, 1000000000, "is not from 0 to 1000000000",
            "end after so long"),
    CLI_FLAG(serve_options, json, "json", "print one JSON object, once the server has started"),
};

/* Each snapshot keeps files open. */
static void allow_many_files(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit); // with fewer, opening says so
    }
}

/* Wait for a signal, or for so many seconds, if there is such a limit. */
static void wait_for_end(const cli_args *args)
{
    enum { STEPS = 5 }; // a second
    const serve_options *given = args->values;
    const struct timespec time = {0, 1000000000 / STEPS};
    const bool limited = cli_has(args, "for");

    for (int64_t k = 0; !cli_interrupted() && !(limited && k / STEPS >= given->seconds); k++) {
        (void)nanosleep(&time, NULL); // a signal ends it at once
    }
}

/* Say where the server is: somebody waits for it. */
static void print_start(const cli_args *args, const xta_server *server)
{
    const serve_options *given = args->values;
    const char *bind = given->bind != NULL ? given->bind : "127.0.0.1";
    const bool v6 = strchr(bind, ':') != NULL;

    if (given->json) {
        fputs("{\"url\": \"", stdout);
    }
    printf("http://%s%s%s:%d/", v6 ? "[" : "", bind, v6 ? "]" : "", xta_server_port(server));
    if (given->json) {
        printf("\", \"port\": %d, \"paths\": [", xta_server_port(server));
        for (int k = 0; k < args->n_words; k++) {
            fputs(k > 0 ? ", " : "", stdout);
            cli_json_text(stdout, args->words[k]);
        }
        fputs("]}", stdout);
    }
    putchar('\n');
    fflush(stdout);
}

static xta_status serve_run(const cli_args *args, cli_error *err)
{
    const serve_options *given = args->values;
    xta_serve_options chosen = XTA_SERVE_OPTIONS_INIT;
    xta_server *server = NULL;

    chosen.port = cli_has(args, "port") ? (int)given->port : DEFAULT_PORT;
    chosen.bind = given->bind;
    chosen.origin = given->cors;
    chosen.url = given->url;
    chosen.follow = given->follow;
    chosen.connections = (int)given->connections;
    chosen.timeout_s = (int)given->timeout;
    chosen.memory_bytes = given->memory_bytes;
    chosen.guard_sigbus = true;
    (void)setenv("XTA_THREADS", "1", 1); // each client has a thread, which is all that is guarded
    cli_interrupt_watch();
    allow_many_files();
    xta_status status =
        xta_server_start(args->words, (size_t)args->n_words, &chosen, &server, &err->error);
    if (status == XTA_OK) {
        print_start(args, server);
        wait_for_end(args);
        xta_server_stop(server);
    }
    return status;
}

static const cli_command serve_command = {
    .name = "serve",
    .summary = "serve arrays and data sets over HTTP, as Zarr stores that are computed",
    .usage = "PATH... [--port N] [--bind ADDRESS] [--cors ORIGIN] [--url PREFIX] [--follow] "
             "[--connections N] [--timeout SECONDS] [--memory SIZE] [--for SECONDS] [--json]",
    .details =
        "Serves each array, or each folder as a data set, under the last component NAME of its "
        "path, until SIGINT or SIGTERM; nothing can be changed, and nothing else is read. Prints "
        "the address of a page that lists what there is. NAME@PIN.zarr is a Zarr store of version "
        "2, NAME@PIN.zarr3 of version 3; PIN is a structural step of an array, or bounds of the "
        "dimensions of a data set, so that growth changes nothing in it. NAME/latest leads to the "
        "newest, NAME/steps.json lists all, NAME.json has kerchunk references to the newest, and "
        "NAME.zarr is the array as it was when the server started.",
    .example = "  xta serve sst ocean --port 8420",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(serve_options),
    .min_words = 1,
    .max_words = 1000,
    .run = serve_run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&serve_command, argc, argv);
}
