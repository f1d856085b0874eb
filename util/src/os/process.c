/* What identifies a process uniquely: its pid, its start time, and the namespace of the pid.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STATE = 0, N_THREADS = 17, START = 19 }; /* fields of /proc/PID/stat after the name */

/* Read a small file as text; false if it cannot be read. */
static bool read_small(const char *path, char *text, size_t capacity)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, capacity - 1) : -1;

    if (fd >= 0) {
        close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static void read_word(const char *path, char *word, size_t capacity)
{
    word[0] = '\0';
    if (read_small(path, word, capacity)) {
        word[strcspn(word, " \t\r\n")] = '\0';
    }
}

void xta__machine_id(char *id, size_t capacity)
{
    read_word("/etc/machine-id", id, capacity);
}

void xta__boot_id(char *id, size_t capacity)
{
    read_word("/proc/sys/kernel/random/boot_id", id, capacity);
}

/* "pid:[4026531836]" */
static uint64_t namespace_number(const char *path)
{
    char target[64];
    ssize_t n = readlink(path, target, sizeof target - 1);

    target[n > 0 ? n : 0] = '\0';
    const char *digits = strchr(target, '[');
    return digits != NULL ? strtoull(digits + 1, NULL, 10) : 0;
}

void xta__process_spaces(uint64_t *pids, uint64_t *clock)
{
    *pids = namespace_number("/proc/self/ns/pid");
    *clock = namespace_number("/proc/self/ns/time");
}

/* Whether the pids in /proc are those of this process's namespace. */
static bool proc_is_ours(void)
{
    char target[32];
    ssize_t n = readlink("/proc/self", target, sizeof target - 1);

    target[n > 0 ? n : 0] = '\0';
    return n > 0 && strtol(target, NULL, 10) == (long)getpid();
}

/* Parse the fields of a line of /proc/PID/stat. The name may contain blanks and parentheses. */
static bool parse_stat(const char *text, char *state, long *n_threads, uint64_t *start)
{
    const char *at = strrchr(text, ')');

    for (int field = STATE; at != NULL && field <= START; field++) {
        at = strchr(at, ' ');
        if (at == NULL) {
            return false;
        }
        at++;
        if (field == STATE) {
            *state = *at;
        } else if (field == N_THREADS) {
            *n_threads = strtol(at, NULL, 10);
        } else if (field == START) {
            *start = strtoull(at, NULL, 10);
        }
    }
    return at != NULL;
}

xta__process_state xta__process_state_of(uint64_t pid, uint64_t *start)
{
    char path[64], text[1024], state = 'R';
    long n_threads = 1;

    *start = 0;
    if (pid < 1 || pid > INT_MAX || (kill((pid_t)pid, 0) != 0 && errno == ESRCH)) {
        return XTA__PROCESS_GONE;
    }
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!proc_is_ours() || !read_small(path, text, sizeof text) ||
        !parse_stat(text, &state, &n_threads, start)) {
        *start = 0;
        return kill((pid_t)pid, 0) != 0 && errno == ESRCH ? XTA__PROCESS_GONE : XTA__PROCESS_THERE;
    }
    // It has ended, and its parent has not waited for it. Threads may outlive the first one.
    bool ended = (state == 'Z' || state == 'X') && n_threads <= 1;
    return ended ? XTA__PROCESS_GONE : XTA__PROCESS_THERE;
}

uint64_t xta__clock_ms(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}
