/* The options of a follower, as a struct and as text: a line for each value that affects the
 * results, so that two requests can be compared and a difference can be named.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "follow/options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/options.h>

#include "state/blob.h"
#include "statistics/basis.h"
#include "unmixing/unmixer.h"
#include "util/crc32c.h"
#include "util/try.h"

enum { DEFAULT_SKEWERS = 1000, MOST_LABELS = 65535 };

static const char *const methods[] = {"nfindr", "sga", "vca", "ppi", "amee", "given"};
enum { N_METHODS = sizeof methods / sizeof methods[0] };

const char *xta_follow_method_name(xta_follow_method method)
{
    return (size_t)method < N_METHODS ? methods[method] : "?";
}

/* ---- options ---- */

/* Add the results that are needed for those asked for. */
static unsigned with_implied(unsigned keep, xta_follow_method method)
{
    keep = keep != 0 ? keep : XTA_FOLLOW_ENDMEMBERS | XTA_FOLLOW_LABELS;
    if ((keep & (XTA_FOLLOW_LABELS | XTA_FOLLOW_ABUNDANCES)) != 0) {
        keep |= XTA_FOLLOW_ENDMEMBERS;
    }
    if ((keep & XTA_FOLLOW_ENDMEMBERS) != 0 && method == XTA_FOLLOW_BY_PPI) {
        keep |= XTA_FOLLOW_PPI;
    }
    if ((keep & XTA_FOLLOW_ENDMEMBERS) != 0 && method == XTA_FOLLOW_BY_AMEE) {
        keep |= XTA_FOLLOW_MEI;
    }
    return keep;
}

static xta_status check_options(const xta_follow *f, xta_error *err)
{
    const xta_follow_options *o = &f->options;
    const bool unmixes = (f->keep & XTA_FOLLOW_ABUNDANCES) != 0 || o->label_by_abundance;

    if ((size_t)o->method >= N_METHODS) {
        return xta_error_set(err, XTA_EARG, 0, "method %d: there are 0 to %d", (int)o->method,
                             (int)N_METHODS - 1);
    }
    if ((f->keep & XTA_FOLLOW_ENDMEMBERS) != 0 &&
        (o->n_endmembers == 0 || o->n_endmembers > MOST_LABELS)) {
        return xta_error_set(err, XTA_EARG, 0, "%zu endmembers: say how many are wanted, 1 to %d",
                             o->n_endmembers, MOST_LABELS);
    }
    if (unmixes && o->n_endmembers > XTA_UNMIX_MAX) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%zu endmembers: at most %d can be unmixed; leave the abundances out",
                             o->n_endmembers, XTA_UNMIX_MAX);
    }
    if (o->method == XTA_FOLLOW_GIVEN && (f->keep & XTA_FOLLOW_ENDMEMBERS) != 0 &&
        o->endmembers == NULL) {
        return xta_error_set(err, XTA_EARG, 0,
                             "endmembers are to be given, but there are none; give their spectra");
    }
    if (o->skewers != NULL && (o->n_skewers == 0 || o->n_dims == 0)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "skewers: %zu of %zu numbers; say how many there are", o->n_skewers,
                             o->n_dims);
    }
    return XTA_OK;
}

/* A copy of n x m numbers, or NULL for none. */
static xta_status copy_numbers(const double *values, size_t n, size_t m, double **copy,
                               xta_error *err)
{
    *copy = NULL;
    if (values == NULL) {
        return XTA_OK;
    }
    *copy = m == 0 || n > SIZE_MAX / sizeof(double) / m ? NULL : malloc(n * m * sizeof(double));
    if (*copy == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "no memory for %zu x %zu numbers", n, m);
    }
    memcpy(*copy, values, n * m * sizeof(double));
    return XTA_OK;
}

/* ---- as text ---- */

XTA_PRINTF(2, 3) static void write_line(blob *text, const char *format, ...)
{
    char line[256];
    va_list values;

    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    xta__blob_put(text, line, strlen(line));
}

/* A list of numbers as its checksum, since a line is too short for them. */
static void write_checksum(blob *text, const char *name, const double *values, size_t n, size_t m)
{
    blob bytes = {0};

    xta__blob_f64s(&bytes, values, n * m);
    text->failed = text->failed || bytes.failed;
    write_line(text, "%s %zux%zu:%08" PRIx32 "\n", name, n, m,
               xta__crc32c(0, bytes.bytes, bytes.n));
    xta__blob_clear(&bytes);
}

static void write_keep(blob *text, unsigned keep)
{
    static const char *const names[] = {"basis",      "ppi",    "mei",
                                        "endmembers", "labels", "abundances"};

    write_line(text, "keep");
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if ((keep & 1U << k) != 0) {
            write_line(text, " %s", names[k]);
        }
    }
    write_line(text, "\n");
}

static void write_ppi(blob *text, const xta_follow_options *o)
{
    if (o->skewers != NULL) {
        write_checksum(text, "skewers", o->skewers, o->n_skewers, o->n_dims);
    } else {
        write_line(text, "skewers %zu\n", o->n_skewers);
    }
    write_line(text, "threshold %.17g\n", o->threshold);
}

static void write_endmembers(blob *text, const xta_follow_options *o, size_t n_bands)
{
    write_line(text, "method %s\n", methods[o->method]);
    write_line(text, "count %zu\n", o->n_endmembers);
    if (o->method == XTA_FOLLOW_GIVEN) {
        write_checksum(text, "endmembers", o->endmembers, o->n_endmembers, n_bands);
    }
    if (o->method == XTA_FOLLOW_BY_NFINDR) {
        write_line(text, "restarts %" PRIu32 "\nsweeps %" PRIu32 "\n", o->n_restarts,
                   o->max_sweeps);
    }
    if (o->method == XTA_FOLLOW_BY_PPI) {
        write_line(text, "least %" PRIu64 "\n", o->least);
    }
    if (o->method == XTA_FOLLOW_BY_AMEE) {
        write_line(text, "regions %s\n", o->regions ? "yes" : "no");
    }
}

