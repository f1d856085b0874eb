/* Where a request ends.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_REQUEST_FRAMING_H
#define XTA_VIEWS_SERVE_REQUEST_FRAMING_H

#include <microhttpd.h>

/* What is wrong with the header fields that say where a request ends and for whom it is, so that a
 * proxy before the server may read others: a field with a blank in its name, two of Host or
 * Content-Length (RFC 9112, 5.1 and 6.3). NULL: nothing. The connection must not be used again
 * then. */
const char *xta__request_framing(struct MHD_Connection *connection);

#endif
