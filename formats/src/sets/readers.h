/* What reads whole files: a table of functions for NetCDF, and one for Zarr. source.h has the calls
 * that select one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_SETS_READERS_H
#define XTA_FORMATS_SETS_READERS_H

#include "sets/source.h"

typedef struct set_reader {
    /* List what the file holds. After a failure `close` is called as well. */
    xta_status (*open)(const char *path, bool trust, set_source *source, xta_error *err);
    /* A box that is not empty. */
    xta_status (*read)(const set_source *source, const set_variable *v, const xta_box *box,
                       void *cells, xta_error *err);
    void (*close)(set_source *source);
} set_reader;

extern const set_reader xta__set_netcdf, xta__set_zarr;

#endif
