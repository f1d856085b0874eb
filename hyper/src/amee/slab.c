/* Lines of the eccentricity index (MEI), from windows over a slab of the scene [PLAZA02].
 *
 * Definition: the D of a member of a window is the sum of the angles between its spectrum and those
 * of the other members, in the order of lines and samples. The member with the largest D is the
 * dilation of the window, the one with the smallest D its erosion. The angle between the two is
 * given to the pixel that the spectrum of the dilation comes from, if it is larger than the index
 * of that pixel. The next step works on the dilated scene.
 *
 * Naively each step passes over the whole scene. But the windows of step k can choose a spectrum
 * that is r_1 + ... + r_k away, and depend on pixels as far away. So some lines of the index are
 * the same as for the whole scene if the last step is done for the windows up to `reach` lines
 * around them, each earlier step for as many more lines as the radii of the later steps add up to,
 * and pixels are read up to twice the reach away.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "amee/slab.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amee/angles.h"
#include "numeric/reproducible_dot.h"
#include "scene/scratch.h"
#include "util/try.h"

/* Beyond these the product of two squares leaves the range of double. */
#define LEAST_SQUARE 0x1p-500
#define MOST_SQUARE  0x1p500

/* Two members of a window, a before b, and where their angle is found: in the angles of line `line`
 * of the window, `place` entries after that of the window's first sample. */
typedef struct window_pair {
    int a, b;
    int line;
    size_t place;
} window_pair;

typedef struct window {
    int radius, side, n_members;
    size_t n_pairs;
    window_pair *pairs;
    int32_t *member;       /* sources; -1: none */
    int *usable;           /* 1, 0 */
    double *sum;           /* D */
    const double **angles; /* angles of each line of the window, from its first sample on */
} window;

static void window_clear(window *w)
{
    free(w->pairs);
    free(w->member);
    free(w->usable);
    free(w->sum);
    free(w->angles);
}

static window_pair pair_of(const window *w, int a, int b, size_t width)
{
    int line = a / w->side, sample = a % w->side;
    size_t n = xta__neighbour(2 * w->radius, b / w->side - line, b % w->side - sample);

    return (window_pair){a, b, line, n * width + (size_t)sample};
}

static bool window_init(window *w, int radius, size_t width)
{
    int side = 2 * radius + 1, n = side * side;

    *w = (window){.radius = radius, .side = side, .n_members = n};
    w->pairs = malloc((size_t)(n * (n - 1) / 2) * sizeof *w->pairs);
    w->member = malloc((size_t)n * sizeof *w->member);
    w->usable = malloc((size_t)n * sizeof *w->usable);
    w->sum = malloc((size_t)n * sizeof *w->sum);
    w->angles = calloc((size_t)side, sizeof *w->angles);
    if (w->pairs == NULL || w->member == NULL || w->usable == NULL || w->sum == NULL ||
        w->angles == NULL) {
        window_clear(w);
        return false;
    }
    for (int a = 0; a < n; a++) {
        for (int b = a + 1; b < n; b++) {
            w->pairs[w->n_pairs++] = pair_of(w, a, b, width);
        }
    }
    return true;
}

/* ---- one window ---- */

/* Find the sources in the window around a pixel; returns how many there are. */
static int gather_members(window *w, const amee_slab *slab, int64_t line, int64_t sample)
{
    int64_t n_lines = slab->lines.hi - slab->lines.lo;
    int n = 0;

    for (int m = 0; m < w->n_members; m++) {
        int64_t l = line - w->radius + m / w->side, s = sample - w->radius + m % w->side;
        bool inside = l >= 0 && l < n_lines && s >= 0 && s < slab->width;
        w->member[m] = inside ? slab->source[l * slab->width + s] : -1;
        w->usable[m] = w->member[m] >= 0;
        w->sum[m] = 0;
        n += w->usable[m];
    }
    return n;
}

static void add_angles(window *w, int64_t first_sample, bool whole)
{
    for (size_t k = 0; k < w->n_pairs; k++) {
        const window_pair *p = &w->pairs[k];
        if (whole || (w->usable[p->a] && w->usable[p->b])) {
            double angle = w->angles[p->line][(int64_t)p->place + first_sample];
            w->sum[p->a] += angle;
            w->sum[p->b] += angle;
        }
    }
}

/* The member with the largest D (sign 1) or the smallest (sign -1); of equals, the one with the
 * lowest source. */
