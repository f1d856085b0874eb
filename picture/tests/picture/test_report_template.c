/* Templates: values, sections and remarks, lines that marks take with them, and marks that nobody
 * knows or that have no end, which stay.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/template.h"

/* `name` is a value; `no` is shown never, `once` once, `list` for each of three letters, which are
 * `letter` there. */
static bool fill_letter(xta__text *out, const template_mark *mark, const void *context)
{
    if (!xta__template_is_value(mark, "letter")) {
        return false;
    }
    xta__text_add(out, context, 1);
    return true;
}

static bool fill(xta__text *out, const template_mark *mark, const void *context)
{
    if (xta__template_is_value(mark, "name")) {
        xta__text_add_string(out, context);
        return true;
    }
    if (xta__template_is_section(mark, "once")) {
        xta__template_render_inner(out, mark, fill, context);
        return true;
    }
    if (xta__template_is_section(mark, "list")) {
        for (const char *letter = "xyz"; *letter != '\0'; letter++) {
            xta__template_render_inner(out, mark, fill_letter, letter);
        }
        return true;
    }
    return xta__template_is_section(mark, "no");
}

static void assert_renders(const char *text, const char *wanted)
{
    // A copy of the exact size: a byte read behind it is found by the sanitizers.
    size_t n = strlen(text);
    char *copy = malloc(n + 1);
    xta__text out = {NULL, 0, 0, false};

    memcpy(copy, text, n);
    copy = realloc(copy, n > 0 ? n : 1);
    xta__template_render(&out, copy, n, fill, "<v>");
    char *got = xta__text_detach(&out);
    assert_non_null(got);
    assert_string_equal(got, wanted);
    free(got);
    free(copy);
}

static void values(void **state)
{
    (void)state;
    assert_renders("", "");
    assert_renders("plain { text }", "plain { text }");
    assert_renders("{{name}}", "<v>");
    assert_renders("a{{name}}b{{name}}\n", "a<v>b<v>\n");
    // A value does not take its line.
    assert_renders("a\n{{name}}\nb", "a\n<v>\nb");
}

static void sections(void **state)
{
    (void)state;
    assert_renders("a{{#no}}gone{{/no}}b", "ab");
    assert_renders("a{{#once}} {{name}} {{/once}}b", "a <v> b");
    assert_renders("{{#list}}{{letter}},{{/list}}", "x,y,z,");
    assert_renders("{{#once}}{{#list}}<{{letter}}>{{/list}}{{/once}}", "<x><y><z>");
    assert_renders("{{#list}}{{/list}}", "");
    assert_renders("{{#no}}1{{/no}}{{#once}}2{{/once}}{{#no}}3{{/no}}{{#once}}4{{/once}}", "24");
}

static void marks_alone_on_a_line(void **state)
{
    (void)state;
    assert_renders("a\n{{#list}}\n<{{letter}}>\n{{/list}}\nb\n", "a\n<x>\n<y>\n<z>\nb\n");
    assert_renders("{{#no}}\ngone\n{{/no}}\nb", "b");
    assert_renders("{{#once}}\n{{#list}}{{letter}}{{/list}}\n{{/once}}\n", "xyz\n");
    assert_renders("a {{#once}}\nb\n{{/once}} c", "a \nb\n c");
    assert_renders("{{! a remark }}\nb{{! another\n}}c", "bc");
}

static void what_nobody_knows_stays(void **state)
{
    static const char *const texts[] = {"{{other}}",
                                        "{{na}}",
                                        "{{names}}",
                                        "{{#name}}x{{/name}}",
                                        "{{once}}",
                                        "{{#once}}open",
                                        "{{#once}}x{{/on}}",
                                        "{{#once}}x{{/once",
                                        "{{#other}}x{{/other}}",
                                        "{{",
                                        "{{name",
                                        "{{name}",
                                        "{{}}",
                                        "{{#}}x{{/}}",
                                        "{{/once}}",
                                        "}}"};

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        assert_renders(texts[k], texts[k]);
    }
    assert_renders("{{other}} {{name}}", "{{other}} <v>");
    assert_renders("{{#list}}{{name}}{{letter}} {{/list}}", "{{name}}x {{name}}y {{name}}z ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(sections),
        cmocka_unit_test(marks_alone_on_a_line),
        cmocka_unit_test(what_nobody_knows_stays),
    };
    return cmocka_run_group_tests_name("report_template", tests, NULL, NULL);
}
