/* References in a file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/zarr.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>
#include <xta/work.h>

#include "hierarchy/node.h"
#include "transfer/destination.h"
#include "util/errors.h"
#include "util/try.h"

/* ---- what may be replaced ---- */

static bool references_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    static const char begin[] = "{\"version\": 1, \"refs\": {";

    (void)path;
    return n_bytes >= sizeof begin - 1 && memcmp(head, begin, sizeof begin - 1) == 0;
}

static xta_status references_open(const char *path, const xta_import_options *options,
                                  const bridge_target *target, bridge_description *what,
                                  void **state, xta_error *err)
{
    (void)path, (void)options, (void)target, (void)what, (void)err;
    *state = NULL;
    return XTA_OK;
}

static const bridge_format references_format = {
    .name = "kerchunk",
    .sniff = references_sniff,
    .open = references_open,
};

/* ---- the file ---- */

typedef struct reference_file {
    FILE *file;
    const char *path;
} reference_file;

static xta_status write_failed(const char *path, xta_error *err)
{
    int number = errno;

    return xta_error_set(err, xta__status_of_errno(number), number, "%s: cannot write it: %s", path,
                         strerror(number));
}

static xta_status write_file(void *user, const char *bytes, size_t n, xta_error *err)
{
    const reference_file *out = user;

    return fwrite(bytes, 1, n, out->file) == n ? XTA_OK : write_failed(out->path, err);
}

static xta_status check_finished(const xta_zarr *zarr, xta_error *err)
{
    xta_status status = XTA_OK;

    for (size_t k = 0; k < zarr->n_nodes && status == XTA_OK; k++) {
        if (zarr->nodes[k]->seen.array != NULL) {
            status = xta_array_check_finished(zarr->nodes[k]->seen.array, err);
        }
    }
    return status;
}

xta_status xta_references_export(const xta_zarr *zarr, const char *destination,
                                 const xta_references_options *options, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_references_options chosen = XTA_REFERENCES_OPTIONS_INIT;
    bridge_destination to = {0};
    reference_file out = {NULL, destination};
    char *path = NULL;

    XTA_TRY(xta_options_read(&chosen, sizeof chosen, options, "xta_references_options", err));
    if (!chosen.allow_unfinished) {
        XTA_TRY(check_finished(zarr, err));
    }
    XTA_TRY(xta__destination_begin(&to, destination, &references_format, chosen.overwrite, err));
    path = xta__destination_file(&to);
    if (path == NULL) {
        XTA_TRY(xta__hierarchy_no_memory(zarr, err));
    }
    out.file = fopen(path, "wb");
    if (out.file == NULL) {
        XTA_TRY(write_failed(destination, err));
    }
    XTA_TRY(xta_zarr_references(zarr, &chosen, write_file, &out, err));
    int failed = fclose(out.file);
    out.file = NULL;
    if (failed != 0) {
        XTA_TRY(write_failed(destination, err));
    }
    XTA_TRY(xta__destination_commit(&to, err));

done:
    if (out.file != NULL) {
        fclose(out.file);
    }
    if (status != XTA_OK) {
        xta__destination_correct_error(&to, err);
    }
    xta__destination_end(&to);
    free(path);
    return status;
}
