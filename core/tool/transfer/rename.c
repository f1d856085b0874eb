/* xta rename: another name for an array, an axis or an attribute.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "transfer/verbs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <xta/copy.h>

#include "kit/folder.h"
#include "kit/print/json.h"
#include "util/checked.h"
#include "util/text.h"

/* Values of the options. */
typedef struct rename_options {
    const char *axis;
    const char *attribute;
    const char *on;
    bool json;
} rename_options;

static const cli_option options[] = {
    CLI_STRING(rename_options, axis, "axis", "OLD=NEW",
               "rename an axis, which is named by its name or number"),
    CLI_STRING(rename_options, attribute, "attribute", "OLD=NEW", "rename an attribute"),
    CLI_STRING(rename_options, on, "on", "AXIS", "the attribute is one of this axis"),
    CLI_FLAG(rename_options, json, "json", "print one JSON object"),
};

static const rename_options *values_of(const cli_args *args)
{
    return args->values;
}

/* OLD=NEW, split at the first =. The caller frees *old; *changed points into it. */
static xta_status split(const char *text, const char *what, char **old, const char **changed,
                        cli_error *err)
{
    size_t n = strcspn(text, "=");

    if (text[n] == '\0' || n == 0 || text[n + 1] == '\0') {
        return cli_usage(err, "--%s: \"%s\" is not of the form OLD=NEW", what, text);
    }
    *old = xta__strdup(text);
    if (*old == NULL) {
        return cli_fail(err, XTA_ENOMEM, 0, "no memory for a name");
    }
    (*old)[n] = '\0';
    *changed = *old + n + 1;
    return XTA_OK;
}

/* Rename an attribute: the new one is set before the old one is removed, so that a kill loses
 * nothing; if both are there with the same values, the rest is done. */
static xta_status rename_attribute(xta_array *array, int axis, const char *old, const char *changed,
                                   cli_error *err)
{
    xta_attribute attribute, other;
    void *values = NULL;
    xta_status status = XTA_OK;

    XTA_TRY(xta_attribute_get(array, axis, old, &attribute, &err->error));
    if (strcmp(old, changed) == 0) {
        return XTA_OK;
    }
    bool there = xta_attribute_get(array, axis, changed, &other, NULL) == XTA_OK;
    size_t bytes = attribute.count * attribute.cell_bytes;
    if (there && (other.type != attribute.type || other.cell_bytes != attribute.cell_bytes ||
                  other.count != attribute.count ||
                  (bytes > 0 && memcmp(other.values, attribute.values, bytes) != 0))) {
        return cli_fail(err, XTA_EEXIST, 0,
                        "%s: there is an attribute \"%s\" already; remove it first, or choose "
                        "another name",
                        xta_array_path(array), changed);
    }
    if (!there) {
        // The values belong to the array, and setting an attribute may move them.
        values = malloc(bytes + 1);
        if (values == NULL) {
            return cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for %zu bytes", old, bytes);
        }
        memcpy(values, attribute.values, bytes);
        attribute.name = changed;
        attribute.values = values;
        XTA_TRY(xta_attribute_set(array, axis, &attribute, &err->error));
    }
    status = xta_attribute_remove(array, axis, old, &err->error);
done:
    free(values);
    return status;
}

static bool has_attribute(xta_array *array, const char *on, const char *name)
{
    int axis = XTA_ON_ARRAY;
    xta_attribute attribute;

    return (on == NULL || xta_axis_find(array, on, &axis, NULL) == XTA_OK) &&
           xta_attribute_get(array, axis, name, &attribute, NULL) == XTA_OK;
}

/* What is renamed in each array. */
typedef struct rename_job {
    const char *folder; // NULL: a single array
    const char *on;
    const char *axis, *new_axis;           // NULL: no axis
    const char *attribute, *new_attribute; // NULL: no attribute
    uint64_t n_renamed;
    cli_json_list made;
} rename_job;

static void print_renamed(rename_job *job, const char *what, const char *path, const char *old,
                          const char *changed)
{
    const struct {
        const char *name, *text;
    } members[] = {{"what", what}, {"in", path}, {"old", old}, {"new", changed}};

    if (!cli_json_list_next(&job->made)) {
        return;
    }
    for (size_t k = 0; k < CLI_COUNT(members); k++) {
        fprintf(job->made.out, "%s\"%s\": ", k > 0 ? ", " : "{", members[k].name);
        cli_json_text(job->made.out, members[k].text);
    }
    fputc('}', job->made.out);
}

