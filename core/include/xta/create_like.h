/** @file
 * Creating an array like another one, without its cells.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_CREATE_LIKE_H
#define XTA_CREATE_LIKE_H

#include <xta/array.h>
#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Create an array like another one: the same type, bounds (negative ones as well), fill, policy,
 * alignment, names and units of axes, and attributes. No cell is copied.
 *
 * @param[in]  source   an open array
 * @param[in]  path     as for xta_array_create
 * @param[in]  changes  what differs: `chunk`, `alignment_bytes`, a policy with its amount, names
 *                      and fill replace those of the source where they are given; `order`, `access`
 *                      and `cache_bytes` are used as given. NULL: only the path differs
 * @param[out] out      the array, to be closed by the caller; NULL on failure
 * @param[out] err      why it failed; then no file is left behind
 */
XTA_API XTA_MUST_CHECK xta_status xta_array_create_like(xta_array *source, const char *path,
                                                        const xta_create_options *changes,
                                                        xta_array **out, xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
