/* Answers as responses of libmicrohttpd: headers, ranges, entity tags.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_RESPOND_H
#define XTA_VIEWS_SERVE_RESPOND_H

#include <microhttpd.h>

#include "serve/answer.h"

typedef struct serve_style {
    const char *origin; /* whose pages may read it; NULL: none */
    bool closes;        /* the connection is closed after the answer */
    bool head;          /* the request was HEAD, of which there are no ranges */
} serve_style;

/* A header of the request; NULL: it has none of this name. */
const char *xta__request_header(struct MHD_Connection *connection, const char *name);

/* Queue an answer, which is used up, as the request wants it: all of it, a range, or only that it
 * is the same. MHD_NO: out of memory; the connection is closed. */
enum MHD_Result xta__send_answer(const serve_style *style, struct MHD_Connection *connection,
                                 serve_answer *answer);
enum MHD_Result xta__send_error(const serve_style *style, struct MHD_Connection *connection,
                                int status, const char *text);
/* What OPTIONS is answered with. */
enum MHD_Result xta__send_options(const serve_style *style, struct MHD_Connection *connection);

#endif
