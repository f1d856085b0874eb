/* Texts that an element or a chart owns: copied and freed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PICTURE_REPORT_TEXTS_H
#define XTA_PICTURE_REPORT_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

/* Copy a text that may be NULL. False: out of memory. */
bool xta__report_copy_text(const char *text, char **to);

/* Free n texts and their list; both may be NULL. */
void xta__report_free_texts(char **texts, size_t n);

#endif
