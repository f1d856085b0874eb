/* Common main program: standard streams, dispatch, the error line, the exit code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/escape.h"
#include "kit/interrupt.h"
#include "kit/log.h"
#include "util/errors.h"

/* If a standard stream is closed, the next file that is opened gets its descriptor, and output
 * meant for the terminal would go into an array. /dev/null, opened in the opposite direction,
 * occupies the descriptor and makes every use an error, as it should be. */
static void guard_standard_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};

    for (int descriptor = 0; descriptor < 3; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF) {
            (void)!open("/dev/null", modes[descriptor]);
        }
    }
}

/* Whether nobody reads what this process writes to its standard output. An earlier failure has set
 * the stream's error flag, but its errno is lost by now: so the descriptor is asked. */
static bool output_is_closed_pipe(void)
{
    struct stat facts;
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return fstat(STDOUT_FILENO, &facts) == 0 &&
           (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode)) && poll(&output, 1, 0) == 1 &&
           (output.revents & (POLLERR | POLLHUP)) != 0;
}

/* Check that everything printed was written. An earlier failure has set the stream's error flag,
 * but its errno is lost by now. */
static xta_status finish_output(cli_error *err)
{
    int number = fflush(stdout) != 0 ? errno : 0;
    bool failed = ferror(stdout) != 0;

    if (failed && output_is_closed_pipe()) {
        return cli_fail(err, XTA_EIO, EPIPE, "standard output: nobody reads it");
    }
    if (fclose(stdout) != 0 && number == 0) {
        number = errno;
    }
    if (number != 0) {
        return cli_fail(err, xta__status_of_errno(number), number,
                        "standard output: cannot be written: %s", strerror(number));
    }
    if (failed) {
        return cli_fail(err, XTA_EIO, 0, "standard output: not everything could be written");
    }
    return XTA_OK;
}

/* Words name arrays, folders and files that are read and written at any place, which a stream does
 * not allow; options that take a stream say so. */
static xta_status refuse_stream(const cli_args *args, cli_error *err)
{
    for (int k = 0; k < args->n_words; k++) {
        if (strcmp(args->words[k], "-") == 0) {
            return cli_usage(err,
                             "\"-\" is standard input or output, and this must be a file, which "
                             "is read or written at any place; cells come and go as a stream "
                             "by xta read A and xta write A --from -, and a file of this name "
                             "is ./-");
        }
    }
    return XTA_OK;
}

xta_status cli_run_command(const cli_command *command, int argc, char *argv[], cli_error *err)
{
    cli_args args;
    xta_status status = cli_args_parse(&args, command, argc, argv, err);

    if (status == XTA_OK && args.help) {
        cli_print_help(command, stdout);
    } else if (status == XTA_OK && (status = refuse_stream(&args, err)) == XTA_OK) {
        status = cli_log_end(command->run(&args, err), err);
    }
    cli_args_clear(&args);
    return status;
}

static void print_error(const char *name, const cli_error *err)
{
    fprintf(stderr, "xta%s%s: ", name != NULL ? " " : "", name != NULL ? name : "");
    cli_print_name(stderr, err->error.text);
    if (err->usage) {
        fprintf(stderr, "; see xta help%s%s", name != NULL ? " " : "", name != NULL ? name : "");
    }
    fputc('\n', stderr);
}

/* End as a process that writes into a closed pipe does: by the signal, without a word. If the
 * signal cannot be raised, return the exit code by which a shell reports it. */
static int end_by_closed_pipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    return CLI_CLOSED_PIPE;
}

/* Each array that is open needs two descriptors: a data set of 1,000 members more than the soft
 * limit of most systems. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int cli_program(cli_dispatch *dispatch, int argc, char *argv[])
{
    cli_error err = {0};
    cli_error at_end = {0};
    const char *name = NULL;

    guard_standard_streams();
    raise_descriptor_limit();
    // What a verb has begun is completed or undone even if nobody reads its output any more.
    signal(SIGPIPE, SIG_IGN);
    xta_status status = dispatch(argc - 1, argv + 1, &name, &err);
    xta_status finished = finish_output(&at_end);
    // A verb that saw the stream's error flag could not say why.
    bool unread = status == XTA_EIO && err.error.os_errno == 0 && at_end.error.os_errno == EPIPE;
    if (finished != XTA_OK && (status == XTA_OK || unread)) {
        status = finished;
        at_end.failure_code = err.failure_code;
        err = at_end;
    }
    if (status == XTA_OK) {
        return err.result_code;
    }
    if (err.error.os_errno == EPIPE) {
        return end_by_closed_pipe();
    }
    print_error(name, &err);
    if (status == XTA_ECANCELLED) {
        cli_interrupt_pass_on();
    }
    return err.usage ? CLI_USAGE : err.failure_code > 0 ? err.failure_code : CLI_FAILURE;
}

/* ---- programs of one verb ---- */

/* The only verb of this program; set once, before anything else runs. */
static const cli_command *the_verb;

/* Print the `--help` of a verb, or of one of its verbs. */
static xta_status print_help(int argc, char *argv[], const char **name, cli_error *err)
{
    const cli_command *command = the_verb;
    xta_status status = XTA_OK;

    *name = argc > 0 ? "help" : *name; // named as in `xta help`
    if (argc > 0 && the_verb->find == NULL) {
        return cli_usage(err, "\"%s\" is one argument too many: %s has no commands of its own",
                         argv[0], the_verb->name);
    }
    if (argc > 0) {
        XTA_TRY(the_verb->find(argv[0], &command, err));
    }
    cli_print_help(command, stdout);
done:
    return status;
}

/* Dispatch on the word after a verb that has verbs. */
static xta_status dispatch_inner(int argc, char *argv[], const char **name, cli_error *err)
{
    const cli_command *inner = NULL;
    xta_status status = XTA_OK;

    if (argc < 1) {
        return cli_usage(err, "what to do is missing: xta %s %s", the_verb->name, the_verb->usage);
    }
    XTA_TRY(the_verb->find(argv[0], &inner, err));
    *name = inner->name;
    status = cli_run_command(inner, argc - 1, argv + 1, err);
done:
    return status;
}

static xta_status dispatch_verb(int argc, char *argv[], const char **name, cli_error *err)
{
    *name = the_verb->name;
    if (argc == 1 && strcmp(argv[0], "--summary") == 0) {
        printf("%s\n", the_verb->summary);
        return XTA_OK;
    }
    if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)) {
        return print_help(argc - 1, argv + 1, name, err);
    }
    if (the_verb->find != NULL) {
        return dispatch_inner(argc, argv, name, err);
    }
    return cli_run_command(the_verb, argc, argv, err);
}

int cli_verb_program(const cli_command *command, int argc, char *argv[])
{
    the_verb = command;
    return cli_program(dispatch_verb, argc, argv);
}
