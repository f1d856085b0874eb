/* Opening and closing flat files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/flat.h>

#include <stdlib.h>
#include <string.h>

#include "flat/dense.h"
#include "flat/netcdf_array.h"
#include "flat/netcdf_set.h"
#include "flat/sources.h"
#include "util/checked.h"
#include "util/hash.h"
#include "util/try.h"

/* How often a data set is read that others change meanwhile. */
enum { MOST_ATTEMPTS = 100 };

static xta_status flat_new(const char *path, xta_flat **out, xta_error *err)
{
    xta_flat *flat = calloc(1, sizeof *flat);

    *out = flat;
    if (flat != NULL) {
        flat->path = xta__strdup(path);
        flat->version = XTA__HASH_OF_NOTHING;
    }
    return flat != NULL && flat->path != NULL ? XTA_OK : xta__flat_no_memory(path, err);
}

static void flat_forget_sources(xta_flat *flat)
{
    for (size_t k = 0; k < flat->n_blocks; k++) {
        free(flat->blocks[k]);
    }
    flat->n_blocks = 0;
    flat->n_sources = 0;
    flat->n_bytes = 0;
    flat->version = XTA__HASH_OF_NOTHING;
}

void xta_flat_close(xta_flat *flat)
{
    if (flat == NULL) {
        return;
    }
    flat_forget_sources(flat);
    xta_array_close(flat->array, NULL);
    xta_dataset_close(flat->set, NULL);
    free(flat->blocks);
    free(flat->sources);
    free(flat->path);
    free(flat);
}

static xta_status describe(xta_flat *flat, xta_flat_kind kind, xta_error *err)
{
    switch (kind) {
    case XTA_FLAT_NPY:
        return xta__flat_describe_npy(flat, err);
    case XTA_FLAT_RAW:
        return xta__flat_describe_raw(flat, err);
    case XTA_FLAT_JSON:
        return xta__flat_describe_json(flat, err);
    case XTA_FLAT_NETCDF:
        return xta__flat_describe_netcdf(flat, err);
    default:
        return xta__fail(err, XTA_EARG, 0,
                         "%s: kind %d of flat file; want XTA_FLAT_NPY, _RAW, _JSON or _NETCDF",
                         flat->path, (int)kind);
    }
}

xta_status xta_flat_open(const char *path, xta_flat_kind kind, xta_access access, xta_flat **out,
                         xta_error *err)
{
    xta_status status = XTA_OK;
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_flat *flat = NULL;

    xta__clear(err);
    *out = NULL;
    XTA_TRY(flat_new(path, &flat, err));
    options.access = access;
    XTA_TRY(xta_array_open(path, &options, &flat->array, err));
    XTA_TRY(xta__flat_add_version(flat, flat->array, err));
    XTA_TRY(describe(flat, kind, err));
    *out = flat;
    flat = NULL;

done:
    xta_flat_close(flat);
    return status;
}

/* Describe the set until nobody has changed it meanwhile. A failure counts only then, too: members
 * disagree while a step reaches one after the other. */
static xta_status describe_unchanged(xta_flat *flat, xta_error *err)
{
    for (int k = 0; k < MOST_ATTEMPTS; k++) {
        bool changed = false;
        xta_error refresh_error = {0};
        flat_forget_sources(flat);
        xta__clear(err);
        xta_status status = xta__flat_describe_set(flat, err);
        xta_status refreshed = xta_dataset_refresh(flat->set, &changed, &refresh_error);
        if (refreshed != XTA_OK && status == XTA_OK) {
            xta__clear(err);
            return xta__fail(err, refreshed, refresh_error.os_errno, "%s", refresh_error.text);
        }
        if (refreshed != XTA_OK || !changed) {
            return status;
        }
    }
    xta__clear(err);
    return xta__fail(err, XTA_EBUSY, 0,
                     "%s: other processes have changed it each of %d times that it was read; open "
                     "it again",
                     flat->path, MOST_ATTEMPTS);
}

xta_status xta_flat_open_set(const char *folder, xta_access access, xta_flat **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    xta_flat *flat = NULL;

    xta__clear(err);
    *out = NULL;
    XTA_TRY(flat_new(folder, &flat, err));
    options.access = access;
    XTA_TRY(xta_dataset_open(folder, &options, &flat->set, err));
    XTA_TRY(describe_unchanged(flat, err));
    *out = flat;
    flat = NULL;

done:
    xta_flat_close(flat);
    return status;
}

uint64_t xta_flat_bytes(const xta_flat *flat)
{
    return flat->n_bytes;
}

uint64_t xta_flat_version(const xta_flat *flat)
{
    return flat->version;
}
