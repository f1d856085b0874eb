/* The regions of xta extract, read from a file or a mask.
 *
 * A file of regions has one region on each line, words separated by blanks; text after a # is a
 * comment:
 *
 *     box     LO:HI,LO:HI,...     [NAME]
 *     sel     AXIS=LABELS,...     [NAME]
 *     sphere  C,C,...  RADIUS     [NAME]
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "regions.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xta/select.h>

#include "kit/cells/source.h"
#include "npy_array.h"

#define WORDS 5 /* one more than a line may have words */

typedef struct region_line {
    const char *path;
    uint64_t number;
    char *word[WORDS];
    int n_words;
} region_line;

static void split(char *text, region_line *line)
{
    char *rest = NULL;

    text[strcspn(text, "#")] = '\0';
    line->n_words = 0;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word != NULL && line->n_words < WORDS;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        line->word[line->n_words++] = word;
    }
}

/* The bounds of the array on the axes of the regions. */
static xta_box space_of(const cli_extraction *job)
{
    xta_box bounds = xta_array_bounds(job->array);
    xta_box space = {.ndim = job->n_axes};

    for (int axis = 0; axis < job->n_axes; axis++) {
        space.lo[axis] = bounds.lo[job->axes[axis]];
        space.hi[axis] = bounds.hi[job->axes[axis]];
    }
    return space;
}

static xta_status take_box(cli_extraction *job, const region_line *line, cli_error *err)
{
    xta_box space = space_of(job);
    xta_box box;
    cli_error own = {0};
    const char *name = line->n_words > 2 ? line->word[2] : NULL;
    xta_status status = cli_parse_box(line->word[1], &space, &box, &own);

    if (status != XTA_OK) {
        // The message names the option of other commands; here the line is wrong.
        const char *text =
            strncmp(own.error.text, "--box: ", 7) == 0 ? own.error.text + 7 : own.error.text;
        return cli_fail(err, status, 0, "%s: line %" PRIu64 ": %s", line->path, line->number, text);
    }
    for (int axis = 0; !job->clip && axis < box.ndim; axis++) {
        if (box.lo[axis] < space.lo[axis] || box.hi[axis] > space.hi[axis]) {
            return cli_fail(err, XTA_EBOX, 0,
                            "%s: line %" PRIu64 ": axis %d: %" PRId64 ":%" PRId64
                            " leaves the bounds %" PRId64 ":%" PRId64
                            " of %s; stay within them or give --clip",
                            line->path, line->number, job->axes[axis], box.lo[axis], box.hi[axis],
                            space.lo[axis], space.hi[axis], job->path);
        }
    }
    return xta_regions_add_box(job->regions, name, &box, &err->error);
}

/* Where the axes of the regions have an axis of the array; -1: nowhere. */
static int place_of(const cli_extraction *job, int axis)
{
    for (int k = 0; k < job->n_axes; k++) {
        if (job->axes[k] == axis) {
            return k;
        }
    }
    return -1;
}

/* A box by labels. */
static xta_status take_labels(cli_extraction *job, const region_line *line, cli_error *err)
{
    xta_box box = space_of(job);
    const char *name = line->n_words > 2 ? line->word[2] : NULL;
    cli_error own = {0};
    xta_selection s;
    xta_status status = xta_box_select(job->array, line->word[1], &s, &own.error);

    if (status != XTA_OK) {
        return cli_fail(err, status, 0, "%s: line %" PRIu64 ": %s", line->path, line->number,
                        own.error.text);
    }
    for (int axis = 0; axis < s.box.ndim && status == XTA_OK; axis++) {
        int k = place_of(job, axis);
        if (s.named[axis] && (k < 0 || !xta_selection_is_box(&s, axis))) {
            status = cli_fail(err, XTA_EARG, 0,
                              k < 0 ? "%s: line %" PRIu64 ": axis %d of %s is none of the regions; "
                                      "add it to --axes"
                                    : "%s: line %" PRIu64
                                      ": axis %d of %s: a list or a step; a region is a box, give "
                                      "a range A:B",
                              line->path, line->number, axis, job->path);
        } else if (s.named[axis]) {
            box.lo[k] = s.box.lo[axis];
            box.hi[k] = s.box.hi[axis];
        }
    }
    xta_selection_clear(&s);
    return status == XTA_OK ? xta_regions_add_box(job->regions, name, &box, &err->error) : status;
}

