/* Failure reports with the steps that led to them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_story_begin(test_story *story, const char *test, uint64_t seed, uint64_t part)
{
    story->test = test;
    story->seed = seed;
    story->part = part;
    story->length = 0;
    story->text[0] = '\0';
}

void test_story_add(test_story *story, const char *format, ...)
{
    char line[1024];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    size_t n = strlen(line);
    if (story->length + n + 2 > sizeof(story->text)) {
        size_t half = story->length / 2;
        memmove(story->text, story->text + half, story->length - half);
        story->length -= half;
    }
    memcpy(story->text + story->length, line, n);
    story->length += n;
    story->text[story->length++] = '\n';
    story->text[story->length] = '\0';
}

void test_story_fail(const test_story *story, const char *file, int line, const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fprintf(stderr, "%s: seed %" PRIu64 ", part %" PRIu64 ":\n%s", story->test, story->seed,
            story->part, story->text);
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(1);
}

void test_story_error(const test_story *story, const char *file, int line, const xta_error *err,
                      xta_status expected)
{
    if (err->status != expected) {
        test_story_fail(story, file, line, "the error says %s, the call %s",
                        xta_status_name(err->status), xta_status_name(expected));
    }
    if (err->text[0] == '\0' || memchr(err->text, '\0', sizeof(err->text)) == NULL ||
        strchr(err->text, '\n') != NULL) {
        test_story_fail(story, file, line, "the error text is not one line");
    }
}
