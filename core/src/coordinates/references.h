/* Attributes that name variables or dimensions, as the CF conventions have them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_COORDINATES_REFERENCES_H
#define XTA_COORDINATES_REFERENCES_H

#include <xta/status.h>

/* What has another name; bits. */
enum { XTA__REFERS_TO_VARIABLE = 1, XTA__REFERS_TO_DIMENSION = 2 };

/* The text of an attribute in which `new_name` stands for `name`, for the caller to free; NULL if
 * the attribute is none that refers to such things, or does not name it. A new name that is no word
 * of a list is not put into one. */
xta_status xta__reference_rename(const char *attribute, const char *text, unsigned what,
                                 const char *name, const char *new_name, char **out,
                                 xta_error *err);

#endif
