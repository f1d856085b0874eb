/* xta attr: attributes, axis names and units.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "structure/verbs.h"

#include <stdlib.h>
#include <string.h>

#include "kit/print/describe.h"
#include "kit/print/json_cells.h"
#include "util/checked.h"

/* Values of the options. */
typedef struct attr_options {
    const char *axis;
    cli_cell_type type;
    const char *remove;
    const char *set_name;
    const char *set_unit;
    bool json;
} attr_options;

static const cli_option options[] = {
    CLI_STRING(attr_options, axis, "axis", "AXIS",
               "of this axis (name or number) instead of the array"),
    CLI_PARSED(attr_options, type, "type", "T", cli_parse_type_value,
               "NAME=VALUE: numbers of this type, separated by commas; without it text"),
    CLI_STRING(attr_options, remove, "remove", "NAME", "remove an attribute"),
    CLI_STRING(attr_options, set_name, "set-name", "N", "name the axis; \"\" takes the name away"),
    CLI_STRING(attr_options, set_unit, "set-unit", "U",
               "set the unit of the axis; \"\" takes it away"),
    CLI_FLAG(attr_options, json, "json", "print one JSON object"),
};

static const attr_options *values_of(const cli_args *args)
{
    return args->values;
}

/* Parse numbers separated by commas into memory that the caller owns. */
static xta_status parse_values(const char *text, xta_attribute *attribute, void **values,
                               cli_error *err)
{
    size_t n = 1;
    char *copy = xta__strdup(text);
    char *at = copy;
    xta_status status = XTA_OK;

    for (const char *c = text; *c != '\0'; c++) {
        n += *c == ',';
    }
    n = text[0] == '\0' ? 0 : n;
    *values = calloc(n > 0 ? n : 1, attribute->cell_bytes);
    if (copy == NULL || *values == NULL) {
        status = cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu values", attribute->name, n);
        goto done;
    }
    for (size_t k = 0; k < n; k++) {
        char *comma = strchr(at, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        XTA_TRY(cli_value_parse(at, attribute->name, attribute->type, attribute->cell_bytes,
                                (char *)*values + k * attribute->cell_bytes, err));
        at = comma != NULL ? comma + 1 : at;
    }
    attribute->count = n;
    attribute->values = *values;
done:
    free(copy);
    return status;
}

/* NAME=VALUE. */
static xta_status set_attribute(const cli_args *args, xta_array *array, int axis, cli_error *err)
{
    const char *text = args->words[1];
    size_t length = strcspn(text, "=");
    const char *value = text + length + 1;
    char *name = malloc(length + 1);
    void *values = NULL;
    xta_attribute attribute = {0};
    xta_status status = XTA_OK;

    if (name == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a name of %zu bytes", length);
    }
    memcpy(name, text, length);
    name[length] = '\0';
    attribute.name = name;
    attribute.type = XTA_TEXT;
    if (cli_has(args, "type")) {
        attribute.type = values_of(args)->type.type;
        attribute.cell_bytes = values_of(args)->type.cell_bytes;
    }
    if (attribute.type == XTA_TEXT) {
        status = xta_attribute_set_text(array, axis, name, value, &err->error);
    } else if (attribute.cell_bytes == 0) {
        status = cli_usage(err, "--type: say how many bytes a value has, as in bytes:8");
    } else {
        XTA_TRY(parse_values(value, &attribute, &values, err));
        status = xta_attribute_set(array, axis, &attribute, &err->error);
    }
done:
    free(values);
    free(name);
    return status;
}

static xta_status get_attribute(const cli_args *args, xta_array *array, int axis, cli_error *err)
{
    xta_attribute attribute;
    xta_status status = XTA_OK;

    if (cli_has(args, "type")) {
        return cli_usage(err, "--type belongs to NAME=VALUE; \"%s\" has no =", args->words[1]);
    }
    XTA_TRY(xta_attribute_get(array, axis, args->words[1], &attribute, &err->error));
    if (values_of(args)->json) {
        printf("{\"name\": ");
        cli_json_text(stdout, args->words[1]);
        printf(", \"attribute\": ");
        XTA_TRY(cli_json_attribute(stdout, &attribute, err));
        printf("}\n");
        goto done;
    }
    XTA_TRY(cli_print_values(stdout, &attribute, err));
    printf("\n");
done:
    return status;
}

static xta_status list_json(const cli_args *args, xta_array *array, int axis, cli_error *err)
{
    int ndim = xta_array_ndim(array);
    bool of_axis = axis != XTA_ON_ARRAY;
    xta_status status = XTA_OK;

    printf("{\"array\": ");
    cli_json_text(stdout, args->words[0]);
    printf(", \"attributes\": ");
    if (of_axis) {
        printf("{}");
    } else {
        XTA_TRY(cli_json_attributes(stdout, array, XTA_ON_ARRAY, err));
    }
    printf(", \"axes\": [");
    for (int k = of_axis ? axis : 0; k < (of_axis ? axis + 1 : ndim); k++) {
        printf("%s\n  {\"axis\": %d, \"name\": ", of_axis || k == 0 ? "" : ",", k);
        cli_json_text(stdout, xta_axis_name(array, k));
        printf(", \"unit\": ");
        cli_json_text(stdout, xta_axis_unit(array, k));
        printf(", \"attributes\": ");
        XTA_TRY(cli_json_attributes(stdout, array, k, err));
        printf("}");
    }
    printf("\n]}\n");
done:
    return status;
}

static xta_status list_attributes(const cli_args *args, xta_array *array, int axis, cli_error *err)
{
    int ndim = xta_array_ndim(array);
    xta_status status = XTA_OK;

    if (values_of(args)->json) {
        return list_json(args, array, axis, err);
    }
    XTA_TRY(cli_print_attributes(stdout, array, axis, "", err));
    for (int k = 0; values_of(args)->axis == NULL && k < ndim; k++) {
        char prefix[512];
        char number[16];
        snprintf(prefix, sizeof prefix, "%.400s:", cli_axis_label(array, k, number));
        XTA_TRY(cli_print_attributes(stdout, array, k, prefix, err));
    }
done:
    return status;
}

static xta_status set_axis(const cli_args *args, xta_array *array, int axis, cli_error *err)
{
    xta_status status = XTA_OK;

    if (values_of(args)->set_name != NULL) {
        XTA_TRY(xta_axis_set_name(array, axis, values_of(args)->set_name, &err->error));
    }
    if (values_of(args)->set_unit != NULL) {
        XTA_TRY(xta_axis_set_unit(array, axis, values_of(args)->set_unit, &err->error));
    }
done:
    return status;
}

static xta_status run(const cli_args *args, cli_error *err)
{
    bool of_axis = (values_of(args)->set_name != NULL) || (values_of(args)->set_unit != NULL);
    bool removes = (values_of(args)->remove != NULL);
    bool has_word = args->n_words == 2;
    bool sets = has_word && strchr(args->words[1], '=') != NULL;
    int axis = XTA_ON_ARRAY;
    xta_array *array = NULL;
    xta_status status = XTA_OK;

    if (of_axis + removes + has_word > 1) {
        return cli_usage(err, "one thing at a time: NAME, NAME=VALUE, --remove, or --set-name and "
                              "--set-unit");
    }
    if (of_axis && values_of(args)->axis == NULL) {
        return cli_usage(err, "--axis is missing: which axis is to be set?");
    }
    if (cli_has(args, "type") && !has_word) {
        return cli_usage(err, "--type belongs to NAME=VALUE, which is missing");
    }
    bool changes = sets || removes || of_axis;
    status = changes ? cli_open_writable(args->words[0], &array, err)
                     : cli_open(args, args->words[0], &array, err);
    if (status == XTA_OK && (values_of(args)->axis != NULL)) {
        status = xta_axis_find(array, values_of(args)->axis, &axis, &err->error);
    }
    if (status == XTA_OK) {
        status = of_axis   ? set_axis(args, array, axis, err)
                 : removes ? xta_attribute_remove(array, axis, values_of(args)->remove, &err->error)
                 : sets    ? set_attribute(args, array, axis, err)
                 : has_word ? get_attribute(args, array, axis, err)
                            : list_attributes(args, array, axis, err);
    }
    if (status == XTA_OK && changes && values_of(args)->json) {
        status = list_json(args, array, axis, err);
    }
    return cli_close(array, status, err);
}

const cli_command cli_attr = {
    .name = "attr",
    .summary = "list, print, set and remove attributes; name axes",
    .usage = "A [NAME | NAME=VALUE [--type T] | --remove NAME | --set-name N --set-unit U] "
             "[--axis AXIS] [--json]",
    .details =
        "Without NAME lists the attributes of the array and, as AXIS:NAME, those of its axes: "
        "a line NAME<TAB>TYPE<TAB>VALUES each, with control characters as \\n, \\t, \\xNN and long "
        "ones cut short. With "
        "NAME prints its value as it is. NAME=VALUE sets it; the name ends at the first =.",
    .example = "  xta attr runs scale_factor=0.01 --type f64",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(attr_options),
    .min_words = 1,
    .max_words = 2,
    .run = run,
};
