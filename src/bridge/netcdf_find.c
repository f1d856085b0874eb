/* NetCDF: which variable is meant, and which others belong to it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "netcdf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A variable by name in a group or the groups around it. */
static bool find_upwards(int group, const char *name, int *found_group, int *variable)
{
    for (int parent; nc_inq_varid(group, name, variable) != NC_NOERR; group = parent) {
        if (nc_inq_grp_parent(group, &parent) != NC_NOERR) {
            return false;
        }
    }
    *found_group = group;
    return true;
}

size_t xta__netcdf_bytes(int group, int variable)
{
    int ndim;
    int dimension[NC_MAX_VAR_DIMS];
    nc_type type;
    size_t unit = 1;
    if (nc_inq_var(group, variable, NULL, &type, &ndim, dimension, NULL) != NC_NOERR ||
        nc_inq_type(group, type, NULL, &unit) != NC_NOERR) {
        return 0;
    }
    for (int d = 0; d < ndim; d++) {
        size_t n;
        if (nc_inq_dimlen(group, dimension[d], &n) != NC_NOERR || (n > 0 && unit > SIZE_MAX / n)) {
            return SIZE_MAX;
        }
        unit *= n;
    }
    return unit;
}

static const char *const references[] = {
    "coordinates",         "bounds",        "climatology", "grid_mapping",
    "ancillary_variables", "cell_measures", NULL};

/* Call `each` for every variable that the metadata of one name. */
static void for_references(int group, int variable,
                           void (*each)(void *user, int group, int variable, const char *name),
                           void *user)
{
    for (int k = 0; references[k] != NULL; k++) {
        nc_type type;
        size_t n;
        if (nc_inq_att(group, variable, references[k], &type, &n) != NC_NOERR || type != NC_CHAR ||
            n > MOST_COMPANION_BYTES) {
            continue;
        }
        char *text = calloc(n + 1, 1);
        if (text == NULL || nc_get_att_text(group, variable, references[k], text) != NC_NOERR) {
            free(text);
            continue;
        }
        char *rest = NULL;
        for (char *word = strtok_r(text, " \t\n:", &rest); word != NULL;
             word = strtok_r(NULL, " \t\n:", &rest)) {
            int found_group;
            int found;
            if (find_upwards(group, word, &found_group, &found)) {
                each(user, found_group, found, word);
            }
        }
        free(text);
    }
}

/* Whether a one-dimensional variable is named as its dimension. */
static bool is_coordinate(int group, int variable)
{
    char name[NC_MAX_NAME + 1];
    char dimension_name[NC_MAX_NAME + 1];
    int ndim;
    int dimension[NC_MAX_VAR_DIMS];
    return nc_inq_var(group, variable, name, NULL, &ndim, dimension, NULL) == NC_NOERR &&
           ndim == 1 && nc_inq_dimname(group, dimension[0], dimension_name) == NC_NOERR &&
           strcmp(name, dimension_name) == 0;
}

typedef struct search {
    int group; /* the best so far */
    int variable;
    size_t bytes;
    bool found;
    /* whether a given variable is named by another one */
    int asked_group;
    int asked;
    bool named;
} search;

static void note_name(void *user, int group, int variable, const char *name)
{
    search *s = user;
    (void)name;
    s->named = s->named || (group == s->asked_group && variable == s->asked);
}

/* The largest variable of a group and the groups in it, first among those that no other one
 * names. */
static void search_group(int group, bool among_all, search *s)
{
    int n = 0;
    nc_inq_nvars(group, &n);
    for (int v = 0; v < n; v++) {
        nc_type type = NC_NAT;
        s->named = is_coordinate(group, v);
        s->asked_group = group;
        s->asked = v;
        for (int other = 0; other < n && !among_all; other++) {
            for_references(group, other, note_name, s);
        }
        size_t bytes = xta__netcdf_bytes(group, v);
        bool good = nc_inq_vartype(group, v, &type) == NC_NOERR &&
                    xta__netcdf_to_xta(type) != XTA_TYPE_SAME && (among_all || !s->named);
        if (good && (!s->found || bytes > s->bytes)) {
            s->group = group;
            s->variable = v;
            s->bytes = bytes;
            s->found = true;
        }
    }
    int n_groups = 0;
    nc_inq_grps(group, &n_groups, NULL);
    int *groups = calloc((size_t)n_groups + 1, sizeof *groups);
    if (groups != NULL && nc_inq_grps(group, &n_groups, groups) == NC_NOERR) {
        for (int k = 0; k < n_groups; k++) {
            search_group(groups[k], among_all, s);
        }
    }
    free(groups);
}