/* "1.5,2,3" */
static bool read_numbers(const char *text, int n, double number[])
{
    for (int k = 0; k < n; k++) {
        char *end;
        number[k] = strtod(text, &end);
        if (end == text || *end != (k + 1 < n ? ',' : '\0') || !isfinite(number[k])) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

static xta_status take_sphere(cli_extraction *job, const region_line *line, cli_error *err)
{
    const char *name = line->n_words > 3 ? line->word[3] : NULL;
    double centre[XTA_MAX_NDIM], radius;
    cli_error own = {0};

    if (line->n_words < 3 || !read_numbers(line->word[1], job->n_axes, centre) ||
        !read_numbers(line->word[2], 1, &radius)) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: line %" PRIu64 ": \"%s %s\" is no sphere; want %d coordinates of the "
                        "centre, joined by commas, and a radius",
                        line->path, line->number, line->word[1],
                        line->n_words > 2 ? line->word[2] : "", job->n_axes);
    }
    if (radius < 0) {
        return cli_fail(err, XTA_EARG, 0, "%s: line %" PRIu64 ": radius %s; want 0 or more",
                        line->path, line->number, line->word[2]);
    }
    xta_status status = xta_regions_add_sphere(job->regions, name, centre, radius,
                                               job->has_spacing ? job->spacing : NULL, &own.error);
    if (status != XTA_OK) {
        return cli_fail(err, status, 0, "%s: line %" PRIu64 ": %s", line->path, line->number,
                        own.error.text);
    }
    return XTA_OK;
}

static xta_status take_line(cli_extraction *job, const region_line *line, cli_error *err)
{
    if (line->n_words == 0) {
        return XTA_OK;
    }
    bool box = strcmp(line->word[0], "box") == 0, labels = strcmp(line->word[0], "sel") == 0;
    if (!box && !labels && strcmp(line->word[0], "sphere") != 0) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: line %" PRIu64
                        ": \"%s\" is no kind of region; want box, sel or sphere",
                        line->path, line->number, line->word[0]);
    }
    if (line->n_words < 2 || line->n_words > (box || labels ? 3 : 4)) {
        return cli_fail(err, XTA_EARG, 0, "%s: line %" PRIu64 ": want %s [NAME]", line->path,
                        line->number,
                        box      ? "box LO:HI,LO:HI,..."
                        : labels ? "sel AXIS=LABELS,..."
                                 : "sphere C,C,... RADIUS");
    }
    return box      ? take_box(job, line, err)
           : labels ? take_labels(job, line, err)
                    : take_sphere(job, line, err);
}

xta_status cli_regions_read(cli_extraction *job, const char *path, cli_error *err)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    region_line line = {.path = file == stdin ? "standard input" : path};
    char *text = NULL;
    size_t capacity = 0;
    xta_status status = XTA_OK;

    job->regions_path = line.path;
    if (file == NULL) {
        return cli_fail(err, errno == ENOENT ? XTA_ENOENT : XTA_EIO, errno,
                        "%s: cannot be opened: %s", path, strerror(errno));
    }
    XTA_TRY(xta_regions_new(job->n_axes, &job->regions, &err->error));
    while (getline(&text, &capacity, file) > 0) {
        line.number++;
        split(text, &line);
        XTA_TRY(take_line(job, &line, err));
    }
    if (ferror(file)) {
        XTA_TRY(cli_fail(err, XTA_EIO, errno, "%s: cannot be read: %s", path, strerror(errno)));
    }
    if (xta_regions_count(job->regions) == 0) {
        status = cli_fail(err, XTA_EARG, 0, "%s: holds no region; want a line for each", line.path);
    }
done:
    free(text);
    if (file != stdin) {
        fclose(file);
    }
    return status;
}

/* ---- masks ---- */

xta_status cli_regions_mask(cli_extraction *job, const char *path, int64_t background,
                            cli_error *err)
{
    cli_form form = CLI_TEXT;
    int64_t origin[XTA_MAX_NDIM] = {0};
    xta_box bounds = xta_array_bounds(job->array);
    xta_status status = XTA_OK;

    job->regions_path = path;
    XTA_TRY(cli_parse_form(NULL, path, &form, err));
    if (form != CLI_NPY) {
        XTA_TRY(xta_array_open(path, NULL, &job->mask, &err->error));
        return xta_regions_of_mask(job->mask, background, NULL, &job->regions, &err->error);
    }
    XTA_TRY(cli_npy_load(path, "mask", &job->mask, err));
    // A .npy file has no coordinates: its first cell is the first cell of the array.
    int ndim = xta_array_ndim(job->mask);
    for (int axis = 0; axis < ndim; axis++) {
        int of = job->has_axes && axis < job->n_axes ? job->axes[axis] : axis;
        origin[axis] = of < bounds.ndim ? bounds.lo[of] : 0;
    }
    if (!job->has_axes && ndim < bounds.ndim) {
        for (int axis = 0; axis < bounds.ndim; axis++) {
            if (bounds.lo[axis] != 0) {
                return cli_usage(err,
                                 "--axes is missing: the mask has %d axes, %s has %d, and "
                                 "they do not all begin at 0",
                                 ndim, job->path, bounds.ndim);
            }
        }
    }
    status = xta_regions_of_mask(job->mask, background, origin, &job->regions, &err->error);
done:
    return status;
}
