/* Where imported cells go: the axes of the array that match those of the source, and the
 * coordinates.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "description/placement.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "util/try.h"

/* How far, in cells, a tile may be off the array's grid: georeferences in files are rounded. */
#define OFF_GRID 1e-3

/* Match axes by name, if the source names all of its axes and the array has all of these names. */
static bool match_names(xta_array *array, const bridge_description *what, int axes[])
{
    for (int k = 0; k < what->ndim; k++) {
        axes[k] = -1;
        for (int axis = 0; what->name[k] != NULL && axis < xta_array_ndim(array); axis++) {
            if (strcmp(what->name[k], xta_axis_name(array, axis)) == 0) {
                axes[k] = axis;
            }
        }
        if (axes[k] < 0) {
            return false;
        }
    }
    return true;
}

/* Axes that are matched by position must not have names that contradict the match. */
static xta_status check_positions(xta_array *array, const bridge_description *what,
                                  const char *source, const int axes[], xta_error *err)
{
    for (int k = 0; k < what->ndim; k++) {
        const char *ours = xta_axis_name(array, axes[k]);
        const char *theirs = what->name[k] != NULL ? what->name[k] : "";
        if (ours[0] != '\0' && theirs[0] != '\0' && strcmp(ours, theirs) != 0) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: its axis %d is called %s, that of array %s in its place %s; "
                                 "if they are the same, name the axes of the file as the array's "
                                 "are (--axes NAME,NAME,...)",
                                 source, k, theirs, xta_array_path(array), ours);
        }
    }
    return XTA_OK;
}

xta_status xta__placement_match_axes(xta_array *array, const bridge_description *what,
                                     const char *source, int axes[], xta_error *err)
{
    int ndim = xta_array_ndim(array);
    if (what->ndim > ndim) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: has %d axes, array %s only %d; add axes to the array first",
                             source, what->ndim, xta_array_path(array), ndim);
    }
    if (!match_names(array, what, axes)) {
        for (int k = 0; k < what->ndim; k++) { // by position; the last axes are the fast ones
            axes[k] = ndim - what->ndim + k;
        }
        return check_positions(array, what, source, axes, err);
    }
    for (int k = 1; k < what->ndim; k++) {
        if (axes[k] <= axes[k - 1]) {
            return xta_error_set(err, XTA_EBOX, 0,
                                 "%s: its axes %s and %s come in the other order than in array %s; "
                                 "transpose it first",
                                 source, what->name[k - 1], what->name[k], xta_array_path(array));
        }
    }
    return XTA_OK;
}

static bool is_near(double a, double b, double unit)
{
    return fabs(a - b) <= unit;
}

/* Column and row, in the grid of `g`, of the point where the grid of `s` begins. */
static bool solve_grid(const double g[6], const double s[6], double *column, double *row)
{
    double determinant = g[1] * g[5] - g[2] * g[4];
    if (determinant == 0 || !isfinite(determinant)) {
        return false;
    }
    double dx = s[0] - g[0];
    double dy = s[3] - g[3];
    *column = (dx * g[5] - dy * g[2]) / determinant;
    *row = (dy * g[1] - dx * g[4]) / determinant;
    return fabs(*column) < 1e15 && fabs(*row) < 1e15;
}

static bool same_projection(xta_array *array, const bridge_description *what)
{
    xta_attribute ours;
    const char *theirs = xta__description_text(what, XTA_ON_ARRAY, "projection");
    if (theirs == NULL ||
        xta_attribute_get(array, XTA_ON_ARRAY, "projection", &ours, NULL) != XTA_OK) {
        return true;
    }
    return ours.type == XTA_TEXT && strcmp(ours.values, theirs) == 0;
}

/* The georeference of the array's cell 0, if it has one. */
static bool array_georeference(xta_array *array, double g[6])
{
    xta_attribute ours;
    if (xta_attribute_get(array, XTA_ON_ARRAY, BRIDGE_GEOTRANSFORM, &ours, NULL) != XTA_OK ||
        ours.type != XTA_F64 || ours.count != 6) {
        return false;
    }
    memcpy(g, ours.values, 6 * sizeof g[0]);
    return true;
}

/* Whether the source covers all rows and columns of the array, so that its cells have the same
 * positions as the array's. */
static bool covers_rows(const bridge_description *what, const xta_box *bounds, const int axes[],
                        const int64_t at[])
{
    bool covers = what->ndim >= 2;
    for (int k = what->ndim - 2; covers && k < what->ndim; k++) {
        int axis = axes[k];
        covers = at[axis] == bounds->lo[axis] && at[axis] + what->bounds[k] == bounds->hi[axis];
    }
    return covers;
}

