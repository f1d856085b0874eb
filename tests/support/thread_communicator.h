/* A communicator of threads in this process, for tests that need several members without MPI.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_THREAD_COMMUNICATOR_H
#define XTA_TESTS_THREAD_COMMUNICATOR_H

#include <xta/communicator.h>

enum { TEST_MEMBERS_MAX = 16 };

/* What every member does. cmocka's assertions work in the first thread only: store results in
 * `user` and check them there. */
typedef void test_member(void *user, const xta_communicator *common);

/* Run `member` on n threads, 1 <= n <= TEST_MEMBERS_MAX, as a communicator; with n == 0 once,
 * without a communicator (NULL). A member that gathers a different number of bytes than the rest,
 * or that is in a different call, ends the program with a message. */
void test_members_run(int n, test_member *member, void *user);

#endif
