/* The header Host.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "serve/client_host.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

bool xta__host_is_valid(const char *host)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~[]:";
    size_t n = strlen(host);

    return n > 0 && n <= 255 && strspn(host, plain) == n;
}

/* The length of the name, without the port. */
static size_t name_length(const char *host)
{
    if (host[0] == '[') {
        const char *end = strchr(host, ']');
        return end != NULL ? (size_t)(end - host) + 1 : strlen(host);
    }
    return strcspn(host, ":");
}

/* 127. and three more numbers. */
static bool is_127(const char *host, size_t n)
{
    int dots = 0;

    if (n < 9 || strncmp(host, "127.", 4) != 0) {
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        bool dot = host[k] == '.';
        if (!dot && (host[k] < '0' || host[k] > '9')) {
            return false;
        }
        dots += dot;
    }
    return dots == 3;
}

bool xta__host_is_loopback(const char *host)
{
    size_t n = name_length(host);

    return (n == 9 && strncasecmp(host, "localhost", n) == 0) ||
           (n == 5 && strncmp(host, "[::1]", n) == 0) || is_127(host, n);
}
