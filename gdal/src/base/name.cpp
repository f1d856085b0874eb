/* What a name that GDAL is given means.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/name.h"

#include <cpl_error.h>
#include <cpl_port.h>
#include <cstring>
#include <sys/stat.h>

namespace xta_gdal
{

bool has_prefix(const char *text)
{
    return STARTS_WITH_CI(text, PREFIX);
}

bool is_folder(const std::string &path)
{
    struct stat facts;
    return stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

static bool ends_with(const std::string &text, const char *ending)
{
    size_t n = strlen(ending);
    return text.size() > n && text.compare(text.size() - n, n, ending) == 0;
}

std::string without_suffix(const std::string &path)
{
    for (const char *suffix : {".xmd", ".xta", ".pma", ".pta"}) {
        if (ends_with(path, suffix)) {
            return path.substr(0, path.size() - 4);
        }
    }
    return path;
}

/* The parts of group/member. A part such as ".." would name something outside the data set. */
static bool split_members(const std::string &text, const char *whole,
                          std::vector<std::string> *parts)
{
    size_t at = 0;
    while (at <= text.size()) {
        size_t end = text.find('/', at);
        end = end == std::string::npos ? text.size() : end;
        std::string part = text.substr(at, end - at);
        if (part.empty() || part == "." || part == "..") {
            CPLError(CE_Failure, CPLE_OpenFailed,
                     "%s: '%s' is no name of a member: it is a name of an array of the data set, "
                     "or of groups and an array, separated by '/'",
                     whole, text.c_str());
            return false;
        }
        parts->push_back(part);
        at = end + 1;
    }
    return true;
}

/* The quote that ends the path: the first one that may, unless only with a later one, since the
 * path has quotes itself, there is a folder. NULL: there is none. */
static const char *find_end(const char *text)
{
    const char *first = nullptr;
    for (const char *end = strchr(text, '"'); end != nullptr; end = strchr(end + 1, '"')) {
        if (end == text || (end[1] != '\0' && end[1] != ':')) {
            continue;
        }
        if (is_folder(std::string(text, end))) {
            return end;
        }
        first = first == nullptr ? end : first;
    }
    return first;
}

/* The path and the members of XTA:"path":member; what follows the prefix is `text`. */
static bool parse_quoted(const char *text, const char *whole, Name *out)
{
    const char *end = find_end(text + 1);
    if (end == nullptr) {
        CPLError(CE_Failure, CPLE_OpenFailed,
                 "%s: not of the form XTA:\"PATH\" or XTA:\"PATH\":MEMBER", whole);
        return false;
    }
    out->path.assign(text + 1, end);
    return end[1] == '\0' || split_members(end + 2, whole, &out->members);
}

bool parse_name(const char *text, Name *out)
{
    const char *rest = has_prefix(text) ? text + strlen(PREFIX) : text;
    *out = Name();
    if (has_prefix(text) && rest[0] == '"') {
        if (!parse_quoted(rest, text, out)) {
            return false;
        }
    } else {
        out->path = rest;
    }
    if (out->path.empty()) {
        CPLError(CE_Failure, CPLE_OpenFailed, "%s: has no path", text);
        return false;
    }
    while (out->path.size() > 1 && out->path.back() == '/') {
        out->path.pop_back();
    }
    // The journal of a data set stands for its folder.
    if (out->path == "dataset.xmd") {
        out->path = ".";
    } else if (ends_with(out->path, "/dataset.xmd")) {
        out->path.resize(out->path.size() - strlen("/dataset.xmd"));
    }
    out->folder = is_folder(out->path);
    if (!out->members.empty() && !out->folder) {
        CPLError(CE_Failure, CPLE_OpenFailed, "%s: %s is no folder, so it has no members", text,
                 out->path.c_str());
        return false;
    }
    return true;
}

std::string member_name(const std::string &folder, const std::string &member)
{
    return std::string(PREFIX) + "\"" + folder + "\":" + member;
}

} // namespace xta_gdal
