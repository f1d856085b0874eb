/* The definition of a cube: lines KEY=VALUE.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cube/definition.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/attribute.h>

#include "util/bytes.h"
#include "util/checked.h"
#include "util/files.h"
#include "util/os.h"
#include "util/text.h"
#include "util/try.h"

const char *xta_cube_measure_name(xta_cube_measure measure)
{
    static const char *const names[XTA_CUBE_MEASURES] = {"count", "sum", "min", "max"};

    return (unsigned)measure < XTA_CUBE_MEASURES ? names[measure] : "?";
}

xta_status xta__measures_parse(const char *text, uint32_t *measures, xta_error *err)
{
    *measures = 1U << XTA_CUBE_COUNT;
    for (const char *word = text; word != NULL;) {
        size_t n = strcspn(word, ",");
        int m = 0;
        while (m < XTA_CUBE_MEASURES &&
               (strlen(xta_cube_measure_name((xta_cube_measure)m)) != n ||
                strncmp(word, xta_cube_measure_name((xta_cube_measure)m), n) != 0)) {
            m++;
        }
        if (m == XTA_CUBE_MEASURES) {
            return xta__fail(err, XTA_EARG, 0,
                             "\"%.*s\" is no measure of a cube; want count, sum, min or max (a "
                             "mean is computed of sum and count)",
                             (int)n, word);
        }
        *measures |= 1U << m;
        word = word[n] == ',' ? word + n + 1 : NULL;
    }
    return XTA_OK;
}

/* ---- paths ---- */

/* The absolute path of an array, links of its folder resolved; NULL on failure. */
static char *absolute_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder =
        slash == NULL ? xta__strdup(".") : xta__string("%.*s", (int)(slash - path + 1), path);
    char *real = NULL, *all = NULL;

    if (folder != NULL && xta__real_path(folder, &real) == 0) {
        all = xta__string("%s/%s", strcmp(real, "/") == 0 ? "" : real,
                          slash == NULL ? path : slash + 1);
    }
    free(folder);
    free(real);
    return all;
}

/* `to` as seen from the folder `from`; both are absolute. */
static char *relative_path(const char *from, const char *to)
{
    size_t common = 0;
    xta__text text = {0};

    for (size_t k = 0;; k++) {
        bool ends = from[k] == '\0' || to[k] == '\0';
        if ((from[k] == '/' || from[k] == '\0') && to[k] == '/') {
            common = k;
        }
        if (ends || from[k] != to[k]) {
            break;
        }
    }
    for (const char *c = from + common; *c != '\0'; c++) {
        if (*c == '/' && c[1] != '\0') {
            xta__text_add_string(&text, "../");
        }
    }
    xta__text_add_string(&text, to + common + 1);
    return xta__text_detach(&text);
}

/* ---- writing ---- */

static void add_levels(const xta_cube *cube, xta__text *text)
{
    xta__text_add_string(text, "levels=");
    for (int k = 0; k < cube->ndim; k++) {
        const xta__cube_axis *axis = &cube->axes[k];
        xta__text_printf(text, "%s%d:", k > 0 ? "," : "", k);
        for (int l = axis->first; l < axis->n_levels; l++) {
            xta__text_printf(text, "%s%s", l > axis->first ? ">" : "", axis->levels[l].name);
        }
    }
    xta__text_add_string(text, "\n");
}

static void add_bytes(xta__text *text, const char *key, const void *bytes, size_t n)
{
    xta__text_printf(text, "%s=", key);
    for (size_t k = 0; k < n; k++) {
        xta__text_printf(text, "%02x", ((const uint8_t *)bytes)[k]);
    }
    xta__text_add_string(text, "\n");
}

