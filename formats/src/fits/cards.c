/* The cards of a FITS header, parsed. CFITSIO splits a card into keyword, value and comment; here
 * the value becomes a number, a truth value or a text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fits/cards.h"

#include <ctype.h>
#include <errno.h>
#include <fitsio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Copy the text between quotes, in which two quotes stand for one; blanks at its end are dropped.
 * Returns what follows the text; NULL if there is none. */
static const char *unquote_text(const char *value, char *text, size_t capacity)
{
    size_t n = 0;
    const char *c = value;
    while (*c == ' ') {
        c++;
    }
    if (*c++ != '\'') {
        return NULL;
    }
    for (; *c != '\0' && n + 1 < capacity; c++) {
        if (*c == '\'' && c[1] != '\'') {
            break;
        }
        c += *c == '\'' ? 1 : 0;
        text[n++] = *c;
    }
    while (n > 0 && text[n - 1] == ' ') {
        n--;
    }
    text[n] = '\0';
    return c + (*c == '\'' ? 1 : 0);
}

/* Whole numbers are kept exactly if they fit in 64 bits. */
static bool parse_whole(const char *value, fits_card *card)
{
    char *end = NULL;
    errno = 0;
    card->type = XTA_I64;
    card->value.whole = strtoll(value, &end, 10);
    if (errno == ERANGE && strchr(value, '-') == NULL) {
        errno = 0;
        card->type = XTA_U64;
        card->value.large = strtoull(value, &end, 10);
    }
    return errno == 0 && end != value && *end == '\0';
}

/* The exponent may be a D. */
static bool parse_number(const char *value, fits_card *card)
{
    char text[FLEN_VALUE];
    char *end = NULL;
    snprintf(text, sizeof text, "%s", value);
    for (char *c = text; *c != '\0'; c++) {
        *c = *c == 'D' || *c == 'd' ? 'E' : *c;
    }
    card->type = XTA_F64;
    card->value.number[0] = strtod(text, &end);
    return end != text && *end == '\0';
}

static bool parse_value(const char *value, fits_card *card)
{
    int code = 0;
    char kind = '\0';
    char text[FLEN_VALUE];
    size_t n = strlen(value);
    snprintf(text, sizeof text, "%s", value);
    if (fits_get_keytype(text, &kind, &code) != 0) {
        fits_clear_errmsg();
        return false;
    }
    switch (kind) {
    case 'C':
        card->type = XTA_TEXT;
        if (unquote_text(value, card->text, sizeof card->text) == NULL) {
            return false;
        }
        n = strlen(card->text);
        card->goes_on = n > 0 && card->text[n - 1] == '&';
        return true;
    case 'L':
        card->type = XTA_BOOL;
        card->value.truth = value[0] == 'T';
        return true;
    case 'I':
        return parse_whole(value, card) || parse_number(value, card);
    case 'F':
        return parse_number(value, card);
    case 'X':
        card->type = XTA_C128;
        return n > 0 &&
               sscanf(value, " (%lf ,%lf )", &card->value.number[0], &card->value.number[1]) == 2;
    default:
        return false;
    }
}

static bool begins_with(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* Whether a name is the text `with` followed by digits only, at least one. */
static bool is_numbered(const char *name, const char *with)
{
    size_t n = strlen(with);
    return begins_with(name, with) && isdigit((unsigned char)name[n]) &&
           strspn(name + n, "0123456789") == strlen(name + n);
}

/* Whether a keyword follows from the cells, or from how they are stored. */
static bool is_for_cells(const char *name, bool compressed)
{
    static const char *const names[] = {"SIMPLE",  "XTENSION", "BITPIX",  "NAXIS", "EXTEND",
                                        "PCOUNT",  "GCOUNT",   "GROUPS",  "END",   "CHECKSUM",
                                        "DATASUM", "LONGSTRN", "TFIELDS", "THEAP", NULL};
    static const char *const of_tables[] = {
        "ZIMAGE",   "ZSIMPLE", "ZTENSION", "ZEXTEND",  "ZBITPIX",  "ZNAXIS",
        "ZPCOUNT",  "ZGCOUNT", "ZCMPTYPE", "ZQUANTIZ", "ZDITHER0", "ZHECKSUM",
        "ZDATASUM", "ZBLANK",  "ZMASKCMP", "ZSCALE",   "ZZERO",    NULL};
    static const char *const numbered[] = {"ZNAXIS", "ZTILE", "ZNAME", "ZVAL",  "TTYPE", "TFORM",
                                           "TUNIT",  "TNULL", "TZERO", "TSCAL", NULL};
    for (int k = 0; names[k] != NULL; k++) {
        if (strcmp(name, names[k]) == 0) {
            return true;
        }
    }
    if (is_numbered(name, "NAXIS")) {
        return true;
    }
    for (int k = 0; compressed && of_tables[k] != NULL; k++) {
        if (strcmp(name, of_tables[k]) == 0) {
            return true;
        }
    }
    for (int k = 0; compressed && numbered[k] != NULL; k++) {
        if (is_numbered(name, numbered[k])) {
            return true;
        }
    }
    return false;
}

void xta__fits_card_parse(const char *record, bool compressed, fits_card *card)
{
    char value[FLEN_VALUE] = "";
    char whole[FLEN_CARD];
    int length = 0;
    int code = 0;
    card->kind = FITS_COMMENTARY;
    card->name[0] = card->comment[0] = card->text[0] = '\0';
    card->goes_on = false;
    snprintf(whole, sizeof whole, "%s", record);
    if (begins_with(record, "CONTINUE")) {
        card->kind = FITS_CONTINUED;
        return;
    }
    fits_get_keyname(whole, card->name, &length, &code);
    fits_parse_value(whole, value, card->comment, &code);
    fits_clear_errmsg();
    if (code != 0) { // such a card is kept as it is, and not interpreted
        card->kind = card->name[0] != '\0' ? FITS_UNDEFINED : FITS_COMMENTARY;
    } else if (is_for_cells(card->name, compressed)) {
        card->kind = FITS_FOR_CELLS;
    } else if (value[0] != '\0') {
        card->kind = parse_value(value, card) ? FITS_VALUE : FITS_UNDEFINED;
    } else if (strchr(record, '=') == record + 8) {
        card->kind = FITS_UNDEFINED;
    }
}

void xta__fits_card_continue(const char *record, fits_card *card)
{
    size_t n = strlen(card->text);
    card->text[n - 1] = '\0'; // the '&'
    card->goes_on = false;
    const char *rest = strlen(record) > 8
                           ? unquote_text(record + 8, card->text + n - 1, sizeof card->text - n)
                           : NULL;
    if (rest != NULL) {
        n = strlen(card->text);
        card->goes_on = n > 0 && card->text[n - 1] == '&' && n + 100 < sizeof card->text;
        rest += strspn(rest, " ");
        if (*rest == '/') { // the comment is on the last card
            rest += 1 + strspn(rest + 1, " ");
            snprintf(card->comment, sizeof card->comment, "%.*s", FLEN_COMMENT - 1, rest);
        }
    }
}
