/* What is kept of the pixel purity index between runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PPI_PPI_H
#define XTA_HYPER_ENDMEMBERS_PPI_PPI_H

#include <xta/endmembers.h>

#include "state/blob.h"

/* What an index knows, into a blob; and back into one that was made with the same options. Where
 * the bytes are not whole or belong to other options `get` answers XTA_ESTATE, and the index is as
 * new: the caller goes on with it and everything is done from the start. */
void xta__ppi_put(const xta_ppi *ppi, blob *b);
xta_status xta__ppi_get(xta_ppi *ppi, blob_reader *r, xta_error *err);

#endif
