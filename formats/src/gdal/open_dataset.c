/* Which of GDAL's drivers may open a file, and the selection of a subdataset.
 *
 * Many of GDAL's drivers open other files and servers that a file names. A virtual raster called
 * photo.tif can read any file of the machine into its cells. So only the drivers in the list below
 * are tried: they open only the file itself and files beside it whose names are derived from its
 * name (headers, projections, .aux.xml). HDF4 is in the list, but has its own way to name other
 * files, which is checked first (hdf4_external_files.c). All other drivers require `trust`.
 *
 * GDAL opens further files by itself if overviews or masks are requested; this code never requests
 * them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "gdal/open_dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/local_path.h"
#include "description/description.h"
#include "gdal/functions.h"
#include "gdal/hdf4_external_files.h"
#include "gdal/library.h"
#include "util/try.h"

#define LIST_BYTES 360

static const char *const harmless[] = {
    "GTiff",     "ENVI",     "EHdr",        "GenBin",  "PNG",
    "JPEG",      "GIF",      "BIGGIF",      "BMP",     "PNM",
    "SGI",       "XPM",      "TGA",         "WEBP",    "HDF4",
    "HDF4Image", "GRIB",     "JP2OpenJPEG", "AAIGrid", "GRASSASCIIGrid",
    "ISG",       "GSAG",     "GSBG",        "GS7BG",   "XYZ",
    "ZMap",      "GXF",      "DTED",        "SRTMHGT", "USGSDEM",
    "SIGDEM",    "PCRaster", "SAGA",        "RRASTER", "ROI_PAC",
    "ISCE",      "KRO",      "BT",          "LAN",     "ELAS",
    "Leveller",  "Terragen", "GTX",         "NTv2",    "CTable2",
    "BYN",       "NGSGEOID", "ACE2",        "HF2",     "ARG",
    "NWT_GRD",   "NWT_GRC",  "LCP",         "BLX",     "CTG",
    "IRIS",      "AIG",      NULL};

/* Common files of other drivers, so that the refusal can say what they are. */
static const struct {
    const char *begin;
    const char *name;
} refused[] = {
    {"<VRTDataset", "a virtual raster (VRT)"},
    {"<GDAL_WMS", "a description of a map server (WMS)"},
    {"<WCS_GDAL", "a description of a coverage server (WCS)"},
    {"<GDAL_WMTS", "a description of a tile server (WMTS)"},
    {"<MRF_META", "a Meta Raster (MRF)"},
    {"EHFA_HEADER_TAG", "an Erdas Imagine file (HFA)"},
    {"NITF", "a NITF file"},
    {"NSIF", "a NITF file"},
    {"DatasetHeader Begin", "an ERMapper header (ERS)"},
    {"PCIDSK", "a PCIDSK file"},
};

static const char *refused_kind(const unsigned char *head, size_t n_bytes)
{
    size_t blanks = 0;
    while (blanks < n_bytes && (head[blanks] == ' ' || head[blanks] == '\n' ||
                                head[blanks] == '\r' || head[blanks] == '\t')) {
        blanks++;
    }
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        size_t n = strlen(refused[k].begin);
        if (n_bytes - blanks >= n && memcmp(head + blanks, refused[k].begin, n) == 0) {
            return refused[k].name;
        }
    }
    return NULL;
}

bool xta__raster_is_known(const char *path, const unsigned char *head, size_t n_bytes)
{
    return refused_kind(head, n_bytes) != NULL ||
           xta__gdal.GDALIdentifyDriverEx(path, GDAL_OF_RASTER, harmless, NULL) != NULL;
}

/* All drivers except the one for FITS, which has a format of its own here. */
static char **all_drivers(void)
{
    char **list = NULL;
    for (int k = 0; k < xta__gdal.GDALGetDriverCount(); k++) {
        const char *name = xta__gdal.GDALGetDriverShortName(xta__gdal.GDALGetDriver(k));
        if (strcmp(name, "FITS") != 0) {
            list = xta__gdal.CSLAddString(list, name);
        }
    }
    return list;
}

static GDALDatasetH open_by(const char *name, bool trust)
{
    char **all = trust ? all_drivers() : NULL;
    GDALDatasetH dataset =
        xta__gdal.GDALOpenEx(name, GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                             trust ? (const char *const *)all : harmless, NULL, NULL);
    xta__gdal.CSLDestroy(all);
    return dataset;
}

static xta_status cannot_open(const char *path, bool trust, const raster_log *log, xta_error *err)
{
    unsigned char head[64];
    size_t n = 0;
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        n = fread(head, 1, sizeof head, file);
        fclose(file);
    }
    const char *kind = refused_kind(head, n);
    if (!trust && kind != NULL) {
        return xta_error_set(err, XTA_EACCESS, 0,
                             "%s: is %s, which may name other files or servers to read from; if "
                             "you trust all that it names, say so (--trust)",
                             path, kind);
    }
    return xta_error_set(err, XTA_EFORMAT, 0, "%s: cannot open it: GDAL says: %s%s", path,
                         log->text[0] != '\0' ? log->text : "nothing",
                         trust ? ""
                               : " (only drivers were tried that open no other files; --trust "
                                 "tries all)");
}

/* ---- subdatasets ---- */

/* The number of subdatasets; the list has NAME and DESC of each in turn. */
static int n_subdatasets(char **list)
{
    int n = 0;
    char key[40];
    do {
        snprintf(key, sizeof key, "SUBDATASET_%d_NAME", n + 1);
    } while (xta__gdal.CSLFetchNameValue(list, key) != NULL && ++n < 100000);
    return n;
}

