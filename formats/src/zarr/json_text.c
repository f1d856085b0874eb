/* JSON as Zarr's writers make it: with the numbers NaN, Infinity and -Infinity.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/json_text.h"

#include <math.h>
#include <string.h>

#include "util/text.h"

#define MARK "//number"

static const char *const names[] = {"NaN", "-Infinity", "Infinity"};

/* The position in `names` of the word at a place outside strings; -1: none. */
static int word_at(const char *text, size_t n)
{
    for (int k = 0; k < 3; k++) {
        size_t length = strlen(names[k]);
        if (n >= length && memcmp(text, names[k], length) == 0) {
            return k;
        }
    }
    return -1;
}

json_t *xta__zarr_json_read(const char *text, size_t n, json_error_t *wrong)
{
    xta__text plain = {0};
    bool quoted = false;
    size_t from = 0;

    memset(wrong, 0, sizeof *wrong);
    for (size_t k = 0; k < n; k++) {
        if (quoted && text[k] == '\\') {
            k++;
        } else if (text[k] == '"') {
            quoted = !quoted;
        }
        bool may = !quoted && k < n && (text[k] == 'N' || text[k] == '-' || text[k] == 'I');
        int word = may ? word_at(text + k, n - k) : -1;
        if (word >= 0) {
            xta__text_add(&plain, text + from, k - from);
            xta__text_printf(&plain, "{\"" MARK "\":\"%s\"}", names[word]);
            k += strlen(names[word]) - 1;
            from = k + 1;
        }
    }
    xta__text_add(&plain, text + from, n - from);
    json_t *out = plain.failed ? NULL
                               : json_loadb(plain.n > 0 ? plain.bytes : "", plain.n,
                                            JSON_REJECT_DUPLICATES, wrong);
    xta__text_clear(&plain);
    return out;
}

bool xta__zarr_json_number(const json_t *json, double *value)
{
    const char *word = json_string_value(json_object_get(json, MARK));

    if (json_is_number(json)) {
        *value = json_number_value(json);
    } else if (word != NULL && json_object_size(json) == 1) {
        *value = strcmp(word, "NaN") == 0        ? NAN
                 : strcmp(word, "Infinity") == 0 ? INFINITY
                                                 : -INFINITY;
    } else {
        return false;
    }
    return true;
}
