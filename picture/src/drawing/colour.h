/* Colours from lightness, chroma and hue; pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_DRAWING_COLOUR_H
#define XTA_PICTURE_DRAWING_COLOUR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct picture_rgb {
    double r, g, b; /* sRGB, 0 to 1 */
} picture_rgb;

extern const char xta__picture_colormap_names[];
/* Fill in a colour map, low end first; false if there is none of this name. */
bool xta__picture_colormap(const char *name, picture_rgb table[256]);
/* The colour of segment `k` of `n`: light, so that black letters can be read on it. */
picture_rgb xta__picture_segment_colour(uint64_t k, uint64_t n);
/* The colour of class `k`, as of xta_class_colour. */
picture_rgb xta__picture_class_colour(size_t k);

#endif