static const char *subdataset_entry(char **list, int k, const char *what)
{
    char key[40];
    snprintf(key, sizeof key, "SUBDATASET_%d_%s", k + 1, what);
    const char *text = xta__gdal.CSLFetchNameValue(list, key);
    return text != NULL ? text : "";
}

/* What follows the path in a subdataset's name. A name is DRIVER:[KIND:]PATH:REST or
 * DRIVER:[KIND:]"PATH":REST or ends in PATH; metadata written by other programs may name anything.
 * NULL: it does not name this file. */
static const char *rest_of(const char *name, const char *path)
{
    const char *found = strstr(name, path);
    if (found == NULL || found == name) {
        return NULL;
    }
    for (const char *c = name; c < found; c++) {
        bool word = (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == ':';
        bool quote = *c == '"' && c + 1 == found;
        if (!word && !quote) {
            return NULL;
        }
    }
    const char *end = found + strlen(path);
    end += *end == '"' ? 1 : 0;
    return *end == ':' ? end + 1 : *end == '\0' ? end : NULL;
}

/* Whether a description, such as "[20x10] Temperature (16-bit integer)", contains this name. */
static bool description_has_name(const char *description, const char *name)
{
    const char *begin = strstr(description, "] ");
    const char *end = strrchr(description, '(');
    begin = begin != NULL ? begin + 2 : description;
    size_t n = strlen(name);
    return n > 0 && strncmp(begin, name, n) == 0 && (begin[n] == '\0' || begin[n] == ' ') &&
           (end == NULL || begin + n <= end);
}

static bool is_called(char **list, int k, const char *path, const char *variable)
{
    const char *name = subdataset_entry(list, k, "NAME");
    const char *rest = rest_of(name, path);
    const char *last = rest != NULL ? strrchr(rest, ':') : NULL;
    return strcmp(name, variable) == 0 || (rest != NULL && strcmp(rest, variable) == 0) ||
           (last != NULL && strcmp(last + 1, variable) == 0) ||
           description_has_name(subdataset_entry(list, k, "DESC"), variable);
}

/* Find a subdataset by name, else by number from 1; -1: there is none. */
static int find_subdataset(char **list, int n, const char *path, const char *variable)
{
    char *end = NULL;
    long number = strtol(variable, &end, 10);
    bool digits = end != variable && *end == '\0';
    if (digits && number >= 1 && number <= n) {
        return (int)number - 1;
    }
    for (int k = 0; k < n; k++) {
        if (is_called(list, k, path, variable)) {
            return k;
        }
    }
    return -1;
}

static const char *names_of(char **list, int n, char text[LIST_BYTES])
{
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < n; k++) {
        int more = snprintf(text + used, LIST_BYTES - used, "%s%d %.80s", k == 0 ? "" : ", ", k + 1,
                            subdataset_entry(list, k, "DESC"));
        if (more < 0 || used + (size_t)more + 8 > LIST_BYTES) {
            snprintf(text + used, LIST_BYTES - used, ", ...");
            break;
        }
        used += (size_t)more;
    }
    return text;
}

/* Open the subdataset and replace the dataset that contains it. */
static xta_status open_subdataset(const char *path, const char *local, const char *variable,
                                  bool trust, const raster_log *log, GDALDatasetH *dataset,
                                  xta_error *err)
{
    char **list = xta__gdal.CSLDuplicate(xta__gdal.GDALGetMetadata(*dataset, "SUBDATASETS"));
    char text[LIST_BYTES];
    xta_status status = XTA_OK;
    int n = n_subdatasets(list);
    int k = variable != NULL ? find_subdataset(list, n, local, variable) : n == 1 ? 0 : -1;
    if (k < 0 && variable == NULL) {
        status = xta_error_set(err, XTA_EARG, 0,
                               "%s: has several rasters; name one by its name or number, as in "
                               "FILE:1: %s",
                               path, names_of(list, n, text));
    } else if (k < 0) {
        status = xta_error_set(err, XTA_ENOENT, 0, "%s: has no raster '%s'; it has: %s", path,
                               variable, n > 0 ? names_of(list, n, text) : "no subdatasets");
    } else if (!trust && rest_of(subdataset_entry(list, k, "NAME"), local) == NULL) {
        status = xta_error_set(err, XTA_EACCESS, 0,
                               "%s: its subdataset %d is not in it but in %s; if you trust that, "
                               "say so (--trust)",
                               path, k + 1, subdataset_entry(list, k, "NAME"));
    } else {
        GDALDatasetH part = open_by(subdataset_entry(list, k, "NAME"), trust);
        xta__gdal.GDALClose(*dataset);
        *dataset = part;
        status = part != NULL ? XTA_OK : cannot_open(path, true, log, err);
    }
    xta__gdal.CSLDestroy(list);
    return status;
}

xta_status xta__raster_open(const char *path, const char *variable, bool trust,
                            const raster_log *log, GDALDatasetH *out, xta_error *err)
{
    xta_status status = XTA_OK;
    char *local = xta__local_path(path);
    *out = NULL;
    if (local == NULL) {
        return xta__bridge_no_memory(path, err);
    }
    XTA_TRY(xta__path_must_exist(path, err));
    if (!trust) {
        XTA_TRY(xta__hdf4_check_self_contained(path, err));
    }
    *out = open_by(local, trust);
    if (*out == NULL) {
        status = cannot_open(path, trust, log, err);
        goto done;
    }
    bool parts = xta__gdal.CSLCount(xta__gdal.GDALGetMetadata(*out, "SUBDATASETS")) > 0;
    if (variable != NULL || (xta__gdal.GDALGetRasterCount(*out) == 0 && parts)) {
        XTA_TRY(open_subdataset(path, local, variable, trust, log, out, err));
    }
done:
    free(local);
    return status;
}
