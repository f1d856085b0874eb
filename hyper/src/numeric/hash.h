/* A number for a sequence of bytes: FNV-1a of 64 bits.
 *
 * The numbers are kept in saved states, to refuse results that were computed from something else.
 * So they never change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_NUMERIC_HASH_H
#define XTA_HYPER_NUMERIC_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes. */
#define XTA__HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* The hash of the bytes that `hash` is of, followed by `n_bytes` more. */
uint64_t xta__hash_bytes(uint64_t hash, const void *data, size_t n_bytes);

#endif
