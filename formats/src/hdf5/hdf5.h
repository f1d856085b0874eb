/* What the parts of the HDF5 bridge share: hdf5.c reads, hdf5_write.c writes, hdf5_type.c
 * translates types, hdf5_carry.c and hdf5_put.c attributes; blocks_hdf5.c is the grid of blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BRIDGE_HDF5_H
#define XTA_BRIDGE_HDF5_H

#include <hdf5.h>
#include <hdf5_hl.h>

#include "description/format.h"

/* Names of attributes; see docs/decisions/0010-bridges.md. */
#define H5_OWN       "hdf5/"
#define H5_CHUNKS    "hdf5/chunks"    /* int64, one for each axis */
#define H5_FILTERS   "hdf5/filters"   /* int32: shuffle, deflate level, checksum */
#define H5_TYPE      "hdf5/type"      /* the type in HDF5's words, where it is not the plain one */
#define H5_UNLIMITED "hdf5/unlimited" /* of an axis: "yes" */
#define H5_SCALE     "hdf5/scale"     /* of an axis: name of its scale, where it differs */
#define H5_GLOBALS   "global/"
#define H5_VALUES    "values"
/* Beside an attribute: int64 with kind, character set, padding, length of a string, number of axes
 * (-1: none at all), lengths of axes. */
#define H5_FORM    "//hdf5"
#define H5_STRINGS "//string" /* int64: lengths of the strings that the text has, a line each */

#define H5_N_FILTERS 3

enum { FORM_NUMBERS = 0, FORM_FIXED = 1, FORM_VARIABLE = 2 };

typedef struct hdf5_file {
    hid_t file;
    hid_t dataset;
    hid_t space;
    hid_t memory_type;
    hid_t properties; /* of the dataset's creation */
    char *path;
    int ndim; /* 0: a scalar */
    hsize_t bounds[XTA_MAX_NDIM];
    hsize_t chunk[XTA_MAX_NDIM]; /* chunk[0] == 0: none */
    char *shared[XTA_MAX_NDIM];  /* scales that an existing file has already; NULL: none */
    bool filtered;
    bool same_type; /* cells lie in the file as they do in memory */
    bool trust;     /* other files that it names may be opened */
} hdf5_file;

#define HDF5_FOREIGN_BYTES 200

/* Another file that data lie in. */
typedef struct hdf5_foreign {
    bool any;
    char file[HDF5_FOREIGN_BYTES];
} hdf5_foreign;

/* ---- hdf5.c ---- */

/* Take the lock that HDF5 and NetCDF share; HDF5 prints nothing until hdf5_leave. */
void xta__hdf5_enter(void);
void xta__hdf5_leave(void);

/* Under the lock. Put the library's own words of what failed last into the error. */
xta_status xta__hdf5_failed(const char *path, const char *doing, xta_error *err);
/* `cached`: keep HDF5's chunk cache, else none. `trust`: follow the file into other ones. */
xta_status xta__hdf5_open(const char *path, const char *variable, bool cached, bool trust,
                          bridge_description *what, hdf5_file **out, xta_error *err);
void xta__hdf5_close(void *state);
/* Fill in what is known from an open dataset: shape, storage, types. Under the lock. */
xta_status xta__hdf5_look(hdf5_file *f, xta_error *err);
xta_status xta__hdf5_read(void *state, const xta_box *box, void *cells, xta_error *err);
xta_status xta__hdf5_write_box(void *state, const xta_box *box, const void *cells, xta_error *err);

/* ---- hdf5_type.c: under the lock ---- */

/* Our type for one of HDF5's; XTA_TYPE_SAME if there is none. */
xta_type xta__hdf5_to_xta(hid_t type, size_t *cell_bytes);
/* The type of cells in memory for a type in a file; negative: none. To be closed. */
hid_t xta__hdf5_memory_type(hid_t file_type);
/* The plain type in files for one of ours. To be closed. */
hid_t xta__hdf5_from_xta(xta_type type, size_t cell_bytes);
/* The type that `text` (H5_TYPE) tells, if it still suits; else the plain one. */
hid_t xta__hdf5_type_for(const char *text, xta_type type, size_t cell_bytes);
/* HDF5's words for a type, to be freed; NULL if it is the plain one. */
char *xta__hdf5_type_text(hid_t type);

/* ---- hdf5_find.c: under the lock ---- */

/* Open the dataset of that name, or the only one that is not the scale of an axis. */
xta_status xta__hdf5_choose(hdf5_file *f, const char *variable, bool cached, char **name,
                            xta_error *err);

/* ---- hdf5_foreign.c ---- */

/* Under the lock. Whether a dataset's cells lie in other files; opens none. */
void xta__hdf5_look_elsewhere(hid_t dataset, hdf5_foreign *found);
/* Note in `found` that data lie in `file`. */
void xta__hdf5_note_external(hdf5_foreign *found, const char *file);
/* Under the lock. Let look-ups by these properties fail at links to other files, and note them in
 * `found`, which must live as long. */
void xta__hdf5_follow_no_links(hid_t access, hdf5_foreign *found);
/* Under the lock. XTA_EACCESS, naming the other file. */
xta_status xta__hdf5_refuse(const char *path, const char *name, const hdf5_foreign *found,
                            xta_error *err);
/* Under the lock. Refuse a dataset whose axes have scales that lie in other files. */
xta_status xta__hdf5_scales_inside(const hdf5_file *f, xta_error *err);

/* ---- hdf5_carry.c and hdf5_put.c: under the lock; false: no memory, or HDF5 failed ---- */

bool xta__hdf5_describe(const hdf5_file *f, bridge_description *what);
/* For H5DSiterate_scales: take the first scale into the hid_t that `user` points to; the caller
 * closes it. */
herr_t xta__hdf5_take_scale(hid_t dataset, unsigned axis, hid_t scale, void *user);
/* Read values and attributes of a scale of this length into those of an axis; nothing if it is no
 * list of numbers of that length. */
bool xta__hdf5_read_scale(hid_t scale, hsize_t length, int axis, bridge_description *what);
/* Put the attributes on `axis` whose names begin with `prefix` on an object. */
bool xta__hdf5_put_attributes(hid_t object, const bridge_description *what, int axis,
                              const char *prefix);
/* Numbers along an axis, which become its scale; NULL: none. */
const bridge_attribute *xta__hdf5_scale_values(const bridge_description *what, int axis);
/* The name of the scale of an axis. */
void xta__hdf5_scale_name(const bridge_description *what, int axis, char *name, size_t capacity);
/* Scales, labels. */
bool xta__hdf5_put_axes(const hdf5_file *f, const bridge_description *what);

/* ---- hdf5_write.c ---- */

/* `raw`: chunks get their places now and no fill, so that each can be written alone. */
xta_status xta__hdf5_create(const char *path, bridge_description *what, bool raw, hdf5_file **out,
                            xta_error *err);
xta_status xta__hdf5_finish(void *state, xta_error *err);
/* Make the dataset and all that belongs to it in a file that is open; `globals`: attributes of the
 * root, too. Under the lock. */
xta_status xta__hdf5_make(hdf5_file *f, const bridge_description *what, bool raw, bool globals,
                          xta_error *err);

/* ---- hdf5_add.c ---- */

xta_status xta__hdf5_add(const char *path, const xta_export_options *options,
                         bridge_description *what, void **state, xta_error *err);

extern const bridge_format xta__bridge_hdf5;

#endif
