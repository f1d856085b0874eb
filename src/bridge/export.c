/* Export: a box of an array to a new foreign file, slab by slab.
 *
 * A format may write more than one file (a header beside the cells). So it writes into a new folder
 * beside the destination, and only when all is well do the files take their places.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "bridge.h"

#include <xta/options.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/util.h"

typedef struct export_job {
    xta_array *array;
    const char *destination;
    char *real; /* the file that it names, links followed */
    xta_export_options options;
    const bridge_format *format;
    bridge_description what;
    void *state;
    xta_box box;
    char *folder;    /* where the destination lies */
    char *temporary; /* a folder of our own in it */
    const char *base;
    char *cells;
} export_job;

static char *join(const char *folder, const char *name)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    char *path = malloc(n);
    if (path != NULL) {
        snprintf(path, n, "%s/%s", folder, name);
    }
    return path;
}

static xta_status trouble(const char *path, const char *doing, xta_error *err)
{
    int code = errno;
    xta_status status = code == ENOENT                                     ? XTA_ENOENT
                        : code == EACCES || code == EROFS || code == EPERM ? XTA_EACCESS
                        : code == ENOSPC || code == EDQUOT                 ? XTA_ENOSPC
                                                                           : XTA_EIO;
    return xta_error_set(err, status, code, "%s: cannot %s: %s", path, doing, strerror(code));
}

/* A link is followed: what it leads to is replaced. The file's name decides the format. */
static xta_status follow_links(export_job *job, xta_error *err)
{
    char given[16], real[16];
    int number = xta__target_path(job->destination, &job->real);
    if (number != 0) {
        errno = number;
        return trouble(job->destination, "follow its links", err);
    }
    xta__bridge_suffix(job->destination, given);
    xta__bridge_suffix(job->real, real);
    if (strcmp(given, real) != 0) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: is a link to %s, whose suffix is another; name that file itself",
                             job->destination, job->real);
    }
    return XTA_OK;
}

static xta_status make_temporary(export_job *job, xta_error *err)
{
    struct stat facts;
    const char *slash = strrchr(job->real, '/');
    job->base = slash != NULL ? slash + 1 : job->real;
    job->folder = xta__bridge_copy(slash != NULL ? job->real : ".");
    if (job->folder == NULL) {
        return xta__bridge_no_memory(job->destination, err);
    }
    if (slash != NULL) {
        job->folder[slash == job->real ? 1 : slash - job->real] = '\0';
    }
    if (job->base[0] == '\0' || (stat(job->real, &facts) == 0 && S_ISDIR(facts.st_mode))) {
        return xta_error_set(err, XTA_EARG, 0, "%s: is a folder; name a file in it",
                             job->destination);
    }
    job->temporary = join(job->folder, ".xta-export-XXXXXX");
    if (job->temporary == NULL) {
        return xta__bridge_no_memory(job->destination, err);
    }
    if (mkdtemp(job->temporary) == NULL) {
        xta_status status = trouble(job->folder, "make a folder in it", err);
        free(job->temporary);
        job->temporary = NULL;
        return status;
    }
    return XTA_OK;
}

static xta_status make_durable(const char *path, xta_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return trouble(path, "open it", err);
    }
    xta_status status = fsync(fd) != 0 ? trouble(path, "make it durable", err) : XTA_OK;
    close(fd);
    return status;
}

static xta_status move_one(const export_job *job, const char *name, xta_error *err)
{
    xta_status status = XTA_OK;
    char *from = join(job->temporary, name);
    char *to = join(job->folder, name);
    if (from == NULL || to == NULL) {
        status = xta__bridge_no_memory(job->destination, err);
        goto done;
    }
    XTA_TRY(make_durable(from, err));
    int number = xta__replace_file(from, to);
    if (number != 0) {
        errno = number;
        status = trouble(to, "replace it", err);
    }
done:
    free(from);
    free(to);
    return status;
}

