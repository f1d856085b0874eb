/* What the compiler is told, and told by.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_COMPILER_H
#define XTA_UTIL_COMPILER_H

/* For functions that are seldom called: what leads to them is kept out of the way of the rest. */
#define XTA__COLD __attribute__((cold))

/* And for those of the shortest paths, which then lie side by side. */
#define XTA__HOT __attribute__((hot))

/* Files are little-endian. A constant, so that what only a big-endian machine does costs others
 * nothing. */
#define XTA__BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* Twice a word, for products. */
__extension__ typedef unsigned __int128 xta__u128;

#endif
