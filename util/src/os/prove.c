/* Tests of locks: whether they exclude others, and whether they reach other nodes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/os.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "os/mounts.h"

/* ---- whether a lock excludes ---- */

/* Open the same file again. *same is false if its name now belongs to another file, or to none. */
static xta_status open_another(const xta__file *file, xta__file *another, bool *same,
                               xta_error *err)
{
    const xta__path path = {file->at != NULL ? file->at : file->path, file->path};
    struct stat mine, other;
    xta_error why = {0};
    xta_status status = xta__file_open_at(path, XTA__FILE_WRITE, another, &why);

    *same = status == XTA_OK && fstat(file->fd, &mine) == 0 && fstat(another->fd, &other) == 0 &&
            mine.st_dev == other.st_dev && mine.st_ino == other.st_ino;
    return status == XTA_OK || status == XTA_ENOENT
               ? XTA_OK
               : xta__fail(err, status, why.os_errno, "%s", why.text);
}

static xta_status refuse_silent_lock(const xta__file *file, xta_error *err)
{
    return xta__fail(err, XTA_EUNSUPPORTED, 0,
                     "%s: it was locked twice at a time, so locks do nothing on this file system, "
                     "and two programs could spoil the array; nothing was changed: use a file "
                     "system with working locks",
                     file->path);
}

xta_status xta__file_prove_lock(const xta__file *file, bool *proved, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file another = XTA__FILE_CLOSED;
    bool got = false, same = false;

    *proved = false;
    XTA_TRY(open_another(file, &another, &same, err));
    if (same) {
        XTA_TRY(xta__file_try_lock(&another, false, &got, err));
        XTA_TRY(got ? refuse_silent_lock(file, err) : XTA_OK);
        *proved = true;
    }

done:
    xta__file_close(&another);
    return status;
}

xta_status xta__file_prove_lock_byte(const xta__file *file, uint64_t byte, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__file another = XTA__FILE_CLOSED;
    bool locked = false, same = false;

    XTA_TRY(open_another(file, &another, &same, err));
    if (same) {
        XTA_TRY(xta__file_byte_is_locked(&another, byte, &locked, err));
        XTA_TRY(locked ? XTA_OK : refuse_silent_lock(file, err));
    }

done:
    xta__file_close(&another);
    return status;
}

/* ---- whether it reaches other nodes ---- */

/* File systems that may be mounted with locks local to the node: for others the table is not
 * read. */
static bool may_lock_locally(uint32_t type)
{
    static const uint32_t types[] = {
        0x0bd00bd0, /* Lustre */
        0x00006969, /* NFS */
        0xff534d42, /* SMB 1 */
        0xfe534d42, /* SMB 2, 3 */
        0x01161970, /* GFS2 */
        0x7461636f, /* OCFS2 */
    };

    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        if (types[k] == type) {
            return true;
        }
    }
    return false;
}

xta_status xta__file_locks_reach(const xta__file *file, xta_error *err)
{
    xta_status status = XTA_OK;
    xta__mount mount;
    struct stat facts;

    if (!may_lock_locally(xta__os()->file_system(file->fd))) {
        return XTA_OK;
    }
    char *table = xta__os()->mounts();
    bool found = table != NULL && fstat(file->fd, &facts) == 0 &&
                 xta__mount_of(table, major(facts.st_dev), minor(facts.st_dev),
                               file->at != NULL ? file->at : file->path, &mount);
    const xta__mount_flaw *flaw = found ? xta__mount_lock_flaw(&mount) : NULL;
    if (!found) {
        status = xta__fail(err, XTA_EUNSUPPORTED, 0,
                           "%s: whether locks of its network file system reach other nodes cannot "
                           "be known, as /proc/self/mountinfo does not say how it is mounted; open "
                           "it read-only, or where /proc is mounted",
                           file->path);
    } else if (flaw != NULL) {
        status = xta__fail(err, XTA_EUNSUPPORTED, 0,
                           "%s: %.*s on %.*s is mounted with %s: its locks do not reach other "
                           "nodes, and two of them could spoil the array; %s, or open it read-only",
                           file->path, (int)mount.type.n, mount.type.text, (int)mount.point.n,
                           mount.point.text, flaw->option, flaw->remedy);
    }
    free(table);
    return status;
}