static void write_parameters(const xta_follow *f, blob *text)
{
    const xta_follow_options *o = &f->options;
    const xta_scene_info info = xta_scene_inquire(f->scene);

    write_keep(text, f->keep);
    if ((f->keep & XTA_FOLLOW_ENDMEMBERS) != 0) {
        write_endmembers(text, o, info.n_bands);
    }
    write_line(text, "seed %" PRIu64 "\n", o->seed);
    if (f->basis != NULL) {
        write_line(text, "basis %016" PRIx64 "\n", xta__basis_identity(f->basis));
    } else {
        write_line(text, "basis full\n");
    }
    if ((f->keep & XTA_FOLLOW_PPI) != 0) {
        write_ppi(text, o);
    }
    if ((f->keep & XTA_FOLLOW_MEI) != 0) {
        write_line(text, "radius %d\niterations %d\nlast-radius %d\n", o->radius, o->iterations,
                   o->radius_last);
    }
    if ((f->keep & XTA_FOLLOW_LABELS) != 0) {
        write_line(text, "labels-by %s\n", o->label_by_abundance ? "abundance" : "angle");
    }
    if ((f->keep & XTA_FOLLOW_ABUNDANCES) != 0 || o->label_by_abundance) {
        write_line(text, "unmix %s%s\n", xta_unmix_method_name(o->unmix),
                   o->normalise ? " normalised" : "");
    }
    if ((f->keep & XTA_FOLLOW_BASIS) != 0) {
        write_line(text, "components %zu\nnoise %s\n", o->n_components, o->noise ? "yes" : "no");
    }
}

/* Write defaults as explicit values, so that naming a default and leaving it out are the same. */
static void settle_options(xta_follow_options *o)
{
    o->n_skewers = o->n_skewers != 0 ? o->n_skewers : DEFAULT_SKEWERS;
    o->least = o->least != 0 ? o->least : 1;
    o->radius = o->radius != 0 ? o->radius : 1;
    o->iterations = o->iterations != 0 ? o->iterations : 3;
    o->max_sweeps = o->max_sweeps != 0 ? o->max_sweeps : 100;
}

xta_status xta__follow_copy_options(xta_follow *f, const xta_follow_options *options,
                                    xta_error *err)
{
    const xta_scene_info info = xta_scene_inquire(f->scene);
    xta_status status = XTA_OK;
    blob text = {0};

    XTA_TRY(xta_options_read(&f->options, sizeof f->options, options, "xta_follow_options", err));
    options = &f->options;
    f->keep = with_implied(options->keep, options->method);
    XTA_TRY(check_options(f, err));
    XTA_TRY(copy_numbers(options->skewers, options->n_skewers, options->n_dims, &f->skewers, err));
    f->n_given_bands = info.n_bands;
    if (options->method == XTA_FOLLOW_GIVEN) {
        XTA_TRY(
            copy_numbers(options->endmembers, options->n_endmembers, info.n_bands, &f->given, err));
    }
    if (options->basis != NULL) {
        XTA_TRY(xta__basis_copy(options->basis, &f->basis, err));
    }
    settle_options(&f->options);
    f->options.skewers = f->skewers;
    f->options.endmembers = f->given;
    f->options.basis = f->basis;
    write_parameters(f, &text);
    xta__blob_put(&text, "", 1);
    if (text.failed) {
        status = xta_error_set(err, XTA_ENOMEM, 0, "no memory for the parameters");
        goto done;
    }
    f->parameters = (char *)text.bytes;
    text = (blob){0};
done:
    xta__blob_clear(&text);
    return status;
}

/* ---- comparing ---- */

/* One line, without its end. */
static size_t line_length(const char *text, size_t n)
{
    const char *end = memchr(text, '\n', n);

    return end != NULL ? (size_t)(end - text) : n;
}

xta_status xta__follow_same_options(const xta_follow *f, const state_file *state, xta_error *err)
{
    const blob_reader made = xta__state_file_find(state, "parameters");
    const char *then = made.n > 0 ? (const char *)made.bytes : "", *now = f->parameters;
    size_t n_then = made.n, n_now = strlen(f->parameters);

    while (n_then > 0 || n_now > 0) {
        const size_t a = line_length(then, n_then), b = line_length(now, n_now);
        if (a != b || memcmp(then, now, a) != 0) {
            return xta_error_set(
                err, XTA_EARG, 0,
                "%s: its results were made with \"%.*s\", and now \"%.*s\" is asked for: give the "
                "same, or another folder, or start over with --again",
                f->folder, (int)a, then, (int)b, now);
        }
        then += a < n_then ? a + 1 : a;
        n_then -= a < n_then ? a + 1 : a;
        now += b < n_now ? b + 1 : b;
        n_now -= b < n_now ? b + 1 : b;
    }
    return XTA_OK;
}

xta_simplex_options xta__follow_simplex_options(const xta_follow *f)
{
    xta_simplex_options options = XTA_SIMPLEX_OPTIONS_INIT;
    const xta_follow_options *o = &f->options;

    options.n = o->n_endmembers;
    options.method = o->method == XTA_FOLLOW_BY_SGA   ? XTA_SIMPLEX_SGA
                     : o->method == XTA_FOLLOW_BY_VCA ? XTA_SIMPLEX_VCA
                                                      : XTA_SIMPLEX_NFINDR;
    options.seed = o->seed;
    options.basis = o->basis;
    options.n_restarts = o->n_restarts;
    options.max_sweeps = o->max_sweeps;
    return options;
}
