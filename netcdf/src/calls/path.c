/* The path of a data set in what nc_open is given.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "calls/path.h"

#include <stdlib.h>
#include <string.h>

#include "util/text.h"

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;

    return at != NULL ? (int)(at - digits) : -1;
}

static void decode(char *path)
{
    char *to = path;

    for (const char *from = path; *from != '\0'; from++) {
        int high = from[0] == '%' ? digit_of(from[1]) : -1;
        int low = high >= 0 ? digit_of(from[2]) : -1;
        bool code = low >= 0 && high + low > 0;
        *to++ = code ? (char)(high * 16 + low) : *from;
        from += code ? 2 : 0;
    }
    *to = '\0';
}

char *xta__nc_local_path(const char *given)
{
    static const char scheme[] = "file://";
    bool address = strncmp(given, scheme, sizeof scheme - 1) == 0;
    char *path = xta__string("%s", address ? given + sizeof scheme - 1 : given);

    if (path == NULL) {
        return NULL;
    }
    char *fragment = address ? strchr(path, '#') : NULL;
    if (fragment != NULL) {
        *fragment = '\0';
    }
    if (address) {
        decode(path);
    }
    size_t n = strlen(path);
    if (xta__ends_with(path, "/dataset.xmd")) {
        path[n - sizeof "/dataset.xmd" + 1] = '\0';
    } else if (strcmp(path, "dataset.xmd") == 0) {
        strcpy(path, ".");
    }
    for (n = strlen(path); n > 1 && path[n - 1] == '/'; n--) {
        path[n - 1] = '\0';
    }
    return path;
}
