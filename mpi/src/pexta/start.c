/* The beginning and the end of PEXTA.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/pexta.h>

#include <ga-mpi.h>
#include <ga.h>
#include <stdlib.h>
#include <string.h>

#include "pexta/disk.h"
#include "pexta/requests.h"
#include "pexta/session.h"
#include "pexta/worker.h"

#define DEFAULT_MEMORY ((uint64_t)256 << 20)

static uint64_t memory_limit(double max_memory)
{
    if (!(max_memory > 0)) {
        return DEFAULT_MEMORY;
    }
    return max_memory < 9e18 ? (uint64_t)max_memory : (uint64_t)1 << 62;
}

/* Whether files are to be used as from several machines: if the ranks run on several, or if any
 * rank has XTA_PEXTA_IO=calls in its environment. Collective. */
static xta_status find_apart(xta__session *s, xta_error *err)
{
    const char *wanted = getenv("XTA_PEXTA_IO");
    bool calls = wanted != NULL && strcmp(wanted, "calls") == 0;
    xta_status status = XTA_OK;
    int here = 0, apart = 0;
    MPI_Comm machine;

    if (wanted != NULL && !calls && wanted[0] != '\0' && strcmp(wanted, "auto") != 0) {
        status = xta__fail(err, XTA_EARG, 0,
                           "PEXTA_Init: the variable XTA_PEXTA_IO is \"%.40s\"; give auto or calls",
                           wanted);
    }
    MPI_Comm_split_type(s->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    apart = calls || here < s->n_ranks;
    MPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_INT, MPI_MAX, s->comm);
    s->apart = apart != 0;
    return xta_agree(s->comm, status, err);
}

int PEXTA_Init(int max_arrays, double max_array_size, double total_disk_space, double max_memory)
{
    xta__session *s = &xta__pexta;
    const char *const names[] = {"max_memory"};
    int64_t value = (int64_t)memory_limit(max_memory);
    xta_status status = XTA_OK;

    (void)max_arrays;
    (void)max_array_size;
    (void)total_disk_space;
    xta__clear(&s->last);
    if (s->begun) {
        status = xta__enter("PEXTA_Init", NULL);
        return (int)xta__fail(&s->last, status != XTA_OK ? status : XTA_EEXIST, 0,
                              "PEXTA_Init: it has begun already; call PEXTA_Terminate first");
    }
    GA_Sync();
    if (MPI_Comm_dup(GA_MPI_Comm(), &s->comm) != MPI_SUCCESS) {
        return xta__fail(&s->last, XTA_EFOREIGN, 0, "PEXTA_Init: MPI gives no communicator");
    }
    status = xta_agree_on(s->comm, "PEXTA_Init", 1, names, &value, &s->last);
    if (status == XTA_OK && GA_Nnodes() == 1) {
        status = xta_launcher_check(&s->last);
    }
    MPI_Comm_rank(s->comm, &s->rank);
    MPI_Comm_size(s->comm, &s->n_ranks);
    // Its status is already the same on all ranks.
    status = status == XTA_OK ? find_apart(s, &s->last) : status;
    if (status != XTA_OK) {
        MPI_Comm_free(&s->comm);
        return (int)status;
    }
    s->max_memory = (uint64_t)value;
    s->io_ranks = 0;
    s->begun = true;
    xta__clear(&s->last);
    return XTA_OK;
}

int PEXTA_Terminate(void)
{
    xta__session *s = &xta__pexta;
    xta_status status = XTA_OK;

    if (!s->begun) {
        return XTA_OK;
    }
    status = xta__enter("PEXTA_Terminate", NULL);
    if (status != XTA_OK) {
        return (int)status;
    }
    status = xta__complete_all(NULL, &s->last);
    while (s->disks != NULL) {
        status = xta__close_disk(s->disks, status, &s->last);
    }
    int code = xta__leave(status);
    xta__worker_stop();
    MPI_Comm_free(&s->comm);
    s->begun = false;
    return code;
}
