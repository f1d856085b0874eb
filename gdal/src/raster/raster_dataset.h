/* An array as a raster: a dataset of GDAL.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_GDAL_RASTER_RASTER_DATASET_H
#define XTA_GDAL_RASTER_RASTER_DATASET_H

#include <gdal_pam.h>
#include <string>
#include <vector>

#include "raster/window.h"

namespace xta_gdal
{

/* Changes become attributes when the dataset is flushed or closed if it was opened for update;
 * otherwise they go to the file .aux.xml beside the array, as GDAL does it. */
class RasterDataset final : public GDALPamDataset
{
  public:
    /* `text`: the name that GDAL was given. NULL, and GDAL is told. */
    static RasterDataset *make(const ArrayPtr &array, const char *text, bool update);
    ~RasterDataset() override;

    void FlushCache(bool closing) override;
    char **GetFileList() override;
    CPLErr GetGeoTransform(double *out) override;
    CPLErr SetGeoTransform(double *given) override;
    const OGRSpatialReference *GetSpatialRef() const override;
    CPLErr SetSpatialRef(const OGRSpatialReference *given) override;
    int GetGCPCount() override;
    const OGRSpatialReference *GetGCPSpatialRef() const override;
    const GDAL_GCP *GetGCPs() override;
    using GDALPamDataset::SetGCPs;
    CPLErr SetGCPs(int n, const GDAL_GCP *list, const OGRSpatialReference *given) override;
    char **GetMetadataDomainList() override;

  protected:
    CPLErr IRasterIO(GDALRWFlag direction, int x, int y, int width, int height, void *data,
                     int columns, int lines, GDALDataType type, int n, int *list, GSpacing pixel,
                     GSpacing line, GSpacing band, GDALRasterIOExtraArg *extra) override;
    CPLErr IBuildOverviews(const char *method, int n, const int *factors, int n_bands,
                           const int *bands, GDALProgressFunc progress, void *user,
                           CSLConstList options) override;
    CPLErr TrySaveXML() override;

  private:
    explicit RasterDataset(const ArrayPtr &from);
    bool initialize(const char *text);
    void read_georeference();
    void show_metadata();
    void open_side_files();
    bool save();
    void free_gcps();

    RasterSource source;
    const ArrayPtr &array; /* of the source, and so are the axes */
    RasterAxes &axes;
    bool has_transform = false;
    double transform[6] = {0, 1, 0, 0, 0, 1};
    OGRSpatialReference system, gcp_system;
    std::vector<GDAL_GCP> gcps;
};

} // namespace xta_gdal

#endif
