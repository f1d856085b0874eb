/* Linked into each program of a build with the address sanitizer: it maps its zeroed data at its start, in one call.
 *
 * LeakSanitizer reads all global data when a program ends. Of that, 9 MB are the sanitizer's own tables, nearly all of
 * them never written: 2,200 page faults in each process, a fifth of the life of a short one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

extern char __bss_start[], _end[]; /* of the linker */

__attribute__((constructor)) static void populate_bss(void)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)__bss_start + page - 1) / page * page;
    uintptr_t end = (uintptr_t)_end / page * page;
    if (first < end) {
        (void)madvise((void *)first, end - first, MADV_POPULATE_READ); /* a kernel before 5.14 does without */
    }
}
