/* One follower for each folder: a lock that the system releases when its process ends, in whatever
 * way. The file keeps the process id of the last follower, for messages.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "follow/lock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "follow/maps.h"
#include "state/replace_file.h"

/* The process id in the lock file. */
static xta_status lock_is_taken(const char *path, int fd, xta_error *err)
{
    char who[32] = "";
    ssize_t n = pread(fd, who, sizeof who - 1, 0);

    who[n > 0 ? strcspn(who, "\n") : 0] = '\0';
    return xta_error_set(err, XTA_EEXIST, EWOULDBLOCK,
                         "%s: another follower has this folder (process %s); stop it, or choose "
                         "another folder",
                         path, who[0] != '\0' ? who : "unknown");
}

static xta_status lock_file(const char *path, int fd, xta_error *err)
{
    char who[32];
    int length = snprintf(who, sizeof who, "%ld\n", (long)getpid());

    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return errno == EWOULDBLOCK ? lock_is_taken(path, fd, err)
                                    : xta__file_error(path, "cannot be locked", errno, err);
    }
    if (ftruncate(fd, 0) != 0 || pwrite(fd, who, (size_t)length, 0) != length) {
        return xta__file_error(path, "cannot be written", errno, err);
    }
    return XTA_OK;
}

/* Whether a file was left over by a follower that was killed: a state or a text under its temporary
 * name, or an array that was not completed. */
static bool is_left_over(const char *name)
{
    static const char *const firsts[] = {"follow.next", "follow.state.new", "endmembers.csv.new",
                                         "pct.basis.new", "mnf.basis.new"};
    bool left = false;

    for (size_t k = 0; k < sizeof firsts / sizeof firsts[0]; k++) {
        left = left || strcmp(name, firsts[k]) == 0;
    }
    for (int map = 0; map < N_MAPS && !left; map++) {
        const char *array = xta__follow_map_name(map);
        const size_t n = strlen(array);
        left = strncmp(name, array, n) == 0 && strncmp(name + n, ".xmd.new-", 9) == 0;
    }
    return left;
}

/* Files left over are in nobody's way, so it is no error if they cannot be removed. */
static void remove_leftovers(const xta_follow *f)
{
    DIR *folder = opendir(f->folder);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (is_left_over(entry->d_name)) {
            unlinkat(dirfd(folder), entry->d_name, 0);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

xta_status xta__follow_lock(xta_follow *f, xta_error *err)
{
    xta_status status = XTA_OK;
    char *path = xta__file_path(f->folder, "follow.lock");

    if (path == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a name", f->folder);
    }
    if (mkdir(f->folder, 0777) != 0 && errno != EEXIST) {
        status = xta__file_error(f->folder, "cannot be made", errno, err);
        goto done;
    }
    f->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (f->lock < 0) {
        status = xta__file_error(path, "cannot be opened", errno, err);
        goto done;
    }
    status = lock_file(path, f->lock, err);
    f->locked_by = (long)getpid();
    if (status == XTA_OK) {
        remove_leftovers(f);
    } else {
        xta__follow_unlock(f);
    }
done:
    free(path);
    return status;
}

void xta__follow_unlock(xta_follow *f)
{
    if (f->lock >= 0) {
        // A child made by fork has the same open file: closing here would not release it.
        if (f->locked_by == (long)getpid()) {
            (void)!flock(f->lock, LOCK_UN);
        }
        close(f->lock);
        f->lock = -1;
    }
}
