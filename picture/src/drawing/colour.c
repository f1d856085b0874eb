/* Colours from lightness, chroma and hue, and the colour maps made of them.
 *
 * Equal steps in CIELAB look like equal steps, so a colour map is a path through that space:
 * lightness is linear from point to point, the two colour axes follow a smooth curve (Catmull-Rom)
 * through the same points. The maps named after well-known ones resemble them in colour and
 * character, but their colours are computed here, not copied. A colour that no screen can show
 * loses chroma until it can.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "drawing/colour.h"

#include <math.h>
#include <string.h>

#include <xta/picture.h>

#define MOST_POINTS 8

typedef struct lab {
    double l, a, b;
} lab;

typedef struct control {
    double lightness, chroma, hue;
} control;

typedef struct colour_scale {
    const char *name;
    int n;
    control point[MOST_POINTS];
} colour_scale;

/* clang-format off */
static const colour_scale colour_scales[] = {
    // Dark violet to yellow by blue and green; lightness grows evenly.
    {"viridis", 6, {{15, 50, 316}, {30, 42, 290}, {46, 27, 232}, {61, 45, 166}, {76, 72, 126},
                    {91, 89, 101}}},
    // Black to cream by purple and orange.
    {"magma", 6, {{1, 3, 290}, {20, 50, 304}, {40, 64, 330}, {60, 62, 14}, {80, 44, 62},
                  {98, 16, 102}}},
    // The rainbow, lightest in the middle: many steps, for reading values off.
    {"turbo", 8, {{18, 40, 312}, {45, 67, 292}, {68, 40, 236}, {84, 65, 154}, {88, 83, 108},
                  {67, 81, 62}, {46, 81, 40}, {27, 56, 36}}},
    // Blue and red away from a neutral middle, equally dark at both ends.
    {"coolwarm", 5, {{37, 58, 287}, {65, 34, 280}, {90, 1, 180}, {65, 38, 42}, {37, 58, 34}}},
    // Night blue to pale yellow by purple and orange: temperatures.
    {"thermal", 6, {{10, 23, 278}, {28, 52, 300}, {44, 48, 338}, {61, 60, 34}, {78, 64, 72},
                    {95, 58, 106}}},
};
/* clang-format on */

const char xta__picture_colormap_names[] = "viridis, gray, magma, turbo, coolwarm, thermal";

static lab lab_of(control c)
{
    double radians = c.hue * 3.14159265358979323846 / 180;
    lab out = {c.lightness, c.chroma * cos(radians), c.chroma * sin(radians)};
    return out;
}

/* The inverse of CIELAB's compression, CIE 15. */
static double expand(double t)
{
    const double d = 6.0 / 29;
    return t > d ? t * t * t : 3 * d * d * (t - 4.0 / 29);
}

/* From linear light to the screen's encoding, IEC 61966-2-1. */
static double gamma_code(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

static bool linear_rgb(lab c, double rgb[3])
{
    double f = (c.l + 16) / 116;
    double x = 0.95047 * expand(f + c.a / 500);
    double y = expand(f);
    double z = 1.08883 * expand(f - c.b / 200);
    rgb[0] = 3.2404542 * x - 1.5371385 * y - 0.4985314 * z;
    rgb[1] = -0.9692660 * x + 1.8760108 * y + 0.0415560 * z;
    rgb[2] = 0.0556434 * x - 0.2040259 * y + 1.0572252 * z;
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        inside = inside && rgb[k] >= -1e-6 && rgb[k] <= 1 + 1e-6;
    }
    return inside;
}

/* The colour as a screen can show it: the colour itself, or else the most vivid one of the same
 * lightness and hue. Bisection keeps similar colours similar. */
static picture_rgb screen_colour(lab c)
{
    double rgb[3];
    double inside = 0, outside = 1;
    bool shown = linear_rgb(c, rgb);
    for (int k = 0; k < 24 && !shown; k++) {
        double share = (inside + outside) / 2;
        lab paler = {c.l, share * c.a, share * c.b};
        if (linear_rgb(paler, rgb)) {
            inside = share;
        } else {
            outside = share;
        }
    }
    for (int k = 0; k < 3; k++) {
        rgb[k] = gamma_code(fmin(fmax(rgb[k], 0), 1));
    }
    picture_rgb out = {rgb[0], rgb[1], rgb[2]};
    return out;
}

