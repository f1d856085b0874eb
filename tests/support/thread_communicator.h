/* A communicator of threads in this process, for tests that need several members without MPI.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_THREAD_TEAM_H
#define XTA_TESTS_THREAD_TEAM_H

#include <xta/communicator.h>

enum { TEST_TEAM_MOST = 16 };

/* What every member does. cmocka's assertions work in the first thread only: store results in
 * `user` and check them there. */
typedef void test_team_member(void *user, const xta_communicator *team);

/* Run `member` on n threads, 1 <= n <= TEST_TEAM_MOST, as a communicator; with n == 0 once, without
 * a communicator (NULL). A member that gathers a different number of bytes than the rest, or that
 * is in a different call, ends the program with a message. */
void test_team_run(int n, test_team_member *member, void *user);

#endif
