/* Counted memory. Large buffers are mapped one by one, so that the system gets them back as soon as
 * they are freed: a heap would keep gaps between them, and the limit would say little about the
 * memory use of the process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "executor/budget.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "util/os.h"

static size_t whole_pages(size_t bytes)
{
    size_t page = xta__page_bytes();

    return (bytes + page - 1) / page * page;
}

bool xta__budget_fits(const xta__budget *budget, uint64_t bytes)
{
    return bytes <= budget->limit && budget->used <= budget->limit - bytes;
}

static void drop_kept(xta__budget *budget, int k)
{
    budget->kept_bytes -= budget->kept[k].bytes;
    budget->kept[k] = budget->kept[--budget->n_kept];
}

/* Take a kept buffer of this length, or NULL. */
static void *take_kept(xta__budget *budget, size_t bytes)
{
    for (int k = budget->n_kept - 1; k >= 0; k--) {
        if (budget->kept[k].bytes == bytes) {
            void *memory = budget->kept[k].memory;
            drop_kept(budget, k);
            return memory;
        }
    }
    return NULL;
}

/* The list for a length, or NULL. */
static xta__small *small_of(xta__budget *budget, size_t bytes)
{
    for (int k = 0; k < budget->n_small; k++) {
        if (budget->small[k].bytes == bytes) {
            return &budget->small[k];
        }
    }
    return NULL;
}

static void *pop_small(xta__budget *budget, xta__small *small)
{
    void *memory = small->first;

    memcpy(&small->first, memory, sizeof small->first);
    budget->kept_bytes -= small->bytes;
    return memory;
}

/* Keep a small buffer, if there is a list for its length or an unused list. */
static bool push_small(xta__budget *budget, void *memory, size_t bytes)
{
    xta__small *small = small_of(budget, bytes);

    for (int k = 0; k < budget->n_small && small == NULL; k++) {
        small = budget->small[k].first == NULL ? &budget->small[k] : NULL;
    }
    if (small == NULL && budget->n_small < XTA__MOST_LENGTHS) {
        small = &budget->small[budget->n_small++];
        small->first = NULL;
    }
    if (small == NULL || bytes < sizeof small->first) {
        return false;
    }
    small->bytes = bytes;
    memcpy(memory, &small->first, sizeof small->first);
    small->first = memory;
    budget->kept_bytes += bytes;
    return true;
}

/* Return one kept buffer to the system; false if there is none. */
static bool drop_one(xta__budget *budget)
{
    if (budget->n_kept > 0) {
        munmap(budget->kept[0].memory, budget->kept[0].bytes);
        drop_kept(budget, 0);
        return true;
    }
    for (int k = 0; k < budget->n_small; k++) {
        if (budget->small[k].first != NULL) {
            free(pop_small(budget, &budget->small[k]));
            return true;
        }
    }
    return false;
}

/* Make sure that kept and used memory together stay below the limit. */
static void reserve(xta__budget *budget, size_t bytes)
{
    bool more = true;

    while (more && budget->used + budget->kept_bytes + bytes > budget->limit) {
        more = drop_one(budget);
    }
}

static void *take_small(xta__budget *budget, size_t bytes)
{
    xta__small *small = small_of(budget, bytes);

    if (small != NULL && small->first != NULL) {
        return pop_small(budget, small);
    }
    reserve(budget, bytes);
    return malloc(bytes > 0 ? bytes : 1);
}

static void *take_large(xta__budget *budget, size_t bytes)
{
    size_t pages = whole_pages(bytes);
    void *memory = take_kept(budget, pages);

    if (memory == NULL) {
        reserve(budget, pages);
        memory = mmap(NULL, pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memory = memory == MAP_FAILED ? NULL : memory;
    }
    return memory;
}

void *xta__budget_alloc(xta__budget *budget, size_t bytes)
{
    void *memory = bytes < XTA__LARGE_BYTES ? take_small(budget, bytes) : take_large(budget, bytes);

    if (memory != NULL) {
        budget->used += bytes;
        budget->peak = budget->used > budget->peak ? budget->used : budget->peak;
    }
    return memory;
}

void xta__budget_give(xta__budget *budget, void *memory, size_t bytes)
{
    size_t pages = whole_pages(bytes);
    bool large = bytes >= XTA__LARGE_BYTES;

    if (memory == NULL) {
        return;
    }
    budget->used -= bytes;
    bool fits = budget->used + budget->kept_bytes + (large ? pages : bytes) <= budget->limit;
    if (!large) {
        if (!fits || !push_small(budget, memory, bytes)) {
            free(memory);
        }
    } else if (fits && budget->n_kept < XTA__MOST_KEPT) {
        budget->kept[budget->n_kept++] = (xta__kept){memory, pages};
        budget->kept_bytes += pages;
    } else {
        munmap(memory, pages);
    }
}

void xta__budget_trim(xta__budget *budget, uint8_t *memory, size_t from, size_t to)
{
    // If the system refuses, the pages stay a little longer, uncounted.
    (void)madvise(memory + from, to - from, MADV_DONTNEED);
    budget->used -= to - from;
}

void xta__budget_untrim(xta__budget *budget, size_t bytes)
{
    budget->used += bytes;
}

void xta__budget_clear(xta__budget *budget)
{
    while (drop_one(budget)) {}
}
