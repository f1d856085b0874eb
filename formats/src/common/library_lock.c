/* One lock for foreign libraries that are not thread-safe.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "common/library_lock.h"

#include <pthread.h>

static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

void xta__library_lock(void)
{
    pthread_mutex_lock(&library);
}

void xta__library_unlock(void)
{
    pthread_mutex_unlock(&library);
}
