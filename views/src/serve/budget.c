/* Memory of answers on their way.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "serve/budget.h"

#include <time.h>

void xta__budget_init(serve_budget *budget, uint64_t limit_bytes)
{
    *budget = (serve_budget){.limit_bytes = limit_bytes};
    pthread_mutex_init(&budget->lock, NULL);
    pthread_cond_init(&budget->freed, NULL);
}

void xta__budget_clear(serve_budget *budget)
{
    pthread_cond_destroy(&budget->freed);
    pthread_mutex_destroy(&budget->lock);
}

bool xta__budget_reserve(serve_budget *budget, uint64_t bytes, int timeout_s)
{
    struct timespec end;
    bool in_time = true;

    if (bytes > budget->limit_bytes) {
        return false;
    }
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += timeout_s;
    pthread_mutex_lock(&budget->lock);
    while (budget->limit_bytes - budget->reserved_bytes < bytes && !budget->closed && in_time) {
        in_time = pthread_cond_timedwait(&budget->freed, &budget->lock, &end) == 0;
    }
    bool good = budget->limit_bytes - budget->reserved_bytes >= bytes && !budget->closed;
    budget->reserved_bytes += good ? bytes : 0;
    pthread_mutex_unlock(&budget->lock);
    return good;
}

void xta__budget_release(serve_budget *budget, uint64_t bytes)
{
    pthread_mutex_lock(&budget->lock);
    budget->reserved_bytes -= bytes;
    pthread_cond_broadcast(&budget->freed);
    pthread_mutex_unlock(&budget->lock);
}

void xta__budget_close(serve_budget *budget)
{
    pthread_mutex_lock(&budget->lock);
    budget->closed = true;
    pthread_cond_broadcast(&budget->freed);
    pthread_mutex_unlock(&budget->lock);
}