xta_status xta__placement_check(xta_array *array, const bridge_description *what, const int axes[],
                                const int64_t at[], const char *source, xta_error *err)
{
    const bridge_attribute *theirs = xta__description_find(what, XTA_ON_ARRAY, BRIDGE_GEOTRANSFORM);
    xta_box bounds = xta_array_bounds(array);
    int64_t there[XTA_MAX_NDIM];
    double g[6];
    xta_status status = XTA_OK;
    bool ours = array_georeference(array, g);
    bool known = theirs != NULL && theirs->count == 6 && what->ndim >= 2;
    if (!ours && known && !xta_box_empty(&bounds)) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: is georeferenced, array %s is not; import without coordinates "
                             "(--no-coordinates), or set the array's geotransform with xta attr",
                             source, xta_array_path(array));
    }
    if (ours && !known && !covers_rows(what, &bounds, axes, at)) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: is not georeferenced, array %s is; georeference the file, or "
                             "import without coordinates (--no-coordinates)",
                             source, xta_array_path(array));
    }
    if (!ours || !known) {
        return XTA_OK;
    }
    XTA_TRY(xta__placement_locate(array, what, axes, source, there, err));
    int row = axes[what->ndim - 2];
    int column = axes[what->ndim - 1];
    if (there[row] != at[row] || there[column] != at[column]) {
        status = xta_error_set(err, XTA_EBOX, 0,
                               "%s: its georeference puts its first cell at row %lld, column %lld "
                               "of array %s, not at %lld, %lld; place it there (--at auto), or "
                               "import without coordinates (--no-coordinates)",
                               source, (long long)there[row], (long long)there[column],
                               xta_array_path(array), (long long)at[row], (long long)at[column]);
    }
done:
    return status;
}

xta_status xta__placement_locate(xta_array *array, const bridge_description *what, const int axes[],
                                 const char *source, int64_t at[], xta_error *err)
{
    const bridge_attribute *theirs = xta__description_find(what, XTA_ON_ARRAY, BRIDGE_GEOTRANSFORM);
    double g[6];
    double column;
    double row;
    xta_box bounds = xta_array_bounds(array);
    if (theirs == NULL || theirs->count != 6 || what->ndim < 2 || !array_georeference(array, g)) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: coordinates are needed: file and array %s are not both "
                             "georeferenced, so the place cannot be computed",
                             source, xta_array_path(array));
    }
    const double *s = theirs->values;
    double pixel = fabs(g[1]) + fabs(g[2]);
    double line = fabs(g[4]) + fabs(g[5]);
    bool same_grid = is_near(s[1], g[1], pixel * 1e-6) && is_near(s[2], g[2], pixel * 1e-6) &&
                     is_near(s[4], g[4], line * 1e-6) && is_near(s[5], g[5], line * 1e-6);
    if (!same_projection(array, what) || !same_grid || !solve_grid(g, s, &column, &row)) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: its projection or cell size is not that of array %s; warp it "
                             "first, or give coordinates",
                             source, xta_array_path(array));
    }
    if (!is_near(column, nearbyint(column), OFF_GRID) || !is_near(row, nearbyint(row), OFF_GRID)) {
        return xta_error_set(err, XTA_EBOX, 0,
                             "%s: begins at column %.3f, row %.3f of the grid of array %s, which "
                             "is between cells; warp it first, or give coordinates",
                             source, column, row, xta_array_path(array));
    }
    for (int axis = 0; axis < bounds.ndim; axis++) {
        at[axis] = bounds.lo[axis];
    }
    at[axes[what->ndim - 2]] = (int64_t)nearbyint(row);
    at[axes[what->ndim - 1]] = (int64_t)nearbyint(column);
    return XTA_OK;
}

int xta__placement_pixel_axis(const char *name)
{
    char *end = NULL;
    bool wcs = strncmp(name, "CRPIX", 5) == 0;
    const char *digits = wcs ? name + 5 : strncmp(name, "LTV", 3) == 0 ? name + 3 : "";
    if (!isdigit((unsigned char)digits[0])) {
        return 0;
    }
    long axis = strtol(digits, &end, 10);
    // one of several coordinate systems
    bool other = wcs && isupper((unsigned char)*end) && end[1] == '\0';
    return axis >= 1 && axis <= 999 && (*end == '\0' || other) ? (int)axis : 0;
}
