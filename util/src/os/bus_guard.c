/* Reading mapped files that others may truncate.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "util/bus_guard.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static _Thread_local atomic_bool *volatile missing_here;
static uintptr_t page_bytes;

/* Only system calls here: a mapping over the page, or the default action when the access is made
 * again. */
static void replace_page(int number, siginfo_t *info, void *context)
{
    int kept = errno;
    void *page = (void *)((uintptr_t)info->si_addr & ~(page_bytes - 1));

    (void)context;
    if (missing_here != NULL) {
        atomic_store(missing_here, true);
    }
    if (missing_here == NULL ||
        mmap(page, page_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            MAP_FAILED) {
        signal(number, SIG_DFL);
    }
    errno = kept;
}

bool xta__bus_guard_install(void)
{
    struct sigaction action = {.sa_sigaction = replace_page, .sa_flags = SA_SIGINFO};

    page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    sigemptyset(&action.sa_mask);
    return sigaction(SIGBUS, &action, NULL) == 0;
}

void xta__bus_guard_enter(atomic_bool *missing)
{
    missing_here = missing;
}

bool xta__bus_guard_leave(void)
{
    bool missing = atomic_load(missing_here);

    missing_here = NULL;
    return missing;
}
