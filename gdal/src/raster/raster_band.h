/* A band: the cells of an array with one coordinate on each axis but those of lines and samples.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_RASTER_BAND_H
#define XTA_GDAL_RASTER_RASTER_BAND_H

#include <gdal_pam.h>

#include "array/cell_access.h"
#include "raster/band_facts.h"
#include "raster/metadata.h"
#include "raster/raster_dataset.h"

namespace xta_gdal
{

/* A part of a raster and the caller's memory, as GDAL gives them to RasterIO. */
struct Window {
    int x, y, width, height; /* of the raster */
    int columns, lines;      /* of the memory */
    GSpacing pixel, line;    /* bytes from one to the next */
    GDALDataType type;
};

/* Whether a window can be moved by one call of the library: its memory has every cell of it, or
 * every n-th one, where GDAL takes the same ones if it is to take the nearest. */
bool is_direct(const Window &window, const GDALRasterIOExtraArg *extra);

/* Which cells of the array a window of a band has, and where they lie in memory. */
CellAccess window_access(const Array &array, const RasterAxes &axes, const Window &window,
                         int band);

class RasterBand final : public GDALPamRasterBand
{
  public:
    RasterBand(RasterDataset *dataset, int number, const BandItems &items, const BandPlaces &places,
               bool signed_byte);

    double GetNoDataValue(int *has) override;
    int64_t GetNoDataValueAsInt64(int *has) override;
    uint64_t GetNoDataValueAsUInt64(int *has) override;
    CPLErr SetNoDataValue(double value) override;
    CPLErr SetNoDataValueAsInt64(int64_t value) override;
    CPLErr SetNoDataValueAsUInt64(uint64_t value) override;
    CPLErr DeleteNoDataValue() override;
    const char *GetUnitType() override;
    CPLErr SetUnitType(const char *unit) override;
    double GetScale(int *has) override;
    CPLErr SetScale(double value) override;
    double GetOffset(int *has) override;
    CPLErr SetOffset(double value) override;
    GDALColorInterp GetColorInterpretation() override;
    CPLErr SetColorInterpretation(GDALColorInterp color) override;
    GDALColorTable *GetColorTable() override;
    CPLErr SetColorTable(GDALColorTable *table) override;
    char **GetCategoryNames() override;
    CPLErr SetCategoryNames(char **names) override;

    Metadata metadata();
    /* Of the band, without its coordinates. */
    std::string own_description() const;
    /* Before cells are moved without the cache of blocks. */
    CPLErr flush_blocks();

    BandFacts facts;

  protected:
    CPLErr IReadBlock(int x, int y, void *data) override;
    CPLErr IWriteBlock(int x, int y, void *data) override;
    CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void *data,
                     int columns, int lines, GDALDataType type, GSpacing pixel, GSpacing line,
                     GDALRasterIOExtraArg *extra) override;

  private:
    RasterDataset *dataset() const
    {
        return static_cast<RasterDataset *>(poDS);
    }
    bool updates() const
    {
        return eAccess == GA_Update;
    }
    CPLErr changed();
    Window block_window(int x, int y) const;
    CPLErr move_block(GDALRWFlag direction, int x, int y, void *data);

    std::string first_description; /* as it was read, with the place of the band */
    std::string own;               /* of the attribute */
};

} // namespace xta_gdal

#endif
