/* Preparing a transfer: strides, types and scratch memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_ARRAY_IO_BOX_PREPARE_CALL_H
#define XTA_ARRAY_IO_BOX_PREPARE_CALL_H

#include "array/io/box/transfer_call.h"

/* Reads of more bytes than this bypass the caches of the processor. */
#define XTA__STREAM_BYTES ((uint64_t)32 << 20)

/* Initialise a call. The large members are filled when needed: a small box must not pay for
 * clearing them. */
static inline void xta__call_begin(xta__transfer_call *t, xta_array *array,
                                   xta__direction direction, void *memory)
{
    t->array = array;
    t->structure = xta__structure_of(array);
    t->direction = direction;
    t->memory = memory;
    t->planned = false;
    t->tile = t->scratch = t->converted = t->staging = NULL;
    t->staging_bytes = 0;
    t->skips = NULL;
    t->locked = false;
    t->lock = &array->lock;
    t->failed = NULL;
}

/* Strides, types and scratch memory of a call that has one thread and reads nothing ahead. To be
 * cleared after a failure as well. */
xta_status xta__call_prepare(xta__transfer_call *t, const xta_box *box,
                             const xta_io_options *options, xta_error *err);
void xta__call_clear(xta__transfer_call *t);

/* Allocate scratch memory for the largest slice, in each thread of a prepared call. */
xta_status xta__call_make_scratch(xta__transfer_call *t, xta_error *err);

#endif
