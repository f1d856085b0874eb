/* The internals of an unmixer.
 *
 * Everything is computed in the span of the endmembers. Y = (X - m) Q are the coordinates of the
 * pixels, q numbers each, and C = (E - m) Q those of the endmembers. If abundances must add up to
 * one, m is the mean of the endmembers, since the plane through them need not go through zero, and
 * q = p - 1; otherwise m is zero and q = p. The distance of a pixel from the span is lost, but it
 * is the same for all abundances.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_HYPER_UNMIXING_UNMIXER_H
#define XTA_HYPER_UNMIXING_UNMIXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/unmix.h>

enum { SUPPORT_WORDS = XTA_UNMIX_MAX / 64 };

/* A set of endmembers: bit i of word i / 64. */
typedef struct support_set {
    uint64_t word[SUPPORT_WORDS];
} support_set;

static inline bool xta__support_has(const support_set *set, size_t i)
{
    return (set->word[i / 64] >> (i % 64) & 1) != 0;
}

struct xta_unmixer {
    size_t p, n_bands;
    bool sum_is_one, not_negative, normalise;
    size_t q;        /* coordinates in the span */
    size_t width;    /* p, rounded up to a multiple of DOT_WIDTH */
    double *spectra; /* p x n_bands, normalised if requested */
    double *basis;   /* n_bands x q */
    double *origin;  /* q: m Q */
    double *corner;  /* p x q: C */
    double *across;  /* q x width: C^T, with zeros in the last columns; then a row of zeros */
    double *gram;    /* p x width: C C^T */
    double *square;  /* width: its diagonal */
    double reach;    /* largest norm in C */
};

#endif
