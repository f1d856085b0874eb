/* Class maps as PNG pictures: a pixel is the number of a class. Read only.
 *
 * The number is the index in a picture with a palette, the value in a grey picture, and in a colour
 * picture the position of the colour in a list. The list is given, or is made of the colours in
 * order of first appearance, row by row, with black as 0. Names and colours of the classes become
 * the attributes `class_names` and `class_colours`. Lost: other texts in the picture. The same
 * picture can also be read as a raster of three bands (format `gdal`), so this format is used only
 * if it is requested by name.
 *
 * Rows are decoded as they are needed; going back starts again from the first. An interlaced
 * picture would have to be in memory as a whole and is refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "labels/labels.h"

#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/format.h"
#include "labels/class_colours.h"
#include "labels/png_rows.h"
#include "util/try.h"

static const char *const suffixes[] = {NULL};

static bool labels_sniff(const char *path, const unsigned char *head, size_t n_bytes)
{
    (void)path;
    (void)head;
    (void)n_bytes;
    return false; // a picture is a raster unless the caller requests this format
}

static void labels_close(void *state)
{
    labels_source *source = state;
    xta__labels_stop(source);
    xta__class_list_clear(&source->list);
    free(source->texts);
    free(source->row);
    free(source->path);
    free(source);
}

/* The class number of a cell in the decoded row. */
static bool class_of(const labels_source *source, int64_t column, uint32_t *out)
{
    const unsigned char *cell = source->row + (size_t)column * source->pixel_bytes;
    switch (source->kind) {
    case LABELS_COLOUR:
        return xta__class_find(&source->list, labels_rgb(cell), out);
    case LABELS_GREY16: {
        uint16_t value;
        memcpy(&value, cell, sizeof value);
        *out = value;
        return true;
    }
    default:
        *out = source->kind == LABELS_PALETTE ? source->of_index[*cell] : *cell;
        return *out != LABELS_NO_CLASS;
    }
}

static xta_status no_class(const labels_source *source, int64_t row, int64_t column, xta_error *err)
{
    const unsigned char *cell = source->row + (size_t)column * source->pixel_bytes;
    const unsigned char *rgb =
        source->kind == LABELS_COLOUR ? cell : source->palette + (size_t)3 * *cell;
    return xta_error_set(
        err, XTA_EARG, 0,
        "%s: the pixel in row %lld, column %lld has the colour #%02x%02x%02x, which "
        "is not in the list of colours",
        source->path, (long long)row, (long long)column, rgb[0], rgb[1], rgb[2]);
}

/* Number all colours of the picture in order of appearance. */
static xta_status gather_colours(labels_source *source, xta_error *err)
{
    xta_status status = XTA_OK;
    if (!xta__class_add(&source->list, 0, NULL, 0)) {
        return xta__bridge_no_memory(source->path, err);
    }
    for (int64_t y = 0; y < source->rows; y++) {
        XTA_TRY(xta__labels_row(source, y, err));
        for (int64_t x = 0; x < source->columns; x++) {
            uint32_t rgb = labels_rgb(source->row + (size_t)x * source->pixel_bytes);
            uint32_t number;
            if (xta__class_find(&source->list, rgb, &number)) {
                continue;
            }
            if (source->list.n == LABELS_MOST || !xta__class_add(&source->list, rgb, NULL, 0)) {
                status = xta_error_set(err, XTA_EUNSUPPORTED, 0,
                                       "%s: has more than %d colours, so they are no classes; "
                                       "save it without shades, or give the list of colours",
                                       source->path, LABELS_MOST);
                goto done;
            }
        }
    }
done:
    return status;
}

/* Parse the given list of colours. For a picture with a palette, it assigns a class to each
 * index. */
static xta_status parse_list(labels_source *source, const char *colours, xta_error *err)
{
    xta_status status = XTA_OK;
    if (source->kind == LABELS_GREY || source->kind == LABELS_GREY16) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: is grey: its values are the classes; leave the colours out",
                             source->path);
    }
    XTA_TRY(xta__class_list_parse(colours, source->path, &source->list, err));
    for (int k = 0; k < source->n_palette && source->kind == LABELS_PALETTE; k++) {
        if (!xta__class_find(&source->list, labels_rgb(source->palette + 3 * k),
                             &source->of_index[k])) {
            source->of_index[k] = LABELS_NO_CLASS;
        }
    }
