/* Files beside an array that GDAL makes: .aux.xml with statistics, .ovr with overviews.
 *
 * They are of the array as it was. After growth they would show other cells' values, so they carry
 * a mark of what they are of, and are not used when it does not fit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_SIDE_FILES_H
#define XTA_GDAL_RASTER_SIDE_FILES_H

#include <string>

#include "array/array.h"

namespace xta_gdal
{

constexpr const char *MARK_DOMAIN = "XTA"; /* of the metadata in .aux.xml */
constexpr const char *STATE = "STATE";
constexpr const char *OVERVIEWS = "OVERVIEWS_OF";

/* Structure and attributes of an array; its bounds. */
std::string state_mark(const Array &array);
std::string bounds_mark(const Array &array);

/* A mark in an .aux.xml file; "": it has none. */
std::string read_mark(const std::string &file, const char *name);

/* The path of the journal; of a member, too. */
std::string journal_path(const Array &array);
std::string data_path(const Array &array);

} // namespace xta_gdal

#endif
