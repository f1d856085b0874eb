/* A report as an HTML page, by the template report.html.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_REPORT_HTML_H
#define XTA_PICTURE_REPORT_HTML_H

#include "report/elements.h"

/* Add the page; out->failed: out of memory. */
void xta__report_html(const xta_report *report, xta__text *out);

#endif
