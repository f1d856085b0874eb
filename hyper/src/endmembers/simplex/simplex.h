/* What is kept of a selection between runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_SIMPLEX_SIMPLEX_H
#define XTA_HYPER_ENDMEMBERS_SIMPLEX_SIMPLEX_H

#include <xta/endmembers.h>

#include "state/blob.h"

/* What a selection knows, into a blob; and back into one that was made with the same options. Where
 * the bytes are not whole or belong to other options `get` answers XTA_ESTATE, and the selection is as
 * new: the caller goes on with it and everything is done from the start. */
void xta__simplex_put(const xta_simplex *simplex, blob *b);
xta_status xta__simplex_get(xta_simplex *simplex, blob_reader *r, xta_error *err);

#endif
