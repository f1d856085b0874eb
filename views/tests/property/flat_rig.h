/* Random arrays for the tests of flat files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TESTS_PROPERTY_FLAT_RIG_H
#define XTA_VIEWS_TESTS_PROPERTY_FLAT_RIG_H

#include <xta/xta.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"

/* Make an array at `path` that has grown in random steps on both sides, with random bytes as cells
 * (0 or 1 where it is of bool), names of axes, and closed. XTA_TYPE_SAME: of a random type.
 * `empty`: an axis may have no cells. */
void rig_array(test_story *story, test_random *random, const char *path, xta_type type, bool empty);

/* Write random cells into an open array. */
void rig_fill(test_story *story, test_random *random, xta_array *array);

#endif
