/* Recognising and opening arrays and data sets.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "driver/open.h"

#include <cpl_vsi.h>
#include <cstring>

#include <xta/dataset.h>

#include "array/array.h"
#include "base/error.h"
#include "base/name.h"
#include "base/types.h"
#include "multidim/group.h"
#include "raster/raster_dataset.h"

namespace xta_gdal
{

/* The first eight bytes of a journal, a data file, and the file of a data set; the fourth
 * differs. */
static const unsigned char MAGIC[8] = {0x89, 'X', 'T', 'A', '\r', '\n', 0x1a, '\n'};

static bool is_ours(const unsigned char *head, int n)
{
    return n >= 8 && memcmp(head, MAGIC, 3) == 0 && strchr("ADS", head[3]) != nullptr &&
           head[3] != '\0' && memcmp(head + 4, MAGIC + 4, 4) == 0;
}

/* Whether PATH.xmd is a journal, for names without suffix. */
static bool has_journal(const char *path)
{
    unsigned char head[8];
    VSILFILE *file = VSIFOpenL((std::string(path) + ".xmd").c_str(), "rb");
    bool is = file != nullptr && VSIFReadL(head, 1, sizeof head, file) == sizeof head &&
              is_ours(head, sizeof head);
    if (file != nullptr) {
        VSIFCloseL(file);
    }
    return is;
}

int identify(GDALOpenInfo *info)
{
    if (has_prefix(info->pszFilename)) {
        return TRUE;
    }
    if (info->bIsDirectory) {
        return xta_dataset_exists(info->pszFilename);
    }
    if (info->nHeaderBytes > 0) {
        return is_ours(info->pabyHeader, info->nHeaderBytes);
    }
    return !info->bStatOK && !STARTS_WITH(info->pszFilename, "/vsi") &&
           has_journal(info->pszFilename);
}

/* ---- opening ---- */

const char *const OPEN_OPTIONS =
    "<OpenOptionList><Option name='ACCESS' type='string-select' default='AUTO' description='how "
    "cells are reached: MAPPED into memory, or CACHED, which survives a data file that others "
    "truncate'><Value>AUTO</Value><Value>MAPPED</Value><Value>CACHED</Value></Option>"
    "</OpenOptionList>";

/* What a name leads to: an array, or a data set. */
struct Found {
    ArrayPtr array;
    DataSetPtr set;
};

static bool has_name(const std::vector<std::string> &names, const std::string &name)
{
    for (const std::string &other : names) {
        if (other == name) {
            return true;
        }
    }
    return false;
}

static bool find_in_set(const Name &name, const OpenMode &mode, Found *found)
{
    found->set = DataSet::open(name.path, mode);
    for (size_t k = 0; found->set != nullptr && k < name.members.size(); k++) {
        const std::string &part = name.members[k];
        bool last = k + 1 == name.members.size();
        if (last && !has_name(found->set->groups(), part)) {
            found->array = Array::member(found->set, part); // says which members there are
            return found->array != nullptr;
        }
        found->set = found->set->group(part, false);
    }
    return found->set != nullptr;
}

static bool find(const Name &name, const OpenMode &mode, Found *found)
{
    if (STARTS_WITH(name.path.c_str(), "/vsi")) {
        CPLError(CE_Failure, CPLE_NotSupported,
                 "%s: arrays are opened in files of the system, not in virtual ones of GDAL",
                 name.path.c_str());
        return false;
    }
    if (name.folder) {
        return find_in_set(name, mode, found);
    }
    found->array = Array::open(name.path, mode);
    return found->array != nullptr;
}

/* Members that can be rasters, as GROUP/MEMBER; coordinates of one dimension cannot. */
static void list_rasters(const DataSetPtr &set, const std::string &begin, int depth,
                         std::vector<std::string> *names)
{
    constexpr int DEEPEST = 16;
    for (const std::string &name : set->members()) {
        bool signed_byte;
        ArrayPtr array = Array::member(set, name);
        if (array != nullptr && array->box.ndim >= 2 && !xta_box_empty(&array->box) &&
            raster_type(array->info.type, &signed_byte).gdal != GDT_Unknown) {
            names->push_back(begin + name);
        }
    }
    for (const std::string &name : depth < DEEPEST ? set->groups() : std::vector<std::string>()) {
        DataSetPtr group = set->group(name, false);
        if (group != nullptr) {
            list_rasters(group, begin + name + "/", depth + 1, names);
        }
    }
}

