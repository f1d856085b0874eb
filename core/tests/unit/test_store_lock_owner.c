/* Lock files as texts, and each row of the table of locks that may be broken.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store/lock/lock_owner.h"
#include "support/random.h"

static const xta__lock_owner me = {.host = "node17",
                                   .machine = "4c4c4544003510528030b6c04f4d3533",
                                   .boot = "7b2f5b1e-7a54-4a39-9f9d-0e4b6a0a3f1c",
                                   .space = 4026531836,
                                   .clock = 4026531834,
                                   .pid = 23117,
                                   .start = 8812345,
                                   .nonce = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"};

/* ---- texts ---- */

static void test_round_trip(void **state)
{
    char text[XTA__LOCK_FILE_BYTES];
    xta__lock_owner back;

    (void)state;
    size_t n = xta__lock_owner_encode(&me, text);
    assert_string_equal(text, "XTA lock 1\nhost node17\nmachine 4c4c4544003510528030b6c04f4d3533\n"
                              "boot 7b2f5b1e-7a54-4a39-9f9d-0e4b6a0a3f1c\nspace 4026531836\n"
                              "clock 4026531834\npid 23117\nstart 8812345\nkeeps 0\n"
                              "nonce 0f1e2d3c4b5a69788796a5b4c3d2e1f0\n");
    assert_null(xta__lock_owner_parse(text, n, &back));
    assert_memory_equal(&back, &me, sizeof me);
    for (size_t cut = 0; cut < n; cut++) {
        assert_non_null(xta__lock_owner_parse(text, cut, &back));
    }
}

/* The longest possible owner still fits. */
static void test_longest(void **state)
{
    char text[XTA__LOCK_FILE_BYTES], name[300];
    xta__lock_owner long_one = me, back;

    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    xta__lock_owner_set(long_one.host, name);
    xta__lock_owner_set(long_one.machine, name);
    xta__lock_owner_set(long_one.boot, name);
    long_one.space = long_one.clock = long_one.start = INT64_MAX;
    long_one.keeps = true;
    size_t n = xta__lock_owner_encode(&long_one, text);
    assert_true(n < XTA__LOCK_FILE_BYTES);
    assert_null(xta__lock_owner_parse(text, n, &back));
    assert_string_equal(back.host, long_one.host);
    assert_true(back.keeps);
    xta__lock_owner_set(back.host, "a b\tc\n\x80");
    assert_string_equal(back.host, "a?b?c??");
    xta__lock_owner_set(back.host, "");
    assert_string_equal(back.host, "-");
}

static void test_bad_texts(void **state)
{
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"XTA lock 1", "XTA lock 2"},
        {"XTA lock", "xta lock"},
        {"host node17", "host "},
        {"host node17", "host node 17"},
        {"host node17", "host \x1b[31m"},
        {"machine", "boot"},
        {"pid 23117", "pid 0"},
        {"pid 23117", "pid -1"},
        {"pid 23117", "pid 4294967297"},
        {"pid 23117", "pid 23117 "},
        {"start 8812345", "start 99999999999999999999"},
        {"start 8812345", "start 0x1"},
        {"keeps 0", "keeps 2"},
        {"keeps 0", "keeps"},
        {"nonce 0f", "nonce 0F"},
        {"nonce 0f1e", "nonce 0f"},
        {"nonce 0f1e", "nonce 0f1e0f"},
        {"e1f0\n", "e1f0\n\n"},
        {"e1f0\n", "e1f0\nmore 1\n"},
        {"space 4026531836\n", ""},
    };
    char text[XTA__LOCK_FILE_BYTES], bad[XTA__LOCK_FILE_BYTES + 64];
    xta__lock_owner back;

    (void)state;
    xta__lock_owner_encode(&me, text);
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++) {
        char *at = strstr(text, changes[k].from);
        assert_non_null(at);
        snprintf(bad, sizeof bad, "%.*s%s%s", (int)(at - text), text, changes[k].to,
                 at + strlen(changes[k].from));
        if (xta__lock_owner_parse(bad, strlen(bad), &back) == NULL) {
            fail_msg("'%s' was taken", changes[k].to);
        }
    }
    memset(bad, 'x', sizeof bad);
    assert_string_equal(xta__lock_owner_parse(bad, sizeof bad, &back), "it is too long");
}

/* Random bytes cause no crash, and what the parser accepts can be written again. */
static void test_random_bytes(void **state)
{
    uint64_t seed = test_seed("test_store_lock_owner", 20261123);
    test_random random = test_random_make(seed, 0);
    char text[XTA__LOCK_FILE_BYTES], again[XTA__LOCK_FILE_BYTES];
    unsigned taken = 0;

    (void)state;
    for (uint64_t k = 0; k < test_scale(200000); k++) {
        xta__lock_owner back;
        size_t n = xta__lock_owner_encode(&me, text);
        for (int64_t c = test_random_in(&random, 1, 3); c > 0; c--) {
            size_t at = (size_t)test_random_in(&random, 0, (int64_t)n - 1);
            // Often a byte that is valid in a lock file.
            text[at] = test_random_chance(&random, 50) ? text[test_random_in(&random, 0, 40)]
                                                       : (char)test_random_in(&random, -128, 127);
        }
        n = test_random_chance(&random, 10) ? (size_t)test_random_in(&random, 0, (int64_t)n) : n;
        if (xta__lock_owner_parse(text, n, &back) == NULL) {
            xta__lock_owner twice;
            size_t m = xta__lock_owner_encode(&back, again);
            assert_null(xta__lock_owner_parse(again, m, &twice));
            assert_memory_equal(&twice, &back, sizeof back);
            taken++;
        }
    }
    // Some changes leave a valid file.
    assert_true(taken > 0);
}

