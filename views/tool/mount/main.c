/* xta mount: the arrays of a folder as files of other formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "kit/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kit/escape.h"
#include "kit/folder.h"
#include "kit/print/json.h"
#include "mount/names.h"
#include "mount/nodes.h"
#include "mount/report.h"
#include "mount/serve.h"
#include "mount/session.h"
#include "util/bus_guard.h"

/* Values of the options. */
typedef struct mount_options {
    bool foreground;
    bool allow_other;
    bool append_only;
    bool check;
    bool json;
    const char *log;
} mount_options;

static const cli_option options[] = {
    CLI_FLAG(mount_options, foreground, "foreground",
             "stay in the foreground until it is unmounted or interrupted"),
    CLI_STRING(mount_options, log, "log", "F",
               "append errors of reads to the file F (standard error in the foreground, else the "
               "log of the system)"),
    CLI_FLAG(mount_options, append_only, "append-only",
             "cells are never written again: keep what the system has cached of a step for good"),
    CLI_FLAG(mount_options, allow_other, "allow-other",
             "let other users read, as the permissions of the files allow (user_allow_other in "
             "/etc/fuse.conf, or root)"),
    CLI_FLAG(mount_options, check, "check",
             "mount nothing: say what would be mounted where, and whether there is FUSE"),
    CLI_FLAG(mount_options, json, "json", "print one JSON object when it is mounted"),
};

/* An absolute path, since a program in the background leaves its working directory. */
static xta_status absolute(const char *path, const char *what, char **out, cli_error *err)
{
    *out = realpath(path, NULL);
    if (*out == NULL) {
        return cli_fail(err, errno == ENOENT ? XTA_ENOENT : XTA_EIO, errno,
                        "%s: cannot use it as %s", path, what);
    }
    if (!cli_is_folder(*out)) {
        return cli_fail(err, XTA_EARG, 0, "%s: cannot use it as %s: it is no folder", path, what);
    }
    return XTA_OK;
}

/* Two files for each array that is open. */
static void raise_descriptors(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* A folder at or below the mount point would be hidden by what shows it. */
static bool lies_in(const char *path, const char *folder)
{
    size_t n = strlen(folder);

    return strncmp(path, folder, n) == 0 && (path[n] == '\0' || path[n] == '/' || n == 1);
}

typedef struct mount_job {
    const mount_options *values;
    const char *folder, *mountpoint;
} mount_job;

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void print(const mount_job *job, bool mounted)
{
    bool fuse = mount_session_possible();

    if (job->values->json) {
        printf("{\"folder\": ");
        cli_json_text(stdout, job->folder);
        printf(", \"mountpoint\": ");
        cli_json_text(stdout, job->mountpoint);
        printf(", \"fuse\": %s, \"mounted\": %s}\n", truth(fuse), truth(mounted));
    } else if (!mounted) {
        printf("folder      ");
        cli_print_name(stdout, job->folder);
        printf("\nmountpoint  ");
        cli_print_name(stdout, job->mountpoint);
        printf("\nfuse        %s\n", fuse ? "yes" : "no");
    }
}

/* Before the calling process ends. */
static xta_status report_mounted(void *user, xta_error *err)
{
    print(user, true);
    return fflush(stdout) == 0 ? XTA_OK : xta_error_set(err, XTA_EIO, errno, "standard output");
}

/* In the process that serves. */
static xta_status begin(void *user, xta_error *err)
{
    const mount_job *job = user;

    if (!xta__bus_guard_install()) {
        return xta_error_set(err, XTA_EIO, errno, "cannot watch for truncated files");
    }
    raise_descriptors();
    mount_names_hide(job->mountpoint);
    return mount_report_begin(job->values->log, job->values->foreground, err);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const mount_options *values = args->values;
    char *folder = NULL, *mountpoint = NULL;
    mount_job job = {.values = values};
    xta_status status = XTA_OK;

    XTA_TRY(absolute(args->words[0], "the folder to mount", &folder, err));
    XTA_TRY(absolute(args->words[1], "a mount point", &mountpoint, err));
    if (lies_in(folder, mountpoint)) {
        XTA_TRY(cli_fail(err, XTA_EARG, 0,
                         "%s: the mount would cover the folder that it shows, %s; give an empty "
                         "folder elsewhere",
                         mountpoint, folder));
    }
    job.folder = folder;
    job.mountpoint = mountpoint;
    if (values->check) {
        print(&job, false);
        goto done;
    }
    int code = mount_nodes_begin(folder);
    if (code != 0) {
        XTA_TRY(cli_fail(err, XTA_EIO, code, "%s: cannot read it", folder));
    }
    const mount_session_options session = {.mountpoint = mountpoint,
                                           .name = "xta",
                                           .foreground = values->foreground,
                                           .allow_other = values->allow_other};
    const mount_serve_options serve = {.mountpoint = mountpoint,
                                       .append_only = values->append_only};
    status =
        mount_session_run(mount_serve(&serve), &session, report_mounted, begin, &job, &err->error);

done:
    mount_nodes_end();
    mount_report_end();
    free(folder);
    free(mountpoint);
    return status;
}

static const cli_command mount_command = {
    .name = "mount",
    .summary = "arrays of a folder as .npy, .nc and raw files that any program opens",
    .usage = "DIR MNT [--foreground] [--log F] [--append-only] [--allow-other] [--json] | DIR MNT "
             "--check "
             "[--json]",
    .details =
        "Mounts a read-only file system on the folder MNT. For each array NAME in DIR, and in the "
        "folders in it, it has NAME.npy, NAME.nc (NetCDF, CDF-5) and NAME.raw (cells alone, which "
        "NAME.json describes); for each folder that is a data set, FOLDER.nc beside it and "
        "dataset.nc in it. Their bytes are computed when they are read. A file that is open keeps "
        "the bounds that it had when it was opened; opened again it has those of the latest step.",
    .example = "  xta mount data mnt\n"
               "  python3 -c \"import numpy; print(numpy.load('mnt/t.npy').mean())\"\n"
               "  fusermount3 -u mnt",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(mount_options),
    .min_words = 2,
    .max_words = 2,
    .run = run,
};

int main(int argc, char *argv[])
{
    return cli_verb_program(&mount_command, argc, argv);
}