static int extreme_member(const window *w, double sign)
{
    int best = -1;

    for (int m = 0; m < w->n_members; m++) {
        if (!w->usable[m]) {
            continue;
        }
        double d = best >= 0 ? sign * (w->sum[m] - w->sum[best]) : 1;
        if (d > 0 || (d == 0 && w->member[m] < w->member[best])) {
            best = m;
        }
    }
    return best;
}

static double angle_of_members(const window *w, int a, int b, int64_t first_sample, size_t width)
{
    if (w->member[a] == w->member[b]) {
        return 0;
    }
    window_pair p = a < b ? pair_of(w, a, b, width) : pair_of(w, b, a, width);
    return w->angles[p.line][(int64_t)p.place + first_sample];
}

static void do_window(window *w, amee_slab *slab, int64_t line, int64_t sample)
{
    int64_t pixel = line * slab->width + sample;

    slab->next[pixel] = -1;
    if (slab->source[pixel] < 0) {
        return;
    }
    int n = gather_members(w, slab, line, sample);
    add_angles(w, sample - w->radius, n == w->n_members);
    int purest = extreme_member(w, 1), mixed = extreme_member(w, -1);
    double angle = angle_of_members(w, purest, mixed, sample - w->radius, (size_t)slab->width);
    double *mei = &slab->mei[w->member[purest]];
    *mei = angle > *mei ? angle : *mei;
    slab->next[pixel] = w->member[purest];
}

/* ---- one step ---- */

static double *ring_line(const amee_slab *slab, int radius, int64_t line)
{
    size_t n = xta__n_neighbours(2 * radius) * (size_t)slab->width;

    return slab->ring + (size_t)(line % (2 * radius + 1)) * n;
}

/* Compute the angles of a line into the ring; in the first step, also keep them. */
static void make_angles(amee_slab *slab, int radius, int64_t line)
{
    size_t width = (size_t)slab->width;
    double *ring = ring_line(slab, radius, line);

    xta__angle_line(slab, 2 * radius, line, ring);
    for (size_t n = 0; !slab->moved && slab->first != NULL && n < slab->n_first; n++) {
        memcpy(slab->first + n * slab->n_pixels + (size_t)line * width, ring + n * width,
               width * sizeof *ring);
    }
}

/* Process the windows around the pixels of `lines`, counted from the first line of the slab. */
static void do_step(window *w, amee_slab *slab, line_range lines)
{
    int64_t n_lines = slab->lines.hi - slab->lines.lo;
    int64_t made = lines.lo - w->radius > 0 ? lines.lo - w->radius : 0;

    memset(slab->next, 0xFF, slab->n_pixels * sizeof *slab->next);
    for (int64_t line = lines.lo; line < lines.hi; line++) {
        for (; made < n_lines && made <= line + w->radius; made++) {
            make_angles(slab, w->radius, made);
        }
        for (int k = 0; k < w->side; k++) {
            int64_t l = line - w->radius + k;
            w->angles[k] = l >= 0 && l < n_lines ? ring_line(slab, w->radius, l) : NULL;
        }
        for (int64_t sample = 0; sample < slab->width; sample++) {
            do_window(w, slab, line, sample);
        }
    }
}

static line_range clip_lines(line_range lines, int64_t more, line_range limits)
{
    lines.lo = lines.lo - more > limits.lo ? lines.lo - more : limits.lo;
    lines.hi = lines.hi + more < limits.hi ? lines.hi + more : limits.hi;
    return lines;
}

static xta_status do_steps(amee_slab *slab, line_range out, xta_error *err)
{
    const amee_plan *plan = slab->plan;
    int64_t rest = 0, lo = slab->lines.lo;

    for (int k = 0; k < plan->n_steps && plan->replaced; k++) {
        rest += plan->radius[k];
    }
    for (int k = 0; k < plan->n_steps; k++) {
        window w;
        rest -= plan->replaced ? plan->radius[k] : 0;
        line_range lines = clip_lines(out, plan->reach + rest, slab->lines);
        if (!window_init(&w, plan->radius[k], (size_t)slab->width)) {
            return xta_error_set(err, XTA_ENOMEM, 0, "no memory for windows of radius %d",
                                 plan->radius[k]);
        }
        do_step(&w, slab, (line_range){lines.lo - lo, lines.hi - lo});
        window_clear(&w);
        if (plan->replaced) {
            int32_t *swap = slab->source;
            slab->source = slab->next;
            slab->next = swap;
            slab->moved = true;
        }
    }
    return XTA_OK;
}

/* ---- the slab ---- */

/* How many angles of the first step are kept for each pixel: all, if later steps need them and they
 * use less memory than the pixels. */
