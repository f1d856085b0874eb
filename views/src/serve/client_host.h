/* The header Host: by which name a client reaches the server.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_CLIENT_HOST_H
#define XTA_VIEWS_SERVE_CLIENT_HOST_H

#include <stdbool.h>

/* Whether a host, with or without a port, can be one (RFC 3986, 3.2.2): nothing in it ends a line
 * or a text. Pure. */
bool xta__host_is_valid(const char *host);

/* Whether it names this machine alone: localhost, 127.0.0.0/8, [::1]. A page of the web whose name
 * was made to lead here says another. Pure. */
bool xta__host_is_loopback(const char *host);

#endif
