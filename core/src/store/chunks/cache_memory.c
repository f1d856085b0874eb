/* The memory of a chunk cache's entries.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "store/chunks/cache_memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "util/huge_page.h"
#include "util/kept_memory.h"
#include "util/poison.h"
#include "util/vector.h"

/* A gap between blocks, where the address sanitizer finds stores beyond a chunk. */
enum { GAP = XTA__ADDRESS_SANITIZER ? 64 : 0 };

/* Blocks begin at multiples of this in a slab: of a cache line, but for chunks that are shorter. */
enum { LINE = 64, SHORT = 16 };

#define FIRST_SLAB ((size_t)64 << 10)
#define HUGE_SLAB  ((size_t)XTA__HUGE_BYTES)

/* Of longer blocks more than an eighth of a slab could stay unused. */
#define LONGEST_CUT (HUGE_SLAB / 8)

/* Longer slabs than a huge page save no faults. But each needs two mappings, and the system allows
 * a process 65,530. So after 64 slabs their length doubles, and again after each 64 more. */
enum { SLABS_OF_ONE_LENGTH = 64, MOST_DOUBLINGS = 16 };

void xta__cache_memory_init(xta__cache_memory *memory, size_t chunk_bytes)
{
    size_t unit = chunk_bytes < LINE ? SHORT : LINE;
    size_t rounded = chunk_bytes <= LONGEST_CUT ? (chunk_bytes + unit - 1) / unit * unit : 0;

    *memory = (xta__cache_memory){.chunk_bytes = chunk_bytes,
                                  .cut_bytes = rounded > 0 ? rounded + GAP : 0};
    pthread_mutex_init(&memory->lock, NULL);
}

static uint8_t *add_slab(xta__cache_memory *memory, size_t bytes)
{
    if (!XTA__RESERVE(memory->slabs, memory->capacity, memory->n_slabs + 1)) {
        return NULL;
    }
    uint8_t *slab = xta__kept_alloc(bytes);
    if (slab != NULL) {
        memory->slabs[memory->n_slabs++] = (cache_slab){slab, bytes};
        XTA__POISON(slab, bytes);
    }
    return slab;
}

/* The length of the next slab. */
static size_t next_slab_bytes(const xta__cache_memory *memory)
{
    size_t bytes = FIRST_SLAB, doublings = memory->n_slabs / SLABS_OF_ONE_LENGTH;

    for (size_t k = 0; bytes < HUGE_SLAB && (k < memory->n_slabs || bytes < memory->cut_bytes);
         k++) {
        bytes *= 2;
    }
    return bytes << (doublings < MOST_DOUBLINGS ? doublings : MOST_DOUBLINGS);
}

/* Add a slab to cut from. Where memory is short, a smaller one will do. */
static bool add_cut_slab(xta__cache_memory *memory)
{
    uint8_t *slab = NULL;
    size_t bytes = next_slab_bytes(memory);

    while (slab == NULL && bytes >= memory->cut_bytes && bytes >= FIRST_SLAB) {
        slab = add_slab(memory, bytes);
        bytes /= 2;
    }
    if (slab != NULL) {
        memory->next = slab;
        memory->rest = memory->slabs[memory->n_slabs - 1].bytes;
    }
    return slab != NULL;
}

/* A block that nobody has had before. */
static uint8_t *cut_block(xta__cache_memory *memory)
{
    if (memory->rest < memory->cut_bytes && !add_cut_slab(memory)) {
        return NULL;
    }
    uint8_t *block = memory->next;
    memory->next += memory->cut_bytes;
    memory->rest -= memory->cut_bytes;
    return block;
}

/* A block that was given back. */
static uint8_t *reuse_block(xta__cache_memory *memory)
{
    uint8_t *block = memory->unused;

    XTA__UNPOISON(block, sizeof memory->unused);
    memcpy(&memory->unused, block, sizeof memory->unused);
    XTA__POISON(block, sizeof memory->unused); // a chunk may be shorter
    return block;
}

/* What a block occupies. */
static size_t block_bytes(const xta__cache_memory *memory)
{
    return memory->cut_bytes > 0 ? memory->cut_bytes : memory->chunk_bytes;
}

uint8_t *xta__cache_memory_get(xta__cache_memory *memory)
{
    pthread_mutex_lock(&memory->lock);
    uint8_t *block = memory->unused != NULL  ? reuse_block(memory)
                     : memory->cut_bytes > 0 ? cut_block(memory)
                                             : add_slab(memory, memory->chunk_bytes);
    memory->n_blocks += block != NULL;
    pthread_mutex_unlock(&memory->lock);
    if (block != NULL) {
        XTA__UNPOISON(block, memory->chunk_bytes);
    }
    return block;
}

void xta__cache_memory_put(xta__cache_memory *memory, uint8_t *block)
{
    if (block == NULL) {
        return;
    }
    pthread_mutex_lock(&memory->lock);
    XTA__UNPOISON(block, sizeof memory->unused);
    memcpy(block, &memory->unused, sizeof memory->unused);
    memory->unused = block;
    memory->n_blocks--;
    XTA__POISON(block, block_bytes(memory));
    pthread_mutex_unlock(&memory->lock);
}

void xta__cache_memory_free(xta__cache_memory *memory)
{
    // The first ones last: of a cache that had more than is kept, those of a few chunks stay.
    for (size_t i = memory->n_slabs; i-- > 0;) {
        xta__kept_free(memory->slabs[i].memory, memory->slabs[i].bytes);
    }
    free(memory->slabs);
    pthread_mutex_destroy(&memory->lock);
}
