/** @file
 * Structs that grow from release to release: options, problems, charts.
 *
 * Each begins with `struct_size`, which the caller's initialiser sets to the size that the struct
 * had when the caller was compiled. The library that receives it may be older or newer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_OPTIONS_H
#define XTA_OPTIONS_H

#include <stddef.h>

#include <xta/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Convert a caller's struct to the form of this release: the first `struct_size` bytes are copied,
 * and the rest is zero. Zero means the default in every member that was added after the first
 * release. All functions of XTA with such a parameter convert it this way; programs need this call
 * only for structs of their own that follow the same rule.
 *
 * @param[in,out] known        the struct of this release, holding the values to use if `given` is
 *                             NULL; its first member is a size_t, which becomes `known_bytes`
 * @param[in]     known_bytes  its size
 * @param[in]     given        the caller's; NULL: `known` stays as it is
 * @param[in]     name         of the struct's type, for the message
 * @param[out]    err          why it failed; NULL if not wanted
 * @retval XTA_EARG  `struct_size` is 0 or a size that such a struct cannot have, or the struct is
 *                   of a later release and sets members that this release does not have; `known` is
 *                   unchanged
 */
XTA_API XTA_MUST_CHECK xta_status xta_options_read(void *known, size_t known_bytes,
                                                   const void *given, const char *name,
                                                   xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
