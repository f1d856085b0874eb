/* A FITS image that grows at both ends of both axes ([CXA] 10.1.4).
 *
 *   map_fits [FILE]     without a file: one of its own, map_fits.fits
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fitsio.h>

#include <xta/map_fits.h>

#include "example.h"

/* An image of NAXIS1 = 6, NAXIS2 = 4 with a reference pixel. */
static void make_file(const char *path)
{
    fitsfile *file = NULL;
    long bounds[2] = {6, 4};
    int cells[24];
    int code = 0;
    double pixel = 1;
    for (int k = 0; k < 24; k++) {
        cells[k] = 10 * (k / 6) + k % 6;
    }
    remove(path);
    fits_create_file(&file, path, &code);
    fits_create_img(file, LONG_IMG, 2, bounds, &code);
    fits_write_key(file, TDOUBLE, "CRPIX1", &pixel, "of longitude 0", &code);
    fits_write_img(file, TINT, 1, 24, cells, &code);
    fits_close_file(file, &code);
    EXPECT(code == 0);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "map_fits.fits";
    fitsfile *file = NULL;
    int code = 0;
    xta_error err;
    xta_box now;
    if (argc <= 1) {
        make_file(path);
    }
    fits_open_image(&file, path, READWRITE, &code);
    EXPECT(code == 0);

    xta_mapping *xta_fits = xtaFITSmap(file, NULL, &err);
    if (xta_fits == NULL) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    const xta_growth growths[4] = {
        {0, XTA_FRONT, 2}, {0, XTA_BACK, 3}, {1, XTA_FRONT, 1}, {1, XTA_BACK, 2}};
    TRY(xta_array_extend(xta_mapping_array(xta_fits), growths, 4, &now, &err));
    if (xtaFITSwrite(xta_fits, file) != XTA_OK) {
        fprintf(stderr, "%s\n", xta_mapping_error(xta_fits)->text);
        (void)!xta_mapping_close(xta_fits, NULL);
        return 1;
    }
    TRY(xta_mapping_close(xta_fits, &err));

    long bounds[2] = {0, 0};
    fits_get_img_size(file, 2, bounds, &code);
    printf("the image is %ld x %ld; its first pixel has the coordinates (%lld, %lld)\n", bounds[0],
           bounds[1], (long long)now.lo[1], (long long)now.lo[0]);
    EXPECT(bounds[0] == now.hi[1] - now.lo[1] && bounds[1] == now.hi[0] - now.lo[0]);
    fits_close_file(file, &code);
    EXPECT(code == 0);
    return 0;
}