/* Rename axis and attribute of one array. In a folder, arrays without them stay as they are. */
static xta_status rename_in(rename_job *job, const char *path, cli_error *err)
{
    xta_array *array = NULL;
    int axis = 0, on = XTA_ON_ARRAY;
    xta_status status = XTA_OK;

    XTA_TRY(cli_open_writable(path, &array, err));
    bool has_axis = job->axis != NULL &&
                    (job->folder == NULL || xta_axis_find(array, job->axis, &axis, NULL) == XTA_OK);
    bool has = job->attribute != NULL &&
               (job->folder == NULL || has_attribute(array, job->on, job->attribute));
    if (has && job->on != NULL) {
        XTA_TRY(xta_axis_find(array, job->on, &on, &err->error));
    }
    if (has_axis) {
        XTA_TRY(xta_axis_find(array, job->axis, &axis, &err->error));
        XTA_TRY(xta_axis_set_name(array, axis, job->new_axis, &err->error));
        print_renamed(job, "axis", path, job->axis, job->new_axis);
    }
    if (has) {
        XTA_TRY(rename_attribute(array, on, job->attribute, job->new_attribute, err));
        print_renamed(job, "attribute", path, job->attribute, job->new_attribute);
    }
    job->n_renamed += has_axis || has;
done:
    return cli_close(array, status, err);
}

static xta_status visit_member(void *user, const cli_member *member, cli_error *err)
{
    rename_job *job = user;
    char *path = NULL;
    xta_status status = XTA_OK;

    if (member->array) {
        XTA_TRY(cli_join(job->folder, member->name, &path, err));
        status = rename_in(job, path, err);
    }
done:
    free(path);
    return status;
}

/* ---- data sets ---- */

/* The folder of a path; the caller frees it. NULL: no memory. */
static char *folder_of(const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    while (n > 0 && path[n - 1] != '/') {
        n--;
    }
    return n > 0 ? xta__string("%.*s", (int)n, path) : xta__string("./");
}

static const char *last_name(const char *path, char **copy)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    *copy = xta__string("%.*s", (int)n, path);
    const char *slash = *copy != NULL ? strrchr(*copy, '/') : NULL;
    return slash != NULL ? slash + 1 : *copy;
}

static xta_status open_set(const char *folder, xta_dataset **set, cli_error *err)
{
    xta_dataset_options how = XTA_DATASET_OPTIONS_INIT;

    how.writable = true;
    return xta_dataset_open(folder, &how, set, &err->error);
}

static xta_status close_set(xta_dataset *set, xta_status status, cli_error *err)
{
    xta_error why;

    if (xta_dataset_close(set, &why) != XTA_OK && status == XTA_OK) {
        err->error = why;
        status = why.status;
    }
    return status;
}

/* A member or a group of a folder with a dataset.xmd, else an array alone. */
static xta_status rename_files(rename_job *job, const char *path, const char *name, cli_error *err)
{
    char *folder = folder_of(path), *copy = NULL, *renamed = NULL;
    const char *old = last_name(path, &copy);
    bool is_folder = cli_is_folder(path);
    xta_array *array = NULL;
    xta_dataset *set = NULL;
    xta_status status = XTA_OK;

    if (folder == NULL || old == NULL) {
        XTA_TRY(cli_fail(err, XTA_ENOMEM, 0, "%s: no memory for its name", path));
    }
    if (!xta_dataset_exists(folder)) {
        XTA_TRY(is_folder ? cli_fail(err, XTA_EARG, 0, "%s: is a folder; mv renames it", path)
                          : xta_array_rename(path, name, &err->error));
        print_renamed(job, "array", folder, old, name);
        goto done;
    }
    XTA_TRY(open_set(folder, &set, err));
    XTA_TRY(cli_join(folder, name, &renamed, err));
    // A call that was cut off may have renamed the folder.
    is_folder = is_folder ||
                (xta_dataset_member(set, old, &array, NULL) != XTA_OK && cli_is_folder(renamed));
    XTA_TRY(is_folder ? xta_dataset_rename_group(set, old, name, &err->error)
                      : xta_dataset_rename_member(set, old, name, &err->error));
    print_renamed(job, is_folder ? "folder" : "array", folder, old, name);
done:
    free(folder);
    free(copy);
    free(renamed);
    return close_set(set, status, err);
}

/* The dimension of a folder with a dataset.xmd. The arrays of other folders follow. */
static xta_status rename_dimension(rename_job *job, const char *folder, cli_error *err)
{
    xta_dataset *set = NULL;
    xta_dimension d;
    xta_status status = XTA_OK;

    if (job->axis == NULL || !xta_dataset_exists(folder)) {
        return XTA_OK;
    }
    XTA_TRY(open_set(folder, &set, err));
    if (xta_dataset_dimension(set, job->axis, &d, NULL) == XTA_OK) {
        XTA_TRY(xta_dataset_rename_dimension(set, job->axis, job->new_axis, &err->error));
        job->n_renamed++;
        print_renamed(job, "dimension", folder, job->axis, job->new_axis);
    }
done:
    return close_set(set, status, err);
}

