/* Numbers of a scene's cells as physical values.
 *
 * Cells are analysed as they are stored. What is shown beside a picture is converted as the
 * picture's legend is, so that one report has one kind of number.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "report/physical.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <xta/attribute.h>

/* The text of an attribute of the scene; "" if there is none. */
static void text_of(xta_array *array, const char *name, char text[64])
{
    xta_attribute a;

    text[0] = '\0';
    if (xta_attribute_get(array, XTA_ON_ARRAY, name, &a, NULL) == XTA_OK && a.type == XTA_TEXT) {
        snprintf(text, 64, "%s", (const char *)a.values);
    }
}

static bool is_uniform(const xta_scene_info *info)
{
    bool same = true;

    for (size_t k = 1; k < info->n_bands; k++) {
        same = same && info->gain[k] == info->gain[0] && info->offset[k] == info->offset[0];
    }
    return same;
}

static void label_of_scene(const cli_report *report, char label[128])
{
    const xta_scene_info *info = &report->scene.info;
    char name[64], unit[64];

    text_of(report->scene.array, "long_name", name);
    text_of(report->scene.array, "units", unit);
    if (info->reflectance_scale > 0) {
        snprintf(label, 128, "reflectance");
    } else if (unit[0] != '\0' && strcmp(unit, "1") != 0) {
        snprintf(label, 128, "%s [%s]", name[0] != '\0' ? name : "value", unit);
    } else if (name[0] != '\0') {
        snprintf(label, 128, "%s", name);
    } else if (info->gain == NULL) {
        snprintf(label, 128, "cell value");
    } else if (!is_uniform(info)) {
        snprintf(label, 128, "physical value (each band has its scale)");
    } else if (info->offset[0] == 0) {
        snprintf(label, 128, "cell value \u00d7 %g", info->gain[0]);
    } else {
        snprintf(label, 128, "cell value \u00d7 %g %s %g", info->gain[0],
                 info->offset[0] < 0 ? "\u2212" : "+", fabs(info->offset[0]));
    }
}

void cli_report_physical(const cli_report *report, size_t n, double *values, char label[128])
{
    const cli_spectra *s = &report->endmembers;
    const xta_scene_info *info = &report->scene.info;
    bool scene = report->scene.array != NULL;

    if (scene) {
        label_of_scene(report, label);
    } else {
        snprintf(label, 128, s->scale > 0 ? "reflectance" : "cell value");
    }
    for (size_t k = 0; k < n * s->n_bands; k++) {
        if (scene && info->gain != NULL) {
            values[k] = info->gain[k % s->n_bands] * values[k] + info->offset[k % s->n_bands];
        } else if (!scene && s->scale > 0) {
            values[k] /= s->scale;
        }
    }
}
