/* Datasets in files of other formats, as far as `xta import --describe` can say what they are. Only
 * that program is linked with the libraries of the formats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TOOL_INQUIRY_FOREIGN_SOURCE_H
#define XTA_TOOL_INQUIRY_FOREIGN_SOURCE_H

#include "kit/cli.h"

typedef struct foreign_source {
    char format[16];
    int ndim;
    int64_t bounds[XTA_MAX_NDIM]; /* cells on each axis, may be 0 */
    bool chunked;
    int64_t chunk[XTA_MAX_NDIM];
    xta_type type;
    size_t cell_bytes;
} foreign_source;

/* Whether FILE[:VARIABLE] may name a dataset: FILE is a regular file, and neither file of an
 * array. */
bool foreign_source_exists(const char *word);

/* XTA_EUNSUPPORTED: the program is not installed. XTA_EFORMAT: it does not know the file, or the
 * variable; the text says why. XTA_ENOMEM. */
xta_status foreign_source_describe(const char *word, foreign_source *source, cli_error *err);

#endif