/* "4x180x360 f32" */
static std::string shape_text(const Array &array)
{
    std::string text;
    for (int axis = 0; axis < array.box.ndim; axis++) {
        text += (axis > 0 ? "x" : "") + std::to_string(array.length(axis));
    }
    return text + " " + xta_type_name(array.info.type);
}

/* A raster without bands that lists what there is. */
class ListDataset final : public GDALDataset
{
  public:
    ListDataset(const std::string &folder, const char *text) : path(folder)
    {
        SetDescription(text);
        nRasterXSize = 0;
        nRasterYSize = 0;
    }

    void add(const std::string &member, const std::string &about)
    {
        std::string begin = "SUBDATASET_" + std::to_string(++count);
        GDALMajorObject::SetMetadataItem((begin + "_NAME").c_str(),
                                         member_name(path, member).c_str(), "SUBDATASETS");
        GDALMajorObject::SetMetadataItem((begin + "_DESC").c_str(),
                                         ("[" + about + "] " + member).c_str(), "SUBDATASETS");
    }

  private:
    std::string path;
    int count = 0;
};

/* The members of a data set: one is opened, several are listed. */
static GDALDataset *open_set(const Name &name, const DataSetPtr &set, const char *text,
                             const OpenMode &mode)
{
    std::vector<std::string> rasters;
    std::string begin;
    for (const std::string &part : name.members) {
        begin += part + "/";
    }
    list_rasters(set, "", 0, &rasters);
    if (rasters.empty()) {
        CPLError(CE_Failure, CPLE_OpenFailed, "%s: no array of this data set can be a raster",
                 text);
        return nullptr;
    }
    std::unique_ptr<ListDataset> list(new ListDataset(name.path, text));
    for (const std::string &member : rasters) {
        Name full = name;
        Found found;
        if (!parse_name(member_name(name.path, begin + member).c_str(), &full) ||
            !find(full, mode, &found)) {
            return nullptr;
        }
        if (rasters.size() == 1) {
            return RasterDataset::make(found.array, text, mode.update);
        }
        list->add(begin + member, shape_text(*found.array));
    }
    return list.release();
}

/* The option ACCESS. False: it is no way to access cells, and GDAL is told. */
static bool parse_mode(const GDALOpenInfo *info, OpenMode *mode)
{
    const char *access = CSLFetchNameValueDef(info->papszOpenOptions, "ACCESS", "AUTO");
    mode->update = info->eAccess == GA_Update;
    if (EQUAL(access, "MAPPED")) {
        mode->access = XTA_ACCESS_MAPPED;
    } else if (EQUAL(access, "CACHED")) {
        mode->access = XTA_ACCESS_CACHED;
    } else if (!EQUAL(access, "AUTO")) {
        CPLError(CE_Failure, CPLE_IllegalArg, "%s: ACCESS=%s: cells are AUTO, MAPPED or CACHED",
                 info->pszFilename, access);
        return false;
    }
    return true;
}

GDALDataset *open(GDALOpenInfo *info)
{
    Name name;
    Found found;
    OpenMode mode;
    if (!identify(info) || !parse_name(info->pszFilename, &name) || !parse_mode(info, &mode) ||
        !find(name, mode, &found)) {
        return nullptr;
    }
    if ((info->nOpenFlags & GDAL_OF_MULTIDIM_RASTER) != 0) {
        return open_multidim(found.array, found.set, info->pszFilename);
    }
    if (found.array != nullptr) {
        return RasterDataset::make(found.array, info->pszFilename, mode.update);
    }
    return open_set(name, found.set, info->pszFilename, mode);
}

} // namespace xta_gdal
