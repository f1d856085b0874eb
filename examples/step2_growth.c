/* Step 2: growth at both ends, along two axes in one step, and by a new axis; and what it costs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "example.h"

int main(void)
{
    const int64_t bounds[2] = {2, 2}, chunk[2] = {2, 2};
    const float missing = -1;
    const char *names[2] = {"time", "x"};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_array_info info;
    xta_box now;
    xta_error err;
    float value = 7, got = 0;

    options.chunk = chunk;
    options.fill = &missing;
    options.names = names;
    begin_anew("grows");
    TRY(xta_array_create("grows", XTA_F32, 2, bounds, &options, &array, &err));
    TRY(xta_array_put(array, (int64_t[]){1, 1}, &value, &err));

    // Data of earlier times arrive: coordinates -3, -2, -1. Existing cells keep theirs.
    xta_growth earlier = {.axis = 0, .side = XTA_FRONT, .by = 3};
    TRY(xta_array_extend(array, &earlier, 1, &now, &err));
    EXPECT(now.lo[0] == -3 && now.hi[0] == 2);

    // Later times and a wider region become visible together, or not at all.
    xta_growth both[2] = {{.axis = 0, .side = XTA_BACK, .by = 1},
                          {.axis = 1, .side = XTA_BACK, .by = 4}};
    TRY(xta_array_extend(array, both, 2, &now, &err));
    TRY(xta_array_get(array, (int64_t[]){-3, 5}, &got, &err));
    EXPECT(got == missing);
    TRY(xta_array_get(array, (int64_t[]){1, 1}, &got, &err));
    EXPECT(got == value);

    // A third axis, in front: every cell gets coordinate 0 on it.
    TRY(xta_array_add_axis(array, 0, "run", &err));
    TRY(xta_array_get(array, (int64_t[]){0, 1, 1}, &got, &err));
    EXPECT(got == value);

    TRY(xta_array_inquire(array, &info, &err));
    printf("%d axes, %llu chunks in %llu segments, journal of %llu bytes, %llu bytes moved\n",
           info.ndim, (unsigned long long)info.n_chunks, (unsigned long long)info.n_segments,
           (unsigned long long)info.journal_bytes, (unsigned long long)info.moved_bytes);
    EXPECT(info.ndim == 3 && info.moved_bytes == 0);
    TRY(xta_array_close(array, &err));
    return 0;
}
