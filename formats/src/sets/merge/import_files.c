/* Several files into one data set.
 *
 * They are sorted by their coordinates, in the direction of the dimension. Those that come before
 * what the data set has are taken last, from the nearest to the farthest, so that each one joins
 * the cells that are there: listed coordinates grow at their ends only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "sets/merge/import_files.h"

#include <stdlib.h>
#include <string.h>

#include <xta/options.h>
#include <xta/provenance.h>

#include "sets/merge/file_order.h"
#include "sets/merge/merge.h"
#include "sets/readers.h"
#include "sets/tree/cut.h"
#include "util/try.h"

/* Files of which nothing is selected go to the end; *n is how many are left. */
static xta_status read_keys(const set_merge *job, const char *const sources[], ordered_file *files,
                            size_t *n, xta_error *err)
{
    size_t inside = 0;
    xta_error none = {0};

    for (size_t k = 0; k < *n; k++) {
        xta_error why = {0};
        xta_status status = xta__file_key_read(sources[k], &job->options, &files[inside], &why);
        if (status != XTA_OK) {
            return xta_error_set(err, status, why.os_errno, "%s", why.text);
        }
        if (!files[inside].outside) {
            inside++;
        } else if (none.status == XTA_OK) {
            none = why;
        }
    }
    if (inside == 0) {
        return xta_error_set(err, none.status, none.os_errno, "%s", none.text);
    }
    *n = inside;
    return xta__files_check(files, inside, err);
}

static int report_part(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    const set_merge *job = user;

    (void)total_bytes;
    return job->options.progress.report(job->options.progress.user, job->done_bytes + done_bytes,
                                        job->total_bytes);
}

/* Where the first cells along the dimension came from. */
static xta_status note_first(const set_merge *job, const char *source, const char *path,
                             xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset_options writable = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    xta_dimension d;

    writable.writable = true;
    XTA_TRY(xta_dataset_open(path, &writable, &set, err));
    // The dimension may be one of an inner group; then there is nothing to note here.
    if (job->options.dimension != NULL &&
        xta_dataset_dimension(set, job->options.dimension, &d, NULL) == XTA_OK && d.lo < d.hi) {
        XTA_TRY(xta_dataset_note_source(set, d.name, d.lo, d.hi, source, err));
    }

done:
    if (status != XTA_OK) {
        xta_dataset_close(set, NULL);
        return status;
    }
    return xta_dataset_close(set, err);
}

/* The first file becomes the data set. */
static xta_status import_first(set_merge *job, const ordered_file *file, const char *path,
                               xta_error *err)
{
    xta_dataset_import_options options = XTA_DATASET_IMPORT_OPTIONS_INIT;

    options.lost = job->options.lost;
    options.lost_user = job->options.lost_user;
    options.strict = job->options.strict;
    options.all_listed = job->options.all_listed;
    options.trust = job->options.trust;
    options.memory_bytes = job->options.memory_bytes;
    options.select = job->options.select;
    if (job->options.progress.report != NULL) {
        options.progress = (xta_progress){report_part, job};
    }
    xta_status status = xta_dataset_import(file->path, path, &options, err);
    job->done_bytes += file->bytes;
    return status == XTA_OK ? note_first(job, file->path, path, err) : status;
}

static xta_status merge_file(set_merge *job, const ordered_file *file, xta_dataset *set,
                             xta_error *err)
{
    set_source source;
    bool found = false, outside = false;
    xta_status status = xta__set_open(file->path, job->options.trust, &source, err);

    if (status != XTA_OK) {
        return status;
    }
    job->source = &source;
    status = xta__set_cut(&source, job->options.select, true, &outside, err);
    for (size_t k = 0; k < source.n_lost && status == XTA_OK; k++) {
        status = xta__merge_lose(job, source.lost[k], err);
    }
    if (status == XTA_OK) {
        status = xta__merge_group(job, &source.root, set, &found, err);
    }
    job->source = NULL;
    xta__set_close(&source);
    return status;
}

static xta_status merge_files(set_merge *job, const ordered_file *files, size_t n, int direction,
                              const char *path, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset_options writable = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    size_t before = n;

    writable.writable = true;
    XTA_TRY(xta_dataset_open(path, &writable, &set, err));
    if (job->options.dimension == NULL) {
        before = xta__files_before(files, n, direction, set);
    } else if (!job->options.front) {
        before = 0;
    }
    for (size_t k = before; k < n; k++) {
        XTA_TRY(merge_file(job, &files[k], set, err));
    }
    for (size_t k = before; k-- > 0;) {
        XTA_TRY(merge_file(job, &files[k], set, err));
    }

done:
    if (status != XTA_OK) {
        xta_dataset_close(set, NULL);
        return status;
    }
    return xta_dataset_close(set, err);
}

static xta_status import_sorted(set_merge *job, ordered_file *files, size_t n, const char *path,
                                xta_error *err)
{
    xta_status status = XTA_OK;
    int direction = xta__files_sort(files, n);

    for (size_t k = 0; k < n; k++) {
        job->total_bytes += files[k].bytes;
    }
    if (!xta_dataset_exists(path)) {
        // The one from which all others are on the side where they are appended.
        bool last = job->options.dimension != NULL && job->options.front;
        XTA_TRY(import_first(job, &files[last ? n - 1 : 0], path, err));
        files += last ? 0 : 1;
        n--;
    }
    if (n > 0) {
        XTA_TRY(merge_files(job, files, n, direction, path, err));
    }

done:
    return status;
}

xta_status xta_dataset_import_files(const char *const sources[], size_t n, const char *path,
                                    const xta_dataset_files_options *options, xta_error *err)
{
    xta_status status = XTA_OK;
    ordered_file *files = NULL;
    size_t n_files = n;
    set_merge job = {.options = XTA_DATASET_FILES_OPTIONS_INIT};

    if (n < 1) {
        return xta_error_set(err, XTA_EARG, 0, "%s: no files to import", path);
    }
    XTA_TRY(xta_options_read(&job.options, sizeof job.options, options, "xta_dataset_files_options",
                             err));
    if ((unsigned)job.options.overlap > XTA_OVERLAP_SKIP) {
        XTA_TRY(xta_error_set(err, XTA_EARG, 0, "%s: overlap %d is none of refuse, replace, skip",
                              path, (int)job.options.overlap));
    }
    if (job.options.memory_bytes == 0) {
        job.options.memory_bytes = (uint64_t)64 << 20;
    }
    files = calloc(n, sizeof *files);
    if (files == NULL) {
        XTA_TRY(xta__bridge_no_memory(path, err));
    }
    XTA_TRY(read_keys(&job, sources, files, &n_files, err));
    XTA_TRY(import_sorted(&job, files, n_files, path, err));

done:
    if (files != NULL) {
        xta__files_clear(files, n);
    }
    return status;
}
