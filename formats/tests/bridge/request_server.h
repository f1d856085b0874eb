/* Run main many times for scripts. GDAL alone brings some 150 shared libraries: linking them takes
 * longer than most calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_REQUEST_SERVER_H
#define XTA_TESTS_REQUEST_SERVER_H

#include <stdbool.h>

/* A main. Where it runs in the server it returns, and leaves nothing behind that the next call
 * would see. */
typedef int request_function(int argc, char **argv);

/* Answer the requests on standard input until it ends, each in a child or all in this process. A
 * request is the folder to run in, the program's name and its arguments, each with a NUL behind it,
 * and one more NUL. The answer is a line `STATUS BYTES BYTES`, then the bytes that the call wrote
 * to standard output and to standard error; STATUS is what `run` returned, or minus the signal that
 * ended the child. Returns the exit code of the server. */
int serve_requests(request_function *run, bool in_children);

#endif
