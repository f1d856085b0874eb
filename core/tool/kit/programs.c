/* Finding and running programs of verbs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/programs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/text.h"
#include "util/try.h"
#include "util/vector.h"

#define PREFIX "xta-"

/* Of programs whose output is read. */
#define MOST_ARGUMENTS 8
#define MOST_OUTPUT    65536

extern char **environ;

static xta_status no_memory(cli_error *err)
{
    return cli_fail(err, XTA_ENOMEM, 0, "no memory for the list of commands");
}

/* Candidate k of the folders that hold programs of verbs; NULL after the last. The caller frees
 * it. XTA_ENOMEM. */
static xta_status exec_folder(int k, char **folder, cli_error *err)
{
    // As installed, and as built.
    static const char *const beside[] = {XTA_EXEC_FROM_BIN, "libexec/xta"};
    const char *given = getenv("XTA_EXEC_PATH");
    char self[PATH_MAX];

    *folder = NULL;
    if (given != NULL && given[0] != '\0') {
        if (k > 0) {
            return XTA_OK;
        }
        *folder = xta__string("%s", given);
        return *folder != NULL ? XTA_OK : no_memory(err);
    }
    ssize_t n = k < (int)CLI_COUNT(beside) ? readlink("/proc/self/exe", self, sizeof self - 1) : -1;
    if (n < 0) {
        return XTA_OK;
    }
    self[n] = '\0';
    const char *slash = strrchr(self, '/');
    if (slash == NULL) {
        return XTA_OK;
    }
    *folder = xta__string("%.*s/%s", (int)(slash - self), self, beside[k]);
    return *folder != NULL ? XTA_OK : no_memory(err);
}

/* The path of xta-<verb> in one of the folders, or NULL; the caller frees it. XTA_ENOMEM. */
static xta_status find_program(const char *verb, char **path, cli_error *err)
{
    char *folder = NULL;
    xta_status status = XTA_OK;

    *path = NULL;
    if (strchr(verb, '/') != NULL) {
        return XTA_OK;
    }
    for (int k = 0; *path == NULL; k++) {
        XTA_TRY(exec_folder(k, &folder, err));
        if (folder == NULL) {
            break;
        }
        *path = xta__string("%s/" PREFIX "%s", folder, verb);
        free(folder);
        if (*path == NULL) {
            return no_memory(err);
        }
        if (access(*path, X_OK) != 0) {
            free(*path);
            *path = NULL;
        }
    }
done:
    return status;
}

/* ---- the list ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static xta_status add_program(cli_programs *programs, const char *name, cli_error *err)
{
    if (!XTA__RESERVE(programs->names, programs->capacity, programs->n + 1) ||
        (programs->names[programs->n] = strdup(name)) == NULL) {
        return no_memory(err);
    }
    programs->n++;
    return XTA_OK;
}

static bool is_listed(const cli_programs *programs, const char *name)
{
    for (size_t k = 0; k < programs->n; k++) {
        if (strcmp(programs->names[k], name) == 0) {
            return true;
        }
    }
    return false;
}

static xta_status list_folder(cli_programs *programs, const char *folder, cli_error *err)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    xta_status status = XTA_OK;

    while (status == XTA_OK && entries != NULL && (entry = readdir(entries)) != NULL) {
        const char *name = entry->d_name;
        if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 ||
            is_listed(programs, name + strlen(PREFIX))) {
            continue;
        }
        char *path = xta__string("%s/%s", folder, name);
        if (path == NULL) {
            status = no_memory(err);
        } else if (access(path, X_OK) == 0) {
            status = add_program(programs, name + strlen(PREFIX), err);
        }
        free(path);
    }
    if (entries != NULL) {
        closedir(entries);
    }
    return status;
}

xta_status cli_programs_list(cli_programs *programs, cli_error *err)
{
    char *folder = NULL;
    xta_status status = XTA_OK;

    *programs = (cli_programs){0};
    for (int k = 0;; k++) {
        XTA_TRY(exec_folder(k, &folder, err));
        if (folder == NULL) {
            break;
        }
        status = list_folder(programs, folder, err);
        free(folder);
        XTA_TRY(status);
    }
    if (programs->n > 0) {
        qsort(programs->names, programs->n, sizeof programs->names[0], by_name);
    }
done:
    return status;
}

void cli_programs_clear(cli_programs *programs)
{
    for (size_t k = 0; k < programs->n; k++) {
        free(programs->names[k]);
    }
    free(programs->names);
    *programs = (cli_programs){0};
}

/* ---- running ---- */

