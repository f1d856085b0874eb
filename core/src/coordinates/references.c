/* Attributes that name variables or dimensions.
 *
 * A list is words between blanks. `area: cell_area` and `crs: x y` have keys, which are names in
 * some attributes and roles in others. What is in parentheses is a comment.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "coordinates/references.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "util/text.h"

#define BLANKS " \t\n\r"

/* An attribute, and what its words and its keys name. */
typedef struct reference {
    const char *attribute;
    unsigned words, keys;
} reference;

static const reference references[] = {
    {"coordinates", XTA__REFERS_TO_VARIABLE, 0},
    {"bounds", XTA__REFERS_TO_VARIABLE, 0},
    {"climatology", XTA__REFERS_TO_VARIABLE, 0},
    {"ancillary_variables", XTA__REFERS_TO_VARIABLE, 0},
    {"grid_mapping", XTA__REFERS_TO_VARIABLE, XTA__REFERS_TO_VARIABLE},
    {"cell_measures", XTA__REFERS_TO_VARIABLE, 0},
    {"formula_terms", XTA__REFERS_TO_VARIABLE, 0},
    {"geometry", XTA__REFERS_TO_VARIABLE, 0},
    {"node_coordinates", XTA__REFERS_TO_VARIABLE, 0},
    {"node_count", XTA__REFERS_TO_VARIABLE, 0},
    {"part_node_count", XTA__REFERS_TO_VARIABLE, 0},
    {"interior_ring", XTA__REFERS_TO_VARIABLE, 0},
    {"cell_methods", 0, XTA__REFERS_TO_DIMENSION},
    {"compress", XTA__REFERS_TO_DIMENSION, 0},
    {"sample_dimension", XTA__REFERS_TO_DIMENSION, 0},
    {"instance_dimension", XTA__REFERS_TO_DIMENSION, 0},
};

static const reference *find_reference(const char *attribute)
{
    for (size_t k = 0; k < sizeof references / sizeof references[0]; k++) {
        if (strcmp(references[k].attribute, attribute) == 0) {
            return &references[k];
        }
    }
    return NULL;
}

/* Whether a word of n bytes, its colon included, is the name, in a place where it counts. */
static bool is_named(const reference *r, unsigned what, const char *word, size_t n,
                     const char *name)
{
    bool key = n > 0 && word[n - 1] == ':';
    size_t length = n - (key ? 1 : 0);

    return ((key ? r->keys : r->words) & what) != 0 && strlen(name) == length &&
           memcmp(word, name, length) == 0;
}

xta_status xta__reference_rename(const char *attribute, const char *text, unsigned what,
                                 const char *name, const char *new_name, char **out, xta_error *err)
{
    const reference *r = find_reference(attribute);
    xta__text renamed = {0};
    bool changed = false;
    int depth = 0; // of parentheses

    *out = NULL;
    if (r == NULL || strpbrk(new_name, BLANKS ":()") != NULL) {
        return XTA_OK;
    }
    for (const char *at = text; *at != '\0';) {
        size_t blanks = strspn(at, BLANKS), n = strcspn(at + blanks, BLANKS);
        const char *word = at + blanks;
        xta__text_printf(&renamed, "%.*s", (int)blanks, at);
        for (size_t k = 0; k < n; k++) {
            depth += (word[k] == '(') - (word[k] == ')');
        }
        if (depth == 0 && is_named(r, what, word, n, name)) {
            xta__text_printf(&renamed, "%s%s", new_name, word[n - 1] == ':' ? ":" : "");
            changed = true;
        } else {
            xta__text_printf(&renamed, "%.*s", (int)n, word);
        }
        at = word + n;
    }
    char *all = xta__text_detach(&renamed);
    if (!changed || all == NULL) {
        free(all);
        return changed ? xta__fail(err, XTA_ENOMEM, 0, "no memory for the attribute %s", attribute)
                       : XTA_OK;
    }
    *out = all;
    return XTA_OK;
}
