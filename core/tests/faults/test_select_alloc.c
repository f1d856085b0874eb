/* Every n-th allocation of a selection fails: XTA_ENOMEM, nothing selected, and no block is left.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include <xta/attribute.h>
#include <xta/select.h>

#include "support/failing_alloc.h"

static int fail(const char *labels, int n, const char *what)
{
    fprintf(stderr, "test_select_alloc: %s: allocation %d fails: %s\n", labels, n, what);
    return 1;
}

/* Let each allocation of one call fail. */
static int fail_each(xta_array *array, const char *labels, int *refused)
{
    xta_selection s;
    xta_error err;

    for (int n = 1; n < 1000; n++) {
        int64_t before = failing_alloc_live();
        failing_alloc_at((uint64_t)n, false);
        failing_alloc_arm(true);
        xta_status status = xta_box_select(array, labels, &s, &err);
        failing_alloc_arm(false);
        if (!failing_alloc_happened()) {
            bool good = status == XTA_OK;
            xta_selection_clear(&s);
            return good ? 0 : fail(labels, n, err.text);
        }
        (*refused)++;
        if (status != XTA_ENOMEM || s.box.ndim != 0) {
            return fail(labels, n, "another status than XTA_ENOMEM");
        }
        if (failing_alloc_live() != before) {
            return fail(labels, n, "blocks are left");
        }
    }
    return fail(labels, 1000, "it never ends");
}

int main(void)
{
    static const char *const labels[] = {"t=2000-01-03:2000-01-05", "y=[1,2,8,100]", "y=8~",
                                         "n=\"b c\"", "t=2000,y=1,n=[a,x],z=2"};
    static const int64_t bounds[4] = {10, 4, 3, 5};
    static const double list[4] = {1, 2, 8, 100};
    static const xta_regular regular = {XTA_F64, {.f = 0}, {.f = 1}};
    const char *const names[] = {"t", "y", "n", "z"};
    xta_attribute values = {.name = "values", .type = XTA_F64, .count = 4, .values = list};
    xta_array *array = NULL;
    xta_error err;
    int failed = 0, refused = 0;

    if (xta_array_new(XTA_U8, 4, bounds, NULL, &array, &err) != XTA_OK ||
        xta_axis_set_regular(array, 0, &regular, &err) != XTA_OK ||
        xta_axis_set_unit(array, 0, "days since 2000-01-01", &err) != XTA_OK ||
        xta_attribute_set(array, 1, &values, &err) != XTA_OK ||
        xta_attribute_set_text(array, 2, "values", "a\nb c\nx", &err) != XTA_OK) {
        return fail("", 0, err.text);
    }
    for (int axis = 0; axis < 4; axis++) {
        failed |= xta_axis_set_name(array, axis, names[axis], &err) != XTA_OK;
    }
    for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
        failed |= fail_each(array, labels[k], &refused);
    }
    xta_array_close(array, NULL);
    printf("test_select_alloc: %d allocations refused\n", refused);
    return failed != 0 || refused < 20;
}
