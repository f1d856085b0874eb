/* Spectra brought to the scale of the cells of a scene.
 *
 * A library mostly holds reflectances, from 0 to 1; a scene often holds counts, with 10000 for a
 * reflectance of one. A least-squares fit of one by the other still has a minimum, so nothing
 * fails, but almost all of every pixel becomes the brightest spectrum. The cells are never changed,
 * since whole numbers are exact; the spectra are scaled to them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/scale.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lengths that differ by more than this factor do not belong to numbers of the same kind. */
#define TOO_DIFFERENT 10.0

/* Number of pixels that are read at once, and of lines that are tried if the anchor line has no
 * data. */
enum { PIXELS_AT_ONCE = 256, MOST_LINES = 16 };

/* ---- lengths of spectra ---- */

static double length_of(const double *spectrum, size_t n)
{
    double sum = 0;

    for (size_t k = 0; k < n; k++) {
        sum += spectrum[k] * spectrum[k];
    }
    return sqrt(sum);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median of the lengths; 0 if there are none. Sorts them. */
static double median(double *lengths, size_t n)
{
    qsort(lengths, n, sizeof *lengths, compare);
    return n > 0 ? lengths[n / 2] : 0;
}

/* The lengths of the pixels of a line that have data and are not zero. */
static xta_status line_lengths(const cli_scene *scene, int64_t line, double *lengths, size_t *n,
                               cli_error *err)
{
    const xta_scene_info *info = &scene->info;
    const int64_t lines[2] = {line, line + 1};
    double *pixels = malloc(PIXELS_AT_ONCE * info->n_bands * sizeof *pixels);
    unsigned char valid[PIXELS_AT_ONCE];
    xta_status status = XTA_OK;

    *n = 0;
    if (pixels == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %d pixels", info->name,
                        PIXELS_AT_ONCE);
    }
    for (int64_t at = info->sample_lo; at < info->sample_hi; at += PIXELS_AT_ONCE) {
        int64_t end = at + PIXELS_AT_ONCE < info->sample_hi ? at + PIXELS_AT_ONCE : info->sample_hi;
        const int64_t samples[2] = {at, end};
        XTA_TRY(xta_scene_read(scene->scene, lines, samples, pixels, valid, &err->error));
        for (size_t k = 0; k < (size_t)(end - at); k++) {
            double length = length_of(pixels + k * info->n_bands, info->n_bands);
            if (valid[k] && length > 0 && isfinite(length)) {
                lengths[(*n)++] = length;
            }
        }
    }
done:
    free(pixels);
    return status;
}

/* The length of a pixel of the scene: the median of the anchor line, which stays the same when the
 * scene grows, or of another line if the anchor line has no data. 0: no pixel was found. */
static xta_status scene_length(const cli_scene *scene, double *length, cli_error *err)
{
    const xta_scene_info *info = &scene->info;
    int64_t n_lines = info->line_hi - info->line_lo;
    int64_t step = n_lines > MOST_LINES ? n_lines / MOST_LINES : 1;
    double *lengths = malloc((size_t)(info->sample_hi - info->sample_lo + 1) * sizeof *lengths);
    size_t n = 0;
    xta_status status = XTA_OK;

    *length = 0;
    if (lengths == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for a line", info->name);
    }
    if (n_lines > 0) {
        XTA_TRY(line_lengths(scene, info->anchor, lengths, &n, err));
    }
    for (int64_t line = info->line_lo; n == 0 && line < info->line_hi; line += step) {
        XTA_TRY(line_lengths(scene, line, lengths, &n, err));
    }
    *length = median(lengths, n);
done:
    free(lengths);
    return status;
}

static xta_status spectra_length(const cli_spectra *spectra, const double *values, double *length,
                                 cli_error *err)
{
    double *lengths = malloc((spectra->n + 1) * sizeof *lengths);
    size_t n = 0;

    if (lengths == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu spectra", spectra->path,
                        spectra->n);
    }
    for (size_t k = 0; k < spectra->n; k++) {
        double one = length_of(values + k * spectra->n_bands, spectra->n_bands);
        if (one > 0 && isfinite(one)) {
            lengths[n++] = one;
        }
    }
    *length = median(lengths, n);
    free(lengths);
    return XTA_OK;
}

/* ---- the two ways to read a library ---- */

/* Whether the scales of the scene differ between bands, or have an offset. */
static bool bends(const xta_scene_info *info)
{
    for (size_t b = 0; info->gain != NULL && b < info->n_bands; b++) {
        if (info->gain[b] != info->gain[0] || info->offset[b] != 0) {
            return true;
        }
    }
    return false;
}

static bool has_offset(const xta_scene_info *info)
{
    for (size_t b = 0; info->gain != NULL && b < info->n_bands; b++) {
        if (info->offset[b] != 0) {
            return true;
        }
    }
    return false;
}