xta_status xta__definition_write(const xta_cube *cube, const char *base_path, char **out,
                                 xta_error *err)
{
    char *base = absolute_path(base_path), *folder = NULL, *relative = NULL;
    xta__text text = {0};
    uint8_t id[16], missing[8];
    xta_status status = XTA_OK;

    XTA_TRY(xta__random_uuid(id, err));
    if (base == NULL || xta__real_path(cube->path, &folder) != 0 ||
        (relative = relative_path(folder, base)) == NULL) {
        XTA_TRY(xta__fail(err, XTA_ENOENT, 0, "%s: no path from %s to its base", base_path,
                          cube->path));
    }
    if (strchr(base, '\n') != NULL || strchr(folder, '\n') != NULL) {
        XTA_TRY(xta__fail(err, XTA_EARG, 0,
                          "%s: a cube cannot name a base with an end of line in "
                          "its path; rename the folder",
                          base_path));
    }
    xta__text_printf(&text, "version=2\nbase=%s\nrelative=%s\n", base, relative);
    add_bytes(&text, "cube", id, sizeof id);
    add_bytes(&text, "uuid", cube->uuid, sizeof cube->uuid);
    for (int k = 0; k < cube->ndim; k++) {
        xta__text_printf(&text, "axis=%s\n", cube->axes[k].name);
    }
    add_levels(cube, &text);
    xta__text_add_string(&text, "measures=count");
    for (int m = 1; m < XTA_CUBE_MEASURES; m++) {
        if ((cube->arithmetic.measures >> m & 1) != 0) {
            xta__text_printf(&text, ",%s", xta_cube_measure_name((xta_cube_measure)m));
        }
    }
    xta__text_printf(&text, "\nnan=%s\n", cube->arithmetic.propagate_nan ? "propagate" : "skip");
    if (cube->arithmetic.has_missing) {
        xta__put_u64(missing, cube->arithmetic.missing.u); // the same on every machine
        add_bytes(&text, "missing", missing, sizeof missing);
    }
    *out = xta__text_detach(&text);
    if (*out == NULL) {
        status = xta__fail(err, XTA_ENOMEM, 0, "no memory for the definition of a cube");
    }
done:
    free(base);
    free(folder);
    free(relative);
    return status;
}

/* ---- reading ---- */

/* The value of occurrence `n` of a key; NULL if there is none. The caller frees it. */
static char *value_of(const char *text, const char *key, int n)
{
    size_t length = strlen(key);

    for (const char *line = text; line != NULL && *line != '\0';) {
        size_t all = strcspn(line, "\n");
        if (strncmp(line, key, length) == 0 && line[length] == '=' && n-- == 0) {
            return xta__string("%.*s", (int)(all - length - 1), line + length + 1);
        }
        line = line[all] == '\n' ? line + all + 1 : NULL;
    }
    return NULL;
}

static bool bytes_of(const char *text, const char *key, uint8_t *bytes, size_t n)
{
    char *value = value_of(text, key, 0);
    bool fits = value != NULL && strlen(value) == 2 * n;

    for (size_t k = 0; fits && k < n; k++) {
        unsigned byte;
        fits = sscanf(value + 2 * k, "%2x", &byte) == 1;
        bytes[k] = (uint8_t)byte;
    }
    free(value);
    return fits;
}

/* Open the array at a path if it is the base. */
static xta_status try_base(xta_cube *cube, const char *path, xta_error *err)
{
    xta_array_info info;
    xta_error other;
    xta_status status = xta_array_open(path, NULL, &cube->base, err);

    if (status != XTA_OK) {
        return status;
    }
    status = xta_array_inquire(cube->base, &info, err);
    if (status != XTA_OK) {
        (void)!xta_array_close(cube->base, &other);
        cube->base = NULL;
        return status;
    }
    if (memcmp(info.uuid, cube->uuid, sizeof info.uuid) != 0) {
        (void)!xta_array_close(cube->base, &other);
        cube->base = NULL;
        return xta__fail(err, XTA_ESTATE, 0,
                         "%s: another array than the base of the cube %s; make the cube again",
                         path, cube->path);
    }
    return XTA_OK;
}

