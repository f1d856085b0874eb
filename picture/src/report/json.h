/* A report as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_REPORT_JSON_H
#define XTA_PICTURE_REPORT_JSON_H

#include "report/elements.h"

/* Add the report as one object, as described at xta_report_write_json; out->failed: out of
 * memory. */
void xta__report_json(const xta_report *report, xta__text *out);

#endif
