/* Selecting a variable of a NetCDF file, and the others that belong to it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "netcdf/select_variable.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "description/description.h"
#include "description/listing.h"
#include "netcdf/library.h"
#include "netcdf/names.h"

bool xta__netcdf_find_upwards(int group, const char *name, int *found_group, int *variable)
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

/* Call `each` for every variable that is named by the metadata of a given one. */
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
            if (xta__netcdf_find_upwards(group, word, &found_group, &found)) {
                each(user, found_group, found, word);
            }
        }
        free(text);
    }
}

/* Whether a one-dimensional variable has the name of its dimension. */
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
    int group; /* the last variable found */
    int variable;
    bridge_listing list;
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

/* The variables that a search accepts. */
typedef enum search_scope {
    OWN,       /* with cells that can be imported, and not named by another variable */
    OF_NUMBERS /* with cells that can be imported */
} search_scope;

static void list_variable(int group, int variable, nc_type type, bridge_listing *list)
{
    char path[NETCDF_NAME_BYTES] = "";
    char name[NC_MAX_NAME + 1];
    char type_name[NC_MAX_NAME + 1] = "?";
    int ndim = 0;
    int dimension[NC_MAX_VAR_DIMS];
    int64_t bounds[NC_MAX_VAR_DIMS];
    size_t n = 0;
    nc_inq_var(group, variable, name, NULL, &ndim, dimension, NULL);
    nc_inq_type(group, type, type_name, NULL);
    for (int d = 0; d < ndim; d++) {
        size_t length = 0;
        nc_inq_dimlen(group, dimension[d], &length);
        bounds[d] = (int64_t)length;
    }
    if (nc_inq_grpname_full(group, &n, NULL) == NC_NOERR && n + strlen(name) + 2 < sizeof path) {
        nc_inq_grpname_full(group, NULL, path);
    }
    if (n > 1) {
        strcat(path, "/");
    }
    strcat(path, name);
    xta__listing_add(list, path[0] == '/' ? path + 1 : path, ndim, bounds, type_name);
}

/* Search the variables of a group and of the groups in it. */
static void search_group(int group, search_scope scope, search *s)
{
    int n = 0;
    nc_inq_nvars(group, &n);
    for (int v = 0; v < n; v++) {
        nc_type type = NC_NAT;
        s->named = scope == OWN && is_coordinate(group, v);
        s->asked_group = group;
        s->asked = v;
        for (int other = 0; other < n && scope == OWN; other++) {
            for_references(group, other, note_name, s);
        }
        if (nc_inq_vartype(group, v, &type) == NC_NOERR &&
            xta__netcdf_to_xta(type) != XTA_TYPE_SAME && !s->named) {
            s->group = group;
            s->variable = v;
            list_variable(group, v, type, &s->list);
        }
    }
    int n_groups = 0;
    nc_inq_grps(group, &n_groups, NULL);
    int *groups = calloc((size_t)n_groups + 1, sizeof *groups);
    if (groups != NULL && nc_inq_grps(group, &n_groups, groups) == NC_NOERR) {
        for (int k = 0; k < n_groups; k++) {
            search_group(groups[k], scope, s);
        }
    }
    free(groups);
}

/* Find a variable by name, with the groups that contain it in front: "group/inner/name". */
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

xta_status xta__netcdf_select_variable(netcdf_source *source, const char *name, xta_error *err)
{
    search s = {.list = {.n = 0}};
    char text[340];
    if (name != NULL && find_named(source, name)) {
        return XTA_OK;
    }
    if (name == NULL) {
        search_group(source->root, OWN, &s);
    }
    if (s.list.n == 0) {
        search_group(source->root, OF_NUMBERS, &s);
    }
    if (name != NULL) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: has no variable '%s'; it has: %s",
                             source->path, name, xta__listing_text(&s.list, text));
    }
    if (s.list.n == 0) {
        return xta_error_set(err, XTA_ENOENT, 0, "%s: has no variable of numbers", source->path);
    }
    if (s.list.n > 1) {
        return xta__listing_ask(&s.list, source->path, err);
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
           xta__netcdf_find_upwards(source->group, name, group, variable) &&
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
    for (int k = 0; k < source->n_companions; k++) { // the list grows: companions name others
        for_references(source->companions[k].group, source->companions[k].variable, note_companion,
                       source);
    }
}
