/** @file
 * A read-only server of HTTP/1.1 for arrays and data sets: Zarr stores, references of kerchunk, the
 * data files by ranges, and a page with pictures. A part of libxta_views.
 *
 * docs/decisions/0048-zarr-views.md has the addresses, and why no client mixes two snapshots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_SERVE_H
#define XTA_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A running server. Opaque. */
typedef struct xta_server xta_server;

/** How to serve. Start from XTA_SERVE_OPTIONS_INIT. */
typedef struct xta_serve_options {
    size_t struct_size; /**< sizeof(xta_serve_options) */
    const char *bind;   /**< a numeric address; NULL: 127.0.0.1 */
    int port;           /**< 0: one that is free */
    const char *origin; /**< pages of this origin may read the answers ("*": of any); NULL: none */
    const char *url;    /**< by which clients reach the server, if not by its own address; NULL */
    bool follow;        /**< addresses without a pin follow the growth at the back */
    int connections;    /**< at one time; 0: 512. Beyond half of them each is closed after its
                                answer */
    int timeout_s;      /**< a connection on which nothing moves is closed after it; 0: 30 */
    uint64_t memory_bytes; /**< of answers on their way; 0: 1 GiB. A larger answer is refused */
    bool guard_sigbus; /**< handle SIGBUS in this process, for good: where a data file is truncated
                            while it is read, the answer is an error, and the program goes on. Not
                            if further threads read for one request (XTA_THREADS beyond 1) */
} xta_serve_options;
#define XTA_SERVE_OPTIONS_INIT                                                \
    {                                                                         \
        sizeof(xta_serve_options), NULL, 0, NULL, NULL, false, 0, 0, 0, false \
    }

/** Start to serve arrays and data sets, each under the last component of its path.
 *
 * Bound to a loopback address, only requests for `localhost` and loopback addresses are answered,
 * unless `url` is given: pages of the web cannot reach the server by a name of their own.
 *
 * @param[in]  paths    of arrays, or of the folders of data sets
 * @param[in]  n        how many
 * @param[in]  options  NULL for the defaults
 * @param[out] out      for xta_server_stop; NULL on failure
 * @param[out] err      why it failed
 * @retval XTA_EARG     two have the same name, or a name or an option is none
 * @retval XTA_EACCESS  a member of a data set lies outside its folder (behind a link), or the port
 *                      may not be used
 * @retval XTA_EBUSY    the port is taken
 * @return otherwise as xta_zarr_view_open
 * @par Cost
 * A thread for each connection. */
XTA_API XTA_MUST_CHECK xta_status xta_server_start(const char *const paths[], size_t n,
                                                   const xta_serve_options *options,
                                                   xta_server **out, xta_error *err);

/** The port. Thread-safe. */
XTA_API int xta_server_port(const xta_server *server);

/** End all connections, and free the server; NULL is allowed. */
XTA_API void xta_server_stop(xta_server *server);

#ifdef __cplusplus
}
#endif
#endif
