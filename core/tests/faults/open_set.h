/* A data set opened for writing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_OPEN_SET_H
#define XTA_TESTS_OPEN_SET_H

#include <xta/dataset.h>

#include "support/report.h"

static inline xta_dataset *test_open_set(const test_story *story, const char *path)
{
    xta_dataset_options options = XTA_DATASET_OPTIONS_INIT;
    xta_dataset *set = NULL;
    xta_error err;

    options.writable = true;
    STORY_OK(story, xta_dataset_open(path, &options, &set, &err), err);
    return set;
}

#endif
