/* The cards of a FITS header, parsed: keyword, value and comment. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_FITS_CARDS_H
#define XTA_FORMATS_FITS_CARDS_H

#include <fitsio.h>
#include <stdbool.h>
#include <stdint.h>

#include <xta/type.h>

#define FITS_CARD_BYTES 80
#define FITS_TEXT_BYTES 16384 /* for a value that continues over several cards */

/* One card, parsed. */
typedef enum fits_kind {
    FITS_COMMENTARY, /* COMMENT, HISTORY, blank: no value */
    FITS_CONTINUED,  /* CONTINUE: belongs to the card before */
    FITS_FOR_CELLS,  /* follows from the cells, or from how they are stored; generated anew */
    FITS_UNDEFINED,  /* a keyword whose value is missing or cannot be parsed */
    FITS_VALUE
} fits_kind;

typedef struct fits_card {
    fits_kind kind;
    char name[FLEN_KEYWORD]; /* for HIERARCH cards, without that word */
    char comment[FLEN_COMMENT];
    xta_type type; /* XTA_TEXT, XTA_BOOL, XTA_I64, XTA_U64, XTA_F64, XTA_C128 */
    union {
        uint8_t truth;
        int64_t whole;
        uint64_t large;
        double number[2];
    } value;
    char text[FITS_TEXT_BYTES]; /* value of type XTA_TEXT */
    bool goes_on;               /* its text ends in '&': a CONTINUE card may follow */
} fits_card;

/* Parse a card of at most 80 characters. `compressed`: the card is of a table that stores an
 * image. */
void xta__fits_card_parse(const char *record, bool compressed, fits_card *card);
/* Add the text of a CONTINUE card to that of the card before it. */
void xta__fits_card_continue(const char *record, fits_card *card);

#endif
