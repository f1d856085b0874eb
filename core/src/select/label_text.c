/* The text of a selection.
 *
 *     selection  AXIS=labels , ...
 *     labels     label | label~ | label~T | label? : label? | label? : label? : S | [ label , ... ]
 *     label      a date | "a name" | what has no comma, colon, tilde and closing bracket
 *
 * A date is asked for first, because its time has colons; it takes as many of them as it can. It is
 * a label only if the label ends where the date does.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "select/label_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "labels/iso_date.h"
#include "util/vector.h"

#define ENDS ":~,]"

enum { SHOWN = 64 }; // bytes of a text in an error

static int shown(size_t n)
{
    return (int)(n < SHOWN ? n : SHOWN);
}

/* The length of a label in quotes; 0 if they are not closed. */
static size_t quoted_length(const char *text)
{
    size_t n = 1;

    while (text[n] != '\0') {
        if (text[n] == '"' && text[n + 1] != '"') {
            return n + 1;
        }
        n += text[n] == '"' ? 2 : 1;
    }
    return 0;
}

static size_t label_length(const char *text)
{
    xta__iso_date date;
    size_t n = xta__iso_date_scan(text, &date);

    if (n > 0 && (text[n] == '\0' || strchr(ENDS, text[n]) != NULL)) {
        return n;
    }
    return strcspn(text, ENDS);
}

static xta_status read_piece(const char **at, xta__piece *piece, xta_error *err)
{
    bool quoted = **at == '"';
    size_t n = quoted ? quoted_length(*at) : label_length(*at);

    if (quoted && n == 0) {
        return xta__fail(err, XTA_EARG, 0, "%.64s: its quotes are not closed", *at);
    }
    *piece = (xta__piece){.text = *at, .n = n};
    *at += n;
    return XTA_OK;
}

/* A tolerance or a step: neither has commas or colons. */
static void read_number(const char **at, xta__piece *piece)
{
    *piece = (xta__piece){.text = *at, .n = strcspn(*at, ENDS)};
    *at += piece->n;
}

/* A, A~, A~T, A:B, A:B:S. */
static xta_status read_label(const char **at, xta__label_text *label, xta_error *err)
{
    xta_status status = XTA_OK;

    XTA_TRY(read_piece(at, &label->a, err));
    if (**at == '~') {
        (*at)++;
        label->form = XTA__LABEL_NEAREST;
        read_number(at, &label->more);
    } else if (**at == ':') {
        (*at)++;
        label->form = XTA__LABEL_RANGE;
        XTA_TRY(read_piece(at, &label->b, err));
        if (**at == ':') {
            (*at)++;
            read_number(at, &label->more);
            if (label->more.n == 0) {
                return xta__fail(err, XTA_EARG, 0,
                                 "%.64s: a step is missing after its second colon", label->a.text);
            }
        }
    }
    if (label->form != XTA__LABEL_RANGE && label->a.n == 0) {
        return xta__fail(err, XTA_EARG, 0, "\"%.64s\": a label is missing", label->a.text);
    }
done:
    return status;
}

static xta_status add_label(const char **at, xta__axis_labels *labels, xta_error *err)
{
    xta__label_text label = {0};
    xta_status status = XTA_OK;

    XTA_TRY(read_label(at, &label, err));
    if (labels->is_list && label.form == XTA__LABEL_RANGE) {
        return xta__fail(err, XTA_EARG, 0, "%.*s: a list in brackets has no ranges",
                         shown(strcspn(label.a.text, ",]")), label.a.text);
    }
    if (!XTA__RESERVE(labels->labels, labels->capacity, labels->n_labels + 1)) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for %zu labels", labels->n_labels + 1);
    }
    labels->labels[labels->n_labels++] = label;
done:
    return status;
}

static xta_status read_list(const char **at, xta__axis_labels *labels, xta_error *err)
{
    xta_status status = XTA_OK;

    labels->is_list = true;
    do {
        (*at)++;
        XTA_TRY(add_label(at, labels, err));
    } while (**at == ',');
    if (**at != ']') {
        return xta__fail(err, XTA_EARG, 0, "%.64s: its bracket is not closed", labels->whole.text);
    }
    (*at)++;
done:
    return status;
}

xta_status xta__axis_labels_read(const char **at, xta__axis_labels *labels, xta_error *err)
{
    const char *start = *at;
    size_t n = strcspn(start, "=");
    xta_status status = XTA_OK;

    labels->n_labels = 0;
    labels->is_list = false;
    if (start[n] == '\0' || n == 0 || *start == ',') {
        return xta__fail(err, XTA_EARG, 0, "\"%.64s\" is not AXIS=LABELS,...", start);
    }
    labels->axis = (xta__piece){.text = start, .n = n};
    *at += n + 1;
    labels->whole = (xta__piece){.text = *at};
    if (**at == '[') {
        XTA_TRY(read_list(at, labels, err));
    } else {
        XTA_TRY(add_label(at, labels, err));
    }
    labels->whole.n = (size_t)(*at - labels->whole.text);
    if (**at == ',' && (*at)[1] != '\0') {
        (*at)++;
    } else if (**at != '\0') {
        return xta__fail(err, XTA_EARG, 0,
                         "\"%.64s\" is left over after %.*s=%.*s; want A, A~, A~T, A:B, A:B:S or "
                         "[A,B,...]",
                         *at, shown(labels->axis.n), labels->axis.text, shown(labels->whole.n),
                         labels->whole.text);
    }
done:
    return status;
}

void xta__axis_labels_clear(xta__axis_labels *labels)
{
    free(labels->labels);
    *labels = (xta__axis_labels){0};
}

bool xta__piece_is_quoted(xta__piece piece)
{
    return piece.n >= 2 && piece.text[0] == '"';
}

bool xta__piece_copy(xta__piece piece, char *copy, size_t capacity)
{
    bool quoted = xta__piece_is_quoted(piece);
    size_t end = piece.n - quoted, n = 0;

    for (size_t k = quoted; k < end; k++) {
        if (n + 1 >= capacity) {
            return false;
        }
        copy[n++] = piece.text[k];
        k += quoted && piece.text[k] == '"';
    }
    copy[n] = '\0';
    return true;
}
