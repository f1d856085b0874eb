/* Where the program reports what a reader of the mount is told by an errno only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TOOL_MOUNT_REPORT_H
#define XTA_VIEWS_TOOL_MOUNT_REPORT_H

#include <stdbool.h>

#include <xta/status.h>

/* Choose where lines go: `log`, a file that is opened to append; without it standard error if the
 * program stays in the foreground, else the system's log. */
xta_status mount_report_begin(const char *log, bool foreground, xta_error *err);

/* Write one line. Safe from several threads. */
void mount_report(const char *text);

void mount_report_end(void);

#endif
