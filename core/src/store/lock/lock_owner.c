/* Encoding and parsing of lock files, and whether their owners are alive.
 * docs/decisions/0023-locks.md has the rule.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/lock/lock_owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_LINE "XTA lock 1"

static bool is_known(const char *field)
{
    return strcmp(field, "-") != 0;
}

void xta__lock_owner_set(char field[XTA__LOCK_FIELD_BYTES], const char *text)
{
    size_t n = 0;

    for (; text[n] != '\0' && n < XTA__LOCK_FIELD_BYTES - 1; n++) {
        field[n] = text[n];
        if (text[n] <= ' ' || text[n] > '~') {
            field[n] = '?';
        }
    }
    field[n] = '\0';
    if (n == 0) {
        strcpy(field, "-");
    }
}

size_t xta__lock_owner_encode(const xta__lock_owner *owner, char text[XTA__LOCK_FILE_BYTES])
{
    int n = snprintf(text, XTA__LOCK_FILE_BYTES,
                     FIRST_LINE "\nhost %s\nmachine %s\nboot %s\nspace %" PRIu64 "\nclock %" PRIu64
                                "\npid %" PRIu64 "\nstart %" PRIu64 "\nkeeps %d\nnonce %s\n",
                     owner->host, owner->machine, owner->boot, owner->space, owner->clock,
                     owner->pid, owner->start, owner->keeps ? 1 : 0, owner->nonce);

    return (size_t)n;
}

/* ---- parsing ---- */

typedef struct cursor {
    const char *at, *end;
} cursor;

/* The value of the next line, which is `key value`; false if it is something else. */
static bool next_value(cursor *c, const char *key, char value[XTA__LOCK_FIELD_BYTES])
{
    const char *line = c->at;
    const char *newline = line < c->end ? memchr(line, '\n', (size_t)(c->end - line)) : NULL;
    size_t k = strlen(key);

    if (newline == NULL || (size_t)(newline - line) < k + 2 || memcmp(line, key, k) != 0 ||
        line[k] != ' ' || (size_t)(newline - line) - k - 1 >= XTA__LOCK_FIELD_BYTES) {
        return false;
    }
    size_t n = (size_t)(newline - line) - k - 1;
    for (size_t i = 0; i < n; i++) {
        char ch = line[k + 1 + i];
        if (ch <= ' ' || ch > '~') {
            return false;
        }
        value[i] = ch;
    }
    value[n] = '\0';
    c->at = newline + 1;
    return true;
}

static bool next_number(cursor *c, const char *key, uint64_t most, uint64_t *number)
{
    char value[XTA__LOCK_FIELD_BYTES];

    // 19 digits fit.
    if (!next_value(c, key, value) || strlen(value) > 19 ||
        strspn(value, "0123456789") != strlen(value)) {
        return false;
    }
    *number = strtoull(value, NULL, 10);
    return *number <= most;
}

const char *xta__lock_owner_parse(const char *text, size_t n, xta__lock_owner *owner)
{
    cursor c = {text, text + n};
    size_t first = sizeof FIRST_LINE; /* including the newline */
    char nonce[XTA__LOCK_FIELD_BYTES];
    uint64_t keeps = 0;

    memset(owner, 0, sizeof *owner);
    if (n >= XTA__LOCK_FILE_BYTES) {
        return "it is too long";
    }
    if (n < first || memcmp(text, FIRST_LINE "\n", first) != 0) {
        return "it does not begin with \"" FIRST_LINE "\"";
    }
    c.at += first;
    if (!next_value(&c, "host", owner->host) || !next_value(&c, "machine", owner->machine) ||
        !next_value(&c, "boot", owner->boot) ||
        !next_number(&c, "space", UINT64_MAX, &owner->space) ||
        !next_number(&c, "clock", UINT64_MAX, &owner->clock) ||
        !next_number(&c, "pid", INT32_MAX, &owner->pid) || owner->pid == 0 ||
        !next_number(&c, "start", UINT64_MAX, &owner->start) ||
        !next_number(&c, "keeps", 1, &keeps) || !next_value(&c, "nonce", nonce) ||
        strlen(nonce) != XTA__NONCE_BYTES - 1 ||
        strspn(nonce, "0123456789abcdef") != strlen(nonce)) {
        return "a line is missing, or says something else than it should";
    }
    if (c.at != c.end) {
        return "something follows its last line";
    }
    owner->keeps = keeps == 1;
    memcpy(owner->nonce, nonce, XTA__NONCE_BYTES);
    return NULL;
}

/* ---- judging ---- */

/* Whether both are on the same machine. Names that many machines have prove nothing. */
static bool same_machine(const xta__lock_owner *a, const xta__lock_owner *b)
{
    return is_known(a->host) && is_known(a->machine) && strcmp(a->host, b->host) == 0 &&
           strcmp(a->machine, b->machine) == 0 && strncmp(a->host, "localhost", 9) != 0;
}

xta__lock_verdict xta__lock_owner_judge(const xta__lock_owner *owner, const xta__lock_owner *me,
                                        bool there, uint64_t start)
{
    if (!is_known(owner->boot) || !is_known(me->boot)) {
        return XTA__OWNER_UNKNOWN;
    }
    if (strcmp(owner->boot, me->boot) != 0) {
        // The machine has been rebooted: no earlier process runs on it.
        return same_machine(owner, me) ? XTA__OWNER_DEAD : XTA__OWNER_UNKNOWN;
    }
    if (owner->space == 0 || owner->space != me->space) {
        return XTA__OWNER_UNKNOWN;
    }
    if (!there) {
        return XTA__OWNER_DEAD;
    }
    if (owner->start == 0 || start == 0 || owner->clock != me->clock) {
        return XTA__OWNER_UNKNOWN;
    }
    return owner->start == start ? XTA__OWNER_LIVES : XTA__OWNER_DEAD;
}
