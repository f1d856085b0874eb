/* Where an export goes: what may be replaced there, and files that appear only when they are
 * complete.
 *
 * A format may write more than one file (a header beside the cells), so it writes into a new folder
 * beside the destination. On success the files are synced and moved into place, the main one last;
 * until then existing files are untouched, even if the process is killed.
 *
 * The same rules apply to every format:
 *
 *   nothing there, or an empty file   written
 *   the format holds several arrays   the variable is added to a copy of the file, which then takes
 *   and the file is one of its        its place; a variable of that name needs XTA_OVERWRITE_SAME
 *   it holds several, but none can    needs XTA_OVERWRITE_ANY
 *   be added (MATLAB)
 *   a file that the format reads      needs XTA_OVERWRITE_SAME
 *   any other file, a damaged one     needs XTA_OVERWRITE_ANY
 *   a folder, a device, a pipe        never
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "transfer/destination.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "common/path_suffix.h"
#include "description/description.h"
#include "description/format.h"
#include "util/errors.h"
#include "util/files.h"
#include "util/replace.h"
#include "util/text.h"
#include "util/try.h"

#define COPY_BYTES ((size_t)1 << 20)
#define HEAD_BYTES 1024

static xta_status system_error(const char *path, const char *doing, xta_error *err)
{
    int code = errno;
    return xta_error_set(err, xta__status_of_errno(code), code, "%s: cannot %s: %s", path, doing,
                         strerror(code));
}

/* ---- what is there ---- */

/* Follow symbolic links, so that the file is replaced and not the link to it. The suffix of a file
 * selects the format, so link and file must have the same suffix. */
static xta_status resolve_links(bridge_destination *to, xta_error *err)
{
    char given[16];
    char real[16];
    int number = xta__target_path(to->given, &to->path);
    if (number != 0) {
        errno = number;
        return system_error(to->given, "follow its links", err);
    }
    xta__path_suffix(to->given, given);
    xta__path_suffix(to->path, real);
    if (strcmp(given, real) != 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: is a link to %s, whose suffix is another; name that file itself",
                             to->given, to->path);
    }
    const char *slash = strrchr(to->path, '/');
    to->base = slash != NULL ? slash + 1 : to->path;
    to->folder = xta__bridge_copy(slash != NULL ? to->path : ".");
    if (to->folder == NULL) {
        return xta__bridge_no_memory(to->given, err);
    }
    if (slash != NULL) {
        to->folder[slash == to->path ? 1 : slash - to->path] = '\0';
    }
    return XTA_OK;
}

static bool is_sniffed(const bridge_destination *to)
{
    unsigned char head[HEAD_BYTES];
    FILE *file = fopen(to->path, "rb");
    size_t n = file != NULL ? fread(head, 1, sizeof head, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    return to->format->sniff(to->path, head, n);
}

/* Whether the format can read the file, that is, whether it is a complete file of this format. */
static bool is_readable(const bridge_destination *to)
{
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    bridge_target none = {NULL, -1};
    bridge_description what;
    void *state = NULL;
    xta__description_init(&what);
    bool good = is_sniffed(to) &&
                to->format->open(to->path, &options, &none, &what, &state, NULL) == XTA_OK;
    if (state != NULL) {
        to->format->close(state);
    }
    xta__description_clear(&what);
    return good;
}

static xta_status check_existing(bridge_destination *to, xta_error *err)
{
    if (to->overwrite == XTA_OVERWRITE_ANY) {
        return XTA_OK;
    }
    if (to->format->add != NULL) {
        to->add = is_sniffed(to);
        return to->add ? XTA_OK
                       : xta_error_set(err, XTA_EEXIST, 0,
                                       "%s: is there already and is not of format %s; --force "
                                       "replaces it all the same",
                                       to->given, to->format->name);
    }
    if (to->format->several) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: is there already and may hold other variables; export to another "
                             "file, or --force replaces all of it",
                             to->given);
    }
    if (!is_readable(to)) {
        return xta_error_set(err, XTA_EEXIST, 0,
                             "%s: is there already and is not known to be of format %s; --force "
                             "replaces it all the same",
                             to->given, to->format->name);
    }
    return to->overwrite == XTA_OVERWRITE_SAME
               ? XTA_OK
               : xta_error_set(err, XTA_EEXIST, 0, "%s: is there already; --replace replaces it",
                               to->given);
}

static xta_status read_destination(bridge_destination *to, xta_error *err)
{
    if (stat(to->path, &to->before) != 0) {
        struct stat link;
        memset(&to->before, 0, sizeof to->before);
        if (lstat(to->path, &link) == 0) {
            errno = ENOENT;
            return system_error(to->given, "follow this link", err);
        }
        if (to->base[0] != '\0') {
            return XTA_OK;
        }
    }
    if (to->base[0] == '\0' || S_ISDIR(to->before.st_mode)) {
        return xta_error_set(err, XTA_EARG, 0, "%s: is a folder; name a file in it", to->given);
    }
    if (!S_ISREG(to->before.st_mode)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: is not a regular file; export to a file and copy that",
                             to->given);
    }
    to->exists = to->before.st_size > 0;
    return to->exists ? check_existing(to, err) : XTA_OK;
}

