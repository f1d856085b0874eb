/* What the parts of the FITS bridge share. fits.c is the bridge, fits_find.c chooses an image,
 * fits_cards.c takes cards of a header apart, fits_header.c makes attributes of a header, and
 * fits_put.c a header of attributes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_FITS_H
#define XTA_BRIDGE_FITS_H

#include <fitsio.h>

#include "description/format.h"

/* Names of attributes; see docs/decisions/0010-bridges.md. A keyword is an attribute of its own
 * name. */
#define FITS_OWN "fits/"
/* the cards, one a line, but those that follow from the cells */
#define FITS_HEADER  BRIDGE_FITS_HEADER
#define FITS_PRIMARY "fits/primary" /* likewise of an empty primary header before the image's own */

#define FITS_CARD_BYTES 80
#define FITS_TEXT_BYTES 16384 /* of a value that goes on over several cards */

/* A file and the image in it that is meant. */
typedef struct fits_file {
    fitsfile *file;
    char *path;
    int type; /* CFITSIO's, of cells in memory */
    size_t cell_bytes;
    bool compressed;
    int ndim;
    int64_t bounds[XTA_MAX_NDIM]; /* of the array: NAXIS1 is the last axis */
} fits_file;

/* One card, taken apart. */
typedef enum fits_kind {
    FITS_COMMENTARY, /* COMMENT, HISTORY, blank: no value */
    FITS_CONTINUED,  /* CONTINUE: belongs to the card before */
    FITS_FOR_CELLS,  /* follows from the cells, or from how they are stored; made anew */
    FITS_UNDEFINED,  /* a keyword whose value is not there, or cannot be read */
    FITS_VALUE
} fits_kind;

typedef struct fits_card {
    fits_kind kind;
    char name[FLEN_KEYWORD]; /* of HIERARCH cards without that word */
    char comment[FLEN_COMMENT];
    xta_type type; /* XTA_TEXT, XTA_BOOL, XTA_I64, XTA_U64, XTA_F64, XTA_C128 */
    union {
        uint8_t truth;
        int64_t whole;
        uint64_t large;
        double number[2];
    } value;
    char text[FITS_TEXT_BYTES]; /* of XTA_TEXT */
    bool goes_on;               /* its text ends in '&': a CONTINUE card may follow */
} fits_card;

/* ---- fits_cards.c: pure ---- */

/* Take a card of at most 80 characters apart. `compressed`: one of a table that is an image. */
void xta__fits_parse(const char *record, bool compressed, fits_card *card);
/* Add the text of a CONTINUE card to that of the card before it. */
void xta__fits_go_on(const char *record, fits_card *card);
/* ---- fits_find.c: under the lock ---- */

/* Put CFITSIO's words, and what was being done, into an error. */
xta_status xta__fits_failed(const char *path, const char *doing, int code, xta_error *err);
/* Move to the image of that name or number, or the only one. */
xta_status xta__fits_choose(fits_file *f, const char *name, xta_error *err);

/* ---- fits_header.c: under the lock ---- */

/* Attributes from the header of the image. `of_primary`: only FITS_PRIMARY. */
xta_status xta__fits_describe(const fits_file *f, bool is_unsigned, bridge_description *what,
                              xta_error *err);
xta_status xta__fits_describe_primary(const fits_file *f, bridge_description *what, xta_error *err);

/* ---- fits_put.c: under the lock ---- */

/* Write the header of a new image, whose first cards are there already. `name`: of the extension,
 * if one was asked for. */
xta_status xta__fits_put(const fits_file *f, const bridge_description *what, const char *name,
                         bool is_unsigned, xta_error *err);
/* Write an empty primary header from FITS_PRIMARY. */
xta_status xta__fits_put_primary(const fits_file *f, const char *lines, xta_error *err);

extern const bridge_format xta__bridge_fits;

#endif
