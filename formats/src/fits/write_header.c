/* A header for a new FITS image, from attributes.
 *
 * The source's cards are written again as they were, in their order, where the attribute of that
 * name still has the same value; new attributes follow. An array's reference pixels belong to the
 * cell at 0, so an export of a box moves them (CRPIXn, LTVn).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fits/write_header.h"

#include <ctype.h>
#include <fitsio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/placement.h"
#include "fits/cards.h"
#include "fits/names.h"
#include "fits/select_image.h"

typedef struct writer {
    const fits_file *f;
    const bridge_description *what;
    const char *name; /* name of the extension, if one was requested */
    bool is_unsigned;
    bool *written; /* for each attribute, whether it has been written */
    int code;      /* the first CFITSIO error code, else 0 */
    fits_card card;
} writer;

/* ---- values ---- */

/* The number of an attribute as it has to be in this file. */
static double moved_number(const writer *w, const bridge_attribute *a)
{
    int n = xta__placement_pixel_axis(a->name);
    double value = xta__attribute_number(a, 0, 0);
    return n > 0 && n <= w->what->ndim ? value - (double)w->what->lo[w->what->ndim - n] : value;
}

static bool is_moved(const writer *w, const bridge_attribute *a)
{
    int n = xta__placement_pixel_axis(a->name);
    return n > 0 && n <= w->what->ndim && w->what->lo[w->what->ndim - n] != 0;
}

/* Whether a card still agrees with the attribute. */
static bool says_same(const writer *w, const bridge_attribute *a)
{
    const fits_card *card = &w->card;
    if (a->type == XTA_TEXT || card->type == XTA_TEXT) {
        return a->type == card->type && strcmp(a->values, card->text) == 0;
    }
    if (card->type == XTA_C128) {
        const double *pair = a->values;
        return a->type == XTA_C128 && a->count == 1 && pair[0] == card->value.number[0] &&
               pair[1] == card->value.number[1];
    }
    if (a->type == card->type && a->count == 1 && !is_moved(w, a)) {
        return memcmp(a->values, &card->value, a->cell_bytes) == 0;
    }
    double number = 0;
    return a->count == 1 &&
           xta_type_convert(card->type, &card->value, XTA_F64, &number, 1, NULL) == XTA_OK &&
           moved_number(w, a) == number;
}

/* The number of digits from which a number can be read back exactly. */
static int digits_of(double value, int least, int most, bool single)
{
    char text[40];
    int digits = least;
    for (; digits < most; digits++) {
        snprintf(text, sizeof text, "%.*E", digits - 1, value);
        double back = strtod(text, NULL);
        if (single ? (float)back == (float)value : back == value) {
            break;
        }
    }
    return digits;
}

static void put_number(writer *w, const char *name, const bridge_attribute *a, const char *comment)
{
    double value = moved_number(w, a);
    bool whole = a->type != XTA_F32 && a->type != XTA_F64 && a->type != XTA_F16;
    if (a->type == XTA_BOOL) {
        int truth = *(const uint8_t *)a->values != 0;
        fits_write_key(w->f->file, TLOGICAL, name, &truth, comment, &w->code);
    } else if (a->type == XTA_C128 || a->type == XTA_C64) {
        double pair[2];
        if (xta_type_convert(a->type, a->values, XTA_C128, pair, 1, NULL) == XTA_OK) {
            fits_write_key_dblcmp(w->f->file, name, pair, 15, comment, &w->code);
        }
    } else if (whole && a->type == XTA_U64) {
        ULONGLONG large = *(const uint64_t *)a->values;
        fits_write_key(w->f->file, TULONGLONG, name, &large, comment, &w->code);
    } else if (whole && (!is_moved(w, a) || value == floor(value))) {
        int64_t n = 0;
        if (xta_type_convert(a->type, a->values, XTA_I64, &n, 1, NULL) == XTA_OK) {
            LONGLONG number = is_moved(w, a) ? (LONGLONG)value : (LONGLONG)n;
            fits_write_key(w->f->file, TLONGLONG, name, &number, comment, &w->code);
        }
    } else if (isfinite(value)) { // FITS headers have no NaN or infinity
        bool single = a->type != XTA_F64;
        int digits = digits_of(value, single ? 6 : 15, single ? 9 : 17, single);
        fits_write_key_dbl(w->f->file, name, value, -digits, comment, &w->code);
    }
}