/* ---- the temporary folder ---- */

static xta_status make_temporary(bridge_destination *to, xta_error *err)
{
    to->temporary = xta__string("%s/.xta-export-XXXXXX", to->folder);
    if (to->temporary == NULL) {
        return xta__bridge_no_memory(to->given, err);
    }
    if (mkdtemp(to->temporary) == NULL) {
        xta_status status = system_error(to->folder, "make a folder in it", err);
        free(to->temporary);
        to->temporary = NULL;
        return status;
    }
    return XTA_OK;
}

static xta_status copy_bytes(int in, int out, const char *from, const char *to, xta_error *err)
{
    xta_status status = XTA_OK;
    char *bytes = malloc(COPY_BYTES);
    ssize_t got = 1;
    if (bytes == NULL) {
        return xta__bridge_no_memory(from, err);
    }
    while (status == XTA_OK && got != 0) {
        got = read(in, bytes, COPY_BYTES);
        if (got < 0 && errno != EINTR) {
            status = system_error(from, "read it", err);
        }
        for (ssize_t at = 0; status == XTA_OK && at < got;) {
            ssize_t put = write(out, bytes + at, (size_t)(got - at));
            if (put < 0 && errno != EINTR) {
                status = system_error(to, "write its new version", err);
            }
            at += put > 0 ? put : 0;
        }
    }
    free(bytes);
    return status;
}

/* Copy the existing file; the variable is added to the copy. */
static xta_status copy_existing(const bridge_destination *to, xta_error *err)
{
    xta_status status = XTA_OK;
    char *copy = xta__destination_file(to);
    int in = open(to->path, O_RDONLY | O_CLOEXEC);
    int out = copy != NULL ? open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (copy == NULL) {
        status = xta__bridge_no_memory(to->given, err);
    } else if (in < 0) {
        status = system_error(to->given, "open it", err);
    } else if (out < 0) {
        status = system_error(to->given, "write a new version beside it", err);
    } else {
        status = copy_bytes(in, out, to->given, to->given, err);
    }
    if (in >= 0) {
        close(in);
    }
    if (out >= 0 && close(out) != 0 && status == XTA_OK) {
        status = system_error(to->given, "write its new version", err);
    }
    free(copy);
    return status;
}

xta_status xta__destination_begin(bridge_destination *to, const char *given,
                                  const bridge_format *format, xta_overwrite overwrite,
                                  xta_error *err)
{
    xta_status status = XTA_OK;
    *to = (bridge_destination){.given = given, .format = format, .overwrite = overwrite};
    XTA_TRY(resolve_links(to, err));
    XTA_TRY(read_destination(to, err));
    XTA_TRY(make_temporary(to, err));
    if (to->add) {
        XTA_TRY(copy_existing(to, err));
    }
done:
    return status;
}

char *xta__destination_file(const bridge_destination *to)
{
    return xta__string("%s/%s", to->temporary, to->base);
}

/* ---- into place ---- */

static xta_status make_durable(const char *path, xta_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return system_error(path, "open it", err);
    }
    xta_status status = fsync(fd) != 0 ? system_error(path, "make it durable", err) : XTA_OK;
    close(fd);
    return status;
}

/* Call `each` for every file in the temporary folder. */
static xta_status for_each_file(const bridge_destination *to,
                                xta_status (*each)(const bridge_destination *to, const char *name,
                                                   xta_error *err),
                                xta_error *err)
{
    xta_status status = XTA_OK;
    DIR *folder = opendir(to->temporary);
    if (folder == NULL) {
        return system_error(to->temporary, "list it", err);
    }
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            XTA_TRY(each(to, entry->d_name, err));
        }
    }
done:
    closedir(folder);
    return status;
}

/* Give a file its name, which must not exist yet: 0 or an errno. */
static int link_free_name(const char *from, const char *name)
{
    struct stat facts;
    if (link(from, name) == 0) {
        unlink(from);
        return 0;
    }
    if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP && errno != EMLINK) {
        return errno;
    }
    if (lstat(name, &facts) == 0) { // for file systems without hard links
        return EEXIST;
    }
    return rename(from, name) == 0 ? 0 : errno;
}