static double spline(double p0, double p1, double p2, double p3, double t)
{
    return p1 + 0.5 * t *
                    (p2 - p0 + t * (2 * p0 - 5 * p1 + 4 * p2 - p3 + t * (3 * (p1 - p2) + p3 - p0)));
}

static picture_rgb colour_on(const colour_scale *c, double t)
{
    lab point[MOST_POINTS];
    for (int k = 0; k < c->n; k++) {
        point[k] = lab_of(c->point[k]);
    }
    double place = t * (c->n - 1);
    int k = (int)place < c->n - 1 ? (int)place : c->n - 2;
    double u = place - k;
    lab p0 = point[k > 0 ? k - 1 : 0], p1 = point[k], p2 = point[k + 1];
    lab p3 = point[k + 2 < c->n ? k + 2 : c->n - 1];
    lab out = {p1.l + u * (p2.l - p1.l), spline(p0.a, p1.a, p2.a, p3.a, u),
               spline(p0.b, p1.b, p2.b, p3.b, u)};
    return screen_colour(out);
}

bool xta__picture_colormap(const char *name, picture_rgb table[256])
{
    if (strcmp(name, "gray") == 0 || strcmp(name, "grey") == 0) {
        for (int k = 0; k < 256; k++) {
            table[k].r = table[k].g = table[k].b = k / 255.0;
        }
        return true;
    }
    for (size_t c = 0; c < sizeof colour_scales / sizeof colour_scales[0]; c++) {
        if (strcmp(name, colour_scales[c].name) != 0) {
            continue;
        }
        for (int k = 0; k < 256; k++) {
            table[k] = colour_on(&colour_scales[c], k / 255.0);
        }
        return true;
    }
    return false;
}

/* Growth order is one turn around the colour circle, from yellow to pink, slowly darkening; every
 * second segment is a little lighter, so that neighbours differ even if there are hundreds. */
picture_rgb xta__picture_segment_colour(uint64_t k, uint64_t n)
{
    double span = n > 6 ? 285 : 48.0 * (double)(n > 1 ? n - 1 : 1);
    double t = n > 1 ? (double)k / (double)(n - 1) : 0;
    control c = {92 - 16 * t + (n > 8 && k % 2 == 1 ? 5 : 0), 26 + 10 * t, 95 + span * t};
    return screen_colour(lab_of(c));
}

/* Classes must be distinguishable, not ordered. Each of these colours was chosen in turn as the one
 * with the greatest distance, in CIELAB, from those before it, from white and from the light grey
 * of no label. The distance is the smallest as seen by normal eyes and by eyes that lack one kind
 * of cone (protanopia, deuteranopia, tritanopia, simulated by the matrices in the supplement of
 * [MACHADO09]). So the first few are as far apart as possible; tests measure how far. */
static const unsigned char class_colours[][3] = {
    {15, 85, 165},   {220, 100, 20},  {70, 190, 150},  {105, 45, 30},   {240, 150, 255},
    {150, 0, 90},    {240, 210, 60},  {150, 210, 105}, {150, 120, 165}, {165, 120, 75},
    {0, 135, 255},   {90, 240, 165},  {165, 30, 0},    {210, 180, 225}, {165, 75, 90},
    {135, 120, 210}, {45, 45, 165},   {60, 150, 135},  {120, 0, 105},   {150, 180, 120},
    {195, 180, 60},  {135, 150, 210}, {105, 90, 210},  {105, 90, 150},
};

/* Further classes go around the colour circle by the golden angle, at three lightnesses. */
static picture_rgb further_colour(size_t k)
{
    control c = {40 + 18.0 * (double)(k % 3), 42, fmod(137.508 * (double)k, 360)};
    return screen_colour(lab_of(c));
}

picture_rgb xta__picture_class_colour(size_t k)
{
    size_t n = sizeof class_colours / sizeof class_colours[0];
    if (k == 0) {
        return (picture_rgb){0.89, 0.90, 0.92};
    }
    if (k > n) {
        return further_colour(k - n);
    }
    const unsigned char *rgb = class_colours[k - 1];
    return (picture_rgb){rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0};
}

void xta_class_colour(size_t k, unsigned char rgb[3])
{
    picture_rgb c = xta__picture_class_colour(k);
    rgb[0] = (unsigned char)lround(255 * c.r);
    rgb[1] = (unsigned char)lround(255 * c.g);
    rgb[2] = (unsigned char)lround(255 * c.b);
}
