/* Formats that this build lacks: which library would read a format, and how to get it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "common/missing_formats.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The formats that a build can be made without. */
static const struct {
    const char *name;
    const char *libraries, *package, *option;
    const char *suffixes[8];
    bool blocks; /* the format is also a grid of blocks, which can be repartitioned */
} choices[] = {
    {"netcdf",
     "NetCDF",
     "libnetcdf-dev",
     "XTA_BRIDGE_NETCDF",
     {"nc", "nc4", "cdf", "netcdf"},
     true},
    {"zarr",
     "Zarr's codecs",
     "libblosc-dev libzstd-dev liblz4-dev libjansson-dev",
     "XTA_ZARR",
     {"zarr"},
     false},
    {"hdf5", "HDF5", "libhdf5-dev", "XTA_BRIDGE_HDF5", {"h5", "hdf5", "he5", "hdf"}, true},
    {"matlab", "HDF5 or MATIO", "libhdf5-dev libmatio-dev", "XTA_BRIDGE_MATLAB", {"mat"}, false},
    {"nifti", "NIfTI", "libniftiio-dev libnifti2-dev", "XTA_BRIDGE_NIFTI", {"nii"}, true},
    {"fits", "CFITSIO", "libcfitsio-dev", "XTA_BRIDGE_FITS", {"fits", "fit", "fts", "fz"}, false},
    {"labels", "PNG", "libpng-dev", "XTA_BRIDGE_LABELS", {NULL}, false},
    // GDAL comes last, and is also suggested for unknown formats, since it reads most.
    {"gdal", "GDAL", "libgdal-dev", "XTA_BRIDGE_GDAL", {NULL}, false},
};

#define N_CHOICES (sizeof choices / sizeof choices[0])

static bool is_here(const char *name)
{
    static const char *const here[] = {
#define FORMAT(name) #name,
#include "formats.def"
#undef FORMAT
    };

    for (size_t k = 0; k < sizeof here / sizeof here[0]; k++) {
        if (strcmp(here[k], name) == 0) {
            return true;
        }
    }
    return false;
}

static bool goes_by(size_t choice, const char *name, const char *suffix)
{
    if (name != NULL) {
        return strcasecmp(choices[choice].name, name) == 0;
    }
    for (size_t k = 0; choices[choice].suffixes[k] != NULL; k++) {
        if (strcmp(choices[choice].suffixes[k], suffix) == 0) {
            return true;
        }
    }
    return false;
}

/* The format with this name or this suffix; N_CHOICES: none. */
static size_t choice_of(const char *name, const char *suffix)
{
    size_t k = 0;

    while (k < N_CHOICES && !goes_by(k, name, suffix)) {
        k++;
    }
    return k;
}

bool xta__format_is_missing(const char *name, const char *suffix)
{
    size_t k = choice_of(name, suffix);

    return k < N_CHOICES && !is_here(choices[k].name);
}

const char *xta__missing_format_text(const char *name, const char *suffix, char *text,
                                     size_t capacity)
{
    const bool blocks = suffix == NULL;
    size_t k = choice_of(name, suffix);

    k = k < N_CHOICES ? k : N_CHOICES - 1;
    text[0] = '\0';
    if (!is_here(choices[k].name) && (choices[k].blocks || !blocks)) {
        snprintf(text, capacity, "; it was made without %s (in Debian %s; -D%s=ON)",
                 choices[k].libraries, choices[k].package, choices[k].option);
    }
    return text;
}
