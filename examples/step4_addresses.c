/* Step 4: addresses are computed. The array is Fig. 1 of Otoo and Rotem: one chunk that grows along
 * axes 1, 0, 0, 1, 0, 1, 0; its chunk (4,2) lies at address 18.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "example.h"

static int print_chunk(void *user, const xta_chunk *chunk)
{
    uint64_t *next = user;

    printf("%llu: chunk %lld,%lld\n", (unsigned long long)chunk->address,
           (long long)chunk->chunk.lo[0], (long long)chunk->chunk.lo[1]);
    return chunk->address == (*next)++ ? 0 : 1;
}

int main(void)
{
    const int64_t one[2] = {1, 1};
    const int axes[7] = {1, 0, 0, 1, 0, 1, 0};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_location location;
    xta_chunk chunk;
    xta_error err;
    uint64_t address = 0, next = 0;

    options.chunk = one;
    TRY(xta_array_new(XTA_U8, 2, one, &options, &array, &err)); // in memory: no file at all
    for (int k = 0; k < 7; k++) {
        xta_growth growth = {.axis = axes[k], .side = XTA_BACK, .by = 1};
        TRY(xta_array_extend(array, &growth, 1, NULL, &err));
    }
    TRY(xta_array_chunk_address(array, (int64_t[]){4, 2}, &address, &err));
    EXPECT(address == 18);
    TRY(xta_array_chunk_at(array, 18, &chunk, &err));
    EXPECT(chunk.chunk.lo[0] == 4 && chunk.chunk.lo[1] == 2);
    TRY(xta_array_locate(array, (int64_t[]){2, 1}, &location, &err));
    EXPECT(location.offset == location.address);
    TRY(xta_array_each_chunk(array, NULL, print_chunk, &next, &err));
    EXPECT(next == 20);
    TRY(xta_array_close(array, &err));
    return 0;
}
