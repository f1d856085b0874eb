/* What a client of the server sends: the path of a request, the header Range, the header Host.
 *
 * A path that is accepted is made of pieces that a file system could not be led astray by: no
 * segment is `.`, `..` or empty, and no byte is zero, a backslash or a control character. A range
 * lies in the answer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "serve/byte_range.h"
#include "serve/client_host.h"
#include "serve/request_path.h"

static void check_text(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        FUZZ_PROMISE((unsigned char)*at >= 0x20 && *at != 0x7f && *at != '\\');
    }
    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, "/");
        FUZZ_PROMISE(n > 0 || at[1] == '\0');
        FUZZ_PROMISE(!(n == 1 && at[0] == '.') && !(n == 2 && at[0] == '.' && at[1] == '.'));
        at += n + (at[n] == '/');
    }
}

static void check_path(const char *text)
{
    request_path path;
    int status = xta__request_path_parse(text, &path);

    FUZZ_PROMISE(status == 0 || status == 400 || status == 404 || status == 414);
    if (status != 0) {
        return;
    }
    check_text(path.name);
    check_text(path.pin);
    check_text(path.key);
    FUZZ_PROMISE(strchr(path.name, '/') == NULL && strchr(path.pin, '/') == NULL);
    FUZZ_PROMISE(path.kind == REQUEST_PAGE || path.name[0] != '\0');
    FUZZ_PROMISE(path.pinned == (path.pin[0] != '\0'));
    FUZZ_PROMISE(path.kind != REQUEST_ZARR || path.version == 2 || path.version == 3);
}

static void check_range(const char *text, uint64_t size)
{
    uint64_t from = 0, n = 0;

    if (xta__byte_range(text, size, &from, &n) == BYTES_PART) {
        FUZZ_PROMISE(n > 0 && n <= size && from <= size - n);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_source source = {data, size};
    uint64_t answer = (uint64_t)fuzz_i64(&source);
    char *text = malloc(source.left + 1);

    if (text == NULL) {
        return 0;
    }
    memcpy(text, source.at, source.left);
    text[source.left] = '\0';
    check_path(text);
    check_range(text, answer);
    check_range(text, answer & 0xff);
    FUZZ_PROMISE(!xta__host_is_loopback(text) || strncmp(text, "127.", 4) == 0 ||
                 strncmp(text, "[::1]", 5) == 0 || strlen(text) >= 9);
    (void)xta__host_is_valid(text);
    free(text);
    return 0;
}
