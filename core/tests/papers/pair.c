/* The pair of library and oracle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "papers/pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const int64_t one_cell[] = {1, 1, 1, 1};

void pair_begin(pair *both, int ndim, const int64_t bounds[], const int64_t chunk[],
                xta_policy policy)
{
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;

    options.chunk = chunk != NULL ? chunk : one_cell;
    options.policy = policy;
    assert_in_range(ndim, 1, 4);
    assert_int_equal(xta_array_new(XTA_U8, ndim, bounds, &options, &both->array, NULL), XTA_OK);
    oracle_address_init(&both->oracle, ndim, options.chunk, bounds, policy, 0);
}

void pair_end(pair *both)
{
    assert_int_equal(xta_array_close(both->array, NULL), XTA_OK);
    oracle_address_clear(&both->oracle);
}

void pair_grow(pair *both, int axis, int64_t by)
{
    xta_growth growth = {axis, XTA_BACK, by};

    assert_int_equal(xta_array_extend(both->array, &growth, 1, NULL, NULL), XTA_OK);
    oracle_address_extend(&both->oracle, &growth);
}

uint64_t pair_address(pair *both, const int64_t chunk[])
{
    uint64_t address = UINT64_MAX;
    uint64_t expected = 0;

    assert_true(oracle_address_find(&both->oracle, chunk, &expected));
    assert_int_equal(xta_array_chunk_address(both->array, chunk, &address, NULL), XTA_OK);
    assert_int_equal(address, expected);
    return address;
}

void pair_chunk(pair *both, uint64_t address, int64_t chunk[])
{
    size_t bytes = (size_t)both->oracle.ndim * sizeof chunk[0];
    xta_chunk found;

    assert_true(address < both->oracle.n_chunks);
    memcpy(chunk, oracle_address_at(&both->oracle, address), bytes);
    assert_int_equal(xta_array_chunk_at(both->array, address, &found, NULL), XTA_OK);
    assert_memory_equal(found.chunk.lo, chunk, bytes);
}

uint64_t pair_n_chunks(pair *both)
{
    xta_array_info info;

    assert_int_equal(xta_array_inquire(both->array, &info, NULL), XTA_OK);
    assert_int_equal(info.n_chunks, both->oracle.n_chunks);
    return info.n_chunks;
}

uint64_t pair_n_segments(pair *both)
{
    xta_array_info info;

    assert_int_equal(xta_array_inquire(both->array, &info, NULL), XTA_OK);
    return info.n_segments;
}

void pair_begin_cxa(pair *both)
{
    static const int64_t bounds[] = {3, 3, 2};

    pair_begin(both, 3, bounds, NULL, XTA_EXACT);
    pair_grow(both, 1, 2);
    pair_grow(both, 0, 2);
    pair_grow(both, 2, 1);
}

void pair_begin_drx(pair *both)
{
    static const int64_t bounds[] = {4, 3, 1};

    pair_begin(both, 3, bounds, NULL, XTA_EXACT);
    pair_grow(both, 2, 1);
    pair_grow(both, 2, 1);
    pair_grow(both, 1, 1);
    pair_grow(both, 0, 2);
    pair_grow(both, 2, 1);
}
