/* What is kept of a selection between runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SIMPLEX_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SIMPLEX_H

#include <xta/endmembers.h>

#include "state/blob.h"

/* Write a selection to a blob, and read it into one that was made with the same options. If the
 * bytes are incomplete or belong to other options, `get` returns XTA_ESTATE and the selection is as
 * new, so that all is computed from the start. */
void xta__simplex_put(const xta_simplex *simplex, blob *b);
xta_status xta__simplex_get(xta_simplex *simplex, blob_reader *r, xta_error *err);

#endif
