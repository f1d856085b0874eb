/* Making the files of several arrays durable together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_CHANGE_SYNC_TOGETHER_H
#define XTA_ARRAY_CHANGE_SYNC_TOGETHER_H

#include "store/store.h"

/* A file to be made durable: the chunks of an array, or its journal; the other is NULL. */
typedef struct xta__to_sync {
    xta__chunk_store *chunk_store;
    xta__file *journal;
} xta__to_sync;

/* Make all files of the list durable, in any order, and by several threads if there are many. If
 * some cannot be, the error is that of the first of them, and others may not have been synced. */
xta_status xta__sync_together(const xta__to_sync list[], int n, xta_error *err);

#endif
