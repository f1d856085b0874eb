/* Rows of a PNG picture, decoded one after the other by libpng.
 *
 * libpng reports errors by longjmp, so each call into it is in a separate function that has nothing
 * to free in that case.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "labels/png_rows.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense_file.h"
#include "description/description.h"
#include "util/try.h"

/* The keyword of the text chunk with the names of the classes. */
#define NAMES_KEYWORD "class_names"

typedef struct labels_decoder {
    FILE *file;
    png_structp png;
    png_infop info;
    jmp_buf out;
    char text[200]; /* libpng's message */
} labels_decoder;

static void decoder_failed(png_structp png, png_const_charp text)
{
    labels_decoder *d = png_get_error_ptr(png);
    snprintf(d->text, sizeof d->text, "%s", text);
    longjmp(d->out, 1);
}

static void decoder_warned(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static xta_status damaged_picture(const labels_source *source, xta_error *err)
{
    return xta_error_set(err, XTA_EFORMAT, 0,
                         "%s: is damaged, or was cut off, at row %lld: libpng says: %s",
                         source->path, (long long)source->next, source->decoder->text);
}

void xta__labels_stop(labels_source *source)
{
    labels_decoder *d = source->decoder;
    if (d == NULL) {
        return;
    }
    if (d->png != NULL) {
        png_destroy_read_struct(&d->png, &d->info, NULL);
    }
    if (d->file != NULL) {
        fclose(d->file);
    }
    free(d);
    source->decoder = NULL;
}

/* Limit on a single allocation by libpng. A row, or anything else in a valid file, takes a few
 * megabytes. But libpng allocates the length that a chunk claims before it has read the bytes. It
 * skips a chunk other than pixels if its allocation fails. */
#define MOST_BYTES ((png_alloc_size_t)64 << 20)

static png_voidp decoder_allocate(png_structp png, png_alloc_size_t n_bytes)
{
    (void)png;
    return n_bytes <= MOST_BYTES ? malloc(n_bytes) : NULL;
}

static void give_back(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

/* Read everything before the rows, and set the form of the rows: one or two bytes for each pixel,
 * or three. */
static bool read_info(labels_decoder *d)
{
    if (setjmp(d->out) != 0) {
        return false;
    }
    png_init_io(d->png, d->file);
    png_read_info(d->png, d->info);
    png_set_packing(d->png);
    png_set_strip_alpha(d->png);
    if ((png_get_color_type(d->png, d->info) & PNG_COLOR_MASK_COLOR) != 0) {
        png_set_strip_16(d->png);
    } else if (!XTA__BIG_ENDIAN) {
        png_set_swap(d->png);
    }
    png_read_update_info(d->png, d->info);
    return true;
}

static bool read_row(labels_decoder *d, unsigned char *row)
{
    if (setjmp(d->out) != 0) {
        return false;
    }
    png_read_row(d->png, row, NULL);
    return true;
}

static void read_palette(labels_source *source)
{
    labels_decoder *d = source->decoder;
    png_colorp palette = NULL;
    int n = 0;
    if (png_get_PLTE(d->png, d->info, &palette, &n) == 0) {
        return;
    }
    source->n_palette = n < 256 ? n : 256;
    for (int k = 0; k < source->n_palette; k++) {
        source->palette[3 * k] = palette[k].red;
        source->palette[3 * k + 1] = palette[k].green;
        source->palette[3 * k + 2] = palette[k].blue;
    }
}

static void read_names(labels_source *source)
{
    labels_decoder *d = source->decoder;
    png_textp texts = NULL;
    int n = 0;
    png_get_text(d->png, d->info, &texts, &n);
    for (int k = 0; k < n && source->texts == NULL; k++) {
        if (strcmp(texts[k].key, NAMES_KEYWORD) == 0) {
            source->texts = xta__bridge_copy(texts[k].text);
        }
    }
}

static xta_status read_shape(labels_source *source, xta_error *err)
{
    const labels_decoder *d = source->decoder;
    int colour = png_get_color_type(d->png, d->info);
    int bits = png_get_bit_depth(d->png, d->info);
    source->columns = png_get_image_width(d->png, d->info);
    source->rows = png_get_image_height(d->png, d->info);
    if (png_get_interlace_type(d->png, d->info) != PNG_INTERLACE_NONE) {
        return xta_error_set(err, XTA_EUNSUPPORTED, 0,
                             "%s: is interlaced; save it without interlacing", source->path);
    }
    source->kind = colour == PNG_COLOR_TYPE_PALETTE       ? LABELS_PALETTE
                   : (colour & PNG_COLOR_MASK_COLOR) != 0 ? LABELS_COLOUR
                   : bits == 16                           ? LABELS_GREY16
                                                          : LABELS_GREY;
    source->pixel_bytes = source->kind == LABELS_COLOUR ? 3 : source->kind == LABELS_GREY16 ? 2 : 1;
    if (source->row == NULL) {
        source->row = malloc(png_get_rowbytes(d->png, d->info) + 8);
        if (source->row == NULL) {
            return xta__bridge_no_memory(source->path, err);
        }
        read_names(source);
    }
    if (source->kind == LABELS_PALETTE) {
        read_palette(source);
    }
    return XTA_OK;
}

xta_status xta__labels_start(labels_source *source, xta_error *err)
{
    xta__labels_stop(source);
    source->next = 0;
    labels_decoder *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return xta__bridge_no_memory(source->path, err);
    }
    source->decoder = d;
    d->file = fopen(source->path, "rb");
    if (d->file == NULL) {
        return xta_error_set(err, errno == ENOENT ? XTA_ENOENT : XTA_EACCESS, errno,
                             "%s: cannot open it: %s", source->path, strerror(errno));
    }
    d->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, d, decoder_failed, decoder_warned,
                                      NULL, decoder_allocate, give_back);
    d->info = d->png != NULL ? png_create_info_struct(d->png) : NULL;
    if (d->info == NULL) {
        return xta__bridge_no_memory(source->path, err);
    }
    return read_info(d) ? read_shape(source, err) : damaged_picture(source, err);
}

xta_status xta__labels_row(labels_source *source, int64_t row, xta_error *err)
{
    xta_status status = XTA_OK;
    if (row + 1 == source->next) {
        return XTA_OK; // still decoded
    }
    if (row < source->next) {
        XTA_TRY(xta__labels_start(source, err));
    }
    while (source->next <= row) {
        if (!read_row(source->decoder, source->row)) {
            status = damaged_picture(source, err);
            goto done;
        }
        source->next++;
    }
done:
    return status;
}
