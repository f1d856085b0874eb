/* For tests with cmocka: the memory of this process.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_RESIDENT_H
#define XTA_TESTS_RESIDENT_H

#include <stdio.h>
#include <unistd.h>

/* Resident bytes. Include cmocka.h first. */
static inline long test_resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = 0;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d %ld", &pages), 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

#endif
