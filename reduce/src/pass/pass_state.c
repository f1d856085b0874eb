/* Counted memory for a pass, and its regions within the array.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/pass_state.h"

#include <inttypes.h>
#include <stdlib.h>

const char *xta__pass_array_name(const xta__pass *pass)
{
    const char *path = xta_array_path(pass->array);

    return path[0] != '\0' ? path : "the array";
}

void *xta__pass_alloc(xta__pass *pass, uint64_t n, size_t bytes, const char *what)
{
    double wanted = (double)n * (double)bytes;
    void *memory = NULL;

    if (wanted <= (double)(pass->limit_bytes - pass->used_bytes)) {
        memory = calloc(n > 0 ? (size_t)n : 1, bytes);
    }
    if (memory == NULL) {
        double enough =
            (double)pass->used_bytes + wanted + 32.0 * (double)pass->regions->n + XTA__SPARE_BYTES;
        xta_error_set(pass->err, XTA_ENOMEM, 0,
                      "%s: %s of %zu regions take %.0f bytes, which the limit of %" PRIu64
                      " does not hold; %.0f bytes are enough",
                      xta__pass_array_name(pass), what, pass->regions->n, wanted, pass->limit_bytes,
                      enough);
        return NULL;
    }
    pass->used_bytes += n * bytes;
    if (pass->used_bytes > pass->facts->memory_bytes) {
        pass->facts->memory_bytes = pass->used_bytes;
    }
    return memory;
}

void xta__pass_free(xta__pass *pass, void *memory, uint64_t n, size_t bytes)
{
    pass->used_bytes -= memory != NULL ? n * bytes : 0;
    free(memory);
}

void xta__pass_region(const xta__pass *pass, size_t k, xta_box *box)
{
    const xta_regions *r = pass->regions;
    xta_box own = xta_box_make(r->ndim, xta__region_lo(r, k), xta__region_hi(r, k));

    *box = xta_box_intersect(&own, &pass->space);
}
