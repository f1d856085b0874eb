/* The items of attributes for one band, as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/band_items.h"

#include <stdio.h>
#include <string.h>

#include "description/description.h"
#include "description/spread_attributes.h"
#include "gdal/library.h"
#include "gdal/names.h"
#include "gdal/raster.h"

void xta__raster_band_text(const raster_target *target, const char *key, int band, char *text,
                           size_t capacity)
{
    const bridge_description *what = target->what;
    char name[RASTER_TEXT_BYTES + 16];
    int axis = target->axes.band;
    const bridge_attribute *a = axis >= 0 ? xta__description_find(what, axis, key) : NULL;
    text[0] = '\0';
    if (a != NULL && a->ndim == 1) {
        int64_t item = what->lo[axis] + band - a->lo[0];
        if (item < 0 || item >= a->hi[0] - a->lo[0]) {
            return;
        }
        if (a->type == XTA_TEXT) {
            size_t length;
            const char *line = xta__text_line(a->values, (size_t)item, &length);
            snprintf(text, capacity, "%.*s", (int)length, line);
        } else {
            char number[GD_NUMBER_BYTES];
            double value = xta__attribute_number(a, (size_t)item, 0);
            snprintf(text, capacity, "%s", value == value ? xta__raster_number(value, number) : "");
        }
        return;
    }
    snprintf(name, sizeof name, "%s%s", GD_BAND, key);
    const char *alone = xta__description_text(what, XTA_ON_ARRAY, name);
    if (alone != NULL && target->n_bands == 1) {
        snprintf(text, capacity, "%.*s", (int)strcspn(alone, "\n"), alone);
    }
}

void xta__raster_band_item(const raster_target *target, const char *key, int band, char *text,
                           size_t capacity)
{
    char exact[RASTER_TEXT_BYTES];
    snprintf(exact, sizeof exact, "%s%s", key, GD_TEXT);
    bool has = target->axes.band >= 0 &&
               xta__description_find(target->what, target->axes.band, exact) != NULL;
    xta__raster_band_text(target, has ? exact : key, band, text, capacity);
}
