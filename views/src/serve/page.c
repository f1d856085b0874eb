/* The page of the server, and the list of snapshots.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "serve/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/json.h"
#include "util/try.h"

enum { MOST_STEPS = 1000 };

/* ---- text ---- */

static void add_html(xta__text *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity != NULL) {
            xta__text_add_string(out, entity);
        } else {
            xta__text_add(out, text, 1);
        }
    }
}

/* A piece of a path (RFC 3986); slashes stay. */
static void add_encoded(xta__text *out, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/!$()*,;=:@";

    for (; *text != '\0'; text++) {
        if (strchr(plain, *text) != NULL) {
            xta__text_add(out, text, 1);
        } else {
            xta__text_printf(out, "%%%02X", (unsigned)(unsigned char)*text);
        }
    }
}

static void add_store(xta__text *out, const char *base, const char *name, const char *pin,
                      const char *suffix)
{
    xta__text_add_string(out, base);
    xta__text_add_string(out, "/");
    add_encoded(out, name);
    if (pin != NULL) {
        xta__text_add_string(out, "@");
        add_encoded(out, pin);
    }
    xta__text_add_string(out, suffix);
}

char *xta__store_url(const char *base, const char *name, const char *pin, int version)
{
    xta__text out = {0};

    add_store(&out, base, name, pin, version == 3 ? ".zarr3" : ".zarr");
    return xta__text_detach(&out);
}

/* ---- the page ---- */

void xta__page_begin(xta__text *out)
{
    xta__text_add_string(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>XTA</title>\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
        "body { font: 15px/1.4 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }\n"
        "table { border-collapse: collapse; margin-bottom: 1em } td, th { border-bottom: 1px solid "
        "#ccc; "
        "padding: .2em .8em .2em 0; text-align: left; vertical-align: top }\n"
        "code { font-size: 13px; overflow-wrap: anywhere } img { max-width: 100%; "
        "margin: .5em 1em 0 0 }\n</style></head>\n<body><h1>Arrays served by XTA</h1>\n");
}

void xta__page_end(xta__text *out)
{
    xta__text_add_string(out, "</body></html>\n");
}

static void add_link(xta__text *out, const char *what, const char *base, const char *name,
                     const char *pin, const char *suffix)
{
    xta__text url = {0};

    add_store(&url, base, name, pin, suffix);
    char *text = xta__text_detach(&url);
    xta__text_printf(out, "<tr><td>%s</td><td><a href=\"", what);
    add_html(out, text != NULL ? text : "");
    xta__text_add_string(out, "\"><code>");
    add_html(out, text != NULL ? text : "");
    xta__text_add_string(out, "</code></a></td></tr>\n");
    free(text);
}

static void add_node(const xta_zarr_node *node, xta__text *out)
{
    xta__text_add_string(out, "<tr><td>");
    add_html(out, node->path);
    xta__text_printf(out, "</td><td>%s</td><td>", xta_type_name(node->type));
    for (int axis = 0; axis < node->box.ndim; axis++) {
        xta__text_printf(out, "%s%" PRId64 ":%" PRId64, axis > 0 ? ", " : "", node->box.lo[axis],
                         node->box.hi[axis]);
    }
    xta__text_add_string(out, "</td><td>");
    for (int axis = 0; axis < node->box.ndim; axis++) {
        xta__text_printf(out, "%s%" PRId64, axis > 0 ? " &times; " : "", node->chunk[axis]);
    }
    xta__text_add_string(out, "</td></tr>\n");
}

/* Whether a quicklook is worth asking for. */
static bool is_picturable(const xta_zarr_node *node)
{
    bool real = node->type != XTA_C64 && node->type != XTA_C128 && node->type != XTA_BYTES;

    return node->array != NULL && real && node->box.ndim > 1 && !xta_box_empty(&node->box);
}

static void add_picture(const source *from, const xta_zarr_node *node, xta__text *out)
{
    xta__text_add_string(out, "<img alt=\"");
    add_html(out, node->path);
    xta__text_add_string(out, "\" src=\"/");
    add_encoded(out, from->name);
    if (from->root != NULL) {
        xta__text_add_string(out, "/");
        add_encoded(out, node->path);
    }
    xta__text_add_string(out, ".png\">\n");
}

void xta__page_source(const source *from, const xta_zarr_view *view, const char *base,
                      xta__text *out)
{
    const xta_zarr *zarr = xta_zarr_view_hierarchy(view);
    const char *pin = xta_zarr_view_pin(view);
    const xta_zarr_node *node = NULL;

    xta__text_add_string(out, "<h2>");
    add_html(out, from->name);
    xta__text_add_string(out, "</h2>\n<table>\n");
    add_link(out, "newest, Zarr 2", base, from->name, pin, ".zarr");
    add_link(out, "newest, Zarr 3", base, from->name, pin, ".zarr3");
    add_link(out, "newest, references", base, from->name, NULL, ".json");
    add_link(out, "where the newest is", base, from->name, NULL, "/latest");
    add_link(out, "all snapshots", base, from->name, NULL, "/steps.json");
    add_link(out, from->follow ? "follows growth at the back" : "as the server found it", base,
             from->name, NULL, ".zarr");
    xta__text_add_string(out, "</table>\n<table><tr><th>array</th><th>type</th><th>cells</th>"
                              "<th>chunks</th></tr>\n");
    for (size_t k = 0; (node = xta_zarr_node_at(zarr, k)) != NULL; k++) {
        if (!node->group) {
            add_node(node, out);
        }
    }
    xta__text_add_string(out, "</table>\n");
    for (size_t k = 0; (node = xta_zarr_node_at(zarr, k)) != NULL; k++) {
        if (is_picturable(node)) {
            add_picture(from, node, out);
        }
    }
}

