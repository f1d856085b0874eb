/* The notice: what rank 0 broadcasts when its part of a collective call is done.
 *
 * Rank 0 alone works on the journal, so after the meeting it alone can fail. The others need its
 * result: the status, with its text if it failed, or the payload that they are to apply. That is
 * one broadcast of a fixed length, whatever there is to send, so that the length need not be sent
 * first. What does not fit follows in a second one, once all ranks have memory for it; no
 * structural step is that long, only a state or a long list of records.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/agree/notice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/agree/agree.h"

#define MOST_BYTES ((size_t)1 << 30)

/* The ranks of a job run the same program on the same kind of machine. */
typedef struct notice {
    int32_t status, os_errno;
    uint64_t n; /* bytes of the payload, or of the text of a failure */
    uint8_t bytes[XTA__NOTICE_BYTES];
} notice;

_Static_assert(sizeof(notice) == 1024, "docs/SCALING.md says what a notice takes");
_Static_assert(XTA_ERROR_TEXT_BYTES <= XTA__NOTICE_BYTES, "a text fits");

static void write_notice(notice *sent, xta_status status, const xta__bytes *payload,
                         const xta_error *err)
{
    const void *bytes = payload->bytes;
    char text[XTA_ERROR_TEXT_BYTES];

    sent->status = (int32_t)status;
    sent->n = payload->n;
    if (status != XTA_OK) {
        bool described = err != NULL && err->status == status;
        snprintf(text, sizeof text, "rank 0 failed: %s", xta_status_name(status));
        bytes = described ? err->text : text;
        sent->os_errno = described ? err->os_errno : 0;
        sent->n = strlen(bytes) + 1;
    }
    if (sent->n > 0) {
        memcpy(sent->bytes, bytes, sent->n < XTA__NOTICE_BYTES ? sent->n : XTA__NOTICE_BYTES);
    }
}

/* All ranks know that the payload is longer than a notice. */
static xta_status send_rest(MPI_Comm comm, int rank, const notice *sent, xta__bytes *payload,
                            xta_error *err)
{
    xta_status status = XTA_OK;

    if (rank != 0) {
        xta__bytes_clear(payload);
        payload->bytes = xta__calloc((size_t)sent->n, 1);
        if (payload->bytes == NULL) {
            status = xta__fail(err, XTA_ENOMEM, 0, "no memory for the structure of an array");
        } else {
            payload->n = payload->capacity = (size_t)sent->n;
            memcpy(payload->bytes, sent->bytes, XTA__NOTICE_BYTES);
        }
    }
    status = xta_agree(comm, status, err);
    for (size_t at = XTA__NOTICE_BYTES; status == XTA_OK && at < sent->n; at += MOST_BYTES) {
        size_t n = sent->n - at < MOST_BYTES ? sent->n - at : MOST_BYTES;
        MPI_Bcast(payload->bytes + at, (int)n, MPI_BYTE, 0, comm);
    }
    return status;
}

xta_status xta__notify(MPI_Comm comm, int rank, xta_status status, xta__bytes *payload,
                       xta_error *err)
{
    notice sent = {.n = 0};

    if (rank == 0) {
        write_notice(&sent, status, payload, err);
    }
    MPI_Bcast(&sent, (int)sizeof sent, MPI_BYTE, 0, comm);
    if (sent.status != XTA_OK) {
        sent.bytes[XTA__NOTICE_BYTES - 1] = '\0';
        xta__clear(err);
        return xta__fail(err, (xta_status)sent.status, sent.os_errno, "%s", (char *)sent.bytes);
    }
    if (sent.n > XTA__NOTICE_BYTES) {
        return send_rest(comm, rank, &sent, payload, err);
    }
    if (rank != 0) {
        // The capacity is enough, so nothing can fail.
        payload->n = 0;
        xta__bytes_add(payload, sent.bytes, (size_t)sent.n);
    }
    return XTA_OK;
}