done:
    return status;
}

/* Colours of the classes, three bytes each; names, if there are any. */
static bool describe_classes(const labels_source *source, bridge_description *what)
{
    bool listed = source->list.n > 0;
    size_t n = listed ? source->list.n : (size_t)source->n_palette;
    bool good = true;
    if (n > 0) {
        bridge_attribute *a =
            xta__description_add(what, XTA_ON_ARRAY, LABELS_COLOURS, XTA_U8, 3 * n, NULL);
        good = a != NULL;
        for (size_t k = 0; good && k < n; k++) {
            unsigned char *rgb = (unsigned char *)a->values + 3 * k;
            uint32_t colour = listed ? source->list.rgb[k] : labels_rgb(source->palette + 3 * k);
            rgb[0] = (unsigned char)(colour >> 16);
            rgb[1] = (unsigned char)(colour >> 8);
            rgb[2] = (unsigned char)colour;
        }
    }
    const char *names = source->list.named ? source->list.names : source->texts;
    return good && (names == NULL ||
                    xta__description_add_text(what, XTA_ON_ARRAY, LABELS_NAMES, names) != NULL);
}

static xta_status describe_map(labels_source *source, bridge_description *what, xta_error *err)
{
    bool wide = source->kind == LABELS_GREY16 || source->list.n > 256;
    source->wide = wide;
    what->type = wide ? XTA_U16 : XTA_U8;
    what->cell_bytes = xta_type_bytes(what->type);
    what->ndim = 2;
    what->bounds[0] = source->rows;
    what->bounds[1] = source->columns;
    what->name[0] = xta__bridge_copy("y");
    what->name[1] = xta__bridge_copy("x");
    bool good = what->name[0] != NULL && what->name[1] != NULL && describe_classes(source, what);
    return good ? XTA_OK : xta__bridge_no_memory(source->path, err);
}

static xta_status labels_open(const char *path, const xta_import_options *options,
                              const bridge_target *target, bridge_description *what, void **state,
                              xta_error *err)
{
    xta_status status = XTA_OK;
    labels_source *source = calloc(1, sizeof *source);
    (void)target;
    if (source == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    source->path = xta__bridge_copy(path);
    if (source->path == NULL) {
        status = xta__bridge_no_memory(path, err);
        goto done;
    }
    XTA_TRY(xta__labels_start(source, err));
    for (uint32_t k = 0; k < 256; k++) {
        source->of_index[k] = k;
    }
    if (options->colours != NULL) {
        XTA_TRY(parse_list(source, options->colours, err));
    } else if (source->kind == LABELS_COLOUR) {
        XTA_TRY(gather_colours(source, err));
    }
    XTA_TRY(describe_map(source, what, err));
    *state = source;
    source = NULL;
done:
    if (source != NULL) {
        labels_close(source);
    }
    return status;
}

static xta_status labels_read(void *state, const xta_box *box, void *cells, xta_error *err)
{
    xta_status status = XTA_OK;
    labels_source *source = state;
    unsigned char *bytes = cells;
    size_t n = 0;
    for (int64_t y = box->lo[0]; y < box->hi[0] && box->hi[1] > box->lo[1]; y++) {
        XTA_TRY(xta__labels_row(source, y, err));
        for (int64_t x = box->lo[1]; x < box->hi[1]; x++, n++) {
            uint32_t number = 0;
            if (!class_of(source, x, &number)) {
                status = no_class(source, y, x, err);
                goto done;
            }
            uint16_t two = (uint16_t)number;
            if (source->wide) {
                memcpy(bytes + 2 * n, &two, sizeof two);
            } else {
                bytes[n] = (unsigned char)number;
            }
        }
    }
done:
    return status;
}

static xta_status labels_create(const char *path, const xta_export_options *options,
                                bridge_description *what, void **state, xta_error *err)
{
    (void)options;
    (void)what;
    (void)state;
    return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                         "%s: labels are read only; export them as ENVI (.img), or draw them",
                         path);
}

const bridge_format xta__bridge_labels = {
    .name = "labels",
    .summary = "labels: class maps as PNG pictures, with a palette, grey or in colours, import",
    .suffixes = suffixes,
    .sniff = labels_sniff,
    .open = labels_open,
    .read = labels_read,
    .close = labels_close,
    .create = labels_create,
};
