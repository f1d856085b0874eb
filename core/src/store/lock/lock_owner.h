/* A private header of store/: the contents of a lock file, and whether its owner is alive. Pure.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_STORE_LOCK_LOCK_OWNER_H
#define XTA_STORE_LOCK_LOCK_OWNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define XTA__NONCE_BYTES      33   /* 32 digits and the terminating zero */
#define XTA__LOCK_FILE_BYTES  1024 /* every lock file is shorter */
#define XTA__LOCK_FIELD_BYTES 72

/* The owner of a lock file. Texts are printable and contain no blank; "-" and 0 mean unknown. */
typedef struct xta__lock_owner {
    char host[XTA__LOCK_FIELD_BYTES];
    char machine[XTA__LOCK_FIELD_BYTES]; /* /etc/machine-id */
    char boot[XTA__LOCK_FIELD_BYTES];    /* boot id of the running kernel */
    uint64_t space;                      /* the namespace of process numbers */
    uint64_t clock;                      /* the namespace of times */
    uint64_t pid;
    uint64_t start; /* start time of the process, in ticks since boot, because pids are reused */
    bool keeps;     /* held by an exclusive writer, until it closes */
    char nonce[XTA__NONCE_BYTES];
} xta__lock_owner;

/* The text of a lock file. Returns its length. */
size_t xta__lock_owner_encode(const xta__lock_owner *owner, char text[XTA__LOCK_FILE_BYTES]);

/* Parse the text of a lock file. Returns NULL, or a constant text that says what is wrong. */
const char *xta__lock_owner_parse(const char *text, size_t n, xta__lock_owner *owner);

/* Store a text from the system in a field. */
void xta__lock_owner_set(char field[XTA__LOCK_FIELD_BYTES], const char *text);

typedef enum xta__lock_verdict {
    XTA__OWNER_LIVES,
    XTA__OWNER_DEAD,
    XTA__OWNER_UNKNOWN
} xta__lock_verdict;

/* Whether the owner is alive, as far as `me` can determine. `there`: `me` sees a process of the
 * owner's pid; `start`: its start time, 0 if unknown. */
xta__lock_verdict xta__lock_owner_judge(const xta__lock_owner *owner, const xta__lock_owner *me,
                                        bool there, uint64_t start);

#endif
