/* Comparing data sets: dimension by dimension, attribute by attribute.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "compare/compare_sets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/text.h"

/* ---- attributes ---- */

/* Those of A against those of B. `swapped`: A is the second set, and those that both have were
 * compared before. */
static xta_status compare_one_way(const cli_comparison *c, xta_dataset *a, xta_dataset *b,
                                  const char *dimension, int number, bool swapped, cli_error *err)
{
    xta_attribute x, y;
    xta_status status = XTA_OK;

    for (size_t k = 0; k < xta_dataset_attribute_count(a, dimension); k++) {
        XTA_TRY(xta_dataset_attribute_at(a, dimension, k, &x, &err->error));
        bool there = xta_dataset_attribute(b, dimension, x.name, &y, NULL) == XTA_OK;
        if (cli_is_left_out(c, x.name) || (there && (swapped || cli_same_values(&x, &y)))) {
            continue;
        }
        XTA_TRY(cli_report_attributes(c->report, number, dimension, x.name, swapped ? NULL : &x,
                                      swapped ? &x
                                      : there ? &y
                                              : NULL,
                                      err));
    }
done:
    return status;
}

static xta_status compare_attributes(const cli_comparison *c, xta_dataset *a, xta_dataset *b,
                                     const char *dimension, int number, cli_error *err)
{
    xta_status status = XTA_OK;

    if (!c->no_attributes) {
        XTA_TRY(compare_one_way(c, a, b, dimension, number, false, err));
        XTA_TRY(compare_one_way(c, b, a, dimension, number, true, err));
    }
done:
    return status;
}

/* ---- dimensions ---- */

static void print_number(xta_type type, xta_coordinate number, char text[64])
{
    if (type == XTA_F32 || type == XTA_F64) {
        cli_value_text(XTA_F64, sizeof number.f, &number.f, text);
    } else {
        snprintf(text, 64, "%" PRId64, number.i);
    }
}

static void coordinates_text(const xta_dimension *d, char text[256])
{
    char origin[64], step[64];

    snprintf(text, 256, "%s", d->coordinates == XTA_COORDINATES_LISTED ? "listed" : "");
    if (d->coordinates == XTA_COORDINATES_REGULAR) {
        print_number(d->regular.type, d->regular.origin, origin);
        print_number(d->regular.type, d->regular.step, step);
        snprintf(text, 256, "%s from %s by %s", xta_type_name(d->regular.type), origin, step);
    }
}

static xta_status compare_dimension(const cli_comparison *c, xta_dataset *a, xta_dataset *b,
                                    const xta_dimension *x, int number, cli_error *err)
{
    char name[256], in_a[256], in_b[256];
    xta_dimension y;

    // The calls below may end the life of texts of the data set.
    snprintf(name, sizeof name, "%s", x->name);
    if (xta_dataset_dimension(b, name, &y, NULL) != XTA_OK) {
        cli_report_texts(c->report, "dimension", number, name, name, "");
        return XTA_OK;
    }
    coordinates_text(x, in_a);
    coordinates_text(&y, in_b);
    if (strcmp(in_a, in_b) != 0) {
        cli_report_texts(c->report, "coordinates", number, name, in_a, in_b);
    }
    if (x->unlimited != y.unlimited) {
        cli_report_texts(c->report, "length", number, name, x->unlimited ? "unlimited" : "fixed",
                         y.unlimited ? "unlimited" : "fixed");
    }
    return compare_attributes(c, a, b, name, number, err);
}

static xta_status compare_dimensions(const cli_comparison *c, xta_dataset *a, xta_dataset *b,
                                     cli_error *err)
{
    size_t n_a = 0, n_b = 0;
    xta_dimension d, other;
    xta_status status = XTA_OK;

    XTA_TRY(xta_dataset_dimension_count(a, &n_a, &err->error));
    XTA_TRY(xta_dataset_dimension_count(b, &n_b, &err->error));
    for (size_t k = 0; k < n_a; k++) {
        XTA_TRY(xta_dataset_dimension_at(a, k, &d, &err->error));
        XTA_TRY(compare_dimension(c, a, b, &d, (int)k, err));
    }
    for (size_t k = 0; k < n_b; k++) {
        XTA_TRY(xta_dataset_dimension_at(b, k, &d, &err->error));
        if (xta_dataset_dimension(a, d.name, &other, NULL) != XTA_OK) {
            cli_report_texts(c->report, "dimension", (int)(n_a + k), d.name, "", d.name);
        }
    }
done:
    return status;
}

/* ---- order ---- */

typedef const char *name_at(xta_dataset *set, size_t k);

static bool has_name(xta_dataset *set, name_at *get, const char *name)
{
    const char *there = NULL;
    size_t k = 0;

    while ((there = get(set, k)) != NULL && strcmp(there, name) != 0) {
        k++;
    }
    return there != NULL;
}

/* The names that both have, in the order of A; NULL: no memory. */
static char *common_names(xta_dataset *a, xta_dataset *b, name_at *get)
{
    xta__text text = {0};
    const char *name = NULL;

    xta__text_printf(&text, "%s", "");
    for (size_t k = 0; (name = get(a, k)) != NULL; k++) {
        if (has_name(b, get, name)) {
            xta__text_printf(&text, "%s%s", text.n > 0 ? " " : "", name);
        }
    }
    return xta__text_detach(&text);
}

static xta_status compare_order(const cli_comparison *c, xta_dataset *a, xta_dataset *b,
                                const char *what, name_at *get, cli_error *err)
{
    char *in_a = common_names(a, b, get), *in_b = common_names(b, a, get);
    xta_status status = XTA_OK;

    if (in_a == NULL || in_b == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "no memory for a list of names");
    } else if (strcmp(in_a, in_b) != 0) {
        cli_report_texts(c->report, what, XTA_ON_ARRAY, NULL, in_a, in_b);
    }
    free(in_a);
    free(in_b);
    return status;
}

xta_status cli_compare_sets(const cli_comparison *comparison, const char *name, const char *a,
                            const char *b, cli_error *err)
{
    xta_dataset *set_a = NULL, *set_b = NULL;
    xta_status status = XTA_OK;

    if (comparison->cells_only || (!xta_dataset_exists(a) && !xta_dataset_exists(b))) {
        return XTA_OK;
    }
    XTA_TRY(xta_dataset_open(a, NULL, &set_a, &err->error));
    XTA_TRY(xta_dataset_open(b, NULL, &set_b, &err->error));
    cli_report_array_begin(comparison->report, name);
    status = compare_attributes(comparison, set_a, set_b, NULL, XTA_ON_ARRAY, err);
    if (status == XTA_OK) {
        status = compare_dimensions(comparison, set_a, set_b, err);
    }
    if (status == XTA_OK) {
        status = compare_order(comparison, set_a, set_b, "order of members",
                               xta_dataset_member_name, err);
    }
    if (status == XTA_OK) {
        status =
            compare_order(comparison, set_a, set_b, "order of groups", xta_dataset_group_name, err);
    }
    cli_report_array_end(comparison->report);
done:
    xta_dataset_close(set_a, NULL);
    xta_dataset_close(set_b, NULL);
    return status;
}
