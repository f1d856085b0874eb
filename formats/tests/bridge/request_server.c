/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "request_server.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 100, MAX_BYTES = 1 << 16 };

/* The words of one request in `bytes`; their number, or -1 at the end of the input. */
static int read_request(char bytes[MAX_BYTES], char *words[MAX_WORDS])
{
    int n = 0;
    size_t used = 0;
    for (;;) {
        size_t start = used;
        int c = 0;
        while ((c = getchar()) > 0 && used < MAX_BYTES - 1) {
            bytes[used++] = (char)c;
        }
        if (c != 0 || n == MAX_WORDS - 1) {
            return -1;
        }
        if (used == start) {
            words[n] = NULL;
            return n;
        }
        bytes[used++] = '\0';
        words[n++] = bytes + start;
    }
}

static int print_file(int fd)
{
    char bytes[4096];
    ssize_t got = 0;
    for (off_t at = 0; (got = pread(fd, bytes, sizeof(bytes), at)) > 0; at += got) {
        fwrite(bytes, 1, (size_t)got, stdout);
    }
    close(fd);
    return got == 0 ? 0 : -1;
}

static int size_of(int fd)
{
    struct stat st;
    return fstat(fd, &st) == 0 ? (int)st.st_size : -1;
}

/* The answer: its line, and what was printed. */
static int print_answer(int status, int out, int err)
{
    printf("%d %d %d\n", status, size_of(out), size_of(err));
    return print_file(out) != 0 || print_file(err) != 0 || fflush(stdout) != 0 ? -1 : 0;
}

/* Run words[1...] in the folder words[0] in a child. */
static int answer_by_child(int n, char *words[], request_function *run)
{
    int out = memfd_create("stdout", MFD_CLOEXEC);
    int err = memfd_create("stderr", MFD_CLOEXEC);
    int status = 0;
    pid_t child = out < 0 || err < 0 ? -1 : fork();
    if (child == 0) {
        if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0 || chdir(words[0]) != 0) {
            _exit(98);
        }
        exit(run(n - 1, words + 1));
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return -1;
    }
    return print_answer(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status), out, err);
}

/* The same in this process, whose own output is put aside meanwhile. */
static int answer_here(int n, char *words[], request_function *run)
{
    int out = memfd_create("stdout", MFD_CLOEXEC);
    int err = memfd_create("stderr", MFD_CLOEXEC);
    int old_out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    int old_err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (out < 0 || err < 0 || old_out < 0 || old_err < 0 || chdir(words[0]) != 0 ||
        dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) {
        return -1;
    }
    int status = run(n - 1, words + 1);
    if (fflush(stdout) != 0 || dup2(old_out, STDOUT_FILENO) < 0 ||
        dup2(old_err, STDERR_FILENO) < 0) {
        return -1;
    }
    close(old_out);
    close(old_err);
    return print_answer(status, out, err);
}

int serve_requests(request_function *run, bool in_children)
{
    static char bytes[MAX_BYTES];
    char *words[MAX_WORDS];
    for (;;) {
        int n = read_request(bytes, words);
        if (n < 0) {
            return 0;
        }
        if (n < 2 || (in_children ? answer_by_child : answer_here)(n, words, run) != 0) {
            return 97;
        }
    }
}
