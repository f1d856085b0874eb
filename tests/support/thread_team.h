/* A team of threads in this process, for tests that want several members without MPI.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_THREAD_TEAM_H
#define XTA_TESTS_THREAD_TEAM_H

#include <xta/communicator.h>

enum { TEST_TEAM_MOST = 16 };

/* What every member does. cmocka's assertions work in the first thread only: bring results home in
 * `user` and look at them there. */
typedef void test_team_member(void *user, const xta_communicator *team);

/* Run `member` on n threads, 1 <= n <= TEST_TEAM_MOST, as a team; with n == 0 once, without a team
 * (NULL). A member that gathers another number of bytes than the rest, or that is in another call,
 * ends the program with a message. */
void test_team_run(int n, test_team_member *member, void *user);

#endif
