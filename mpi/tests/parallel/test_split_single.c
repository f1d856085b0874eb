/* nprocs: 1 2 4; mpich: 2 */
/* Split collective transfers if MPI does not support several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define SPLIT_LEVEL MPI_THREAD_FUNNELED
#include "test_split.c"
