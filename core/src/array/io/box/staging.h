/* Staging memory of a transfer, which stays with the handle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_STAGING_H
#define XTA_ARRAY_IO_BOX_STAGING_H

#include "array/io/box/transfer_call.h"

/* The staging memory that a handle keeps for its next transfer. */
#define XTA__STAGING_BYTES ((size_t)2 << 20)

/* Provide at least this many bytes in t->staging, with any contents; and return them to the
 * handle. */
xta_status xta__make_staging(xta__transfer_call *t, size_t bytes, xta_error *err);
void xta__drop_staging(xta__transfer_call *t);

#endif
