/* Chunk stores and caches with one thing wrong: the checks name the invariant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/chunks/cache_check.h"
#include "store/chunks/chunk_store_check.h"
#include "store/chunks/memory_chunks.h"

/* ---- stores ---- */

static xta__chunk_store *store;

static int make_store(void **state)
{
    xta_error err = {0};

    (void)state;
    assert_int_equal(xta__memory_chunks_new(4096, 4000, 100, &store, &err), XTA_OK);
    assert_null(xta__check_chunk_store(store));
    return 0;
}

static int free_store(void **state)
{
    (void)state;
    store->ops->free(store);
    return 0;
}

static void assert_store_breaks(char number)
{
    const char *flaw = xta__check_chunk_store(store);

    assert_non_null(flaw);
    assert_int_equal(flaw[0], 'C');
    assert_int_equal(flaw[1], number);
}

static void operations(void **state)
{
    const xta__chunk_store_ops *ops = store->ops;
    xta__chunk_store_ops others = *ops;

    (void)state;
    store->ops = &others;
    others.next_used = NULL;
    assert_store_breaks('1');
    others = *ops;
    others.pin_write = NULL;
    assert_store_breaks('1');
    others = *ops;
    others.flush = ops->sync;
    assert_store_breaks('1');
    store->ops = ops;
}

static void lengths(void **state)
{
    (void)state;
    store->chunk_bytes = 4097;
    assert_store_breaks('2');
    store->chunk_bytes = 0;
    assert_store_breaks('2');
    store->chunk_bytes = 4000;
    store->n_chunks = UINT64_MAX / 4096;
    assert_store_breaks('2');
    store->n_chunks = 100;
}

static void windows(void **state)
{
    xta__windows *w = store->windows;
    uintptr_t origin = atomic_load(&w->origin[1]);

    (void)state;
    assert_true(origin != 0);
    atomic_store(&w->origin[1], origin + 4096);
    assert_store_breaks('3');
    atomic_store(&w->origin[1], origin);

    atomic_store(&w->origin[40], 4096);
    assert_store_breaks('3');
    atomic_store(&w->origin[40], 0);

    w->slot_bytes = 8192;
    assert_store_breaks('3');
    w->slot_bytes = 4096;
}

/* ---- caches ---- */

enum { N_ENTRIES = 5, N_BUCKETS = 3, N_CELLS = 100, N_SHARDS = 4, NUMBER = 1 };

static shard cache;
static entry entries[N_ENTRIES];

/* The last entry has no chunk. */
static int make_cache(void **state)
{
    static entry *list[N_ENTRIES], *buckets[N_BUCKETS];
    static uint8_t dirty[N_ENTRIES][N_CELLS / 8 + 1];

    (void)state;
    memset(entries, 0, sizeof entries);
    memset(buckets, 0, sizeof buckets);
    memset(dirty, 0, sizeof dirty);
    cache = (shard){.buckets = buckets,
                    .entries = list,
                    .n_entries = N_ENTRIES,
                    .entries_capacity = N_ENTRIES,
                    .n_buckets = N_BUCKETS};
    for (size_t k = 0; k < N_ENTRIES; k++) {
        list[k] = &entries[k];
        entries[k].dirty = dirty[k];
        if (k + 1 < N_ENTRIES) {
            link_entry(&cache, &entries[k], NUMBER + k * N_SHARDS);
        }
    }
    assert_null(xta__check_cache_shard(&cache, NUMBER, N_SHARDS, N_CELLS));
    return 0;
}

static void assert_cache_breaks(char number)
{
    const char *flaw = xta__check_cache_shard(&cache, NUMBER, N_SHARDS, N_CELLS);

    assert_non_null(flaw);
    assert_int_equal(flaw[0], 'K');
    assert_int_equal(flaw[1], number);
}

static void linked_entries(void **state)
{
    (void)state;
    entries[4].used = true;
    assert_cache_breaks('1');
    entries[4].used = false;
    entries[0].used = false;
    assert_cache_breaks('1');
    entries[0].used = true;
    link_entry(&cache, &entries[4], entries[0].address);
    assert_cache_breaks('1');
}

static void shards_of_addresses(void **state)
{
    (void)state;
    link_entry(&cache, &entries[4], NUMBER + 1);
    assert_cache_breaks('2');
}

static void pins_and_writers(void **state)
{
    (void)state;
    entries[2].pins = 1;
    entries[2].writers = 2;
    assert_cache_breaks('3');
    entries[2].pins = 2;
    assert_null(xta__check_cache_shard(&cache, NUMBER, N_SHARDS, N_CELLS));
    entries[3].state = ENTRY_LOADING;
    assert_cache_breaks('3');
}

static void dirty_cells(void **state)
{
    (void)state;
    entries[1].dirty[N_CELLS / 8] = 1;
    assert_cache_breaks('4');
    entries[1].any_dirty = true;
    assert_null(xta__check_cache_shard(&cache, NUMBER, N_SHARDS, N_CELLS));
}

static void the_hand(void **state)
{
    (void)state;
    cache.hand = N_ENTRIES;
    assert_cache_breaks('5');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(operations, make_store, free_store),
        cmocka_unit_test_setup_teardown(lengths, make_store, free_store),
        cmocka_unit_test_setup_teardown(windows, make_store, free_store),
        cmocka_unit_test_setup(linked_entries, make_cache),
        cmocka_unit_test_setup(shards_of_addresses, make_cache),
        cmocka_unit_test_setup(pins_and_writers, make_cache),
        cmocka_unit_test_setup(dirty_cells, make_cache),
        cmocka_unit_test_setup(the_hand, make_cache),
    };

    return cmocka_run_group_tests_name("chunk_store_check", tests, NULL, NULL);
}
