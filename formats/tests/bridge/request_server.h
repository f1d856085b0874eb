/* Run main many times for scripts, each time in a child of its own. GDAL alone brings some 150
 * shared libraries: linking them takes longer than most calls, and a child finds them linked.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_FORK_SERVER_H
#define XTA_TESTS_FORK_SERVER_H

/* Answer the requests on standard input until it ends. A request is the folder to run in, the
 * program's name and its arguments, each with a NUL behind it, and one more NUL. The answer is a
 * line `STATUS BYTES BYTES`, then the bytes that the child wrote to standard output and to standard
 * error; STATUS is the exit code, or minus the signal that ended the child. Returns the exit code
 * of the server. */
int fork_server(int (*run)(int argc, char **argv));

#endif
