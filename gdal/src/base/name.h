/* What a name that GDAL is given means.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_BASE_NAME_H
#define XTA_GDAL_BASE_NAME_H

#include <string>
#include <vector>

namespace xta_gdal
{

constexpr const char *PREFIX = "XTA:";

/* `path`, or XTA:path, or XTA:"path":member of a data set, or XTA:"path":group/member. */
struct Name {
    std::string path;                 /* of an array or a folder; without a trailing slash */
    std::vector<std::string> members; /* groups, and a member or group at the end */
    bool folder;                      /* there is a folder at `path` */
};

bool has_prefix(const char *text);

/* Whether there is a folder; a journal of a data set. */
bool is_folder(const std::string &path);

/* False, and GDAL is told: not of this form, or a member that would lead out of the folder. */
bool parse_name(const char *text, Name *out);

/* The name of a member, to be given to GDAL. */
std::string member_name(const std::string &folder, const std::string &member);

/* A path without the suffix of one of the two files of an array. */
std::string without_suffix(const std::string &path);

} // namespace xta_gdal

#endif
