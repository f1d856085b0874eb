/* NetCDF files in the format CDF-5: a header of dimensions, attributes and variables, and where the
 * values of each variable lie. Pure.
 *
 * The format is big-endian. Numbers of the header have 8 bytes, types and tags 4; names and values
 * of attributes are padded to 4. All variables have a fixed length here, except that a dimension of
 * length 0 is what the format calls the record dimension, with 0 records.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_FLAT_LAYOUT_CDF_H
#define XTA_VIEWS_FLAT_LAYOUT_CDF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/box.h>
#include <xta/type.h>

#include "util/text.h"

/* Values are placed at multiples of this, so that numbers do not cross borders of pages. */
enum { XTA__CDF_ALIGNMENT = 64, XTA__CDF_CHAR = 2, XTA__CDF_MOST_NDIM = XTA_MAX_NDIM + 1 };

typedef struct xta__cdf_dimension {
    char *name;
    uint64_t length;
} xta__cdf_dimension;

typedef struct xta__cdf_attribute {
    char *name;
    int type;
    uint64_t count;
    uint8_t *bytes; /* big-endian */
    size_t n_bytes;
} xta__cdf_attribute;

typedef struct xta__cdf_attributes {
    xta__cdf_attribute *items;
    size_t n, capacity;
} xta__cdf_attributes;

typedef struct xta__cdf_variable {
    char *name;
    int type;
    int ndim;
    size_t dimension[XTA__CDF_MOST_NDIM];
    xta__cdf_attributes attributes;
    uint64_t begin, n_bytes; /* set by xta__cdf_place */
} xta__cdf_variable;

typedef struct xta__cdf {
    xta__cdf_dimension *dimensions;
    size_t n_dimensions, dimensions_capacity;
    xta__cdf_attributes global;
    xta__cdf_variable *variables;
    size_t n_variables, variables_capacity;
} xta__cdf;

void xta__cdf_clear(xta__cdf *file);

/* The type of the format that has the values of ours; 0: none. Half floats become floats, cells of
 * bytes characters. */
int xta__cdf_type(xta_type type);
/* Bytes of one number of a type of the format. */
size_t xta__cdf_type_bytes(int type);

/* A name that the format may have: `name`, or `otherwise` if that is empty. Slashes, control
 * characters, bytes that are not UTF-8 and blanks at the end become underscores. The caller frees
 * it; NULL: out of memory. */
char *xta__cdf_legal_name(const char *name, const char *otherwise);

/* Add a dimension, and tell its number. False: out of memory. */
bool xta__cdf_add_dimension(xta__cdf *file, const char *name, uint64_t length, size_t *number);
bool xta__cdf_find_dimension(const xta__cdf *file, const char *name, size_t *number);
/* Add a variable without dimensions and attributes; valid until the next is added. NULL: out of
 * memory. */
xta__cdf_variable *xta__cdf_add_variable(xta__cdf *file, const char *name, int type);
bool xta__cdf_has_variable(const xta__cdf *file, const char *name);
/* Add an attribute with native-endian values; numbers are converted to `type`, and the attribute is
 * left out if one does not fit. False: out of memory. */
bool xta__cdf_add_attribute(xta__cdf_attributes *list, const char *name, int type, xta_type from,
                            const void *values, size_t n_values);
bool xta__cdf_add_text(xta__cdf_attributes *list, const char *name, const char *text,
                       size_t n_bytes);
bool xta__cdf_has_attribute(const xta__cdf_attributes *list, const char *name);

/* Place all variables and write the header.
 *
 * XTA_EUNSUPPORTED: several dimensions have no cells, or one that is not the first of a variable;
 * `*why` is the dimension. XTA_EOVERFLOW: more than 2^62 bytes. XTA_ENOMEM. */
xta_status xta__cdf_place(xta__cdf *file, xta__text *header, uint64_t *n_bytes, const char **why);

#endif
