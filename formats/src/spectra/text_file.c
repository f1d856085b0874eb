/* Files of text: read as a whole, replaced as a whole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "spectra/text_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "util/replace.h"
#include "util/try.h"

xta_status xta__spectra_read_text(const char *path, char **text, size_t *n_bytes, xta_error *err)
{
    xta_status status = XTA_OK;
    bridge_dense file = {.fd = -1};
    uint64_t bytes = 0;
    XTA_TRY(xta__dense_open(&file, path, &bytes, err));
    *text = bytes < SIZE_MAX / 2 ? calloc((size_t)bytes + 1, 1) : NULL;
    if (*text == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    *n_bytes = (size_t)bytes;
    status = xta__dense_bytes(&file, 0, *text, (size_t)bytes, err);
    if (status != XTA_OK) {
        free(*text);
        *text = NULL;
    }
done:
    xta__dense_close(&file);
    return status;
}

char *xta__spectra_unfinished_path(const char *path)
{
    char *unfinished = NULL;
    errno = xta__partial_path(path, ".part", &unfinished);
    return unfinished;
}

xta_status xta__spectra_replace(const char *unfinished, const char *path, xta_error *err)
{
    int code = xta__replace_file(unfinished, path);
    if (code == 0) {
        return XTA_OK;
    }
    unlink(unfinished);
    return xta_error_set(err, XTA_EIO, code, "%s: cannot replace it: %s", path, strerror(code));
}