/* The common factor of all bands, if there is one. */
static double common_factor(const cli_spectra *spectra, const xta_scene_info *info)
{
    double own = spectra->scale > 0 ? spectra->scale : 1;

    return info->reflectance_scale > 0 ? info->reflectance_scale / own
           : info->gain != NULL        ? 1 / (info->gain[0] * own)
                                       : 1 / own;
}

/* The spectra as cells of the scene: interpreted by their scale, or as reflectances. NULL: no
 * memory. */
static double *as_cells(const cli_spectra *spectra, const xta_scene_info *info)
{
    size_t n = spectra->n * spectra->n_bands;
    double *cells = malloc((n + 1) * sizeof *cells);

    for (size_t k = 0; cells != NULL && k < n; k++) {
        size_t b = k % spectra->n_bands;
        if (info->gain == NULL || info->reflectance_scale > 0) {
            cells[k] = spectra->values[k] * common_factor(spectra, info);
        } else {
            double own = spectra->scale > 0 ? spectra->scale : 1;
            cells[k] = (spectra->values[k] / own - info->offset[b]) / info->gain[b];
        }
    }
    return cells;
}

/* The distance of two lengths: the logarithm of their ratio; infinite if one is not known. */
static double distance(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log(a / b)) : INFINITY;
}

/* The scale that the scene states, for a note. */
static void scale_text(const xta_scene_info *info, char text[64])
{
    if (info->reflectance_scale > 0) {
        snprintf(text, 64, "a reflectance scale factor of %g", info->reflectance_scale);
    } else if (info->gain != NULL) {
        snprintf(text, 64, "scales such as %g", info->gain[0]);
    } else {
        snprintf(text, 64, "no scale");
    }
}

static void say_choice(cli_spectra *spectra, const xta_scene_info *info, bool converted)
{
    char scale[64];

    scale_text(info, scale);
    if (info->gain != NULL && spectra->scale > 0) {
        return; // nothing was guessed
    }
    if (info->gain != NULL && converted) {
        cli_notes_add(&spectra->notes,
                      "%s states no scale and is taken for reflectances; %s has %s, to which it is "
                      "brought",
                      spectra->path, info->name, scale);
    } else if (info->gain != NULL) {
        cli_notes_add(&spectra->notes,
                      "%s states no scale and is taken for numbers like the cells of %s, which has "
                      "%s",
                      spectra->path, info->name, scale);
    } else {
        cli_notes_add(&spectra->notes, "%s has a scale of %g, %s states none and is taken for %s",
                      spectra->path, spectra->scale, info->name,
                      converted ? "reflectances" : "numbers of that scale");
    }
}

/* Add a warning if the lengths of spectra and pixels still differ by a factor of ten. */
static void compare_lengths(cli_spectra *spectra, const xta_scene_info *info, double own,
                            double pixels)
{
    bool longer = own > pixels;

    if (!(distance(own, pixels) >= log(TOO_DIFFERENT)) || own <= 0 || pixels <= 0) {
        return;
    }
    cli_notes_add(&spectra->notes,
                  "warning: the spectra of %s are %.3g times %s than the pixels of %s%s; state "
                  "scales: \"xta attr %s reflectance_scale_factor=N --type f64\", and a line \"# "
                  "reflectance scale factor: N\" in a .csv, or that key in a header",
                  spectra->path, longer ? own / pixels : pixels / own,
                  longer ? "longer" : "shorter", info->name,
                  info->gain == NULL && spectra->scale <= 0 ? ", and neither states its scale" : "",
                  info->name);
}

xta_status cli_spectra_scale(cli_spectra *spectra, const cli_scene *scene, bool shapes,
                             cli_error *err)
{
    const xta_scene_info *info = &scene->info;
    bool known = info->gain != NULL || spectra->scale > 0;
    double pixels = 0, as_is = 0, converted = 0;
    double *cells = NULL;
    xta_status status = XTA_OK;

    if (shapes && !bends(info)) {
        return XTA_OK;
    }
    cells = as_cells(spectra, info);
    if (cells == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu spectra", spectra->path,
                        spectra->n);
    }
    XTA_TRY(scene_length(scene, &pixels, err));
    XTA_TRY(spectra_length(spectra, spectra->values, &as_is, err));
    XTA_TRY(spectra_length(spectra, cells, &converted, err));
    bool both = info->gain != NULL && spectra->scale > 0;
    bool convert = known && (both || distance(converted, pixels) <= distance(as_is, pixels));
    if (known && as_is != converted) {
        say_choice(spectra, info, convert);
    }
    if (convert) {
        double *old = spectra->values;
        spectra->values = cells;
        cells = old;
        spectra->factor = bends(info) ? converted / as_is : common_factor(spectra, info);
    }
    if (convert && has_offset(info)) {
        cli_notes_add(&spectra->notes,
                      "the cells of %s have an offset: angles, and shares without the sum of one, "
                      "are those of the numbers as they are stored",
                      info->name);
    }
    if (!shapes) {
        compare_lengths(spectra, info, convert ? converted : as_is, pixels);
    }
done:
    free(cells);
    return status;
}
