/* Attributes from the header of a FITS image.
 *
 * Each keyword becomes an attribute of the same name, a number if its value is one. The cards
 * themselves are kept beside them as lines of one text, in their order, with comments and history;
 * an export writes a card again, word for word, as long as the attribute still has the same value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fits/read_header.h"

#include <fitsio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "fits/cards.h"
#include "fits/names.h"
#include "fits/select_image.h"
#include "util/try.h"
#include "util/vector.h"

#define MOST_CARDS 1000000

/* The lines of a header while it is being read. */
typedef struct lines {
    char *text;
    size_t used;
    size_t capacity;
} lines;

static bool add_line(lines *to, const char *record)
{
    size_t n = strlen(record);
    if (!XTA__RESERVE(to->text, to->capacity, to->used + n + 2)) {
        return false;
    }
    for (size_t k = 0; k < n; k++) { // the standard allows no other characters
        to->text[to->used + k] = record[k] >= 32 && record[k] < 127 ? record[k] : '?';
    }
    to->used += n;
    to->text[to->used++] = '\n';
    to->text[to->used] = '\0';
    return true;
}

/* Whether a name can be that of an attribute: not one of XTA's own names, which contain slashes. */
static bool may_be_name(const char *name)
{
    bool good = name[0] != '\0';
    for (const char *c = name; *c != '\0' && good; c++) {
        good = *c > 32 || (*c == ' ' && c > name);
        good = good && *c < 127 && *c != '/';
    }
    return good;
}

/* If a keyword occurs more than once, its first card counts. */
static bool add_card(bridge_description *what, const fits_card *card)
{
    if (!may_be_name(card->name) || xta__description_find(what, XTA_ON_ARRAY, card->name) != NULL) {
        return true;
    }
    if (card->type == XTA_TEXT) {
        return xta__description_add_text(what, XTA_ON_ARRAY, card->name, card->text) != NULL;
    }
    return xta__description_add(what, XTA_ON_ARRAY, card->name, card->type, 1, &card->value) !=
           NULL;
}

/* Whether this is the scale or zero of integers that are shifted only because FITS has no unsigned
 * ones. */
static bool is_sign_trick(const char *name, bool is_unsigned)
{
    return is_unsigned && (strcmp(name, "BSCALE") == 0 || strcmp(name, "BZERO") == 0);
}

/* Read all cards into lines and, if `what` is not NULL, attributes. */
static xta_status read_header(const fits_file *f, bool is_unsigned, fits_card *card, lines *kept,
                              bridge_description *what, xta_error *err)
{
    char record[FLEN_CARD];
    int n = 0;
    int code = 0;
    bool pending = false; // a text that may continue on the next card
    bool good = true;
    fits_get_hdrspace(f->file, &n, NULL, &code);
    for (int k = 1; k <= n && k <= MOST_CARDS && code == 0 && good; k++) {
        if (fits_read_record(f->file, k, record, &code) != 0) {
            break;
        }
        if (pending && card->goes_on && strncmp(record, "CONTINUE", 8) == 0) {
            xta__fits_card_continue(record, card);
            good = add_line(kept, record);
            continue;
        }
        good = !pending || what == NULL || add_card(what, card);
        pending = false;
        xta__fits_card_parse(record, f->compressed, card);
        if (card->kind == FITS_FOR_CELLS || is_sign_trick(card->name, is_unsigned)) {
            continue;
        }
        pending = card->kind == FITS_VALUE;
        good = good && add_line(kept, record);
    }
    if (pending && good && what != NULL) {
        good = add_card(what, card);
    }
    if (code != 0) {
        return xta__fits_failed(f->path, "cannot read its header", code, err);
    }
    return good ? XTA_OK : xta__bridge_no_memory(f->path, err);
}

