/* The text of a selection, cut into axes and labels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_SELECT_LABEL_TEXT_H
#define XTA_SELECT_LABEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <xta/status.h>

/* A piece of the text, borrowed; n = 0: missing. Quotes around a name are part of it. */
typedef struct xta__piece {
    const char *text;
    size_t n;
} xta__piece;

typedef enum xta__label_form {
    XTA__LABEL_ONE,     /* A */
    XTA__LABEL_NEAREST, /* A~, A~T */
    XTA__LABEL_RANGE    /* A:B, A:B:S */
} xta__label_form;

/* A label, or a range of two. */
typedef struct xta__label_text {
    xta__label_form form;
    xta__piece a, b;
    xta__piece more; /* T, S */
} xta__label_text;

/* `AXIS=LABELS`. */
typedef struct xta__axis_labels {
    xta__piece axis;
    xta__piece whole; /* LABELS, for errors */
    bool is_list;
    xta__label_text *labels; /* one, or those of a list */
    size_t n_labels, capacity;
} xta__axis_labels;

/* Read the next `AXIS=LABELS` at *at, which moves past it and past the comma behind. `labels` is
 * all zeros, or what an earlier call left, and is freed by xta__axis_labels_clear.
 *
 * XTA_EARG: not of this form; XTA_ENOMEM. */
xta_status xta__axis_labels_read(const char **at, xta__axis_labels *labels, xta_error *err);
void xta__axis_labels_clear(xta__axis_labels *labels);

/* Copy a piece as a string, without its quotes; two quotes inside them are one. False if it has
 * `capacity` bytes or more. */
bool xta__piece_copy(xta__piece piece, char *copy, size_t capacity);

/* Whether a piece is in quotes: a name, whatever it looks like. */
bool xta__piece_is_quoted(xta__piece piece);

#endif