static xta_status open_base(xta_cube *cube, const char *text, xta_error *err)
{
    char *base = value_of(text, "base", 0), *relative = value_of(text, "relative", 0);
    char *beside = relative != NULL ? xta__string("%s/%s", cube->path, relative) : NULL;
    xta_error first = {0}, second = {0};
    xta_status status;

    if (base == NULL || beside == NULL || !bytes_of(text, "uuid", cube->uuid, 16)) {
        status =
            xta__fail(err, XTA_ECORRUPT, 0, "%s: its attribute cube names no base", cube->path);
    } else if ((status = try_base(cube, beside, &first)) != XTA_OK &&
               (status = try_base(cube, base, &second)) != XTA_OK) {
        const xta_error *why = first.status == XTA_ENOENT ? &second : &first;
        status = why->status == XTA_ENOENT
                     ? xta__fail(err, XTA_ENOENT, 0,
                                 "%s: its base is neither %s nor %s; move it back, or make the "
                                 "cube again",
                                 cube->path, beside, base)
                     : xta__fail(err, why->status, why->os_errno, "%s", why->text);
    }
    free(base);
    free(relative);
    free(beside);
    return status;
}

xta_status xta__definition_axes(xta_cube *cube, xta_error *err)
{
    xta_array_info info;
    xta_status status = xta_array_inquire(cube->base, &info, err);

    if (status != XTA_OK) {
        return status;
    }
    cube->ndim = info.ndim;
    cube->type = info.type;
    cube->bounds = info.bounds;
    cube->n_steps = info.n_steps;
    memcpy(cube->uuid, info.uuid, sizeof cube->uuid);
    if (!xta__arithmetic_of(info.type, &cube->arithmetic)) {
        return xta__fail(err, XTA_ETYPE, 0, "a cube needs numbers; the cells of the base are %s",
                         xta_type_name(info.type));
    }
    for (int k = 0; k < cube->ndim; k++) {
        const char *name = xta_axis_name(cube->base, k);
        cube->axes[k].lo = info.bounds.lo[k];
        cube->axes[k].hi = info.bounds.hi[k];
        cube->axes[k].name = name[0] != '\0' ? xta__strdup(name) : xta__string("axis%d", k);
        if (cube->axes[k].name == NULL) {
            return xta__fail(err, XTA_ENOMEM, 0, "no memory for the axes of a cube");
        }
    }
    return XTA_OK;
}

xta_status xta__definition_read(xta_cube *cube, const char *text, xta_error *err)
{
    char *levels = value_of(text, "levels", 0), *measures = value_of(text, "measures", 0);
    char *nan = value_of(text, "nan", 0), *version = value_of(text, "version", 0);
    uint8_t missing[8];
    xta_status status = XTA_OK;

    if (version == NULL || strcmp(version, "2") != 0) {
        XTA_TRY(xta__fail(err, XTA_EFORMAT, 0,
                          "%s: a cube of version %s; this library knows 2: make it again",
                          cube->path, version != NULL ? version : "?"));
    }
    if (levels == NULL || measures == NULL || nan == NULL) {
        XTA_TRY(
            xta__fail(err, XTA_ECORRUPT, 0, "%s: its attribute cube is not complete", cube->path));
    }
    XTA_TRY(open_base(cube, text, err));
    XTA_TRY(xta__definition_axes(cube, err));
    for (int k = 0; k < cube->ndim; k++) {
        char *name = value_of(text, "axis", k);
        if (name == NULL) {
            XTA_TRY(xta__fail(err, XTA_ESTATE, 0,
                              "%s: its base has %d axes, the cube has %d; make "
                              "the cube again",
                              cube->path, cube->ndim, k));
        }
        free(cube->axes[k].name); // axes may have been renamed since
        cube->axes[k].name = name;
    }
    XTA_TRY(xta__levels_parse(levels, cube->axes, cube->ndim, NULL, err));
    XTA_TRY(xta__measures_parse(measures, &cube->arithmetic.measures, err));
    cube->arithmetic.propagate_nan = strcmp(nan, "propagate") == 0;
    cube->arithmetic.has_missing = bytes_of(text, "missing", missing, sizeof missing);
    if (cube->arithmetic.has_missing) {
        cube->arithmetic.missing.u = xta__get_u64(missing);
    }
done:
    free(levels);
    free(measures);
    free(nan);
    free(version);
    return status;
}
