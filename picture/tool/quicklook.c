/* The options of a quicklook.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

#include <string.h>

/* "lo:hi"; either may be negative. */
static xta_status parse_range(const char *text, double *low, double *high, cli_error *err)
{
    const char *colon = strchr(text, ':');
    char first[64];
    xta_status status = XTA_OK;

    if (colon == NULL || (size_t)(colon - text) >= sizeof first) {
        return cli_usage(err, "--range: \"%s\" is no range; want lo:hi", text);
    }
    memcpy(first, text, (size_t)(colon - text));
    first[colon - text] = '\0';
    XTA_TRY(cli_parse_real(first, "--range", low, err));
    XTA_TRY(cli_parse_real(colon + 1, "--range", high, err));
    if (!(*low < *high)) {
        return cli_usage(err, "--range: \"%s\" is empty; want lo:hi with lo below hi", text);
    }
done:
    return status;
}

static xta_status plan_bands(const cli_args *args, xta_quicklook_options *style, cli_error *err)
{
    const char *bands = draw_values(args)->bands;
    bool one_band = cli_has(args, "band");

    style->bands = draw_values(args)->band_axis;
    if (bands != NULL && one_band) {
        return cli_usage(err, "--band and --bands exclude one another");
    }
    if (bands != NULL) {
        style->n_rgb = 3;
        return cli_parse_coords_of(bands, "--bands", 3, style->rgb, err);
    }
    if (one_band) {
        style->n_rgb = 1;
        style->rgb[0] = draw_values(args)->band;
    }
    return XTA_OK;
}

static xta_status plan_colours(const cli_args *args, xta_quicklook_options *style, cli_error *err)
{
    xta_status status = XTA_OK;

    style->colormap = draw_values(args)->colormap;
    style->flip_rows = draw_values(args)->flip;
    style->legend = draw_values(args)->legend;
    if (draw_values(args)->range != NULL) {
        XTA_TRY(parse_range(draw_values(args)->range, &style->low, &style->high, err));
    }
    if (cli_has(args, "percent")) {
        style->percent = draw_values(args)->percent;
        if (!(style->percent > 0 && style->percent < 50)) {
            return cli_usage(err,
                             "--percent: %s is out of range; want more than 0 and less than 50",
                             cli_get(args, "percent"));
        }
    }
    if (cli_has(args, "zoom")) {
        style->zoom = (int)draw_values(args)->zoom;
    }
    if (cli_has(args, "max-pixels")) {
        style->max_pixels = (int)draw_values(args)->max_pixels;
    }
done:
    return status;
}

xta_status draw_quicklook_style(const cli_args *args, xta_array *array,
                                xta_quicklook_options *style, xta_box *box, cli_error *err)
{
    xta_status status = XTA_OK;

    style->rows = draw_values(args)->rows;
    style->columns = draw_values(args)->columns;
    style->title = draw_values(args)->title;
    style->cell_axes = draw_values(args)->cell_axes;
    style->no_graticule = draw_values(args)->no_graticule;
    if (cli_chosen(&draw_values(args)->cells)) {
        XTA_TRY(cli_choose_box(&draw_values(args)->cells, array, box, err));
        style->box = box;
    }
    XTA_TRY(plan_bands(args, style, err));
    XTA_TRY(plan_colours(args, style, err));
done:
    return status;
}
