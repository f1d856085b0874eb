/* Paths in the form in which they are passed to foreign libraries.
 *
 * NetCDF, CFITSIO and GDAL accept many texts that are not just names of files: addresses of servers
 * (http://...), virtual file systems (/vsicurl/...), names of drivers (WMS:...), home directories.
 * A path that begins with "./", "../" or "/./" names the same file, and cannot be read in any of
 * these ways.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "common/local_path.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "util/text.h"

char *xta__local_path(const char *path)
{
    const char *before = "./";
    if (path[0] == '/') {
        before = strncmp(path, "/vsi", 4) == 0 ? "/." : "";
    } else if (strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0) {
        before = "";
    }
    return xta__string("%s%s", before, path);
}

xta_status xta__path_must_exist(const char *path, xta_error *err)
{
    struct stat facts;
    if (stat(path, &facts) == 0) {
        return XTA_OK;
    }
    int code = errno;
    bool absent = code == ENOENT || code == ENOTDIR;
    return xta_error_set(err, absent ? XTA_ENOENT : XTA_EACCESS, code, "%s: cannot open it: %s%s",
                         path, strerror(code),
                         strstr(path, "://") != NULL
                             ? "; only files of this machine are read, so fetch it first"
                             : "");
}
