/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "fork_server.h"

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

/* Run words[1...] in the folder words[0], and print the answer. */
static int answer(int n, char *words[], int (*run)(int argc, char **argv))
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
    printf("%d %d %d\n", WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status),
           size_of(out), size_of(err));
    return print_file(out) != 0 || print_file(err) != 0 || fflush(stdout) != 0 ? -1 : 0;
}

int fork_server(int (*run)(int argc, char **argv))
{
    static char bytes[MAX_BYTES];
    char *words[MAX_WORDS];
    for (;;) {
        int n = read_request(bytes, words);
        if (n < 0) {
            return 0;
        }
        if (n < 2 || answer(n, words, run) != 0) {
            return 97;
        }
    }
}
