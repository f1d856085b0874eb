/* Step 3: attributes, and the journal as history: an array opened as it was at an earlier step.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "example.h"

static int print_step(void *user, const xta_step *step)
{
    static const char *const kinds[] = {"create", "extend", "shrink", "new axis", "checkpoint"};

    (void)user;
    printf("step %llu: %s; axis 0 is now %lld:%lld\n", (unsigned long long)step->step,
           kinds[step->kind], (long long)step->bounds.lo[0], (long long)step->bounds.hi[0]);
    return 0;
}

int main(void)
{
    const int64_t bounds[1] = {10};
    xta_growth growth = {.axis = 0, .side = XTA_BACK, .by = 5};
    xta_open_options as_of = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_attribute unit;
    xta_error err;

    begin_anew("log");
    TRY(xta_array_create("log", XTA_I32, 1, bounds, NULL, &array, &err));
    TRY(xta_attribute_set_text(array, XTA_ON_ARRAY, "units", "K", &err));
    TRY(xta_axis_set_name(array, 0, "time", &err));
    TRY(xta_array_extend(array, &growth, 1, NULL, &err)); // step 1
    TRY(xta_array_shrink(array, &growth, 1, NULL, &err)); // step 2
    growth.side = XTA_FRONT;
    TRY(xta_array_extend(array, &growth, 1, NULL, &err)); // step 3
    TRY(xta_array_history(array, print_step, NULL, &err));
    TRY(xta_array_close(array, &err));

    as_of.at_step = true;
    as_of.step = 1;
    TRY(xta_array_open("log", &as_of, &array, &err));
    xta_box then = xta_array_bounds(array);
    TRY(xta_attribute_get(array, XTA_ON_ARRAY, "units", &unit, &err));
    EXPECT(then.lo[0] == 0 && then.hi[0] == 15 && strcmp(unit.values, "K") == 0);
    TRY(xta_array_close(array, &err));
    return 0;
}
