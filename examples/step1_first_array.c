/* Step 1: an array of 3 x 4 numbers, written, closed, opened and read again.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "example.h"

int main(void)
{
    const int64_t bounds[2] = {3, 4};
    const double table[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};
    double column[3], cell = 0;
    xta_array *array = NULL;
    xta_error err;

    begin_anew("table");
    TRY(xta_array_create("table", XTA_F64, 2, bounds, NULL, &array, &err));
    xta_box all = xta_array_bounds(array);
    TRY(xta_array_write(array, &all, NULL, table, &err));
    TRY(xta_array_close(array, &err));

    TRY(xta_array_open("table", NULL, &array, &err));
    xta_box third_column = xta_box_make(2, (int64_t[]){0, 2}, (int64_t[]){3, 3});
    TRY(xta_array_read(array, &third_column, NULL, column, &err));
    TRY(xta_array_get(array, (int64_t[]){1, 3}, &cell, &err));
    printf("column 2: %g %g %g; cell 1,3: %g\n", column[0], column[1], column[2], cell);
    EXPECT(column[0] == 2 && column[1] == 12 && column[2] == 22 && cell == 13);
    TRY(xta_array_close(array, &err));
    return 0;
}
