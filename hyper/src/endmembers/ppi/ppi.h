/* What is kept of the pixel purity index between runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_ENDMEMBERS_PPI_PPI_H
#define XTA_HYPER_ENDMEMBERS_PPI_PPI_H

#include <xta/endmembers.h>

#include "state/blob.h"

/* Write an index to a blob, and read it into one that was made with the same options. If the bytes
 * are incomplete or belong to other options, `get` returns XTA_ESTATE and the index is as new, so
 * that all is computed from the start. */
void xta__ppi_put(const xta_ppi *ppi, blob *b);
xta_status xta__ppi_get(xta_ppi *ppi, blob_reader *r, xta_error *err);

#endif