static xta_status visit_group(void *user, const cli_member *member, cli_error *err)
{
    rename_job *job = user;
    char *path = NULL;
    xta_status status = XTA_OK;

    if (!member->array) {
        XTA_TRY(cli_join(job->folder, member->name, &path, err));
        status = rename_dimension(job, path, err);
    }
done:
    free(path);
    return status;
}

static xta_status rename_inside(rename_job *job, const char *path, cli_error *err)
{
    xta_status status = XTA_OK;

    if (!cli_is_folder(path)) {
        return rename_in(job, path, err);
    }
    job->folder = path;
    XTA_TRY(rename_dimension(job, path, err));
    XTA_TRY(cli_members_visit(path, true, visit_group, job, err));
    XTA_TRY(cli_members_visit(path, true, visit_member, job, err));
    if (job->n_renamed == 0) {
        return cli_fail(err, XTA_ENOENT, 0, "%s: no array in this folder has the %s \"%s\"", path,
                        job->axis != NULL ? "axis" : "attribute",
                        job->axis != NULL ? job->axis : job->attribute);
    }
done:
    return status;
}

/* The name B in the folder of A: B is a name, or a path with the same folder. */
static xta_status new_name(const char *from, const char *to, const char **name, cli_error *err)
{
    const char *slash_from = strrchr(from, '/'), *slash_to = strrchr(to, '/');
    struct stat a, b;

    *name = slash_to != NULL ? slash_to + 1 : to;
    if (slash_to == NULL) {
        return XTA_OK;
    }
    char *folder_from = slash_from != NULL ? xta__string("%.*s/", (int)(slash_from - from), from)
                                           : xta__string("./");
    char *folder_to = xta__string("%.*s/", (int)(slash_to - to), to);
    bool same = folder_from != NULL && folder_to != NULL && stat(folder_from, &a) == 0 &&
                stat(folder_to, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
    free(folder_from);
    free(folder_to);
    return same ? XTA_OK
                : cli_fail(err, XTA_EARG, 0,
                           "%s: is not in the folder of %s; an array is renamed in its folder: xta "
                           "copy brings it to another",
                           to, from);
}

static xta_status run(const cli_args *args, cli_error *err)
{
    const rename_options *values = values_of(args);
    rename_job job = {.on = values->on,
                      .made = {.out = values->json ? stdout : NULL, .name = "renamed"}};
    char *axis = NULL, *attribute = NULL;
    const char *name = NULL;
    xta_status status = XTA_OK;

    if (args->n_words < 2 && values->axis == NULL && values->attribute == NULL) {
        return cli_usage(err, "the new name is missing: xta rename %s", args->command->usage);
    }
    if (values->on != NULL && values->attribute == NULL) {
        return cli_usage(err, "--on belongs to --attribute, which is missing");
    }
    if (values->axis != NULL) {
        XTA_TRY(split(values->axis, "axis", &axis, &job.new_axis, err));
        job.axis = axis;
    }
    if (values->attribute != NULL) {
        XTA_TRY(split(values->attribute, "attribute", &attribute, &job.new_attribute, err));
        job.attribute = attribute;
    }
    if (args->n_words == 2) {
        XTA_TRY(new_name(args->words[0], args->words[1], &name, err));
    }
    if (axis != NULL || attribute != NULL) {
        XTA_TRY(rename_inside(&job, args->words[0], err));
    }
    if (name != NULL) {
        XTA_TRY(rename_files(&job, args->words[0], name, err));
    }
    cli_json_list_end(&job.made);
done:
    free(axis);
    free(attribute);
    return status;
}

const cli_command cli_rename = {
    .name = "rename",
    .summary = "rename an array, an axis or an attribute",
    .usage = "A [B] [--axis OLD=NEW] [--attribute OLD=NEW [--on AXIS]] [--json]",
    .details =
        "Gives both files of the array A the name B, in the same folder; or the folder A, a group "
        "of "
        "a data set, that name. dataset.xmd follows. At every instant, also "
        "after a kill, the array is there under exactly one of the names; repeating the command "
        "completes what a kill has cut off. Programs that have the array open go on with its "
        "cells. Without B, axes or attributes are renamed: if A is a folder, those of every array "
        "in it, and in the folders in it, that has them.",
    .example = "  xta rename runs trials --axis t=time",
    .options = options,
    .n_options = CLI_COUNT(options),
    .options_bytes = sizeof(rename_options),
    .min_words = 1,
    .max_words = 2,
    .run = run,
};
