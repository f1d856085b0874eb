/* The suffix of a path, which selects a format.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "common/path_suffix.h"

#include <ctype.h>
#include <string.h>

void xta__path_suffix(const char *path, char suffix[16])
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    size_t n = 0;
    for (const char *c = dot != NULL ? dot + 1 : ""; *c != '\0' && n < 15; c++) {
        suffix[n++] = (char)tolower((unsigned char)*c);
    }
    suffix[n] = '\0';
}
