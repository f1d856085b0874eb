/* Gathering records of unequal lengths from the members of a communicator, and agreeing on a
 * status.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/communicator.h"

#include <stdlib.h>
#include <string.h>

#include "util/try.h"

xta_status xta__agree(const xta_communicator *communicator, xta_status status, xta_error *err)
{
    return communicator == NULL ? status : communicator->agree(communicator->context, status, err);
}

/* Remove the padding: each record takes `most` bytes. */
static void close_gaps(unsigned char *all, size_t most, const size_t *bytes, int n)
{
    size_t at = 0;

    for (int r = 0; r < n; r++) {
        memmove(all + at, all + (size_t)r * most, bytes[r]);
        at += bytes[r];
    }
}

/* Lengths are gathered first, so that all members pad to the same length; the padding is removed
 * again. */
static xta_status gather_padded(const xta_communicator *communicator, const void *mine,
                                size_t n_bytes, unsigned char **all, size_t *bytes, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n = (size_t)communicator->size, most = 1;
    unsigned char *padded = NULL;

    XTA_TRY(communicator->gather(communicator->context, &n_bytes, sizeof n_bytes, bytes, err));
    for (size_t r = 0; r < n; r++) {
        most = bytes[r] > most ? bytes[r] : most;
    }
    padded = calloc(1, most);
    *all = most > SIZE_MAX / n ? NULL : malloc(n * most);
    if (padded == NULL || *all == NULL) {
        status =
            xta_error_set(err, XTA_ENOMEM, 0,
                          "no memory for results of %zu bytes from each of %zu processes", most, n);
    }
    XTA_TRY(communicator->agree(communicator->context, status, err));
    if (n_bytes > 0) {
        memcpy(padded, mine, n_bytes);
    }
    XTA_TRY(communicator->gather(communicator->context, padded, most, *all, err));
    close_gaps(*all, most, bytes, communicator->size);
done:
    free(padded);
    return status;
}

xta_status xta__gather(const xta_communicator *communicator, const void *mine, size_t n_bytes,
                       unsigned char **all, size_t **bytes, xta_error *err)
{
    xta_status status = XTA_OK;

    *all = NULL;
    *bytes = malloc((size_t)xta_communicator_size(communicator) * sizeof **bytes);
    if (communicator == NULL) {
        *all = malloc(n_bytes > 0 ? n_bytes : 1);
    }
    if (*bytes == NULL || (communicator == NULL && *all == NULL)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu bytes of results", n_bytes);
    }
    XTA_TRY(xta__agree(communicator, status, err));
    if (communicator != NULL) {
        XTA_TRY(gather_padded(communicator, mine, n_bytes, all, *bytes, err));
        goto done;
    }
    (*bytes)[0] = n_bytes;
    if (n_bytes > 0) {
        memcpy(*all, mine, n_bytes);
    }
done:
    if (status != XTA_OK) {
        free(*all);
        free(*bytes);
        *all = NULL;
        *bytes = NULL;
    }
    return status;
}
