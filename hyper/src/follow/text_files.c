/* The small files of a follower: bases, and endmembers as text. In endmembers.csv each spectrum has
 * a column and each band a row, numbers have the fewest digits that read back as the same bits, and
 * lines that begin with # say which pixels the spectra are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "follow/text_files.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parallel/communicator.h"
#include "state/blob.h"
#include "state/replace_file.h"
#include "util/json.h"

XTA_PRINTF(2, 3) static void write_text(blob *text, const char *format, ...)
{
    char words[256];
    va_list values;

    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    xta__blob_put(text, words, strlen(words));
}

static void write_number(blob *text, double value)
{
    char digits[XTA__JSON_REAL_BYTES];

    xta__real_text(value, digits);
    write_text(text, "%s", digits);
}

/* Write the first columns, which say what the bands are. */
static void write_band(blob *text, const xta_scene_info *info, size_t b)
{
    if (info->wavelength != NULL) {
        write_number(text, info->wavelength[b]);
    } else {
        write_text(text, "%" PRId64, info->band[b]);
    }
}

static void write_rows(blob *text, const xta_scene_info *info, const char *column, size_t n,
                       const double *spectra)
{
    write_text(text, info->wavelength != NULL ? "wavelength" : "band");
    if (info->wavelength != NULL && info->wavelength_unit[0] != '\0' &&
        strpbrk(info->wavelength_unit, ",\"()\r\n") == NULL) {
        write_text(text, " (%s)", info->wavelength_unit);
    }
    for (size_t k = 0; k < n; k++) {
        write_text(text, ",%s%zu", column, k + 1);
    }
    for (size_t b = 0; b < info->n_bands; b++) {
        write_text(text, "\n");
        write_band(text, info, b);
        for (size_t k = 0; k < n; k++) {
            write_text(text, ",");
            write_number(text, spectra[k * info->n_bands + b]);
        }
    }
    write_text(text, "\n");
}

static xta_status replace_text(const xta_follow *f, const char *name, const blob *text,
                               xta_error *err)
{
    xta_status status = XTA_OK;

    if (xta_communicator_rank(f->communicator) == 0) {
        status = text->failed ? xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a text", name)
                              : xta__file_replace(f->folder, name, text->bytes, text->n, err);
    }
    return xta__agree(f->communicator, status, err);
}

xta_status xta__follow_endmembers_csv(const xta_follow *f, xta_error *err)
{
    const xta_scene_info info = xta_scene_inquire(f->scene);
    const xta_endmembers *e = &f->endmembers;
    xta_status status;
    blob text = {0};

    for (size_t k = 0; k < e->n && f->options.method != XTA_FOLLOW_GIVEN; k++) {
        write_text(&text, "# em%zu: line %" PRId64 ", sample %" PRId64 ", score ", k + 1,
                   e->line[k], e->sample[k]);
        write_number(&text, e->score[k]);
        write_text(&text, "\n");
    }
    if (info.reflectance_scale > 0) {
        write_text(&text, "# reflectance scale factor: ");
        write_number(&text, info.reflectance_scale);
        write_text(&text, "\n");
    }
    write_rows(&text, &info, "em", e->n, e->spectra);
    status = replace_text(f, "endmembers.csv", &text, err);
    xta__blob_clear(&text);
    return status;
}

/* ---- bases ---- */

typedef xta_status make_basis(const xta_moments *moments, const xta_basis_options *options,
                              xta_basis **basis, xta_error *err);

/* Rank 0: write a basis of the moments; none where there are too few pixels for one. */
static xta_status write_basis(const xta_follow *f, make_basis *make, const char *name,
                              xta_error *err)
{
    const size_t n_bands = xta_moments_inquire(f->moments).n_bands;
    const size_t wanted = f->options.n_components;
    xta_basis_options options = XTA_BASIS_OPTIONS_INIT;
    xta_basis *basis = NULL;
    xta_error why = {0};
    char *path = xta__file_path(f->folder, name);
    xta_status status = XTA_OK;

    if (path == NULL) {
        return xta_error_set(err, XTA_ENOMEM, 0, "%s: no memory for a name", name);
    }
    options.n_components = wanted < n_bands ? wanted : n_bands;
    status = make(f->moments, &options, &basis, &why);
    if (status == XTA_OK) {
        status = xta_basis_write(basis, path, err);
    } else if (status == XTA_EARG) {
        unlink(path);
        status = XTA_OK;
    } else {
        xta_error_set(err, status, why.os_errno, "%s", why.text);
    }
    xta_basis_free(basis);
    free(path);
    return status;
}

xta_status xta__follow_bases(const xta_follow *f, xta_error *err)
{
    xta_status status = XTA_OK;

    if (xta_communicator_rank(f->communicator) == 0) {
        status = write_basis(f, xta_pct, "pct.basis", err);
        if (status == XTA_OK && f->options.noise) {
            status = write_basis(f, xta_mnf, "mnf.basis", err);
        }
    }
    return xta__agree(f->communicator, status, err);
}
