/* Descriptions: what a source holds, or what a destination will hold: type, shape, names, and
 * attributes that are copied between a format and an array.
 *
 * A format returns a list of attributes when it reads, and is passed one when it writes. Names with
 * a slash are XTA's (no foreign name may hold one): `global/title`, `gdal/ENVI/bands`,
 * `values//box`. An attribute may be spread along axes: it then has one item for each cell of a box
 * of its own (coordinates of an axis, names of bands). Spread attributes grow with the array, and
 * an export of a box cuts them to that box; their own box is kept beside them. The rules are in
 * docs/decisions/0010-bridges.md.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FORMATS_DESCRIPTION_DESCRIPTION_H
#define XTA_FORMATS_DESCRIPTION_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>
#include <xta/attribute.h>

#define BRIDGE_SPREAD_NDIM 8

/* A foreign array without axes becomes one cell on one axis, and this text marks it. */
#define BRIDGE_SCALAR "import/scalar"
/* The source's name for what is now an array; exports use it again. */
#define BRIDGE_VARIABLE     "import/variable"
#define BRIDGE_GEOTRANSFORM "geotransform"
/* header cards, one on each line, except those that follow from the cells */
#define BRIDGE_FITS_HEADER "fits/header"

/* An attribute that is copied between a format and an array. */
typedef struct bridge_attribute {
    int axis; /* XTA_ON_ARRAY, or an axis of the description */
    char *name;
    xta_type type;
    size_t cell_bytes;
    size_t count; /* number of values; for a text, bytes */
    void *values;
    /* Spread attributes only (ndim > 0). `along` is an axis of the description or -1 for an axis of
     * the attribute's own, which `own` then names. Texts have one line for each item. */
    int ndim;
    int along[BRIDGE_SPREAD_NDIM];
    char *own[BRIDGE_SPREAD_NDIM];
    int64_t lo[BRIDGE_SPREAD_NDIM];
    int64_t hi[BRIDGE_SPREAD_NDIM];
} bridge_attribute;

/* What a source holds, or what a destination will hold. */
typedef struct bridge_description {
    xta_type type;
    size_t cell_bytes;
    int ndim;
    int64_t lo[XTA_MAX_NDIM]; /* array coordinates of the first cell; zero for an import */
    int64_t bounds[XTA_MAX_NDIM];
    int64_t chunk[XTA_MAX_NDIM]; /* chunk shape of the foreign file; chunk[0] == 0: none */
    /* axes of the foreign file, slowest first: the order in which slabs are cut */
    int slow[XTA_MAX_NDIM];
    xta_order order;          /* order of cells in a slab in memory: XTA_ROW or XTA_COLUMN */
    char *name[XTA_MAX_NDIM]; /* names of the axes; NULL: none */
    char *unit[XTA_MAX_NDIM];
    unsigned char *fill; /* fill value, one cell; NULL: zero */
    char *variable;      /* name of the foreign variable, or of the array */
    bridge_attribute *attributes;
    size_t n_attributes, attributes_capacity;
} bridge_description;

void xta__description_init(bridge_description *what);
void xta__description_clear(bridge_description *what);

xta_status xta__bridge_no_memory(const char *path, xta_error *err);
char *xta__bridge_copy(const char *text);

/* Convert a foreign name or unit to UTF-8; the caller frees it. Valid UTF-8 is kept; any other byte
 * is read as Latin-1, which old headers and tapes use; control characters become U+FFFD. NULL: out
 * of memory. */
char *xta__copy_foreign_name(const char *name);

/* Add an attribute with a copy of the values; texts and the name are converted as above. NULL: out
 * of memory. The pointer is valid until the next one is added. */
bridge_attribute *xta__description_add(bridge_description *what, int axis, const char *name,
                                       xta_type type, size_t count, const void *values);
bridge_attribute *xta__description_add_text(bridge_description *what, int axis, const char *name,
                                            const char *text);
/* Remove an attribute, if there is one of this name. `name` may point to the attribute's own
 * name. */
void xta__description_remove(bridge_description *what, int axis, const char *name);
/* Spread an attribute along one axis of the description, starting at its first cell. */
void xta__attribute_spread(bridge_attribute *a, int along, int64_t lo, int64_t n);
const bridge_attribute *xta__description_find(const bridge_description *what, int axis,
                                              const char *name);
/* The text of a text attribute; NULL if there is no such text. */
const char *xta__description_text(const bridge_description *what, int axis, const char *name);
/* Element `k` of a numeric attribute as a double; `otherwise` if there is none. */
double xta__attribute_number(const bridge_attribute *a, size_t k, double otherwise);

#endif
