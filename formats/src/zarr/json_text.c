/* JSON as Zarr's writers make it: with the numbers NaN, Infinity and -Infinity, and with whole
 * numbers beyond those of 64 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "zarr/json_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/text.h"

#define MARK "//number"

enum { MOST_NUMBER = 400 };

static const char *const names[] = {"NaN", "-Infinity", "Infinity"};

/* The length of one of the names at a place outside strings; 0: none. */
static size_t name_at(const char *text, size_t n)
{
    for (int k = 0; k < 3; k++) {
        size_t length = strlen(names[k]);
        if (n >= length && memcmp(text, names[k], length) == 0) {
            return length;
        }
    }
    return 0;
}

static size_t number_at(const char *text, size_t n)
{
    size_t length = 0;

    while (length < n && text[length] != '\0' && strchr("+-.0123456789eE", text[length]) != NULL) {
        length++;
    }
    return length;
}

/* Whether a number has to be kept as text, since jansson has no type for it. */
static bool is_too_large(const char *text, size_t n)
{
    char copy[MOST_NUMBER + 1];
    bool whole = n > 0 && memchr(text, '.', n) == NULL && memchr(text, 'e', n) == NULL &&
                 memchr(text, 'E', n) == NULL;

    if (n > MOST_NUMBER || n < 3) {
        return n > MOST_NUMBER && whole;
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    errno = 0;
    if (whole) {
        (void)strtoll(copy, NULL, 10);
        return errno == ERANGE;
    }
    return isinf(strtod(copy, NULL));
}

/* Bytes of a number at a place outside strings that becomes an object; 0: none does. *at: those of
 * one that stays. */
static size_t find_special(const char *text, size_t n, size_t *plain)
{
    size_t length = name_at(text, n);

    *plain = 0;
    if (length > 0) {
        return length;
    }
    length = number_at(text, n);
    if (length > 0 && is_too_large(text, length)) {
        return length;
    }
    *plain = length;
    return 0;
}

json_t *xta__zarr_json_read(const char *text, size_t n, json_error_t *wrong)
{
    xta__text plain = {0};
    bool quoted = false;
    size_t from = 0, k = 0, length = 0;

    memset(wrong, 0, sizeof *wrong);
    while (k < n) {
        size_t special = 0;
        if (quoted) {
            quoted = text[k] != '"';
            k += text[k] == '\\' ? 2 : 1;
            continue;
        }
        bool may = strchr("NI-0123456789", text[k]) != NULL && text[k] != '\0';
        special = may ? find_special(text + k, n - k, &length) : 0;
        if (special > 0) {
            xta__text_add(&plain, text + from, k - from);
            xta__text_printf(&plain, "{\"" MARK "\":\"%.*s\"}", (int)special, text + k);
            k += special;
            from = k;
            continue;
        }
        quoted = text[k] == '"';
        k += may && length > 0 ? length : 1;
    }
    xta__text_add(&plain, text + from, n - from);
    json_t *out = plain.failed ? NULL
                               : json_loadb(plain.n > 0 ? plain.bytes : "", plain.n,
                                            JSON_REJECT_DUPLICATES, wrong);
    xta__text_clear(&plain);
    return out;
}

/* The text of a number that became an object; NULL: it is none. */
static const char *special_of(const json_t *json)
{
    const char *word = json_string_value(json_object_get(json, MARK));

    return word != NULL && json_object_size(json) == 1 &&
                   (name_at(word, strlen(word)) == strlen(word) ||
                    is_too_large(word, number_at(word, strlen(word))))
               ? word
               : NULL;
}

bool xta__zarr_json_number(const json_t *json, double *value)
{
    const char *word = special_of(json);

    if (!json_is_number(json) && word == NULL) {
        return false;
    }
    *value = word == NULL                     ? json_number_value(json)
             : strcmp(word, "NaN") == 0       ? (double)NAN
             : strcmp(word, "Infinity") == 0  ? (double)INFINITY
             : strcmp(word, "-Infinity") == 0 ? -(double)INFINITY
                                              : strtod(word, NULL);
    return true;
}

bool xta__zarr_json_is_large(const json_t *json)
{
    const char *word = special_of(json);

    return word != NULL && strspn(word, "-0123456789") == strlen(word);
}

bool xta__zarr_json_u64(const json_t *json, uint64_t *value)
{
    const char *word = special_of(json);

    if (json_is_integer(json) && json_integer_value(json) >= 0) {
        *value = (uint64_t)json_integer_value(json);
        return true;
    }
    if (word == NULL || strspn(word, "0123456789") != strlen(word)) {
        return false;
    }
    errno = 0;
    *value = strtoull(word, NULL, 10);
    return errno != ERANGE;
}

static int add_text(const char *bytes, size_t n, void *text)
{
    xta__text *to = text;

    xta__text_add(to, bytes, n);
    return to->failed ? -1 : 0;
}

char *xta__zarr_json_write(const json_t *json)
{
    // Quotes inside of strings are escaped, so this is no text of a document.
    static const char begin[] = "{\"" MARK "\":\"";
    xta__text marked = {0}, out = {0};

    if (json_dump_callback(json, add_text, &marked, JSON_COMPACT | JSON_ENCODE_ANY) != 0) {
        xta__text_clear(&marked);
        return NULL;
    }
    char *text = xta__text_detach(&marked);
    const char *from = text;
    for (const char *at; from != NULL && (at = strstr(from, begin)) != NULL;) {
        const char *word = at + strlen(begin);
        size_t n = strcspn(word, "\"");
        xta__text_add(&out, from, (size_t)(at - from));
        xta__text_add(&out, word, n);
        from = word + n + strlen("\"}");
    }
    if (from == NULL) {
        return NULL;
    }
    xta__text_add_string(&out, from);
    free(text);
    return xta__text_detach(&out);
}
