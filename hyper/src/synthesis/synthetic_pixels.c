/* Synthetic pixels with known abundances.
 *
 * A pixel is a function of the seed and its coordinates: all random numbers come from Philox with
 * the counter (line, sample, draw, purpose), so lines can be made in any order and by any process.
 *
 *     cell(b) = scale * (brightness * sum over materials of a(m) E(m, b) + noise(b))
 *
 * The abundances a are those of the label map in the window around the pixel, mixed with a random
 * point of the simplex. The coordinates of that point are the gaps between sorted uniform numbers,
 * which needs no logarithm; and noise is a sum of eight uniform numbers. Without functions of libm,
 * the bits are the same everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/synth.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "numeric/philox.h"
#include "scene/label_map.h"
#include "util/checked.h"

enum { WIDEST_WINDOW = 15, MOST_MATERIALS = 255 };

/* Coordinates of an array lie within this on either side of 0. */
static const int64_t FARTHEST = INT64_C(1) << 62;

/* What random numbers are drawn for; the last word of the counter. */
enum { DRAW_SIMPLEX = 1, DRAW_PIXEL = 2, DRAW_NOISE = 3 };

/* The options of a call, checked, and the labels it needs. */
typedef struct synth {
    size_t n_materials, n_bands;
    const double *library;
    double *noise; /* n_bands: standard deviation before scaling */
    xta_synth_options options;
    int64_t line, sample; /* of the first pixel */
    size_t n_lines, n_samples;
    int32_t *window; /* labels of (n_lines + 2 r) x (n_samples + 2 r) pixels */
} synth;

static void draw(const synth *s, int64_t line, int64_t sample, uint32_t k, uint32_t purpose,
                 uint32_t out[4])
{
    uint32_t counter[4] = {(uint32_t)line, (uint32_t)sample, k,
                           purpose ^ (uint32_t)((uint64_t)line >> 32 << 8) ^
                               (uint32_t)((uint64_t)sample >> 32 << 20)};
    uint32_t key[2] = {(uint32_t)s->options.seed, (uint32_t)(s->options.seed >> 32)};
    xta__philox(counter, key, out);
}

static double unit_uniform(uint32_t word)
{
    return ((double)word + 0.5) / 4294967296.0;
}

/* A random point of the simplex: the gaps between n - 1 sorted uniform numbers. */
static void draw_mixture(const synth *s, int64_t line, int64_t sample, double *mixture)
{
    double cut[MOST_MATERIALS + 4];
    size_t n = s->n_materials;
    for (size_t k = 0; k + 1 < n; k += 4) {
        uint32_t words[4];
        draw(s, line, sample, (uint32_t)(k / 4), DRAW_SIMPLEX, words);
        for (size_t j = 0; j < 4; j++) {
            cut[k + j] = unit_uniform(words[j]);
        }
    }
    for (size_t k = 1; k + 1 < n; k++) {
        double value = cut[k];
        size_t at = k;
        for (; at > 0 && cut[at - 1] > value; at--) {
            cut[at] = cut[at - 1];
        }
        cut[at] = value;
    }
    double before = 0;
    for (size_t k = 0; k < n; k++) {
        double end = k + 1 < n ? cut[k] : 1;
        mixture[k] = end - before;
        before = end;
    }
}

/* Shares of the materials in the window; false if the pixel has no class. */
static bool count_window(const synth *s, size_t row, size_t column, double *share)
{
    size_t r = (size_t)s->options.mixing_radius, width = s->n_samples + 2 * r;
    double n = 0;
    if (s->window[(row + r) * width + column + r] == 0) {
        return false;
    }
    memset(share, 0, s->n_materials * sizeof *share);
    for (size_t i = row; i <= row + 2 * r; i++) {
        for (size_t j = column; j <= column + 2 * r; j++) {
            int32_t label = s->window[i * width + j];
            if (label > 0) {
                share[(size_t)(label - 1) % s->n_materials] += 1;
                n += 1;
            }
        }
    }
    for (size_t k = 0; k < s->n_materials; k++) {
        share[k] /= n;
    }
    return true;
}

static void make_abundances(const synth *s, size_t row, size_t column, double share, double *a)
{
    double mixture[MOST_MATERIALS];
    int64_t line = s->line + (int64_t)row, sample = s->sample + (int64_t)column;
    if (!count_window(s, row, column, a)) {
        draw_mixture(s, line, sample, a);
        return;
    }
    if (share > 0) {
        draw_mixture(s, line, sample, mixture);
        for (size_t k = 0; k < s->n_materials; k++) {
            a[k] = (1 - share) * a[k] + share * mixture[k];
        }
    }
}

