/* Versions of a function for wide registers, of which the loader selects one. None of them fuses a
 * product with a sum, so all give the same bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_CLONES_H
#define XTA_UTIL_CLONES_H

#include "util/compiler.h"

/* Sanitizers run before the loader has selected a version, so under them there is only the plain
 * one. */
#if defined(__x86_64__) && defined(__linux__) && !XTA__ADDRESS_SANITIZER && \
    !defined(__SANITIZE_THREAD__) && !XTA__HAS_FEATURE(thread_sanitizer) && \
    !XTA__HAS_FEATURE(memory_sanitizer)
#define XTA__CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define XTA__CLONES
#endif

#endif
