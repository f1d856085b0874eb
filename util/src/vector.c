/* Arrays that grow.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "util/vector.h"

#include <string.h>

#include "util/checked.h"

enum { FIRST_CAPACITY = 16 };

bool xta__reserve_items(void *items, size_t item_bytes, size_t *capacity, size_t n)
{
    size_t wanted = *capacity <= SIZE_MAX / 2 ? 2 * *capacity : SIZE_MAX;
    void *old, *grown;

    if (n <= *capacity) {
        return true;
    }
    wanted = wanted < FIRST_CAPACITY ? FIRST_CAPACITY : wanted;
    wanted = wanted < n ? n : wanted;
    // A pointer to items may not be accessed as a void *, but its bytes may be copied.
    memcpy(&old, items, sizeof old);
    grown = xta__realloc_array(old, wanted, item_bytes);
    if (grown == NULL) {
        return false;
    }
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return true;
}