static xta_status move_one(const bridge_destination *to, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    struct stat old;
    char *from = xta__string("%s/%s", to->temporary, name);
    char *path = xta__string("%s/%s", to->folder, name);
    if (from == NULL || path == NULL) {
        status = xta__bridge_no_memory(to->given, err);
        goto done;
    }
    XTA_TRY(make_durable(from, err));
    bool there = stat(path, &old) == 0;
    bool replace = there && (to->exists || to->overwrite == XTA_OVERWRITE_ANY || old.st_size == 0);
    int number = replace ? xta__replace_file(from, path) : link_free_name(from, path);
    if (number != 0) {
        errno = number;
        status = number == EEXIST ? xta_error_set(err, XTA_EEXIST, 0,
                                                  "%s: %s was made by another process meanwhile; "
                                                  "it is left as it is",
                                                  to->given, name)
                                  : system_error(to->given, "replace it", err);
    }
done:
    free(from);
    free(path);
    return status;
}

static xta_status move_side_file(const bridge_destination *to, const char *name, xta_error *err)
{
    return strcmp(name, to->base) != 0 ? move_one(to, name, err) : XTA_OK;
}

/* A header that already exists under the name of ours, but without the file that it should
 * describe, belongs to another file. */
static xta_status check_side_file(const bridge_destination *to, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    struct stat facts;
    char *path = xta__string("%s/%s", to->folder, name);
    if (path == NULL) {
        return xta__bridge_no_memory(to->given, err);
    }
    if (strcmp(name, to->base) != 0 && lstat(path, &facts) == 0 && facts.st_size > 0) {
        status = xta_error_set(err, XTA_EEXIST, 0,
                               "%s: %s, which belongs beside it, is there already and is another "
                               "file's; export under another name, or --force replaces it",
                               to->given, name);
    }
    free(path);
    return status;
}

static xta_status remove_file(const bridge_destination *to, const char *name, xta_error *err)
{
    char *path = xta__string("%s/%s", to->temporary, name);
    (void)err;
    if (path != NULL) {
        unlink(path);
    }
    free(path);
    return XTA_OK;
}

/* Remove files that described the old destination, since they would now be read as describing
 * ours. */
static void remove_outdated(const bridge_destination *to)
{
    for (int k = 0; to->format->sides != NULL && to->format->sides[k] != NULL; k++) {
        char *path = xta__string("%s%s", to->path, to->format->sides[k]);
        if (path != NULL) {
            unlink(path);
        }
        free(path);
    }
}

/* Whether the file is still the one that was checked. */
static xta_status check_unchanged(const bridge_destination *to, xta_error *err)
{
    struct stat now;
    const struct stat *old = &to->before;
    if (!to->exists) {
        return XTA_OK; // move_one checks this case
    }
    bool same = stat(to->path, &now) == 0 && now.st_dev == old->st_dev &&
                now.st_ino == old->st_ino && now.st_size == old->st_size &&
                now.st_mtim.tv_sec == old->st_mtim.tv_sec &&
                now.st_mtim.tv_nsec == old->st_mtim.tv_nsec;
    return same ? XTA_OK
                : xta_error_set(err, XTA_ESTATE, 0,
                                "%s: was changed by another process during the export, and is left "
                                "as that process made it; export again",
                                to->given);
}

xta_status xta__destination_commit(const bridge_destination *to, xta_error *err)
{
    xta_status status = XTA_OK;
    int fd = open(to->folder, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return system_error(to->folder, "open it", err);
    }
    /* A lock makes exports to one folder run one at a time, so that none undoes what another has
     * just added. If folders cannot be locked, only the check remains. */
    while (flock(fd, LOCK_EX) != 0 && errno == EINTR) {}
    XTA_TRY(check_unchanged(to, err));
    if (!to->exists && to->overwrite != XTA_OVERWRITE_ANY) {
        XTA_TRY(for_each_file(to, check_side_file, err));
    }
    remove_outdated(to);
    XTA_TRY(for_each_file(to, move_side_file, err));
    XTA_TRY(move_one(to, to->base, err));
    if (fsync(fd) != 0) {
        status = system_error(to->folder, "make it durable", err);
    }
done:
    close(fd);
    return status;
}

void xta__destination_correct_error(const bridge_destination *to, xta_error *err)
{
    char text[XTA_ERROR_TEXT_BYTES];
    size_t n = to->temporary != NULL ? strlen(to->temporary) : 0;
    char *found = err != NULL && n > 0 ? strstr(err->text, to->temporary) : NULL;
    if (found == NULL || strncmp(found + n + 1, to->base, strlen(to->base)) != 0) {
        return;
    }
    int status = snprintf(text, sizeof text, "%.*s%s%s", (int)(found - err->text), err->text,
                          to->given, found + n + 1 + strlen(to->base));
    if (status > 0) {
        memcpy(err->text, text, sizeof text);
    }
}

void xta__destination_end(bridge_destination *to)
{
    if (to->temporary != NULL) {
        xta_status ignored = for_each_file(to, remove_file, NULL);
        (void)ignored;
        rmdir(to->temporary);
    }
    free(to->temporary);
    free(to->folder);
    free(to->path);
    *to = (bridge_destination){.given = NULL};
}
