/* The page of the server, and the list of snapshots, as texts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_PAGE_H
#define XTA_VIEWS_SERVE_PAGE_H

#include "serve/shelf.h"
#include "util/text.h"

/* The address of a store, without a slash at its end; a pin of NULL: none. The caller frees it;
 * NULL: out of memory. */
char *xta__store_url(const char *base, const char *name, const char *pin, int version);

void xta__page_begin(xta__text *out);
/* A source: its addresses, structure and quicklooks. */
void xta__page_source(const source *from, const xta_zarr_view *view, const char *base,
                      xta__text *out);
/* A source that cannot be opened now, and why. */
void xta__page_failure(const source *from, const char *why, xta__text *out);
void xta__page_end(xta__text *out);

/* The snapshots that addresses can name, as JSON: of an array its last thousand steps, of a data
 * set the newest. */
xta_status xta__page_steps(const source *from, const xta_zarr_view *view, const char *base,
                           xta__text *out, xta_error *err);

#endif