void xta__page_failure(const source *from, const char *why, xta__text *out)
{
    xta__text_add_string(out, "<h2>");
    add_html(out, from->name);
    xta__text_add_string(out, "</h2>\n<p>");
    add_html(out, why);
    xta__text_add_string(out, "</p>\n");
}

/* ---- snapshots ---- */

typedef struct step_list {
    const source *from;
    const char *base;
    uint64_t since;
    xta__text *out;
    bool begun;
} step_list;

static void add_address(step_list *list, const char *key, const char *pin, const char *suffix)
{
    xta__text url = {0};

    add_store(&url, list->base, list->from->name, pin, suffix);
    char *text = xta__text_detach(&url);
    xta__text_printf(list->out, ", \"%s\": ", key);
    xta__json_add_string(list->out, text != NULL ? text : "");
    free(text);
}

static void add_addresses(step_list *list, const char *pin)
{
    add_address(list, "zarr", pin, ".zarr");
    add_address(list, "zarr3", pin, ".zarr3");
    add_address(list, "references", pin, ".json");
}

static int add_step(void *user, const xta_step *step)
{
    static const char *const kinds[] = {"create", "extend", "shrink", "add-axis", "checkpoint"};
    step_list *list = user;
    char pin[24];

    if (step->step < list->since) {
        return 0;
    }
    snprintf(pin, sizeof pin, "%" PRIu64, step->step);
    xta__text_printf(list->out, "%s{\"pin\": \"%s\", \"kind\": \"%s\", \"bounds\": [",
                     list->begun ? ",\n" : "\n", pin, kinds[step->kind]);
    list->begun = true;
    for (int axis = 0; axis < step->bounds.ndim; axis++) {
        xta__text_printf(list->out, "%s[%" PRId64 ", %" PRId64 "]", axis > 0 ? ", " : "",
                         step->bounds.lo[axis], step->bounds.hi[axis]);
    }
    xta__text_add_string(list->out, "]");
    add_addresses(list, pin);
    xta__text_add_string(list->out, "}");
    return 0;
}

/* The only snapshot of a data set that it tells itself: that of now. */
static void add_newest(step_list *list, const xta_zarr_view *view)
{
    xta_zarr_bounds b;

    xta__text_add_string(list->out, "\n{\"pin\": ");
    xta__json_add_string(list->out, xta_zarr_view_pin(view));
    xta__text_add_string(list->out, ", \"dimensions\": {");
    for (size_t k = 0; xta_zarr_bounds_at(xta_zarr_view_hierarchy(view), k, &b); k++) {
        xta__text_add_string(list->out, k > 0 ? ", " : "");
        xta__json_add_string(list->out, b.dimension);
        xta__text_printf(list->out, ": [%" PRId64 ", %" PRId64 "]", b.lo, b.hi);
    }
    xta__text_add_string(list->out, "}");
    add_addresses(list, xta_zarr_view_pin(view));
    xta__text_add_string(list->out, "}");
}

/* The array of a view of one array. */
static xta_array *only_array(const xta_zarr_view *view)
{
    const xta_zarr_node *node = NULL;

    for (size_t k = 0; (node = xta_zarr_node_at(xta_zarr_view_hierarchy(view), k)) != NULL; k++) {
        if (node->array != NULL) {
            return node->array;
        }
    }
    return NULL;
}

xta_status xta__page_steps(const source *from, const xta_zarr_view *view, const char *base,
                           xta__text *out, xta_error *err)
{
    xta_status status = XTA_OK;
    step_list list = {.from = from, .base = base, .out = out};
    xta_array *array = from->root == NULL ? only_array(view) : NULL;

    xta__text_add_string(out, "{\"name\": ");
    xta__json_add_string(out, from->name);
    xta__text_add_string(out, ", \"newest\": ");
    xta__json_add_string(out, xta_zarr_view_pin(view));
    xta__text_add_string(out, ", \"snapshots\": [");
    if (array != NULL) {
        uint64_t newest = strtoull(xta_zarr_view_pin(view), NULL, 10);
        list.since = newest > MOST_STEPS ? newest - MOST_STEPS : 0;
        XTA_TRY(xta_array_history(array, add_step, &list, err));
    } else {
        add_newest(&list, view);
    }
    xta__text_add_string(out, "\n]}\n");

done:
    return status;
}
