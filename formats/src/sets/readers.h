/* The readers of whole files: one is selected by what the path names.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_READERS_H
#define XTA_FORMATS_SETS_READERS_H

#include "sets/tree/tree.h"

/* List what a NetCDF file, an HDF5 file or a Zarr store holds. */
xta_status xta__set_open(const char *path, bool trust, set_source *source, xta_error *err);
void xta__set_close(set_source *source);

/* Read a box of a variable, in numbers of selected cells; texts are padded with zeros. */
xta_status xta__set_read(const set_source *source, const set_variable *v, const xta_box *box,
                         void *cells, xta_error *err);
/* Whether the file has none of a box's cells, which all have the fill value. The box counts cells
 * of the file; false where single ones are selected. */
bool xta__set_is_empty(const set_source *source, const set_variable *v, const xta_box *box);

/* The stored chunks of a variable, which several threads can decode; NULL: it has none such. */
raw_chunks *xta__set_open_chunks(const set_source *source, const set_variable *v);

#endif
