/* Large pieces of memory that the process keeps between uses.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/kept_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "util/os.h"
#include "util/poison.h"

typedef struct piece {
    void *memory;
    size_t bytes;
} piece;

/* A search looks at all of them. */
enum { MOST_PIECES = 256 };

/* The pieces, longest kept first. */
static struct {
    pthread_mutex_t lock;
    piece pieces[MOST_PIECES];
    size_t n, bytes;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static piece remove_piece(size_t i)
{
    piece removed = kept.pieces[i];

    kept.n--;
    kept.bytes -= removed.bytes;
    memmove(&kept.pieces[i], &kept.pieces[i + 1], (kept.n - i) * sizeof kept.pieces[0]);
    XTA__UNPOISON(removed.memory, removed.bytes);
    return removed;
}

void *xta__kept_find(size_t bytes)
{
    void *memory = NULL;

    // Never waits: in a child of fork the lock may belong to a thread that does not exist.
    if (pthread_mutex_trylock(&kept.lock) != 0) {
        return NULL;
    }
    // The piece that was given back last is the most likely to be in the processor's caches.
    for (size_t i = kept.n; i-- > 0 && memory == NULL;) {
        if (kept.pieces[i].bytes == bytes) {
            memory = remove_piece(i).memory;
        }
    }
    pthread_mutex_unlock(&kept.lock);
    return memory;
}

void *xta__kept_alloc(size_t bytes)
{
    void *memory = xta__kept_find(bytes);

    return memory != NULL ? memory : xta__memory_of_huge_pages(bytes);
}

void xta__kept_free(void *memory, size_t bytes)
{
    if (memory == NULL || bytes > XTA__MOST_KEPT || pthread_mutex_trylock(&kept.lock) != 0) {
        if (memory != NULL) {
            XTA__UNPOISON(memory, bytes);
        }
        free(memory);
        return;
    }
    while (kept.n == MOST_PIECES || kept.bytes + bytes > XTA__MOST_KEPT) {
        free(remove_piece(0).memory);
    }
    kept.pieces[kept.n++] = (piece){memory, bytes};
    kept.bytes += bytes;
    XTA__POISON(memory, bytes); // until it is found again
    pthread_mutex_unlock(&kept.lock);
}

/* A library that is unloaded leaves nothing behind. */
__attribute__((destructor)) static void release_at_unload(void)
{
    (void)!xta__kept_release();
}

size_t xta__kept_release(void)
{
    size_t bytes = 0;

    if (pthread_mutex_trylock(&kept.lock) != 0) {
        return 0;
    }
    bytes = kept.bytes;
    while (kept.n > 0) {
        free(remove_piece(kept.n - 1).memory);
    }
    pthread_mutex_unlock(&kept.lock);
    return bytes;
}