/* A nearly Gaussian number of variance 1: eight numbers of 16 bits, each of variance (2^32 - 1) /
 * 12. */
static double draw_noise(const synth *s, int64_t line, int64_t sample, size_t band)
{
    uint32_t words[4];
    int64_t sum = 0;
    draw(s, line, sample, (uint32_t)band, DRAW_NOISE, words);
    for (int k = 0; k < 4; k++) {
        sum += (int64_t)(words[k] & 0xffff) + (int64_t)(words[k] >> 16);
    }
    return (double)(sum - 4 * 65535) / 53509.9;
}

static void make_spectrum(const synth *s, size_t row, size_t column, double bright, const double *a,
                          double *cells)
{
    int64_t line = s->line + (int64_t)row, sample = s->sample + (int64_t)column;
    memset(cells, 0, s->n_bands * sizeof *cells);
    for (size_t k = 0; k < s->n_materials; k++) {
        const double *spectrum = s->library + k * s->n_bands;
        double weight = bright * a[k];
        for (size_t b = 0; weight != 0 && b < s->n_bands; b++) {
            cells[b] += weight * spectrum[b];
        }
    }
    for (size_t b = 0; b < s->n_bands; b++) {
        double noise = s->noise[b] > 0 ? s->noise[b] * draw_noise(s, line, sample, b) : 0;
        cells[b] = s->options.scale * (cells[b] + noise);
    }
}

static void make_pixel(const synth *s, size_t row, size_t column, double *cells, double *abundances)
{
    uint32_t words[4];
    double own[MOST_MATERIALS];
    double *a = abundances != NULL ? abundances : own;
    draw(s, s->line + (int64_t)row, s->sample + (int64_t)column, 0, DRAW_PIXEL, words);
    make_abundances(s, row, column, s->options.variation * unit_uniform(words[0]), a);
    if (cells != NULL) {
        double bright = 1 + s->options.brightness * (2 * unit_uniform(words[1]) - 1);
        make_spectrum(s, row, column, bright, a, cells);
    }
}

static int64_t repeat_coordinate(int64_t at, int64_t lo, int64_t hi)
{
    int64_t length = hi - lo, offset = (at - lo) % length;
    return lo + (offset < 0 ? offset + length : offset);
}

/* Copy the labels of the pixels and their windows out of the map, which repeats. */
static xta_status gather_labels(synth *s, const xta_label_map *map, xta_error *err)
{
    int axes[2];
    int64_t lo[2], hi[2], r = s->options.mixing_radius;
    size_t width = s->n_samples + 2 * (size_t)r, height = s->n_lines + 2 * (size_t)r;
    xta_status status = xta__label_map_bounds(map, axes, lo, hi, err);
    if (status != XTA_OK) {
        return status;
    }
    if (lo[0] >= hi[0] || lo[1] >= hi[1]) {
        return xta_error_set(err, XTA_EARG, 0, "%s: the label map is empty",
                             xta_array_path(map->array));
    }
    int32_t *row = calloc((size_t)(hi[1] - lo[1]), sizeof *row);
    s->window = calloc(width * height, sizeof *s->window);
    if (row == NULL || s->window == NULL) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu x %zu labels", height, width);
    }
    for (size_t i = 0; status == XTA_OK && i < height; i++) {
        int64_t line = repeat_coordinate(s->line - r + (int64_t)i, lo[0], hi[0]);
        const int64_t lines[2] = {line, line + 1}, samples[2] = {lo[1], hi[1]};
        status = xta_label_map_read(map, lines, samples, row, err);
        for (size_t j = 0; status == XTA_OK && j < width; j++) {
            int64_t sample = repeat_coordinate(s->sample - r + (int64_t)j, lo[1], hi[1]);
            s->window[i * width + j] = row[sample - lo[1]];
        }
    }
    free(row);
    return status;
}