/* ---- owners ---- */

typedef struct row {
    const char *what;
    const char *host, *machine, *boot; /* NULL: this machine's */
    uint64_t space, clock, start;      /* of the owner; 1: this machine's */
    bool there;
    uint64_t seen; /* when the process with that number began */
    xta__lock_verdict verdict;
} row;

#define MY_START 8812345

static const row rows[] = {
    {"it runs", 0, 0, 0, 1, 1, 1, true, MY_START, XTA__OWNER_LIVES},
    {"it is gone", 0, 0, 0, 1, 1, 1, false, 0, XTA__OWNER_DEAD},
    {"the number was used again", 0, 0, 0, 1, 1, 1, true, MY_START + 1, XTA__OWNER_DEAD},
    {"/proc is hidden", 0, 0, 0, 1, 1, 1, true, 0, XTA__OWNER_UNKNOWN},
    {"/proc was hidden from it", 0, 0, 0, 1, 1, 0, true, MY_START, XTA__OWNER_UNKNOWN},
    {"/proc was hidden, it is gone", 0, 0, 0, 1, 1, 0, false, 0, XTA__OWNER_DEAD},
    {"another clock", 0, 0, 0, 1, 7, 1, true, MY_START + 1, XTA__OWNER_UNKNOWN},
    {"another container", 0, 0, 0, 7, 1, 1, false, 0, XTA__OWNER_UNKNOWN},
    {"no namespace known", 0, 0, 0, 0, 1, 1, false, 0, XTA__OWNER_UNKNOWN},
    {"this host had another name", "old", 0, 0, 1, 1, 1, false, 0, XTA__OWNER_DEAD},
    {"before the last boot", 0, 0, "b", 1, 1, 1, true, MY_START, XTA__OWNER_DEAD},
    {"another host", "n2", 0, "b", 1, 1, 1, false, 0, XTA__OWNER_UNKNOWN},
    {"another machine of this name", 0, "m", "b", 1, 1, 1, false, 0, XTA__OWNER_UNKNOWN},
    {"another host made from one image", "n2", 0, "b", 1, 1, 1, false, 0, XTA__OWNER_UNKNOWN},
    {"a machine without a number", 0, "-", "b", 1, 1, 1, false, 0, XTA__OWNER_UNKNOWN},
    {"a machine without a name", "-", 0, "b", 1, 1, 1, false, 0, XTA__OWNER_UNKNOWN},
    {"a boot that is not known", 0, 0, "-", 1, 1, 1, false, 0, XTA__OWNER_UNKNOWN},
};

static xta__lock_verdict verdict_of(const row *r, const xta__lock_owner *judge)
{
    xta__lock_owner owner = me;

    xta__lock_owner_set(owner.host, r->host != NULL ? r->host : me.host);
    xta__lock_owner_set(owner.machine, r->machine != NULL ? r->machine : me.machine);
    xta__lock_owner_set(owner.boot, r->boot != NULL ? r->boot : me.boot);
    owner.space = r->space == 1 ? me.space : r->space;
    owner.clock = r->clock == 1 ? me.clock : r->clock;
    owner.start = r->start == 1 ? me.start : r->start;
    return xta__lock_owner_judge(&owner, judge, r->there, r->seen);
}

static void test_judge(void **state)
{
    xta__lock_owner blind = me;

    (void)state;
    xta__lock_owner_set(blind.boot, "");
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (verdict_of(&rows[k], &me) != rows[k].verdict) {
            fail_msg("%s: verdict %d", rows[k].what, (int)verdict_of(&rows[k], &me));
        }
        assert_int_equal(verdict_of(&rows[k], &blind), XTA__OWNER_UNKNOWN);
    }
    // A name that many machines have.
    xta__lock_owner local = me, owner = me;
    xta__lock_owner_set(local.host, "localhost.localdomain");
    xta__lock_owner_set(owner.host, "localhost.localdomain");
    xta__lock_owner_set(owner.boot, "b");
    assert_int_equal(xta__lock_owner_judge(&owner, &local, false, 0), XTA__OWNER_UNKNOWN);
    // Two owners without a machine id.
    local = me;
    xta__lock_owner_set(local.machine, "");
    owner = local;
    xta__lock_owner_set(owner.boot, "b");
    assert_int_equal(xta__lock_owner_judge(&owner, &local, false, 0), XTA__OWNER_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_longest),
        cmocka_unit_test(test_bad_texts),  cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_judge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
