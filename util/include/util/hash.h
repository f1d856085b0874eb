/* A number for a sequence of bytes: FNV-1a of 64 bits.
 *
 * Hyper keeps hashes in saved states, so that results computed from something else are refused. So
 * the function must never change.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_HASH_H
#define XTA_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes. */
#define XTA__HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)

/* The hash of the bytes hashed so far, whose hash is `hash`, followed by `n_bytes` more. */
uint64_t xta__hash_bytes(uint64_t hash, const void *data, size_t n_bytes);

#endif
