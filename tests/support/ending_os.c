/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "support/ending_os.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/os.h"

static xta__os_calls real;
/* Static: xta__os_replace keeps the pointer. */
static xta__os_calls ending;
static uint64_t calls_left;

static void count_call(void)
{
    if (--calls_left == 0) {
        kill(getpid(), SIGKILL);
    }
}

static ssize_t ending_write_at(int fd, const void *bytes, size_t n, off_t offset)
{
    count_call();
    return real.write_at(fd, bytes, n, offset);
}

static int ending_sync(int fd)
{
    count_call();
    return real.sync(fd);
}

static int ending_truncate(int fd, off_t bytes)
{
    count_call();
    return real.truncate(fd, bytes);
}

static int ending_allocate(int fd, int mode, off_t offset, off_t bytes)
{
    count_call();
    return real.allocate(fd, mode, offset, bytes);
}

static int ending_make_folder(const char *path, unsigned mode)
{
    count_call();
    return real.make_folder(path, mode);
}

static int ending_remove_folder(const char *path)
{
    count_call();
    return real.remove_folder(path);
}

static int ending_link(const char *from, const char *to)
{
    count_call();
    return real.link(from, to);
}

static int ending_rename(const char *from, const char *to, bool replace)
{
    count_call();
    return real.rename(from, to, replace);
}

static int ending_unlink(const char *path)
{
    count_call();
    return real.unlink(path);
}

static void begin(uint64_t n, bool names)
{
    real = *xta__os();
    ending = real;
    calls_left = n;
    ending.link = ending_link;
    ending.rename = ending_rename;
    ending.unlink = ending_unlink;
    if (!names) {
        ending.write_at = ending_write_at;
        ending.sync = ending_sync;
        ending.truncate = ending_truncate;
        ending.allocate = ending_allocate;
        ending.make_folder = ending_make_folder;
        ending.remove_folder = ending_remove_folder;
    }
    xta__os_replace(&ending);
}

bool ending_os_run(const test_story *story, xta_status (*call)(void *user, xta_error *err),
                   void *user, uint64_t n, bool names)
{
    pid_t child = fork();
    int state = 0;

    if (child == 0) {
        xta_error err = {0};
        begin(n, names);
        _exit(call(user, &err) == XTA_OK ? 0 : 1);
    }
    STORY_CHECK(story, child > 0 && waitpid(child, &state, 0) == child, "there is no child");
    STORY_CHECK(story, WIFSIGNALED(state) ? WTERMSIG(state) == SIGKILL : WEXITSTATUS(state) == 0,
                "the call failed, or ended otherwise: %d", state);
    return WIFSIGNALED(state);
}
