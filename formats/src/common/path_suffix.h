/* The suffix of a path, which selects a format.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_COMMON_PATH_SUFFIX_H
#define XTA_FORMATS_COMMON_PATH_SUFFIX_H

/* The text after the last dot of the last component, in lower case; "" if there is none. */
void xta__path_suffix(const char *path, char suffix[16]);

#endif
