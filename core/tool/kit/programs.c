/* Finding and running programs of verbs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/programs.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/text.h"

#define PREFIX "xta-"

extern char **environ;

/* Candidate k of the folders that hold programs of verbs; NULL after the last. The caller frees
 * it. */
static char *exec_folder(int k)
{
    static const char *const beside[] = {"../libexec/xta", "libexec/xta"};
    const char *given = getenv("XTA_EXEC_PATH");
    char self[PATH_MAX];

    if (given != NULL && given[0] != '\0') {
        return k == 0 ? strdup(given) : NULL;
    }
    if (k >= (int)CLI_COUNT(beside)) {
        return NULL;
    }
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0) {
        return NULL;
    }
    self[n] = '\0';
    const char *slash = strrchr(self, '/');
    return slash != NULL ? xta__string("%.*s/%s", (int)(slash - self), self, beside[k]) : NULL;
}

/* The path of xta-<verb> in one of the folders, or NULL; the caller frees it. */
static char *find_program(const char *verb)
{
    char name[NAME_MAX + 1];
    char *folder, *path = NULL;

    if (strchr(verb, '/') != NULL ||
        snprintf(name, sizeof name, PREFIX "%s", verb) >= (int)sizeof name) {
        return NULL;
    }
    for (int k = 0; path == NULL && (folder = exec_folder(k)) != NULL; k++) {
        path = xta__string("%s/%s", folder, name);
        if (path != NULL && access(path, X_OK) != 0) {
            free(path);
            path = NULL;
        }
        free(folder);
    }
    return path;
}

/* ---- the list ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static xta_status add_program(cli_programs *programs, const char *name, cli_error *err)
{
    char **longer = realloc(programs->names, (programs->n + 1) * sizeof longer[0]);

    if (longer != NULL) {
        programs->names = longer;
        longer[programs->n] = strdup(name);
    }
    if (longer == NULL || longer[programs->n] == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for the list of commands");
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
        if (path != NULL && access(path, X_OK) == 0) {
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
    char *folder;
    xta_status status = XTA_OK;

    *programs = (cli_programs){0};
    for (int k = 0; status == XTA_OK && (folder = exec_folder(k)) != NULL; k++) {
        status = list_folder(programs, folder, err);
        free(folder);
    }
    if (programs->n > 0) {
        qsort(programs->names, programs->n, sizeof programs->names[0], by_name);
    }
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

xta_status cli_program_exec(const char *verb, int argc, char *argv[], cli_error *err)
{
    char name[NAME_MAX + 1];
    char *path = find_program(verb);
    char **arguments = calloc((size_t)argc + 2, sizeof arguments[0]);

    if (arguments == NULL) {
        free(path);
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for %d arguments", argc);
    }
    snprintf(name, sizeof name, PREFIX "%s", verb);
    arguments[0] = path != NULL ? path : name;
    for (int k = 0; k < argc; k++) {
        arguments[k + 1] = argv[k];
    }
    if (path != NULL) {
        execv(path, arguments);
    } else if (strchr(verb, '/') == NULL) {
        execvp(name, arguments);
    } else {
        errno = ENOENT;
    }
    int number = errno;
    free(arguments);
    xta_status status = XTA_ENOENT;
    if (path != NULL || number != ENOENT) {
        status = cli_fail(err, XTA_EIO, number, "%s: cannot be run: %s", path != NULL ? path : name,
                          strerror(number));
    }
    free(path);
    return status;
}

/* Start xta-<verb>; its standard output is read from *out. -1 if it cannot be started. */
static pid_t start(const char *verb, const char *argument, FILE **out)
{
    char *path = find_program(verb);
    char *arguments[] = {path, (char *)(uintptr_t)argument, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2];
    pid_t child = -1;

    *out = NULL;
    if (path == NULL || pipe(ends) != 0) {
        free(path);
        return -1;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    if (posix_spawn(&child, path, &actions, NULL, arguments, environ) != 0) {
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
    pid_t child = start(verb, argument, &out);
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

xta_status cli_program_copy_output(const char *verb, const char *argument)
{
    FILE *out;
    pid_t child = start(verb, argument, &out);
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
