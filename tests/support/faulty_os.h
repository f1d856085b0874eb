/* A system that fails, or loses power, at the n-th call.
 *
 * It stands between the library and the real system through the table of os/. To lose power
 * means: from that call on nothing reaches the disk; what had reached it is what was synced, and
 * of everything after that a random part, in any order, the last piece of each write perhaps
 * torn. Stores through mappings are seen at that moment: of each page that differs from what the
 * calls made of it all, a part or nothing is on the disk. What is stored later is not, but pages
 * that are written back early are not thought of, so for cells a test uses the chunk cache.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_FAULTY_OS_H
#define XTA_TESTS_FAULTY_OS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/random.h"

/* Begin to watch. Every file that is opened from now on is followed. */
void faulty_os_start(void);

/* From now on files may share blocks with copies, as on XFS, whatever the file system. */
void faulty_os_share_blocks(bool may);

/* Let the n-th call from now on (1: the next) that changes or syncs a file fail with `number`
 * (an errno); with `reads`, calls that read and open count too. 0: none. */
void faulty_os_fail_at(uint64_t n, int number, bool reads);

/* Lose power at the n-th call that changes or syncs a file. 0: never. */
void faulty_os_cut_at(uint64_t n);

/* Whether the failure, or the cut, has happened. */
bool faulty_os_happened(void);

/* How many calls that count there were since the last of the two functions above. */
uint64_t faulty_os_calls(void);

/* Make the files what a disk holds after the power was lost. All handles must be closed. */
void faulty_os_restart(test_random *random);

/* End watching. */
void faulty_os_stop(void);

#endif
