/* The records of unfinished work.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_JOURNAL_WORK_RECORD_H
#define XTA_STORE_JOURNAL_WORK_RECORD_H

#include "store/journal/record.h"

/* WORK_BEGIN: a box that a process fills, and whose filling may be interrupted. */
#define XTA__MAX_HOST_BYTES 255
typedef struct xta__work_record {
    uint8_t id[XTA__UUID_BYTES];
    uint32_t verb; /* xta_work_verb, or one of a later version */
    bool created;  /* the work made the array */
    uint64_t process;
    int64_t begun; /* seconds since 1970 */
    uint32_t boot;
    char host[XTA__MAX_HOST_BYTES + 1];
    char source[XTA__MAX_PATH_BYTES + 1];
    xta_box box;
    xta_box before; /* bounds */
} xta__work_record;

void xta__encode_work(const xta__work_record *record, xta__bytes *out);
void xta__encode_work_end(const uint8_t id[XTA__UUID_BYTES], bool taken_back, xta__bytes *out);
xta_status xta__decode_work(const xta__record *record, int ndim, xta__work_record *out,
                            const char **why);
xta_status xta__decode_work_end(const xta__record *record, uint8_t id[XTA__UUID_BYTES],
                                const char **why);
#endif
