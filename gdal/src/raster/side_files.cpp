/* Files beside an array that GDAL makes: .aux.xml with statistics, .ovr with overviews.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "raster/side_files.h"

#include <cpl_minixml.h>
#include <cpl_port.h>
#include <cpl_vsi.h>
#include <cstring>

namespace xta_gdal
{

std::string bounds_mark(const Array &array)
{
    std::string text;
    for (int axis = 0; axis < array.box.ndim; axis++) {
        text += (axis > 0 ? "," : "") + std::to_string(array.box.lo[axis]) + ":" +
                std::to_string(array.box.hi[axis]);
    }
    return text;
}

std::string state_mark(const Array &array)
{
    return bounds_mark(array) + " step " + std::to_string(array.info.n_steps) + " journal " +
           std::to_string(array.info.journal_bytes);
}

/* The text of <MDI key="NAME"> in the list of our domain. */
static std::string find_mark(const CPLXMLNode *list, const char *name)
{
    for (const CPLXMLNode *item = list->psChild; item != nullptr; item = item->psNext) {
        if (EQUAL(item->pszValue, "MDI") && strcmp(CPLGetXMLValue(item, "key", ""), name) == 0) {
            return CPLGetXMLValue(item, nullptr, "");
        }
    }
    return "";
}

std::string read_mark(const std::string &file, const char *name)
{
    std::string mark;
    VSIStatBufL facts;
    CPLXMLTreeCloser tree(VSIStatL(file.c_str(), &facts) == 0 ? CPLParseXMLFile(file.c_str())
                                                              : nullptr);
    const CPLXMLNode *root = CPLGetXMLNode(tree.get(), "=PAMDataset");
    for (const CPLXMLNode *node = root != nullptr ? root->psChild : nullptr; node != nullptr;
         node = node->psNext) {
        if (EQUAL(node->pszValue, "Metadata") &&
            strcmp(CPLGetXMLValue(node, "domain", ""), MARK_DOMAIN) == 0) {
            mark = find_mark(node, name);
        }
    }
    return mark;
}

static std::string existing(const Array &array, const char *usual, const char *other)
{
    VSIStatBufL facts;
    std::string path = xta_array_path(array.handle);
    bool is_other = VSIStatL((path + usual).c_str(), &facts) != 0 &&
                    VSIStatL((path + other).c_str(), &facts) == 0;
    return path + (is_other ? other : usual);
}

std::string journal_path(const Array &array)
{
    return existing(array, ".xmd", ".pma");
}

std::string data_path(const Array &array)
{
    return existing(array, ".xta", ".pta");
}

} // namespace xta_gdal
