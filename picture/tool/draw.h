/* The options of xta draw, and its pictures of cells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_DRAW_H
#define XTA_TOOL_DRAW_H

#include <xta/picture.h>

#include "kit/cells/choice.h"
#include "kit/program.h"

/* Values of the options. */
typedef struct draw_options {
    const char *out;
    const char *rows;
    const char *columns;
    const char *at;
    const char *title;
    bool quicklook;
    cli_choice cells;
    const char *bands;
    int64_t band;
    const char *band_axis;
    const char *colormap;
    const char *range;
    double percent;
    bool flip;
    bool legend;
    int64_t zoom;
    int64_t max_pixels;
    bool cell_axes;
    bool no_graticule;
    const char *series;
    bool bad_bands_too;
    const char *panels;
    const char *hovmoeller;
    const char *plan;
    const char *format;
    bool json;
    int64_t as_of;
} draw_options;

static inline const draw_options *draw_values(const cli_args *args)
{
    return args->values;
}

/* quicklook.c: the options of a quicklook as the library takes them. `box` is memory for the one
 * that is given. */
xta_status draw_quicklook_style(const cli_args *args, xta_array *array,
                                xta_quicklook_options *style, xta_box *box, cli_error *err);

/* views.c: cells along an axis as lines (--series). */
xta_status draw_series(const cli_args *args, xta_array *array, const char *out, cli_error *err);
/* views.c: small multiples (--panels). */
xta_status draw_panels(const cli_args *args, xta_array *array, const char *out, cli_error *err);
/* views.c: two axes, the mean over all others (--hovmoeller). */
xta_status draw_hovmoeller(const cli_args *args, xta_array *array, const char *out, cli_error *err);

/* draw_output.c: where the picture goes: a file, or, of "-", a file in the folder for temporary
 * files that is copied to standard output at the end. */
typedef struct draw_output {
    const char *path; // what to draw to
    char *temporary;  // NULL: `path` is the file itself
} draw_output;

/* A usage error if the options do not say what the picture is. */
xta_status draw_output_begin(const cli_args *args, draw_output *output, cli_error *err);

/* Copy a picture to standard output, if `status` is XTA_OK, and remove the temporary file. Returns
 * `status`, or the error that occurred here. */
xta_status draw_output_end(draw_output *output, xta_status status, cli_error *err);

#endif
