/* The memory of a chunk cache's entries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/cache_memory.h"

#include <stdlib.h>
#include <string.h>

#include "util/compiler.h"
#include "util/huge_page.h"
#include "util/kept_memory.h"
#include "util/vector.h"

/* A gap between blocks, where the address sanitizer finds stores beyond a chunk. */
#if XTA__ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
enum { GAP = 64 };
#else
enum { GAP = 0 };
#define ASAN_POISON_MEMORY_REGION(address, bytes)   ((void)(address), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#endif

/* One huge page, with one page fault. */
#define SLAB_BYTES ((size_t)XTA__HUGE_BYTES)

/* The first slab of a cache. */
#define LEAST_SLAB ((size_t)64 << 10)

/* Of longer blocks more than an eighth of a slab could stay unused. */
#define LONGEST_CUT (SLAB_BYTES / 8)

/* In whole slabs, blocks begin where a cache line does. */
enum { LINE = 64 };

void xta__cache_memory_init(xta__cache_memory *memory, size_t chunk_bytes)
{
    size_t lines = chunk_bytes <= LONGEST_CUT ? (chunk_bytes + LINE - 1) / LINE : 0;

    *memory = (xta__cache_memory){.chunk_bytes = chunk_bytes,
                                  .cut_bytes = lines > 0 ? lines * LINE + GAP : 0};
    pthread_mutex_init(&memory->lock, NULL);
}

static uint8_t *add_slab(xta__cache_memory *memory, void *slab, size_t bytes)
{
    if (slab == NULL || !XTA__RESERVE(memory->slabs, memory->capacity, memory->n_slabs + 1)) {
        xta__kept_free(slab, bytes);
        return NULL;
    }
    memory->slabs[memory->n_slabs++] = (cache_slab){slab, bytes};
    ASAN_POISON_MEMORY_REGION(slab, bytes);
    return slab;
}

/* The length of the next slab. */
static size_t next_slab_bytes(const xta__cache_memory *memory)
{
    size_t bytes = LEAST_SLAB;

    for (size_t k = 0; bytes < SLAB_BYTES && (k < memory->n_slabs || bytes < memory->cut_bytes);
         k++) {
        bytes *= 2;
    }
    return bytes;
}

/* Add a slab to cut from: a whole one that is kept, else a new one. */
static bool add_cut_slab(xta__cache_memory *memory)
{
    size_t bytes = SLAB_BYTES;
    void *slab = xta__kept_find(bytes);

    if (slab == NULL) {
        bytes = next_slab_bytes(memory);
        slab = xta__kept_alloc(bytes);
    }
    memory->next = add_slab(memory, slab, bytes);
    memory->end = memory->next != NULL ? memory->next + bytes : NULL;
    return memory->next != NULL;
}

/* An unused block that is cut from a slab. */
static uint8_t *cut_block(xta__cache_memory *memory)
{
    if ((size_t)(memory->end - memory->next) < memory->cut_bytes && !add_cut_slab(memory)) {
        return NULL;
    }
    uint8_t *block = memory->next;
    memory->next += memory->cut_bytes;
    return block;
}

/* A block that was given back. */
static uint8_t *reuse_block(xta__cache_memory *memory)
{
    uint8_t *block = memory->unused;

    ASAN_UNPOISON_MEMORY_REGION(block, sizeof memory->unused);
    memcpy(&memory->unused, block, sizeof memory->unused);
    ASAN_POISON_MEMORY_REGION(block, sizeof memory->unused); // a chunk may be shorter
    return block;
}

static uint8_t *long_block(xta__cache_memory *memory)
{
    return add_slab(memory, xta__kept_alloc(memory->chunk_bytes), memory->chunk_bytes);
}

uint8_t *xta__cache_memory_get(xta__cache_memory *memory)
{
    pthread_mutex_lock(&memory->lock);
    uint8_t *block = memory->unused != NULL  ? reuse_block(memory)
                     : memory->cut_bytes > 0 ? cut_block(memory)
                                             : long_block(memory);
    pthread_mutex_unlock(&memory->lock);
    if (block != NULL) {
        ASAN_UNPOISON_MEMORY_REGION(block, memory->chunk_bytes);
    }
    return block;
}

void xta__cache_memory_put(xta__cache_memory *memory, uint8_t *block)
{
    if (block == NULL) {
        return;
    }
    pthread_mutex_lock(&memory->lock);
    ASAN_UNPOISON_MEMORY_REGION(block, sizeof memory->unused);
    memcpy(block, &memory->unused, sizeof memory->unused);
    memory->unused = block;
    ASAN_POISON_MEMORY_REGION(block,
                              memory->cut_bytes > 0 ? memory->cut_bytes : memory->chunk_bytes);
    pthread_mutex_unlock(&memory->lock);
}

void xta__cache_memory_free(xta__cache_memory *memory)
{
    for (size_t i = 0; i < memory->n_slabs; i++) {
        ASAN_UNPOISON_MEMORY_REGION(memory->slabs[i].memory, memory->slabs[i].bytes);
        xta__kept_free(memory->slabs[i].memory, memory->slabs[i].bytes);
    }
    free(memory->slabs);
    pthread_mutex_destroy(&memory->lock);
}