static xta_status check_options(const synth *s, xta_error *err)
{
    const xta_synth_options *o = &s->options;
    if (s->n_materials < 1 || s->n_materials > MOST_MATERIALS || s->n_bands < 1) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%zu materials of %zu bands: there may be 1 to %d of at least one",
                             s->n_materials, s->n_bands, MOST_MATERIALS);
    }
    if (o->mixing_radius < 0 || o->mixing_radius > WIDEST_WINDOW) {
        return xta_error_set(err, XTA_EARG, 0, "a mixing radius of %d: it may be 0 to %d",
                             o->mixing_radius, WIDEST_WINDOW);
    }
    if (!(o->variation >= 0 && o->variation <= 1) || !(o->brightness >= 0 && o->brightness <= 1)) {
        return xta_error_set(err, XTA_EARG, 0, "variation %g, brightness %g: both may be 0 to 1",
                             o->variation, o->brightness);
    }
    if (!isfinite(o->noise_snr_db) || !isfinite(o->scale)) {
        return xta_error_set(err, XTA_EARG, 0, "noise of %g dB, scale %g: both must be finite",
                             o->noise_snr_db, o->scale);
    }
    for (size_t k = 0; k < s->n_materials * s->n_bands; k++) {
        if (!isfinite(s->library[k])) {
            return xta_error_set(err, XTA_EARG, 0,
                                 "material %zu is not finite in band %zu of the library",
                                 k / s->n_bands, k % s->n_bands);
        }
    }
    return XTA_OK;
}

/* Whether pixels, their windows, cells and abundances can be counted, and their coordinates too. */
static bool is_countable(const synth *s, const int64_t lines[2], const int64_t samples[2])
{
    uint64_t n = 0, per_pixel = s->n_bands > s->n_materials ? s->n_bands : s->n_materials;

    return lines[0] >= -FARTHEST && lines[1] <= FARTHEST && samples[0] >= -FARTHEST &&
           samples[1] <= FARTHEST &&
           xta__mul_u64((uint64_t)(lines[1] - lines[0]) + 2 * WIDEST_WINDOW,
                        (uint64_t)(samples[1] - samples[0]) + 2 * WIDEST_WINDOW, &n) &&
           xta__mul_u64(n, sizeof(double), &n) && xta__mul_u64(n, per_pixel, &n) &&
           n <= SIZE_MAX / 2;
}

static xta_status synth_begin(synth *s, const xta_label_map *labels,
                              const xta_synth_options *options, xta_error *err)
{
    s->options = (xta_synth_options)XTA_SYNTH_OPTIONS_INIT;
    xta_status status =
        xta_options_read(&s->options, sizeof s->options, options, "xta_synth_options", err);
    if (s->options.scale == 0) {
        s->options.scale = 1;
    }
    status = status == XTA_OK ? check_options(s, err) : status;
    if (status != XTA_OK) {
        return status;
    }
    s->noise = calloc(s->n_bands, sizeof *s->noise);
    if (s->noise == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu bands", s->n_bands);
    }
    double share = s->options.noise_snr_db == 0 ? 0 : pow(10, -s->options.noise_snr_db / 20);
    for (size_t k = 0; k < s->n_materials * s->n_bands; k++) {
        s->noise[k % s->n_bands] += fabs(s->library[k]) * share / (double)s->n_materials;
    }
    return gather_labels(s, labels, err);
}

static void synth_end(synth *s)
{
    free(s->noise);
    free(s->window);
}

xta_status xta_synth_pixels(const xta_label_map *labels, size_t n_materials, size_t n_bands,
                            const double *library, const xta_synth_options *options,
                            const int64_t lines[2], const int64_t samples[2], double *cells,
                            double *abundances, xta_error *err)
{
    if (lines[1] < lines[0] || samples[1] < samples[0]) {
        return xta_error_set(err, XTA_EARG, 0, "lines or samples that end before they begin");
    }
    const synth asked = {.n_materials = n_materials, .n_bands = n_bands};
    if (!is_countable(&asked, lines, samples)) {
        return xta_error_set(err, XTA_EOVERFLOW, 0,
                             "lines %lld to %lld, samples %lld to %lld: too many pixels; make "
                             "fewer lines at a time",
                             (long long)lines[0], (long long)lines[1], (long long)samples[0],
                             (long long)samples[1]);
    }
    synth s = {.n_materials = n_materials,
               .n_bands = n_bands,
               .library = library,
               .line = lines[0],
               .sample = samples[0],
               .n_lines = (size_t)(lines[1] - lines[0]),
               .n_samples = (size_t)(samples[1] - samples[0])};
    xta_status status = synth_begin(&s, labels, options, err);
    for (size_t k = 0; status == XTA_OK && k < s.n_lines * s.n_samples; k++) {
        make_pixel(&s, k / s.n_samples, k % s.n_samples, cells ? cells + k * n_bands : NULL,
                   abundances ? abundances + k * n_materials : NULL);
    }
    synth_end(&s);
    return status;
}
