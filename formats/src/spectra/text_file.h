/* Files of text: read as a whole, replaced as a whole.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SPECTRA_TEXT_FILE_H
#define XTA_FORMATS_SPECTRA_TEXT_FILE_H

#include <stddef.h>

#include <xta/status.h>

/* A whole file as one text, ended by a zero; the caller frees. */
xta_status xta__spectra_read_text(const char *path, char **text, size_t *n_bytes, xta_error *err);
/* PATH.part, to be renamed when it is complete; NULL: out of memory. */
char *xta__spectra_unfinished_path(const char *path);
xta_status xta__spectra_replace(const char *unfinished, const char *path, xta_error *err);

#endif
