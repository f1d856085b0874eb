/* The failing allocator: __wrap_ functions that the linker puts before the real ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/failing_alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "util/kept_memory.h"

// Names that the linker's --wrap option fixes.
void *__real_malloc(size_t n_bytes);
void *__real_calloc(size_t n, size_t n_bytes);
void *__real_realloc(void *old, size_t n_bytes);
void *__real_aligned_alloc(size_t alignment, size_t n_bytes);
int __real_posix_memalign(void **out, size_t alignment, size_t n_bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t n_bytes);
void *__wrap_calloc(size_t n, size_t n_bytes);
void *__wrap_realloc(void *old, size_t n_bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t n_bytes);
int __wrap_posix_memalign(void **out, size_t alignment, size_t n_bytes);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

static _Atomic uint64_t left; /* allocations left before the one that fails; 0: none fails */
static _Atomic bool for_good, happened, armed;
static _Atomic int64_t live;
static _Atomic uint64_t longest;

void failing_alloc_at(uint64_t n, bool all_after)
{
    atomic_store(&for_good, all_after);
    atomic_store(&happened, false);
    atomic_store(&left, n);
}

void failing_alloc_arm(bool now)
{
    atomic_store(&armed, now);
}

bool failing_alloc_happened(void)
{
    return atomic_load(&happened);
}

int64_t failing_alloc_live(void)
{
    (void)!xta__kept_release();
    return atomic_load(&live);
}

uint64_t failing_alloc_longest(void)
{
    return atomic_exchange(&longest, 0);
}

static void note_length(size_t n_bytes)
{
    uint64_t most = atomic_load(&longest);

    while (atomic_load(&armed) && n_bytes > most &&
           !atomic_compare_exchange_weak(&longest, &most, n_bytes)) {
        // another thread has recorded one
    }
}

static bool refuse(size_t n_bytes)
{
    note_length(n_bytes);
    if (!atomic_load(&armed)) {
        return false;
    }
    uint64_t n = atomic_load(&left);
    if (atomic_load(&happened) && atomic_load(&for_good)) {
        errno = ENOMEM;
        return true;
    }
    if (n == 0) {
        return false;
    }
    atomic_store(&left, n - 1);
    if (n > 1) {
        return false;
    }
    atomic_store(&happened, true);
    errno = ENOMEM;
    return true;
}

static void *counted(void *block)
{
    atomic_fetch_add(&live, block != NULL);
    return block;
}

void *__wrap_malloc(size_t n_bytes)
{
    return refuse(n_bytes) ? NULL : counted(__real_malloc(n_bytes));
}

void *__wrap_calloc(size_t n, size_t n_bytes)
{
    return refuse(n * n_bytes) ? NULL : counted(__real_calloc(n, n_bytes));
}

void *__wrap_realloc(void *old, size_t n_bytes)
{
    if (refuse(n_bytes)) {
        return NULL;
    }
    void *block = __real_realloc(old, n_bytes);
    atomic_fetch_add(&live, old == NULL && block != NULL);
    return block;
}

void *__wrap_aligned_alloc(size_t alignment, size_t n_bytes)
{
    return refuse(n_bytes) ? NULL : counted(__real_aligned_alloc(alignment, n_bytes));
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t n_bytes)
{
    if (refuse(n_bytes)) {
        return ENOMEM;
    }
    int failed = __real_posix_memalign(out, alignment, n_bytes);
    atomic_fetch_add(&live, failed == 0);
    return failed;
}

char *__wrap_strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = __wrap_malloc(n);
    return copy != NULL ? memcpy(copy, text, n) : NULL;
}

void __wrap_free(void *block)
{
    atomic_fetch_sub(&live, block != NULL);
    __real_free(block);
}
