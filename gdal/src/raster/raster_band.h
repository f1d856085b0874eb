/* A band: the cells of an array with one coordinate on each axis but those of lines and samples.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_RASTER_BAND_H
#define XTA_GDAL_RASTER_RASTER_BAND_H

#include <gdal_pam.h>

#include "raster/band_facts.h"
#include "raster/metadata.h"
#include "raster/window.h"

namespace xta_gdal
{

class RasterBand final : public GDALPamRasterBand
{
  public:
    /* `from` belongs to the dataset. */
    RasterBand(GDALPamDataset *dataset, RasterSource *from, int number, const BandItems &items,
               const BandPlaces &places);

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
    bool updates() const
    {
        return eAccess == GA_Update;
    }
    void choose_blocks(const Array &array, const RasterAxes &axes);
    CPLErr changed();
    Window block_window(int x, int y) const;
    CPLErr move_block(GDALRWFlag direction, int x, int y, void *data);

    RasterSource *const source;
    std::string first_description; /* as it was read, with the place of the band */
    std::string own;               /* of the attribute */
};

} // namespace xta_gdal

#endif