static xta_status no_such_variable(const netcdf_source *source, const char *name, xta_error *err)
{
    char list[300] = "";
    char one[NC_MAX_NAME + 1];
    size_t used = 0;
    int n = 0;
    nc_inq_nvars(source->root, &n);
    for (int v = 0; v < n && used + 1 < sizeof list; v++) {
        if (nc_inq_varname(source->root, v, one) == NC_NOERR) {
            used += (size_t)snprintf(list + used, sizeof list - used, v == 0 ? "%s" : ", %s", one);
        }
    }
    return xta_error_set(err, XTA_ENOENT, 0, "%s: has no variable '%s'; it has: %s", source->path,
                         name, list);
}

/* A variable by name, with the groups it lies in before it: "group/inner/name". */
static bool find_named(netcdf_source *source, const char *name)
{
    char path[NETCDF_NAME_BYTES];
    if (strlen(name) >= sizeof path) {
        return false;
    }
    strcpy(path, name);
    source->group = source->root;
    char *slash = strrchr(path, '/');
    if (slash != NULL) {
        *slash = '\0';
        if (slash != path && nc_inq_grp_full_ncid(source->root, path, &source->group) != NC_NOERR) {
            return false;
        }
        name = slash + 1;
    }
    return nc_inq_varid(source->group, name, &source->variable) == NC_NOERR;
}

xta_status xta__netcdf_choose(netcdf_source *source, const char *name, xta_error *err)
{
    search s = {.found = false};
    if (name != NULL) {
        return find_named(source, name) ? XTA_OK : no_such_variable(source, name, err);
    }
    search_group(source->root, false, &s);
    if (!s.found) {
        search_group(source->root, true, &s);
    }
    if (!s.found) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: has no variable of numbers", source->path);
    }
    source->group = s.group;
    source->variable = s.variable;
    return XTA_OK;
}

static void note_companion(void *user, int group, int variable, const char *name)
{
    netcdf_source *source = user;
    nc_type type = NC_NAT;
    int ndim = 0;
    bool known =
        (group == source->group && variable == source->variable) || is_coordinate(group, variable);
    for (int k = 0; k < source->n_companions && !known; k++) {
        known = source->companions[k].group == group && source->companions[k].variable == variable;
    }
    if (known || source->n_companions == MOST_COMPANIONS || strlen(name) > LONGEST_NAME - 64 ||
        nc_inq_vartype(group, variable, &type) != NC_NOERR ||
        xta__netcdf_to_xta(type) == XTA_TYPE_SAME ||
        nc_inq_varndims(group, variable, &ndim) != NC_NOERR || ndim > BRIDGE_SPREAD_NDIM ||
        xta__netcdf_bytes(group, variable) > MOST_COMPANION_BYTES ||
        xta__netcdf_bytes(group, variable) == 0) {
        return;
    }
    netcdf_companion *c = &source->companions[source->n_companions++];
    c->group = group;
    c->variable = variable;
    strcpy(c->name, name);
}

bool xta__netcdf_find_coordinate(const netcdf_source *source, int d, int *group, int *variable)
{
    char name[NC_MAX_NAME + 1];
    int ndim;
    int dimension[NC_MAX_VAR_DIMS];
    return nc_inq_dimname(source->group, source->dimension[d], name) == NC_NOERR &&
           find_upwards(source->group, name, group, variable) &&
           nc_inq_var(*group, *variable, NULL, NULL, &ndim, dimension, NULL) == NC_NOERR &&
           ndim == 1 && dimension[0] == source->dimension[d] &&
           !(*group == source->group && *variable == source->variable);
}

void xta__netcdf_find_companions(netcdf_source *source)
{
    for_references(source->group, source->variable, note_companion, source);
    for (int d = 0; d < source->ndim; d++) {
        int group;
        int variable;
        if (xta__netcdf_find_coordinate(source, d, &group, &variable)) {
            for_references(group, variable, note_companion, source);
        }
    }
    for (int k = 0; k < source->n_companions; k++) { // grows: companions name others
        for_references(source->companions[k].group, source->companions[k].variable, note_companion,
                       source);
    }
}
