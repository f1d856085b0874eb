/* Memory of a chunk cache: blocks do not overlap and keep their content, little is wasted, and what
 * a freed cache had is used by the next one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/chunks/cache_memory.h"
#include "support/failing_alloc.h"
#include "support/random.h"
#include "util/compiler.h"
#include "util/kept_memory.h"

#if XTA__ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define __asan_address_is_poisoned(address) ((void)(address), 1)
#endif

enum { MOST_BLOCKS = 400, SLAB = 2 << 20, LINE = 64 };

static uint64_t seed;

/* ---- against what was written ---- */

typedef struct block {
    uint8_t *bytes;
    uint8_t mark;
} block;

static void assert_content(const block *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += bytes / 16 + 1) {
        assert_int_equal(b->bytes[i], b->mark);
    }
    assert_int_equal(b->bytes[bytes - 1], b->mark);
}

static size_t slab_bytes(const xta__cache_memory *memory)
{
    size_t bytes = 0;

    for (size_t i = 0; i < memory->n_slabs; i++) {
        bytes += memory->slabs[i].bytes;
    }
    return bytes;
}

/* A random length of a chunk: short ones, long ones, and those where the kind changes. */
static size_t some_length(test_random *random)
{
    static const size_t edges[] = {1, 8, 64, 65, SLAB / 8 - 1, SLAB / 8, SLAB / 8 + 1, SLAB / 2};

    return test_random_chance(random, 30)
               ? edges[test_random_in(random, 0, sizeof edges / sizeof edges[0] - 1)]
               : (size_t)1 << test_random_in(random, 0, 18) | (size_t)test_random_in(random, 0, 99);
}

/* One cache, of whose blocks some are given back. */
static void check_cache(test_random *random, size_t bytes)
{
    static block blocks[MOST_BLOCKS];
    xta__cache_memory memory;
    size_t n = 0, most = 0,
           limit = MOST_BLOCKS * bytes < (32 << 20) ? MOST_BLOCKS : (32 << 20) / bytes;

    xta__cache_memory_init(&memory, bytes);
    for (int step = 0; step < 600; step++) {
        if (test_random_chance(random, 75) && n < limit) {
            uint8_t *got = xta__cache_memory_get(&memory);
            assert_non_null(got);
            assert_int_equal((uintptr_t)got % _Alignof(max_align_t), 0);
            memset(got, step, bytes);
            assert_true(bytes > SLAB / 8 || __asan_address_is_poisoned(got + bytes));
            blocks[n++] = (block){got, (uint8_t)step};
            most = n > most ? n : most;
        } else if (n > 0) {
            size_t i = (size_t)test_random_in(random, 0, (int64_t)n - 1);
            assert_content(&blocks[i], bytes);
            xta__cache_memory_put(&memory, blocks[i].bytes);
            assert_true(__asan_address_is_poisoned(blocks[i].bytes));
            blocks[i] = blocks[--n];
        }
    }
    for (size_t i = 0; i < n; i++) {
        assert_content(&blocks[i], bytes);
    }
    // At most a ninth of a slab stays unused, but for what is left of the first ones and the last.
    size_t rounded = (bytes + LINE - 1) / LINE * LINE + LINE;
    assert_true(slab_bytes(&memory) <= most * rounded / 8 * 9 + 2 * (size_t)SLAB);
    xta__cache_memory_free(&memory);
}

static void blocks_keep_their_content(void **state)
{
    test_random random = test_random_make(seed, 1);

    (void)state;
    for (uint64_t k = 0, n = test_scale(100); k < n; k++) {
        if (test_random_chance(&random, 30)) {
            (void)!xta__kept_release();
        }
        check_cache(&random, some_length(&random));
    }
    (void)!xta__kept_release();
    assert_int_equal(failing_alloc_live(), 0);
}

/* ---- from one cache to the next ---- */

/* The longest allocation that a cache of n chunks makes. */
static uint64_t longest_allocation(size_t bytes, size_t n)
{
    xta__cache_memory memory;

    xta__cache_memory_init(&memory, bytes);
    failing_alloc_at(UINT64_MAX, false);
    failing_alloc_arm(true);
    (void)failing_alloc_longest();
    for (size_t i = 0; i < n; i++) {
        assert_non_null(xta__cache_memory_get(&memory));
    }
    failing_alloc_arm(false);
    failing_alloc_at(0, false);
    xta__cache_memory_free(&memory);
    return failing_alloc_longest();
}

static void the_next_cache_allocates_nothing(void **state)
{
    (void)state;
    (void)!xta__kept_release();
    // 1000 chunks of 32 KiB, then of 20 KiB; 50 chunks of 1 MiB. The first cache has small slabs,
    // which the second one has no use for.
    assert_true(longest_allocation(32 << 10, 1000) >= SLAB);
    assert_true(longest_allocation(32 << 10, 1000) >= SLAB);
    assert_true(longest_allocation(32 << 10, 1000) < 10000);
    assert_true(longest_allocation(20 << 10, 1000) < 10000);
    (void)!xta__kept_release();
    assert_true(longest_allocation(1 << 20, 50) >= 1 << 20);
    assert_true(longest_allocation(1 << 20, 50) < 10000);
    (void)!xta__kept_release();
}

static void a_small_cache_stays_small(void **state)
{
    xta__cache_memory memory;

    (void)state;
    (void)!xta__kept_release();
    xta__cache_memory_init(&memory, 4096);
    assert_non_null(xta__cache_memory_get(&memory));
    assert_int_equal(slab_bytes(&memory), 64 << 10);
    xta__cache_memory_free(&memory);
    assert_int_equal(xta__kept_release(), 64 << 10);
}

static void without_memory_nothing_is_lost(void **state)
{
    static const size_t some[] = {100, 200 << 10, 1 << 20};

    (void)state;
    for (size_t k = 0; k < sizeof some / sizeof some[0]; k++) {
        xta__cache_memory memory;
        (void)!xta__kept_release();
        xta__cache_memory_init(&memory, some[k]);
        uint8_t *first = xta__cache_memory_get(&memory);
        assert_non_null(first);
        memset(first, 7, some[k]);
        for (uint64_t n = 1; n <= 2; n++) {
            uint8_t *got = first;
            failing_alloc_at(n, true);
            failing_alloc_arm(true);
            for (int i = 0; i < 20000 && got != NULL; i++) {
                got = xta__cache_memory_get(&memory);
            }
            failing_alloc_arm(false);
            failing_alloc_at(0, false);
            assert_null(got);
        }
        assert_non_null(xta__cache_memory_get(&memory));
        xta__cache_memory_put(&memory, NULL);
        assert_content(&(block){first, 7}, some[k]);
        xta__cache_memory_free(&memory);
    }
    (void)!xta__kept_release();
    assert_int_equal(failing_alloc_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_keep_their_content),
        cmocka_unit_test(the_next_cache_allocates_nothing),
        cmocka_unit_test(a_small_cache_stays_small),
        cmocka_unit_test(without_memory_nothing_is_lost),
    };
    seed = test_seed("test_cache_memory", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
