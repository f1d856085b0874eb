/* What the fuzzers share: a source of small decisions made from the fuzzer's bytes, a scratch
 * folder, and a way to report a broken promise.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_FUZZ_FUZZ_H
#define XTA_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* libFuzzer calls these two by name. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes that are left. When they run out every decision is 0. */
typedef struct fuzz_source {
    const uint8_t *at;
    size_t left;
} fuzz_source;

uint8_t fuzz_u8(fuzz_source *source);
int64_t fuzz_i64(fuzz_source *source);

/* 0 to n - 1. */
int fuzz_below(fuzz_source *source, int n);

/* Mostly a number near 0, sometimes any 64 bits. */
int64_t fuzz_coord(fuzz_source *source);

/* A zero-terminated text of at most capacity - 1 bytes. */
void fuzz_text(fuzz_source *source, char *text, size_t capacity);

/* A folder of this process alone; made at the first call, removed at exit. */
const char *fuzz_folder(void);

/* Write a file in one go; ends the program if that cannot be done. */
void fuzz_write_file(const char *path, const void *bytes, size_t n);

/* A promise of the API: if it does not hold, the fuzzer has found something. */
#define FUZZ_PROMISE(condition) fuzz_promise((condition), #condition, __FILE__, __LINE__)
void fuzz_promise(bool holds, const char *what, const char *file, int line);

#endif
