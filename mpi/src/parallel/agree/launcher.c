/* Has this program been started by the launcher of its own MPI?
 *
 * The launcher of another MPI starts n processes, and MPI_Init of each finds nobody to talk to:
 * every one of them is rank 0 of 1, and all of them make the same files at once. MPI itself reports
 * nothing. But launchers put the number of processes into the environment: if that is more than
 * one, and MPI knows of only one, the processes do not know of each other.
 *
 * A process that is really alone is not refused, nor is one that has others in MPI_COMM_WORLD. The
 * variable of the launcher of the program's own MPI takes precedence, since a program may be
 * started within a job of another launcher, whose environment it inherits. The numbers of a Slurm
 * job say nothing about a process that its batch script runs. Neither do those of a job step, which
 * may be many unrelated programs; they count only where Slurm has offered to start MPI.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/parallel.h>

#include <stdlib.h>
#include <string.h>

/* A launcher, and the variables that it sets. */
typedef struct launcher {
    const char *mpi;      /* how the name of its MPI begins */
    const char *says;     /* variable with the number of processes */
    const char *provided; /* variable without which that does not count; or NULL */
    const char *not_for;  /* an MPI that sets the same variable itself */
    const char *command;
} launcher;

static const launcher launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_SIZE", NULL, "", "mpirun.openmpi"},
    {"MPICH", "PMI_SIZE", NULL, "", "mpirun.mpich"}, /* also its descendants, and Slurm's PMI-2 */
    {"Slurm", "SLURM_STEP_NUM_TASKS", "PMIX_RANK", "Open MPI", "srun"},
};
enum { N_LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* How many processes a launcher says there are; 0: it has not started this one. */
static long processes_by(const launcher *l, const launcher *own)
{
    const char *text = getenv(l->says);

    if (text == NULL || (l->provided != NULL && getenv(l->provided) == NULL) ||
        (own != NULL && strcmp(own->mpi, l->not_for) == 0)) {
        return 0;
    }
    return strtol(text, NULL, 10);
}

/* The MPI that the program is linked with, in `name`; its launcher, or NULL. */
static const launcher *own_launcher(char name[MPI_MAX_LIBRARY_VERSION_STRING])
{
    int n = 0;

    MPI_Get_library_version(name, &n);
    name[strcspn(name, ",\n")] = '\0';
    for (char *c = name; *c != '\0'; c++) {
        *c = *c == '\t' ? ' ' : *c;
    }
    for (int k = 0; k < N_LAUNCHERS; k++) {
        if (strncmp(name, launchers[k].mpi, strlen(launchers[k].mpi)) == 0) {
            return &launchers[k];
        }
    }
    return NULL;
}

xta_status xta_launcher_check(xta_error *err)
{
    char name[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int n_ranks = 1;

    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (n_ranks > 1) {
        return XTA_OK;
    }
    const launcher *own = own_launcher(name);
    if (own != NULL && processes_by(own, own) == 1) {
        return XTA_OK;
    }
    for (int k = 0; k < N_LAUNCHERS; k++) {
        const launcher *l = &launchers[k];
        long n = processes_by(l, own);
        if (n > 1) {
            return xta_error_set(
                err, XTA_ESTATE, 0,
                "the launcher of %s has started %ld processes (%s), but this program is linked "
                "with %s, by which each of them is alone, rank 0 of 1, and all would write the "
                "same files; start it with the launcher of that MPI%s%s%s, or unset %s if it is "
                "meant to be alone",
                l->mpi, n, l->says, name, own != NULL ? " (" : "", own != NULL ? own->command : "",
                own != NULL ? ")" : "", l->says);
        }
    }
    return XTA_OK;
}