/* Call `each` for every file in our folder. */
static xta_status for_each_file(const export_job *job,
                                xta_status (*each)(const export_job *job, const char *name,
                                                   xta_error *err),
                                xta_error *err)
{
    xta_status status = XTA_OK;
    DIR *folder = opendir(job->temporary);
    if (folder == NULL) {
        return trouble(job->temporary, "list it", err);
    }
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            XTA_TRY(each(job, entry->d_name, err));
        }
    }
done:
    closedir(folder);
    return status;
}

static xta_status move_side_file(const export_job *job, const char *name, xta_error *err)
{
    return strcmp(name, job->base) != 0 ? move_one(job, name, err) : XTA_OK;
}

static xta_status remove_file(const export_job *job, const char *name, xta_error *err)
{
    char *path = join(job->temporary, name);
    (void)err;
    if (path != NULL) {
        unlink(path);
    }
    free(path);
    return XTA_OK;
}

/* Files beside the old destination that told of it and would now tell of ours. */
static void remove_outdated(const export_job *job)
{
    for (int k = 0; job->format->sides != NULL && job->format->sides[k] != NULL; k++) {
        size_t n = strlen(job->real) + strlen(job->format->sides[k]) + 1;
        char *path = malloc(n);
        if (path != NULL) {
            snprintf(path, n, "%s%s", job->real, job->format->sides[k]);
            unlink(path);
        }
        free(path);
    }
}

static xta_status put_in_place(const export_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    remove_outdated(job);
    XTA_TRY(for_each_file(job, move_side_file, err));
    XTA_TRY(move_one(job, job->base, err));
    XTA_TRY(make_durable(job->folder, err));
done:
    return status;
}

/* A format knows only the temporary path; the user knows only the destination. */
static void name_destination(const export_job *job, xta_error *err)
{
    char text[XTA_ERROR_TEXT_BYTES];
    size_t n = job->temporary != NULL ? strlen(job->temporary) : 0;
    char *found = err != NULL && n > 0 ? strstr(err->text, job->temporary) : NULL;
    if (found == NULL || strncmp(found + n + 1, job->base, strlen(job->base)) != 0) {
        return;
    }
    int status = snprintf(text, sizeof text, "%.*s%s%s", (int)(found - err->text), err->text,
                          job->destination, found + n + 1 + strlen(job->base));
    if (status > 0) {
        memcpy(err->text, text, sizeof text);
    }
}

static void remove_temporary(const export_job *job)
{
    if (job->temporary != NULL) {
        xta_status ignored = for_each_file(job, remove_file, NULL);
        (void)ignored;
        rmdir(job->temporary);
    }
}

/* The name of the foreign variable: asked for, the source's, the array's. */
static xta_status name_variable(export_job *job, xta_error *err)
{
    const char *name = job->options.variable;
    if (name == NULL) {
        name = xta__bridge_text(&job->what, XTA_ON_ARRAY, BRIDGE_VARIABLE);
    }
    if (name == NULL) {
        const char *path = xta_array_path(job->array);
        const char *slash = strrchr(path, '/');
        name = slash != NULL ? slash + 1 : path;
        name = name[0] != '\0' ? name : "array";
    }
    job->what.variable = xta__bridge_copy(name);
    return job->what.variable != NULL ? XTA_OK : xta__bridge_no_memory(job->destination, err);
}

static xta_status describe(export_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_description *what = &job->what;
    xta_box bounds = xta_array_bounds(job->array);
    job->box = job->options.box != NULL ? *job->options.box : bounds;
    if (job->box.ndim != bounds.ndim || !xta_box_contains(&bounds, &job->box)) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: the box to export leaves the bounds of array %s; see its bounds "
                             "and give a smaller one",
                             job->destination, xta_array_path(job->array));
    }
    what->type = xta_array_type(job->array);
    what->cell_bytes = xta_array_cell_bytes(job->array);
    what->ndim = bounds.ndim;
    for (int axis = 0; axis < what->ndim; axis++) {
        what->lo[axis] = job->box.lo[axis];
        what->bounds[axis] = job->box.hi[axis] - job->box.lo[axis];
    }
    XTA_TRY(xta__bridge_collect(job->array, what, err));
    XTA_TRY(name_variable(job, err));
