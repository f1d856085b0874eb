/* Linked with tests that refuse allocations: memory given back is freed, not kept, so that every
 * piece is allocated anew and can be refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>

void __wrap_xta__kept_free(void *memory, size_t bytes);

void __wrap_xta__kept_free(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}