/* Replace characters that FITS headers may not contain. */
static char *clean_text(const bridge_attribute *a)
{
    char *text = xta__bridge_copy(a->values);
    for (unsigned char *c = (unsigned char *)text; c != NULL && *c != '\0'; c++) {
        *c = *c >= 32 && *c < 127 ? *c : *c == '\n' || *c == '\t' ? ' ' : '?';
    }
    return text;
}

static void put_value(writer *w, const char *name, const bridge_attribute *a, const char *comment)
{
    if (a->type != XTA_TEXT) {
        put_number(w, name, a, comment);
        return;
    }
    char *text = clean_text(a);
    if (text == NULL) {
        w->code = MEMORY_ALLOCATION;
        return;
    }
    fits_write_key_longstr(w->f->file, name, text, comment, &w->code);
    free(text);
}

/* ---- cards of the source ---- */

static bool is_sign_trick(const writer *w, const char *name)
{
    return w->is_unsigned && (strcmp(name, "BSCALE") == 0 || strcmp(name, "BZERO") == 0);
}

static const bridge_attribute *attribute_of(const writer *w, const char *name, size_t *number)
{
    const bridge_attribute *a = xta__description_find(w->what, XTA_ON_ARRAY, name);
    *number = a != NULL ? (size_t)(a - w->what->attributes) : 0;
    return a;
}

/* Write a card with a value; its text may come from several cards, `records`, stored one after the
 * other, one on each line. */
static void put_card(writer *w, const char *records, size_t n_bytes)
{
    char record[FLEN_CARD];
    size_t number = 0;
    const bridge_attribute *a = attribute_of(w, w->card.name, &number);
    bool name_asked = w->name != NULL && strcmp(w->card.name, "EXTNAME") == 0;
    if (name_asked || is_sign_trick(w, w->card.name)) {
        return; // written elsewhere
    }
    bool could_be = strchr(w->card.name, '/') == NULL;
    bool again = a != NULL && w->written[number]; // the keyword occurs twice
    if (a == NULL && could_be) {
        return; // the attribute has been removed
    }
    if (a != NULL && !again) {
        w->written[number] = true;
        if (!says_same(w, a)) {
            put_value(w, w->card.name, a, w->card.comment);
            return;
        }
    }
    for (size_t at = 0; at < n_bytes;) {
        size_t length = strcspn(records + at, "\n");
        snprintf(record, sizeof record, "%.*s", (int)length, records + at);
        fits_write_record(w->f->file, record, &w->code);
        at += length + 1;
    }
}

/* Bytes of the lines that continue the card's text. */
static size_t continued_bytes(writer *w, const char *next)
{
    char record[FLEN_CARD];
    size_t used = 0;
    while (w->card.goes_on && strncmp(next + used, "CONTINUE", 8) == 0) {
        size_t length = strcspn(next + used, "\n");
        snprintf(record, sizeof record, "%.*s", (int)length, next + used);
        xta__fits_card_continue(record, &w->card);
        used += length + (next[used + length] == '\n' ? 1 : 0);
    }
    return used;
}

static void put_lines(writer *w, const char *text, bool verbatim)
{
    char record[FLEN_CARD];
    while (*text != '\0' && w->code == 0) {
        size_t length = strcspn(text, "\n");
        size_t bytes = length + (text[length] == '\n' ? 1 : 0);
        snprintf(record, sizeof record, "%.*s", (int)length, text);
        xta__fits_card_parse(record, false, &w->card);
        if (w->card.kind == FITS_VALUE && !verbatim) {
            bytes += continued_bytes(w, text + bytes);
            put_card(w, text, bytes);
        } else if (w->card.kind != FITS_FOR_CELLS) {
            fits_write_record(w->f->file, record, &w->code);
        }
        text += bytes;
    }
}

/* ---- what other formats call differently, and what is new ---- */

static void put_as(writer *w, const char *from, const char *to)
{
    size_t number = 0;
    const bridge_attribute *a = attribute_of(w, from, &number);
    if (a != NULL && a->ndim == 0 && xta__description_find(w->what, XTA_ON_ARRAY, to) == NULL) {
        put_value(w, to, a, NULL);
    }
}

