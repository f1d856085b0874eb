/* Memory for answers.
 *
 * Naive: each thread has a buffer. The kernel wakes the thread that has waited longest, so that
 * requests go through all buffers in turn, which are more than the processor's caches hold. Here
 * the buffer that was given back last is taken first. Each is one huge page where there are any:
 * the kernel looks up and holds every page from which it copies an answer, which for small pages is
 * a tenth of what an answer costs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "mount/answer_buffer.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "mount/session.h"
#include "util/huge_page.h"

_Static_assert(MOUNT_REQUEST_BYTES <= XTA__HUGE_BYTES, "an answer fits into a huge page");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *spare[MOUNT_THREADS]; // as many as can be in use at a time
static int n_spare;

void *answer_buffer_take(void)
{
    void *buffer = NULL;

    pthread_mutex_lock(&lock);
    if (n_spare > 0) {
        buffer = spare[--n_spare];
    }
    pthread_mutex_unlock(&lock);
    if (buffer == NULL) {
        buffer = aligned_alloc((size_t)XTA__HUGE_BYTES, (size_t)XTA__HUGE_BYTES);
        // A hint: if it is refused the pages are small.
        (void)(buffer != NULL && madvise(buffer, (size_t)XTA__HUGE_BYTES, MADV_HUGEPAGE));
    }
    return buffer;
}

void answer_buffer_give(void *buffer)
{
    pthread_mutex_lock(&lock);
    if (n_spare < MOUNT_THREADS) {
        spare[n_spare++] = buffer;
        buffer = NULL;
    }
    pthread_mutex_unlock(&lock);
    free(buffer);
}
