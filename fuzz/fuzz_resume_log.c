/* Resume logs of repartitioning, made of arbitrary bytes: xta__resume_log_open.
 *
 * Every line that asks for it gets a correct checksum, or a run of a few seconds would never get
 * past the checksums. The blocks that are read exist; a block added after them is read back
 * together with them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "executor/resume_log.h"
#include "util/crc32c.h"

enum { N_BLOCKS = 1000, FINGERPRINT = 0x1234abcd };

/* Write the lines; where one ends in '~', its checksum replaces that. */
static void write_lines(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    FUZZ_PROMISE(file != NULL);
    while (size > 0) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t n = end != NULL ? (size_t)(end - data) : size;
        if (n > 0 && data[n - 1] == '~') {
            fwrite(data, 1, n - 1, file);
            fprintf(file, " %08" PRIx32, xta__crc32c(0, data, n - 1));
        } else {
            fwrite(data, 1, n, file);
        }
        if (end != NULL) {
            fputc('\n', file);
            n++;
        }
        data += n;
        size -= n;
    }
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    xta__block_map finished = {0}, again = {0};
    xta__resume_log log;
    char path[512];
    xta_error err = {XTA_OK, 0, ""};

    snprintf(path, sizeof path, "%s/notes", fuzz_folder());
    write_lines(path, data, size);
    xta_status status =
        xta__resume_log_open(&log, path, FINGERPRINT, true, N_BLOCKS, &finished, &err);
    if (status != XTA_OK) {
        FUZZ_PROMISE(err.text[0] != '\0' && strchr(err.text, '\n') == NULL);
        goto done;
    }
    for (size_t k = 0; k < finished.capacity; k++) {
        FUZZ_PROMISE(finished.keys[k] <= N_BLOCKS);
    }
    FUZZ_PROMISE(xta__resume_log_add(&log, 7, &err) == XTA_OK);
    FUZZ_PROMISE(xta__resume_log_synced(&log, &err) == XTA_OK);
    FUZZ_PROMISE(xta__resume_log_close(&log, false, &err) == XTA_OK);
    FUZZ_PROMISE(xta__resume_log_open(&log, path, FINGERPRINT, true, N_BLOCKS, &again, &err) ==
                 XTA_OK);
    FUZZ_PROMISE(xta__block_map_has(&again, 7));
    for (size_t k = 0; k < finished.capacity; k++) {
        FUZZ_PROMISE(finished.keys[k] == 0 || xta__block_map_has(&again, finished.keys[k] - 1));
    }
    FUZZ_PROMISE(xta__resume_log_close(&log, true, &err) == XTA_OK);
done:
    unlink(path);
    xta__block_map_clear(&finished);
    xta__block_map_clear(&again);
    return 0;
}