static size_t n_kept(const amee_plan *plan, uint64_t n_bands)
{
    size_t n = xta__n_neighbours(2 * plan->radius[0]);

    return plan->replaced && plan->n_steps > 1 && n <= n_bands ? n : 0;
}

static size_t ring_doubles(const amee_plan *plan)
{
    int r = plan->radius[plan->n_steps - 1];

    return (size_t)(2 * r + 1) * xta__n_neighbours(2 * r);
}

uint64_t xta__amee_slab_bytes(const amee_plan *plan, uint64_t n_lines, uint64_t width,
                              uint64_t n_bands)
{
    uint64_t doubles = n_bands + 2 + n_kept(plan, n_bands);

    return width * (n_lines * (doubles * sizeof(double) + 2 * sizeof(int32_t) + 1) +
                    ring_doubles(plan) * sizeof(double));
}

static size_t spectra_bytes(const amee_slab *slab)
{
    return slab->n_pixels * slab->n_bands * sizeof(double);
}

static void slab_clear(amee_slab *slab, const xta_scene *scene)
{
    xta__scratch_free(scene, slab->x, spectra_bytes(slab));
    free(slab->square);
    free(slab->source);
    free(slab->next);
    free(slab->mei);
    free(slab->first);
    free(slab->ring);
}

static bool slab_init(amee_slab *slab, const xta_scene *scene, const amee_plan *plan,
                      line_range out)
{
    xta_scene_info info = xta_scene_inquire(scene);
    size_t kept = n_kept(plan, info.n_bands);

    *slab = (amee_slab){.plan = plan, .n_bands = info.n_bands, .n_first = kept};
    slab->lines =
        clip_lines(out, 2 * plan->reach, (line_range){.lo = info.line_lo, .hi = info.line_hi});
    slab->width = info.sample_hi - info.sample_lo;
    slab->n_pixels = (size_t)((slab->lines.hi - slab->lines.lo) * slab->width);
    slab->first_radius = 2 * plan->radius[0];
    slab->x = xta__scratch_alloc(scene, spectra_bytes(slab));
    slab->square = malloc(slab->n_pixels * sizeof(double));
    slab->source = malloc(slab->n_pixels * sizeof(int32_t));
    slab->next = malloc(slab->n_pixels * sizeof(int32_t));
    slab->mei = calloc(slab->n_pixels, sizeof(double));
    slab->first = kept > 0 ? calloc(kept * slab->n_pixels, sizeof(double)) : NULL;
    slab->ring = calloc(ring_doubles(plan) * (size_t)slab->width, sizeof(double));
    return slab->x != NULL && slab->square != NULL && slab->source != NULL && slab->next != NULL &&
           slab->mei != NULL && (kept == 0 || slab->first != NULL) && slab->ring != NULL &&
           slab->n_pixels < INT32_MAX;
}

static xta_status read_pixels(amee_slab *slab, xta_scene *scene, xta_error *err)
{
    xta_scene_info info = xta_scene_inquire(scene);
    const int64_t lines[2] = {slab->lines.lo, slab->lines.hi};
    const int64_t samples[2] = {info.sample_lo, info.sample_hi};
    unsigned char *valid = malloc(slab->n_pixels);

    if (valid == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu pixels", slab->n_pixels);
    }
    xta_status status = xta_scene_read(scene, lines, samples, slab->x, valid, err);
    for (size_t k = 0; status == XTA_OK && k < slab->n_pixels; k++) {
        const double *x = slab->x + k * slab->n_bands;
        double square = valid[k] ? xta__dot(slab->n_bands, x, x) : 0;
        bool good = square >= LEAST_SQUARE && square <= MOST_SQUARE;
        slab->square[k] = good ? square : 0;
        slab->source[k] = good ? (int32_t)k : -1;
        slab->mei[k] = good ? 0 : NAN;
    }
    free(valid);
    return status;
}

xta_status xta__amee_slab(xta_scene *scene, const amee_plan *plan, line_range out, double *mei,
                          xta_error *err)
{
    xta_status status = XTA_OK;
    amee_slab slab;

    if (!slab_init(&slab, scene, plan, out)) {
        XTA_TRY(xta_error_set(err, XTA_ENOMEM, 0,
                              "no memory for lines %" PRId64 " to %" PRId64 " of a scene",
                              slab.lines.lo, slab.lines.hi));
    }
    XTA_TRY(read_pixels(&slab, scene, err));
    XTA_TRY(do_steps(&slab, out, err));
    memcpy(mei, slab.mei + (out.lo - slab.lines.lo) * slab.width,
           (size_t)((out.hi - out.lo) * slab.width) * sizeof *mei);
done:
    slab_clear(&slab, scene);
    return status;
}
