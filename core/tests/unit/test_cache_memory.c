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
#include "util/kept_memory.h"
#include "util/poison.h"

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
            assert_true(!XTA__ADDRESS_SANITIZER || bytes > SLAB / 8 ||
                        XTA__IS_POISONED(got + bytes));
            blocks[n++] = (block){got, (uint8_t)step};
            most = n > most ? n : most;
        } else if (n > 0) {
            size_t i = (size_t)test_random_in(random, 0, (int64_t)n - 1);
            assert_content(&blocks[i], bytes);
            xta__cache_memory_put(&memory, blocks[i].bytes);
            assert_true(!XTA__ADDRESS_SANITIZER || XTA__IS_POISONED(blocks[i].bytes));
            blocks[i] = blocks[--n];
        }
    }
    for (size_t i = 0; i < n; i++) {
        assert_content(&blocks[i], bytes);
    }
    // At most a ninth of a slab stays unused. The last slab may be nearly empty, but it is not
    // longer than all before it, a huge page, or twice a block.
    size_t gap = XTA__ADDRESS_SANITIZER ? LINE : 0;
    size_t used = most * ((bytes + LINE - 1) / LINE * LINE + gap) / 8 * 9;
    size_t last = used < SLAB ? used + 2 * bytes + (64 << 10) : SLAB;
    assert_true(slab_bytes(&memory) <= used + last + 4 * bytes);
    assert_int_equal(memory.n_blocks, n);
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
    // 1000 chunks of 32 KiB, then fewer of 20 KiB; 50 chunks of 1 MiB.
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
    // Whatever is kept.
    for (int after_a_large_one = 0; after_a_large_one < 2; after_a_large_one++) {
        (void)!xta__kept_release();
        if (after_a_large_one) {
            assert_true(longest_allocation(32 << 10, 1000) >= SLAB);
        }
        xta__cache_memory_init(&memory, 4096);
        assert_non_null(xta__cache_memory_get(&memory));
        assert_int_equal(slab_bytes(&memory), 64 << 10);
        xta__cache_memory_free(&memory);
    }
    (void)!xta__kept_release();
}

static void a_chunk_of_a_few_bytes_has_few(void **state)
{
    xta__cache_memory memory;

    (void)state;
    xta__cache_memory_init(&memory, 6);
    for (int i = 0; i < 100000; i++) {
        assert_non_null(xta__cache_memory_get(&memory));
    }
    assert_true(XTA__ADDRESS_SANITIZER || slab_bytes(&memory) <= 2 * 1600000);
    xta__cache_memory_free(&memory);
    (void)!xta__kept_release();
}

/* A gigabyte that nobody touches. */
static void a_large_cache_has_few_slabs(void **state)
{
    xta__cache_memory memory;

    (void)state;
    xta__cache_memory_init(&memory, 256 << 10);
    for (int i = 0; i < 4096; i++) {
        assert_non_null(xta__cache_memory_get(&memory));
    }
    // 64 of at most 2 MiB, 64 of 4 MiB, 64 of 8 MiB; and a few.
    assert_true(memory.n_slabs <= 3 * 64 + 20);
    xta__cache_memory_free(&memory);
    // What is kept are the small ones, which other caches begin with.
    void *slab = xta__kept_find(SLAB);
    assert_non_null(slab);
    free(slab);
    (void)!xta__kept_release();
}

/* Each allocation of a cache fails, and all after it. */
static void without_memory_nothing_is_lost(void **state)
{
    static const size_t some[] = {100, 200 << 10, 1 << 20};

    (void)state;
    for (size_t k = 0; k < sizeof some / sizeof some[0]; k++) {
        uint64_t n_refused = 0;
        for (uint64_t n = 1; n <= 12; n++) {
            xta__cache_memory memory;
            uint8_t *first = NULL;
            (void)!xta__kept_release();
            xta__cache_memory_init(&memory, some[k]);
            failing_alloc_at(n, true);
            failing_alloc_arm(true);
            for (int i = 0; i < 100; i++) {
                uint8_t *got = xta__cache_memory_get(&memory);
                first = first != NULL ? first : got;
            }
            failing_alloc_arm(false);
            n_refused += failing_alloc_happened();
            failing_alloc_at(0, false);
            assert_true((first == NULL) == (memory.n_blocks == 0));
            if (first != NULL) {
                memset(first, 7, some[k]);
            }
            assert_non_null(xta__cache_memory_get(&memory));
            xta__cache_memory_put(&memory, NULL);
            if (first != NULL) {
                assert_content(&(block){first, 7}, some[k]);
            }
            xta__cache_memory_free(&memory);
        }
        assert_true(n_refused >= 2);
    }
    assert_int_equal(failing_alloc_live(), 0);
}

/* Where 2 MiB in one piece cannot be had, 64 KiB may do. */
static void a_smaller_slab_will_do(void **state)
{
    xta__cache_memory memory;

    (void)state;
    (void)!xta__kept_release();
    xta__cache_memory_init(&memory, 4096);
    do {
        assert_non_null(xta__cache_memory_get(&memory));
    } while (memory.rest >= memory.cut_bytes); // until the first slab is used up
    failing_alloc_at(1, false);                // the next one, of 128 KiB
    failing_alloc_arm(true);
    assert_non_null(xta__cache_memory_get(&memory));
    failing_alloc_arm(false);
    assert_true(failing_alloc_happened());
    failing_alloc_at(0, false);
    assert_true(memory.slabs[memory.n_slabs - 1].bytes == 64 << 10);
    xta__cache_memory_free(&memory);
    assert_int_equal(failing_alloc_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_keep_their_content),
        cmocka_unit_test(the_next_cache_allocates_nothing),
        cmocka_unit_test(a_small_cache_stays_small),
        cmocka_unit_test(a_chunk_of_a_few_bytes_has_few),
        cmocka_unit_test(a_large_cache_has_few_slabs),
        cmocka_unit_test(without_memory_nothing_is_lost),
        cmocka_unit_test(a_smaller_slab_will_do),
    };
    seed = test_seed("test_cache_memory", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
