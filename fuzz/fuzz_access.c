/* Access logs of arbitrary bytes: xta_access_log_read and xta_access_log_queries.
 *
 * Every entry is a box of at least one axis with steps above zero; the queries of a log stay within
 * the bounds, and there are no more of them than entries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/access.h>

static int count(void *user, const xta_access_entry *entry)
{
    size_t *n = user;

    FUZZ_PROMISE(entry->line > 0);
    FUZZ_PROMISE(entry->box.ndim > 0 && entry->box.ndim <= XTA_MAX_NDIM);
    for (int axis = 0; axis < entry->box.ndim; axis++) {
        FUZZ_PROMISE(entry->step[axis] > 0);
    }
    (*n)++;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xta_box bounds = {.ndim = 2, .lo = {-3, 0}, .hi = {20, 1000}};
    xta_access_choice choice = {0};
    xta_query *queries = NULL;
    size_t n = 0, n_queries = 0;
    char path[512];
    xta_error err = {XTA_OK, 0, ""};

    if (size == 0) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/log", fuzz_folder());
    fuzz_write_file(path, data + 1, size - 1);
    choice.no_reads = (data[0] & 1) != 0;
    choice.no_writes = (data[0] & 2) != 0;
    choice.placed = (data[0] & 4) != 0;
    bounds.ndim = 1 + (data[0] >> 3) % 3;
    bounds.hi[2] = 7;
    xta_status status = xta_access_log_read(path, count, &n, &err);
    if (status != XTA_OK) {
        FUZZ_PROMISE(err.text[0] != '\0' && strchr(err.text, '\n') == NULL);
    }
    xta_status of_queries =
        xta_access_log_queries(path, &bounds, &choice, &queries, &n_queries, &err);
    if (of_queries != XTA_OK) {
        FUZZ_PROMISE(err.text[0] != '\0' && strchr(err.text, '\n') == NULL);
        FUZZ_PROMISE(queries == NULL && n_queries == 0);
    } else {
        FUZZ_PROMISE(status == XTA_OK && n_queries <= n);
    }
    free(queries);
    return 0;
}
