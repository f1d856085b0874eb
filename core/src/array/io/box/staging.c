/* Staging memory: whole chunks are gathered there before a call writes them to the file.
 *
 * Newly allocated memory costs a fault for each page, as much as copying it. So one buffer stays
 * with the handle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/io/box/staging.h"

#include <stdlib.h>

#include "array/state/open_array.h"

#define LEAST_KEPT_BYTES ((size_t)64 << 10) /* of staging memory; less is quickly allocated */

/* Newly allocated memory costs a fault for each page, as much as copying it. So one buffer stays
 * with the handle. */
void xta__drop_staging(xta__transfer_call *t)
{
    uint8_t *none = NULL;

    if (t->staging_bytes != XTA__STAGING_BYTES ||
        !atomic_compare_exchange_strong(&t->array->staging, &none, t->staging)) {
        free(t->staging);
    }
    t->staging = NULL;
    t->staging_bytes = 0;
}

xta_status xta__make_staging(xta__transfer_call *t, size_t bytes, xta_error *err)
{
    if (t->staging_bytes >= bytes) {
        return XTA_OK;
    }
    xta__drop_staging(t);
    if (bytes >= LEAST_KEPT_BYTES && bytes <= XTA__STAGING_BYTES) {
        bytes = XTA__STAGING_BYTES;
        t->staging = atomic_exchange(&t->array->staging, NULL);
    }
    if (t->staging == NULL) {
        t->staging = xta__memory_of_huge_pages(bytes);
    }
    t->staging_bytes = t->staging != NULL ? bytes : 0;
    return t->staging != NULL
               ? XTA_OK
               : xta__fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu bytes of cells",
                           xta__array_name(t->array), bytes);
}
