/** @file
 * Attributes: named text or numbers on an array or on one of its axes; axis names and units.
 *
 * They are stored in the journal: each set or remove is one record, visible to others at their next
 * refresh.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_ATTRIBUTE_H
#define XTA_ATTRIBUTE_H

#include <stddef.h>

#include <xta/array.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Used in place of an axis: the array itself. */
#define XTA_ON_ARRAY (-1)

/** One attribute. The pointers are borrowed: valid until the next call that changes attributes or
 * structure of the array, refreshes or closes it. */
typedef struct xta_attribute {
    const char *name;
    xta_type type;      /**< XTA_TEXT for text, else the type of each value */
    size_t cell_bytes;  /**< of one value */
    size_t count;       /**< values; for text, bytes without the terminating zero */
    const void *values; /**< native-endian; text is followed by a zero byte */
} xta_attribute;

/** Set an attribute, replacing one of the same name.
 *
 * Thread-safe.
 *
 * @param[in]  array       writable
 * @param[in]  axis        0 .. ndim - 1, or XTA_ON_ARRAY
 * @param[in]  attribute   name (1 to 255 bytes of UTF-8, no control characters), type, count and
 *                         values; text is UTF-8, its only control characters tabs and ends of
 *                         lines; cell_bytes only for XTA_BYTES; at most 64 MiB of values
 * @param[out] err         why it failed
 * @retval XTA_EARG        no such axis, too large, or a name or text that breaks these rules: `err`
 *                         says at which byte
 * @retval XTA_EACCESS     opened read-only */
XTA_API XTA_MUST_CHECK xta_status xta_attribute_set(xta_array *array, int axis,
                                                    const xta_attribute *attribute, xta_error *err);

/** Add values after (XTA_BACK) or before (XTA_FRONT) those of an attribute, such as coordinates of
 * an axis that has grown.
 *
 * Thread-safe.
 *
 * @param[in]  array       writable
 * @param[in]  axis        0 .. ndim - 1, or XTA_ON_ARRAY
 * @param[in]  side        where the values go
 * @param[in]  attribute   name of an existing attribute; its type (and for XTA_BYTES its
 *                         cell_bytes); count and values of the addition
 * @param[out] err         why it failed
 * @retval XTA_ENOENT      there is no attribute of this name
 * @retval XTA_EARG        no such axis, another type, more than 64 MiB altogether, or text that
 *                         xta_attribute_set would refuse; each piece must consist of complete
 *                         characters
 * @retval XTA_EACCESS     opened read-only
 * @par Cost
 * One record of the new values: the journal grows by them, not by the whole list. */
XTA_API XTA_MUST_CHECK xta_status xta_attribute_extend(xta_array *array, int axis, xta_side side,
                                                       const xta_attribute *attribute,
                                                       xta_error *err);

/** Set a text attribute from a zero-terminated string. */
XTA_API XTA_MUST_CHECK xta_status xta_attribute_set_text(xta_array *array, int axis,
                                                         const char *name, const char *text,
                                                         xta_error *err);

/** Set an attribute to one float64. */
XTA_API XTA_MUST_CHECK xta_status xta_attribute_set_f64(xta_array *array, int axis,
                                                        const char *name, double value,
                                                        xta_error *err);

/** Find an attribute by name.
 * @param[in]  array      any array
 * @param[in]  axis       0 .. ndim - 1, or XTA_ON_ARRAY
 * @param[in]  name       zero-terminated
 * @param[out] attribute  borrowed; untouched on failure
 * @param[out] err        why it failed
 * @retval XTA_ENOENT     no such attribute */
XTA_API XTA_MUST_CHECK xta_status xta_attribute_get(xta_array *array, int axis, const char *name,
                                                    xta_attribute *attribute, xta_error *err);

/** How many attributes an axis, or the array, has. 0 if there is no such axis. */
XTA_API size_t xta_attribute_count(xta_array *array, int axis);

/** Attribute number `k`, in the order they were first set.
 * @retval XTA_ENOENT  no such number */
XTA_API XTA_MUST_CHECK xta_status xta_attribute_at(xta_array *array, int axis, size_t k,
                                                   xta_attribute *attribute, xta_error *err);

/** Remove an attribute.
 * @retval XTA_ENOENT  no such attribute */
XTA_API XTA_MUST_CHECK xta_status xta_attribute_remove(xta_array *array, int axis, const char *name,
                                                       xta_error *err);

/** Name of an axis; "" if it has none. Borrowed, like an attribute. */
XTA_API const char *xta_axis_name(xta_array *array, int axis);

/** Unit of an axis; "" if it has none. Borrowed, like an attribute. */
XTA_API const char *xta_axis_unit(xta_array *array, int axis);

/** Name an axis; "" removes the name. Names of an array's axes must differ.
 * @retval XTA_EARG    not UTF-8, a control character, or longer than 255 bytes
 * @retval XTA_EEXIST  another axis has this name */
XTA_API XTA_MUST_CHECK xta_status xta_axis_set_name(xta_array *array, int axis, const char *name,
                                                    xta_error *err);

/** Set the unit of an axis; "" removes it.
 * @retval XTA_EARG  not UTF-8, a control character, or longer than 255 bytes */
XTA_API XTA_MUST_CHECK xta_status xta_axis_set_unit(xta_array *array, int axis, const char *unit,
                                                    xta_error *err);

/** Find the axis named by `text`: a name, or a number from 0.
 * @param[in]  array  any array
 * @param[in]  text   zero-terminated
 * @param[out] axis   untouched on failure
 * @param[out] err    why it failed; lists the names
 * @retval XTA_ENOENT no such axis */
XTA_API XTA_MUST_CHECK xta_status xta_axis_find(xta_array *array, const char *text, int *axis,
                                                xta_error *err);

#ifdef __cplusplus
}
#endif
#endif
