/* Charts of confusion matrices.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_CHARTS_CONFUSION_H
#define XTA_PICTURE_CHARTS_CONFUSION_H

#include <xta/chart.h>

#include "util/text.h"

/* As xta_chart_confusion, but if `to` is not NULL the file goes to memory, and `path` only says
 * which kind of file it is. */
xta_status xta__chart_confusion_to(const xta_confusion_chart *chart, const char *path,
                                   xta__text *to, xta_error *err);

/* The name of a row or of a column: the given one, else its number or "none", which is written to
 * `own`. */
const char *xta__confusion_row_name(const xta_confusion_chart *c, size_t row, char own[32]);
const char *xta__confusion_column_name(const xta_confusion_chart *c, size_t column, char own[32]);

#endif
