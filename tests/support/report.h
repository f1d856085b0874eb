/* Failure reports: the steps so far are kept as text and printed when a check fails.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_REPORT_H
#define XTA_TESTS_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/array.h>

typedef struct test_story {
    const char *test;
    uint64_t seed;
    uint64_t part;    /* history or array number */
    char text[65536]; /* the steps, one a line; the oldest are dropped when the text is full */
    size_t length;
} test_story;

/* Begin the report of part `part`. */
void test_story_begin(test_story *story, const char *test, uint64_t seed, uint64_t part);

/* Add one line. */
void test_story_add(test_story *story, const char *format, ...) XTA_PRINTF(2, 3);

/* Print the steps and what is wrong, then end the program with status 1. */
_Noreturn void test_story_fail(const test_story *story, const char *file, int line,
                               const char *format, ...) XTA_PRINTF(4, 5);

#define STORY_CHECK(story, condition, ...)                           \
    do {                                                             \
        if (!(condition)) {                                          \
            test_story_fail(story, __FILE__, __LINE__, __VA_ARGS__); \
        }                                                            \
    } while (0)

/* A call of the library that must succeed; `err` is the xta_error passed to it. */
#define STORY_OK(story, call, err)                                      \
    do {                                                                \
        xta_status story_status = (call);                               \
        STORY_CHECK(story, story_status == XTA_OK, "%s: %s: %s", #call, \
                    xta_status_name(story_status), (err).text);         \
    } while (0)

/* A call that must fail with a given status, with one line of text in `err`. */
#define STORY_FAILS(story, call, expected, err)                                       \
    do {                                                                              \
        xta_status story_status = (call);                                             \
        STORY_CHECK(story, story_status == (expected), "%s: %s instead of %s", #call, \
                    xta_status_name(story_status), xta_status_name(expected));        \
        test_story_error(story, __FILE__, __LINE__, &(err), expected);                \
    } while (0)

void test_story_error(const test_story *story, const char *file, int line, const xta_error *err,
                      xta_status expected);

#endif
