/* Hints to the compiler, and facts about the target.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_COMPILER_H
#define XTA_UTIL_COMPILER_H

/* For functions that are rarely called: the code on the way to them is kept apart from the rest. */
#define XTA__COLD __attribute__((cold))

/* For functions on the hottest paths, which are then placed next to each other. */
#define XTA__HOT __attribute__((hot))

/* Files are little-endian. A constant, so that code that only a big-endian machine needs costs
 * others nothing. */
#define XTA__BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* A property of this compilation that clang reports. */
#if defined(__has_feature)
#define XTA__HAS_FEATURE(name) __has_feature(name)
#else
#define XTA__HAS_FEATURE(name) 0
#endif

/* Whether the address sanitizer checks loads and stores: gcc says so by a macro. */
#if defined(__SANITIZE_ADDRESS__) || XTA__HAS_FEATURE(address_sanitizer)
#define XTA__ADDRESS_SANITIZER 1
#else
#define XTA__ADDRESS_SANITIZER 0
#endif

/* Twice the length of a word, for products. */
__extension__ typedef unsigned __int128 xta__u128;

#endif
