/* Attributes of an array as values of their own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_ARRAY_ATTRIBUTES_H
#define XTA_GDAL_ARRAY_ATTRIBUTES_H

#include <cstring>
#include <string>
#include <vector>

#include <xta/attribute.h>

namespace xta_gdal
{

/* The library's attributes are borrowed; these are copies. */
struct Attribute {
    std::string name;
    xta_type type = XTA_TEXT;
    size_t cell_bytes = 1;
    size_t count = 0;
    std::string values; /* bytes; native-endian */

    bool numbers(xta_type wanted) const
    {
        return type == wanted && count > 0;
    }
    template <class T> T at(size_t k) const
    {
        T value;
        std::memcpy(&value, values.data() + k * sizeof value, sizeof value);
        return value;
    }
};

Attribute copy_attribute(const xta_attribute &attribute);

/* False: there is none of this name. `axis`: or XTA_ON_ARRAY. */
bool find_attribute(xta_array *array, int axis, const std::string &name, Attribute *out);
std::vector<Attribute> attributes_of(xta_array *array, int axis);

std::string number_text(double value);
/* Value number `k` as text; exact, also for 64-bit integers. "": not a number. */
std::string item_text(const Attribute &attribute, size_t k);
/* Value number `k` rounded to binary64; NaN if it is no real number. */
double item_number(const Attribute &attribute, size_t k);
/* The number of a text as a cell of XTA_I64 or XTA_U64; false: it has no such cell. */
bool parse_whole(const std::string &text, xta_type type, void *cell);
/* All values, separated by commas; of text: the text. */
std::string whole_text(const Attribute &attribute);
/* Lines of a text; the last one may lack its end. */
std::vector<std::string> lines_of(const std::string &text);
/* Number of items: values, or lines of a text. */
size_t item_count(const Attribute &attribute);
/* Item `k`: a value as text, or a line. */
std::string item_of(const Attribute &attribute, size_t k);

/* Changes; nothing is written if there is nothing to change. False: it failed, and GDAL is told. */
bool put_attribute(xta_array *array, int axis, const Attribute &attribute);
bool put_text(xta_array *array, int axis, const std::string &name, const std::string &text);
bool put_values(xta_array *array, int axis, const std::string &name, xta_type type, size_t count,
                const void *values);
bool remove_attribute(xta_array *array, int axis, const std::string &name);

} // namespace xta_gdal

#endif
