/* Sums of products whose bits do not depend on the width of the machine's registers.
 *
 * The naive dot product adds its terms one after the other, which uses a fraction of the
 * processor's speed. A compiler that may reorder the sum makes it fast, but then each width of
 * registers gives other last bits.
 *
 * Here the order is fixed for a width of eight: there are eight partial sums, number k has the
 * terms k, k + 8, k + 16 ..., and they are added up in one order at the end. Products are rounded
 * before they are added (the product is compiled with -ffp-contract=off), so the versions for
 * narrow and wide registers, of which the loader selects one, agree to the last bit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_NUMERIC_REPRODUCIBLE_DOT_H
#define XTA_HYPER_NUMERIC_REPRODUCIBLE_DOT_H

#include <stddef.h>

enum { DOT_WIDTH = 8 };

/* Eight doubles; in memory at any multiple of 8 bytes. */
typedef double dot_vector
    __attribute__((vector_size(DOT_WIDTH * sizeof(double)), aligned(8), may_alias));

/* The end of every sum: the eight partial sums in pairs, and the pairs in pairs. */
#define DOT_SUM(v) \
    ((((v)[0] + (v)[4]) + ((v)[2] + (v)[6])) + (((v)[1] + (v)[5]) + ((v)[3] + (v)[7])))

/* Sum of a[k] b[k]. Symmetric in a and b to the last bit. */
double xta__dot(size_t n, const double *a, const double *b);

/* The products of one vector with m others, each with the bits of xta__dot; m <= 4. */
void xta__dots(size_t n, const double *a, const double *const b[], size_t m, double out[]);

/* out = constant + sum over k of y[k] map[k]. `map` holds n + 1 vectors of `width` numbers (a
 * multiple of DOT_WIDTH) one after the other, of which the last is the constant. */
void xta__apply_map(size_t n, size_t width, const double *map, const double *y, double *out);

#endif
