/* Memory of answers on their way: who wants more than is left waits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_SERVE_BUDGET_H
#define XTA_VIEWS_SERVE_BUDGET_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct serve_budget {
    pthread_mutex_t lock;
    pthread_cond_t freed;
    uint64_t limit_bytes, reserved_bytes;
    bool closed;
} serve_budget;

void xta__budget_init(serve_budget *budget, uint64_t limit_bytes);
void xta__budget_clear(serve_budget *budget);

/* Reserve bytes, once they are there. False: more than the limit, not within the time, or the
 * server ends. */
bool xta__budget_reserve(serve_budget *budget, uint64_t bytes, int timeout_s);
void xta__budget_release(serve_budget *budget, uint64_t bytes);
/* From now on nobody waits. */
void xta__budget_close(serve_budget *budget);

#endif
