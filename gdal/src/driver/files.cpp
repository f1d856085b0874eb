/* Deleting, renaming and copying arrays through GDAL: both files of an array, and those beside it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "driver/files.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>

#include <xta/copy.h>

#include "array/array.h"
#include "base/error.h"
#include "base/name.h"

namespace xta_gdal
{

/* Files beside a journal that GDAL has made. */
static const char *const sides[] = {".aux.xml", ".ovr", ".msk"};

static bool exists(const std::string &path)
{
    VSIStatBufL facts;
    return VSIStatL(path.c_str(), &facts) == 0;
}

static void delete_sides(const std::string &path)
{
    for (const char *side : sides) {
        if (exists(path + ".xmd" + side)) {
            VSIUnlink((path + ".xmd" + side).c_str());
        }
    }
}

/* The path of an array without suffix; "": it is none, and GDAL is told. */
static std::string array_path(const char *text)
{
    Name name;
    if (!parse_name(text, &name)) {
        return "";
    }
    std::string path = name.path;
    for (const std::string &part : name.members) {
        path += "/" + part;
    }
    if (name.folder && (name.members.empty() || is_folder(path))) {
        CPLError(CE_Failure, CPLE_NotSupported,
                 "%s: is a data set; GDAL deletes, renames and copies arrays only", text);
        return "";
    }
    return without_suffix(path);
}

static bool delete_member(const Name &name)
{
    xta_error err = {};
    OpenMode mode;
    mode.update = true;
    DataSetPtr set = DataSet::open(name.path, mode);
    for (size_t k = 0; set != nullptr && k + 1 < name.members.size(); k++) {
        set = set->group(name.members[k], false);
    }
    return set != nullptr &&
           !failed(xta_dataset_remove_member(set->handle, name.members.back().c_str(), &err), err);
}

CPLErr delete_files(const char *text)
{
    Name name;
    xta_error err = {};
    std::string path = array_path(text);
    if (path.empty() || !parse_name(text, &name)) {
        return CE_Failure;
    }
    bool deleted = name.members.empty() ? !failed(xta_array_delete(path.c_str(), &err), err)
                                        : delete_member(name);
    if (deleted) {
        delete_sides(path);
    }
    return deleted ? CE_None : CE_Failure;
}

CPLErr copy_files(const char *to, const char *from)
{
    xta_error err = {};
    std::string source = array_path(from);
    std::string target = source.empty() ? "" : array_path(to);
    ArrayPtr array = target.empty() ? nullptr : Array::open(source, OpenMode());
    if (array == nullptr ||
        failed(xta_array_copy(array->handle, target.c_str(), nullptr, &err), err)) {
        return CE_Failure;
    }
    return CE_None;
}

/* In another folder the array is a copy, and the old one is deleted once that is complete. */
static bool move_array(const std::string &source, const std::string &target)
{
    xta_error err = {};
    return copy_files(target.c_str(), source.c_str()) == CE_None &&
           !failed(xta_array_delete(source.c_str(), &err), err);
}

CPLErr rename_files(const char *to, const char *from)
{
    xta_error err = {};
    std::string source = array_path(from);
    std::string target = source.empty() ? "" : array_path(to);
    if (target.empty()) {
        return CE_Failure;
    }
    std::string folder = CPLGetPath(source.c_str());
    std::string name = CPLGetFilename(target.c_str());
    bool moved = folder == CPLGetPath(target.c_str())
                     ? !failed(xta_array_rename(source.c_str(), name.c_str(), &err), err)
                     : move_array(source, target);
    for (const char *side : sides) {
        if (moved && exists(source + ".xmd" + side)) {
            moved = CPLMoveFile((target + ".xmd" + side).c_str(),
                                (source + ".xmd" + side).c_str()) == 0;
        }
    }
    return moved ? CE_None : CE_Failure;
}

} // namespace xta_gdal
