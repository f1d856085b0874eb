/* Quicklooks: a box of cells as an image.
 *
 * Options are determined first, then axes, bands and cells; finally each cell gets its pixels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quicklook/quicklook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <xta/options.h>

#include "drawing/canvas.h"
#include "drawing/colour.h"
#include "drawing/output.h"
#include "quicklook/axes.h"
#include "quicklook/bands.h"
#include "quicklook/cell_meaning.h"
#include "quicklook/extent.h"
#include "quicklook/image.h"
#include "quicklook/quicklook_state.h"
#include "quicklook/sample.h"
#include "util/try.h"

static xta_status check_options(xta_array *array, const xta_quicklook_options *o, xta_error *err)
{
    const char *path = xta_array_path(array);
    if (isnan(o->low) || isnan(o->high) || isinf(o->low) || isinf(o->high)) {
        return xta_error_set(err, XTA_EARG, 0, "%s: low and high must be finite numbers", path);
    }
    if (!(o->percent >= 0 && o->percent < 50)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: %g percent cannot be cut at either end; give 0 to 49", path,
                             o->percent);
    }
    if (o->max_pixels < 0 || o->max_pixels > PICTURE_MOST_PIXELS) {
        return xta_error_set(err, XTA_EARG, 0, "%s: max_pixels is %d; give 1 to %d", path,
                             o->max_pixels, PICTURE_MOST_PIXELS);
    }
    if (o->zoom < 0 || o->zoom > PICTURE_MOST_PIXELS) {
        return xta_error_set(err, XTA_EARG, 0, "%s: zoom is %d; give 1 to %d", path, o->zoom,
                             PICTURE_MOST_PIXELS);
    }
    return XTA_OK;
}

xta_status xta__picture_settle(picture_quicklook *q, const xta_quicklook_options *options,
                               xta_error *err)
{
    xta_status status = XTA_OK;
    bool svg = false;
    XTA_TRY(
        xta_options_read(&q->options, sizeof q->options, options, "xta_quicklook_options", err));
    const xta_quicklook_options *o = &q->options;
    const char *colormap = o->colormap != NULL ? o->colormap : "viridis";
    XTA_TRY(xta__picture_suffix(q->path, &svg, err));
    XTA_TRY(xta__picture_check_type(q->array, err));
    XTA_TRY(check_options(q->array, o, err));
    if (!xta__picture_colormap(colormap, q->colormap)) {
        status = xta_error_set(err, XTA_EARG, 0, "%s: no colour map is called '%s'; there are %s",
                               xta_array_path(q->array), colormap, xta__picture_colormap_names);
        goto done;
    }
    XTA_TRY(xta__picture_choose_box(q->array, o->box, &q->box, err));
    XTA_TRY(xta__picture_choose_axes(q->array, o, &q->axes, err));
    XTA_TRY(xta__picture_choose_bands(q->array, &q->axes, o, &q->box, &q->bands, err));
    xta__picture_meaning(q->array, q->axes.bands, &q->bands, &q->meaning);
    if (o->fill_is_data) {
        q->meaning.fill = NAN;
    }
    if (o->label != NULL) {
        q->meaning.unit[0] = '\0';
        snprintf(q->meaning.label, sizeof q->meaning.label, "%s", o->label);
    }
done:
    return status;
}

xta_status xta__picture_quicklook_to(xta_array *array, const xta_quicklook_options *options,
                                     const char *path, xta__text *to, xta_error *err)
{
    xta_status status = XTA_OK;
    int64_t cells = 0;
    picture_quicklook *q = calloc(1, sizeof *q);
    if (q == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: out of memory", xta_array_path(array));
    }
    q->array = array;
    q->path = path;
    q->to = to;
    XTA_TRY(xta__picture_settle(q, options, err));

    int64_t most = xta__picture_longest_side(&q->options, &cells);
    XTA_TRY(xta__picture_sample(array, &q->axes, &q->bands, &q->meaning, &q->options, &q->box,
                                cells, &q->sample, err));
    status = xta__picture_draw_image(q, most, err);
done:
    xta__picture_sample_clear(&q->sample);
    free(q);
    return status;
}

xta_status xta_picture_quicklook(xta_array *array, const xta_quicklook_options *options,
                                 const char *path, xta_error *err)
{
    return xta__picture_quicklook_to(array, options, path, NULL, err);
}
