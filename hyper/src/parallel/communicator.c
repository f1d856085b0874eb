/* Gathering records of unequal lengths from the members of a communicator, and agreeing on a
 * status.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/communicator.h"

#include <stdlib.h>
#include <string.h>

#include "util/try.h"

xta_status xta__agree(const xta_team *team, xta_status status, xta_error *err)
{
    return team == NULL ? status : team->agree(team->context, status, err);
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
static xta_status gather_padded(const xta_team *team, const void *mine, size_t n_bytes,
                                unsigned char **all, size_t *bytes, xta_error *err)
{
    xta_status status = XTA_OK;
    size_t n = (size_t)team->size, most = 1;
    unsigned char *padded = NULL;

    XTA_TRY(team->gather(team->context, &n_bytes, sizeof n_bytes, bytes, err));
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
    XTA_TRY(team->agree(team->context, status, err));
    if (n_bytes > 0) {
        memcpy(padded, mine, n_bytes);
    }
    XTA_TRY(team->gather(team->context, padded, most, *all, err));
    close_gaps(*all, most, bytes, team->size);
done:
    free(padded);
    return status;
}

xta_status xta__gather(const xta_team *team, const void *mine, size_t n_bytes, unsigned char **all,
                       size_t **bytes, xta_error *err)
{
    xta_status status = XTA_OK;

    *all = NULL;
    *bytes = malloc((size_t)xta_team_size(team) * sizeof **bytes);
    if (team == NULL) {
        *all = malloc(n_bytes > 0 ? n_bytes : 1);
    }
    if (*bytes == NULL || (team == NULL && *all == NULL)) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu bytes of results", n_bytes);
    }
    XTA_TRY(xta__agree(team, status, err));
    if (team != NULL) {
        XTA_TRY(gather_padded(team, mine, n_bytes, all, *bytes, err));
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