/* Programs of others, and their children, end at a closed pipe as usual; programs of one verb
 * ignore the signal again. */
static void restore_signals(void)
{
    signal(SIGPIPE, SIG_DFL);
}

xta_status cli_program_exec(const char *verb, int argc, char *argv[], cli_error *err)
{
    char *path = NULL;
    char *name = NULL; // that PATH is searched for
    char **arguments = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(find_program(verb, &path, err));
    name = xta__string(PREFIX "%s", verb);
    arguments = calloc((size_t)argc + 2, sizeof arguments[0]);
    if (name == NULL || arguments == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for %d arguments", argc);
        goto done;
    }
    arguments[0] = path != NULL ? path : name;
    for (int k = 0; k < argc; k++) {
        arguments[k + 1] = argv[k];
    }
    int number = ENOENT;
    if (path != NULL || strchr(verb, '/') == NULL) {
        restore_signals();
        execvp(arguments[0], arguments); // a path with a slash is not searched for
        number = errno;
        signal(SIGPIPE, SIG_IGN);
    }
    status = XTA_ENOENT;
    if (path != NULL || number != ENOENT) {
        status =
            cli_fail(err, XTA_EIO, number, "%s: cannot be run: %s", arguments[0], strerror(number));
    }
done:
    free(arguments);
    free(name);
    free(path);
    return status;
}

/* Start xta-<verb> with up to MOST_ARGUMENTS; its standard output, and if `errors` its standard
 * error, is read from *out. -1 if it cannot be started. */
static pid_t start(const char *verb, int n, const char *const arguments[], bool errors, FILE **out)
{
    cli_error ignored = {0};
    char *path = NULL;
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t child = -1;

    *out = NULL;
    if (find_program(verb, &path, &ignored) != XTA_OK || path == NULL || pipe(ends) != 0) {
        free(path);
        return -1;
    }
    char *argv[MOST_ARGUMENTS + 2] = {path};
    for (int k = 0; k < n && k < MOST_ARGUMENTS; k++) {
        argv[k + 1] = (char *)(uintptr_t)arguments[k];
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (errors) {
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    }
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    if (posix_spawn(&child, path, &actions, NULL, argv, environ) != 0) {
        child = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *out = child > 0 ? fdopen(ends[0], "r") : NULL;
    if (*out == NULL) {
        close(ends[0]);
    }
    free(path);
    return child;
}

/* Close the output and wait; returns whether the program succeeded. */
static bool finish(pid_t child, FILE *out)
{
    int state = 0;

    if (out != NULL) {
        fclose(out);
    }
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {}
    return child > 0 && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

char *cli_program_line(const char *verb, const char *argument)
{
    FILE *out;
    pid_t child = start(verb, 1, &argument, false, &out);
    char *line = NULL;
    size_t capacity = 0;

    if (out == NULL || getline(&line, &capacity, out) < 0) {
        free(line);
        line = NULL;
    }
    if (!finish(child, out) || line == NULL) {
        free(line);
        return strdup("");
    }
    line[strcspn(line, "\n")] = '\0';
    return line;
}

xta_status cli_program_output(const char *verb, int n, const char *const arguments[], char **out)
{
    FILE *stream;
    pid_t child = start(verb, n, arguments, true, &stream);
    char *text = child >= 0 ? malloc(MOST_OUTPUT + 1) : NULL;
    size_t bytes = 0;

    *out = text;
    if (text != NULL && stream != NULL) {
        bytes = fread(text, 1, MOST_OUTPUT, stream);
    }
    // What does not fit is read all the same: the program would end at a closed pipe.
    while (stream != NULL && fgetc(stream) != EOF) {}
    bool succeeded = finish(child, stream);
    if (text == NULL) {
        return child < 0 ? XTA_ENOENT : XTA_ENOMEM;
    }
    text[bytes] = '\0';
    return succeeded ? XTA_OK : XTA_EIO;
}

xta_status cli_program_copy_output(const char *verb, const char *argument)
{
    FILE *out;
    pid_t child = start(verb, 1, &argument, false, &out);
    char bytes[4096];
    size_t n;

    if (child < 0) {
        return XTA_ENOENT;
    }
    while (out != NULL && (n = fread(bytes, 1, sizeof bytes, out)) > 0) {
        fwrite(bytes, 1, n, stdout);
    }
    return finish(child, out) ? XTA_OK : XTA_EIO;
}
