/* Opening, checking, loading, compacting and using an array whose journal is arbitrary bytes.
 *
 * The last two bytes decide: how long the data file is, and whether checksums, magic and sequence
 * numbers are corrected first. Without that correction nearly every input would fail at the first
 * checksum, and the code behind it, which an attacker can reach, would never be tested.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <xta/xta.h>

#include "base/base.h"

enum {
    HEADER_BYTES = 128,
    HEADER_CRC_AT = 60,
    MARK_AT = 64,
    MARK_BYTES = 32,
    HEAD_BYTES = 24,
    MAX_CHUNKS = 512
};

/* Set what docs/FORMAT.md prescribes: magic, version, sizes, checksums of the header and of both
 * marks; then for each record its number and checksum. Lengths and payloads stay as the fuzzer made
 * them. */
static void set_right(uint8_t *bytes, size_t n)
{
    static const uint8_t magic[8] = {0x89, 'X', 'T', 'A', '\r', '\n', 0x1a, '\n'};

    if (n < HEADER_BYTES) {
        return;
    }
    memcpy(bytes, magic, sizeof magic);
    xta__put_u16(bytes + 8, 1);
    xta__put_u16(bytes + 10, 0);
    xta__put_u32(bytes + 12, HEADER_BYTES);
    xta__put_u32(bytes + HEADER_CRC_AT, xta__crc32c(0, bytes, HEADER_CRC_AT));
    for (uint8_t *mark = bytes + MARK_AT; mark < bytes + HEADER_BYTES; mark += MARK_BYTES) {
        xta__put_u32(mark + 28, xta__crc32c(0, mark, 28));
    }
    uint64_t number =
        xta__get_u64(bytes + HEADER_BYTES + 8 < bytes + n - 8 ? bytes + HEADER_BYTES + 8 : bytes);
    for (size_t at = HEADER_BYTES; at + HEAD_BYTES <= n; number++) {
        uint8_t *head = bytes + at;
        size_t padded = ((size_t)xta__get_u32(head) + 7) & ~(size_t)7;
        if (padded > n - at - HEAD_BYTES) {
            break;
        }
        xta__put_u64(head + 8, number);
        uint32_t crc = xta__crc32c(0, head, HEAD_BYTES - 4);
        xta__put_u32(head + HEAD_BYTES - 4, xta__crc32c(crc, head + HEAD_BYTES, padded));
        at += HEAD_BYTES + padded;
    }
}

static int few_steps(void *user, const xta_step *step)
{
    int *left = user;
    (void)step;
    return --*left == 0;
}

static int few_chunks(void *user, const xta_chunk *chunk)
{
    int *left = user;
    (void)chunk;
    return --*left == 0;
}

static void inspect(xta_array *array)
{
    xta_array_info info;
    xta_segment segment;
    xta_attribute attribute;
    xta_error err;
    int left = MAX_CHUNKS;

    if (xta_array_inquire(array, &info, &err) != XTA_OK) {
        return;
    }
    FUZZ_PROMISE(info.ndim >= 1 && info.ndim <= XTA_MAX_NDIM);
    for (uint64_t k = 0; k < info.n_segments && k < MAX_CHUNKS; k++) {
        FUZZ_PROMISE(xta_array_segment(array, k, &segment, &err) == XTA_OK);
    }
    if (xta_array_history(array, few_steps, &left, &err) != XTA_OK) {
        FUZZ_PROMISE(err.text[0] != '\0');
    }
    left = MAX_CHUNKS;
    if (xta_array_each_chunk(array, NULL, few_chunks, &left, &err) != XTA_OK) {
        FUZZ_PROMISE(err.text[0] != '\0');
    }
    for (int axis = XTA_ON_ARRAY; axis < info.ndim; axis++) {
        for (size_t k = 0; k < xta_attribute_count(array, axis); k++) {
            FUZZ_PROMISE(xta_attribute_at(array, axis, k, &attribute, &err) == XTA_OK);
        }
    }
}

/* Read the first cell, if there is one, and perhaps write it back. */
static void touch(xta_array *array, bool write)
{
    xta_box bounds = xta_array_bounds(array), corner = bounds;
    uint8_t *cell = calloc(1, xta_array_cell_bytes(array));
    xta_error err;

    FUZZ_PROMISE(cell != NULL);
    if (!xta_box_empty(&bounds)) {
        for (int axis = 0; axis < bounds.ndim; axis++) {
            corner.hi[axis] = corner.lo[axis] + 1;
        }
        if (xta_array_read(array, &corner, NULL, cell, &err) == XTA_OK && write &&
            xta_array_write(array, &corner, NULL, cell, &err) != XTA_OK) {
            FUZZ_PROMISE(err.text[0] != '\0');
        }
    }
    free(cell);
}

static void use(const char *path)
{
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_growth growth = {0, XTA_FRONT, 1};
    xta_array *array = NULL;
    xta_error err;

    if (xta_array_open(path, NULL, &array, &err) != XTA_OK) {
        FUZZ_PROMISE(array == NULL && err.text[0] != '\0' && strchr(err.text, '\n') == NULL);
        return;
    }
    inspect(array);
    touch(array, false);
    FUZZ_PROMISE(xta_array_close(array, &err) == XTA_OK);

    options.writable = true;
    if (xta_array_open(path, &options, &array, &err) == XTA_OK) {
        if (xta_array_extend(array, &growth, 1, NULL, &err) == XTA_OK) {
            touch(array, true);
        }
        if (xta_array_close(array, &err) != XTA_OK) {
            FUZZ_PROMISE(err.text[0] != '\0');
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const off_t lengths[] = {0, 4096, 1 << 20, (off_t)1 << 40};
    char path[400], journal[512], cells[512];
    xta_error err;

    if (size < 2) {
        return 0;
    }
    snprintf(path, sizeof path, "%s/a", fuzz_folder());
    snprintf(journal, sizeof journal, "%s.xmd", path);
    snprintf(cells, sizeof cells, "%s.xta", path);
    uint8_t *bytes = malloc(size);
    FUZZ_PROMISE(bytes != NULL);
    memcpy(bytes, data, size);
    if (data[size - 1] & 1) {
        set_right(bytes, size - 2);
    }
    fuzz_write_file(journal, bytes, size - 2);
    free(bytes);
    fuzz_write_file(cells, "", 0);
    FUZZ_PROMISE(truncate(cells, lengths[data[size - 2] % 4]) == 0);

    xta_status checked = xta_check(path, NULL, NULL, &err);
    FUZZ_PROMISE(checked == XTA_OK || err.text[0] != '\0');
    use(path);
    if (xta_compact(path, NULL, NULL, &err) != XTA_OK) {
        FUZZ_PROMISE(err.text[0] != '\0');
    }
    unlink(journal);
    unlink(cells);
    return 0;
}