/* Write, under FITS's keywords, attributes that other formats name differently. */
static void put_translated(writer *w)
{
    const bridge_attribute *fill = xta__description_find(w->what, XTA_ON_ARRAY, "_FillValue");
    bool whole = w->what->type <= XTA_U64 && w->what->type != XTA_BOOL;
    put_as(w, "units", "BUNIT");
    if (!w->is_unsigned) {
        put_as(w, "scale_factor", "BSCALE");
        put_as(w, "add_offset", "BZERO");
    }
    if (fill != NULL && fill->ndim == 0 && fill->count == 1 && whole && !w->is_unsigned) {
        put_as(w, "_FillValue", "BLANK");
    }
}

/* Whether an attribute can be a card: one number or a text, with a name that FITS or HIERARCH
 * allows. */
static bool can_be_card(const bridge_attribute *a)
{
    static const char *const others[] = {"scale_factor", "add_offset", "_FillValue", "units", NULL};
    bool plain = a->axis == XTA_ON_ARRAY && a->ndim == 0 && a->type != XTA_BYTES &&
                 (a->type == XTA_TEXT || a->count == 1) && strlen(a->name) < 60;
    for (const char *c = a->name; *c != '\0' && plain; c++) {
        plain = isalnum((unsigned char)*c) || *c == '_' || *c == '-' || *c == ' ';
    }
    for (int k = 0; others[k] != NULL && plain; k++) {
        plain = strcmp(a->name, others[k]) != 0;
    }
    return plain && (a->type != XTA_TEXT || a->count < FITS_TEXT_BYTES);
}

/* CFITSIO converts a FITS keyword to upper case; HIERARCH keeps a name as it is. */
static void put_new(writer *w, const bridge_attribute *a)
{
    char name[FLEN_KEYWORD];
    bool upper = strlen(a->name) <= 8;
    for (const char *c = a->name; *c != '\0' && upper; c++) {
        upper =
            (isupper((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_' || *c == '-');
    }
    snprintf(name, sizeof name, "%s%s", upper ? "" : "HIERARCH ", a->name);
    put_value(w, name, a, NULL);
}

static void put_rest(writer *w)
{
    for (size_t k = 0; k < w->what->n_attributes && w->code == 0; k++) {
        const bridge_attribute *a = &w->what->attributes[k];
        bool extension = w->name != NULL && strcmp(a->name, "EXTNAME") == 0;
        if (!w->written[k] && !extension && can_be_card(a) && !is_sign_trick(w, a->name)) {
            put_new(w, a);
        }
    }
    if (w->name != NULL) {
        fits_update_key(w->f->file, TSTRING, "EXTNAME", (void *)(uintptr_t)w->name, NULL, &w->code);
    }
}

xta_status xta__fits_write_header(const fits_file *f, const bridge_description *what,
                                  const char *name, bool is_unsigned, xta_error *err)
{
    xta_status status = XTA_OK;
    const char *text = xta__description_text(what, XTA_ON_ARRAY, FITS_HEADER);
    writer *w = calloc(1, sizeof *w);
    bool *written = calloc(what->n_attributes + 1, sizeof *written);
    if (w == NULL || written == NULL) {
        status = xta__bridge_no_memory(f->path, err);
        goto done;
    }
    w->f = f;
    w->what = what;
    w->name = name;
    w->is_unsigned = is_unsigned;
    w->written = written;
    put_lines(w, text != NULL ? text : "", false);
    put_translated(w);
    put_rest(w);
    if (w->code != 0) {
        status = xta__fits_failed(f->path, "cannot write its header", w->code, err);
    }
done:
    free(written);
    free(w);
    return status;
}

xta_status xta__fits_write_primary(const fits_file *f, const char *lines, xta_error *err)
{
    bridge_description none;
    writer *w = calloc(1, sizeof *w);
    if (w == NULL) {
        return xta__bridge_no_memory(f->path, err);
    }
    xta__description_init(&none);
    w->f = f;
    w->what = &none;
    put_lines(w, lines, true);
    xta_status status =
        w->code != 0 ? xta__fits_failed(f->path, "cannot write its primary header", w->code, err)
                     : XTA_OK;
    free(w);
    return status;
}