done:
    return status;
}

static xta_status open_destination(export_job *job, xta_error *err)
{
    char *path = join(job->temporary, job->base);
    if (path == NULL) {
        return xta__bridge_no_memory(job->destination, err);
    }
    xta_status status = job->format->create(path, &job->options, &job->what, &job->state, err);
    free(path);
    return status;
}

static xta_status tell(const export_job *job, uint64_t done_bytes, uint64_t total_bytes,
                       xta_error *err)
{
    const xta_progress *progress = &job->options.progress;
    if (progress->report != NULL &&
        progress->report(progress->user, done_bytes, total_bytes) != 0) {
        return xta_error_set(err, XTA_ECANCELLED, 0, "%s: export was stopped after %llu bytes",
                             job->destination, (unsigned long long)done_bytes);
    }
    return XTA_OK;
}

static xta_status carry(export_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_slabs slabs;
    xta_array_info info;
    xta_box slab;
    uint64_t n = 0;
    uint64_t total = 0;
    uint64_t done_bytes = 0;
    xta_io_options io = XTA_IO_OPTIONS_INIT;
    io.order = job->what.order;

    XTA_TRY(xta_array_inquire(job->array, &info, err));
    XTA_TRY(xta_box_cells(&job->box, &total));
    xta__bridge_slabs_init(&slabs, &job->box, info.chunk, job->what.slow, job->what.cell_bytes,
                           job->options.memory_bytes);
    job->cells = malloc((size_t)(slabs.cells * job->what.cell_bytes) + 1);
    if (job->cells == NULL) {
        status = xta__bridge_no_memory(job->destination, err);
        goto done;
    }
    while (xta__bridge_slabs_next(&slabs, &slab)) {
        XTA_TRY(xta_array_read(job->array, &slab, &io, job->cells, err));
        XTA_TRY(xta_box_cells(&slab, &n));
        for (int axis = 0; axis < slab.ndim; axis++) {
            slab.lo[axis] -= job->box.lo[axis];
            slab.hi[axis] -= job->box.lo[axis];
        }
        XTA_TRY(job->format->write(job->state, &slab, job->cells, err));
        done_bytes += n * job->what.cell_bytes;
        XTA_TRY(tell(job, done_bytes, total * job->what.cell_bytes, err));
    }
done:
    return status;
}

static xta_status run(export_job *job, xta_error *err)
{
    xta_status status = XTA_OK;
    XTA_TRY(xta__bridge_for_export(job->destination, job->options.format, &job->format, err));
    XTA_TRY(describe(job, err));
    XTA_TRY(follow_links(job, err));
    XTA_TRY(make_temporary(job, err));
    XTA_TRY(open_destination(job, err));
    XTA_TRY(carry(job, err));
    status = job->format->finish(job->state, err);
    job->state = NULL;
    if (status == XTA_OK) {
        XTA_TRY(put_in_place(job, err));
    }
done:
    return status;
}

xta_status xta_export(xta_array *array, const char *destination, const xta_export_options *options,
                      xta_error *err)
{
    export_job job = {.array = array, .destination = destination};
    job.options = (xta_export_options)XTA_EXPORT_OPTIONS_INIT;
    xta_status status =
        xta_options_take(&job.options, sizeof job.options, options, "xta_export_options", err);
    if (status != XTA_OK) {
        return status;
    }
    if (job.options.memory_bytes == 0) {
        job.options.memory_bytes = BRIDGE_MEMORY_BYTES;
    }
    xta__bridge_describe_init(&job.what);

    status = run(&job, err);

    if (job.state != NULL) {
        job.format->abandon(job.state);
    }
    if (status != XTA_OK) {
        name_destination(&job, err);
    }
    remove_temporary(&job);
    free(job.cells);
    free(job.folder);
    free(job.real);
    free(job.temporary);
    xta__bridge_describe_clear(&job.what);
    return status;
}