/* x and y as in every raster; the third axis is that of bands. */
static bool name_axes(const fits_file *f, bridge_description *what)
{
    static const char *const names[] = {"x", "y", "band"};
    char key[24];
    for (int d = 0; d < f->ndim; d++) {
        int axis = f->ndim - 1 - d;
        snprintf(key, sizeof key, "axis%d", d + 1);
        what->name[axis] = xta__copy_foreign_name(d < 3 ? names[d] : key);
        snprintf(key, sizeof key, "CUNIT%d", d + 1);
        const char *unit = xta__description_text(what, XTA_ON_ARRAY, key);
        what->unit[axis] = unit != NULL && unit[0] != '\0' ? xta__copy_foreign_name(unit) : NULL;
        if (what->name[axis] == NULL || (unit != NULL && unit[0] != '\0' && !what->unit[axis])) {
            return false;
        }
    }
    return true;
}

/* BLANK is a number as stored in the file. */
static bool set_fill(bool is_unsigned, bridge_description *what)
{
    const bridge_attribute *blank = xta__description_find(what, XTA_ON_ARRAY, "BLANK");
    if (blank == NULL || blank->type != XTA_I64 || what->type == XTA_F32 || what->type == XTA_F64) {
        return true;
    }
    uint64_t cell = (uint64_t)(*(const int64_t *)blank->values);
    if (is_unsigned && what->type == XTA_I8) {
        cell -= 0x80;
    } else if (is_unsigned) {
        cell += UINT64_C(1) << (8 * what->cell_bytes - 1);
    }
    what->fill = malloc(what->cell_bytes);
    if (what->fill == NULL) {
        return false;
    }
    xta_type type = what->type == XTA_U64 ? XTA_U64 : XTA_I64;
    bool fits = xta_type_convert(type, &cell, what->type, what->fill, 1, NULL) == XTA_OK;
    if (!fits) { // no cell can hold this value
        free(what->fill);
        what->fill = NULL;
    }
    return true;
}

/* Stored cells times BSCALE plus BZERO are the values; add these under the names that all bridges
 * use. */
static bool add_scale(bridge_description *what)
{
    const bridge_attribute *scale = xta__description_find(what, XTA_ON_ARRAY, "BSCALE");
    const bridge_attribute *zero = xta__description_find(what, XTA_ON_ARRAY, "BZERO");
    double factor = xta__attribute_number(scale, 0, 1);
    double offset = xta__attribute_number(zero, 0, 0);
    return (factor == 1 && offset == 0) ||
           (xta__description_add(what, XTA_ON_ARRAY, "scale_factor", XTA_F64, 1, &factor) != NULL &&
            xta__description_add(what, XTA_ON_ARRAY, "add_offset", XTA_F64, 1, &offset) != NULL);
}

xta_status xta__fits_read_header(const fits_file *f, bool is_unsigned, bridge_description *what,
                                 xta_error *err)
{
    xta_status status = XTA_OK;
    lines kept = {NULL, 0, 0};
    fits_card *card = calloc(1, sizeof *card);
    if (card == NULL) {
        return xta__bridge_no_memory(f->path, err);
    }
    XTA_TRY(read_header(f, is_unsigned, card, &kept, what, err));
    const char *name = xta__description_text(what, XTA_ON_ARRAY, "EXTNAME");
    bool good = kept.used == 0 || xta__description_add(what, XTA_ON_ARRAY, FITS_HEADER, XTA_TEXT,
                                                       kept.used, kept.text);
    if (good && name != NULL && name[0] != '\0') {
        what->variable = xta__copy_foreign_name(name);
        good = what->variable != NULL;
    }
    if (!good || !name_axes(f, what) || !set_fill(is_unsigned, what) || !add_scale(what)) {
        status = xta__bridge_no_memory(f->path, err);
    }
done:
    free(kept.text);
    free(card);
    return status;
}

xta_status xta__fits_read_primary(const fits_file *f, bridge_description *what, xta_error *err)
{
    xta_status status = XTA_OK;
    lines kept = {NULL, 0, 0};
    fits_card *card = calloc(1, sizeof *card);
    if (card == NULL) {
        return xta__bridge_no_memory(f->path, err);
    }
    XTA_TRY(read_header(f, false, card, &kept, NULL, err));
    if (xta__description_add(what, XTA_ON_ARRAY, FITS_PRIMARY, XTA_TEXT, kept.used, kept.text) ==
        NULL) {
        status = xta__bridge_no_memory(f->path, err);
    }
done:
    free(kept.text);
    free(card);
    return status;
}
