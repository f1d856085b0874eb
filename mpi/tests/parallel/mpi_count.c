/* Wrappers of the MPI calls that XTA makes: each counts and calls the real one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "parallel/mpi_count.h"

#include <mpi.h>
#include <string.h>

static mpi_count counted;

void mpi_count_start(void)
{
    memset(&counted, 0, sizeof counted);
}

mpi_count mpi_count_read(void)
{
    return counted;
}

bool mpi_count_equal(const mpi_count *a, const mpi_count *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

long mpi_count_calls(const mpi_count *count)
{
    long sum = 0;

    for (int kind = 0; kind < MPI_N_KINDS; kind++) {
        sum += count->calls[kind];
    }
    return sum;
}

long mpi_count_bytes(const mpi_count *count)
{
    long sum = 0;

    for (int kind = 0; kind < MPI_N_KINDS; kind++) {
        sum += count->bytes[kind];
    }
    return sum;
}

static void count(mpi_kind kind, long n, MPI_Datatype type)
{
    int size = 0;

    PMPI_Type_size(type, &size);
    counted.calls[kind]++;
    counted.bytes[kind] += n * size;
}

/* ---- calls that structural functions use ---- */

int MPI_Bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    count(MPI_KIND_BCAST, n, type);
    return PMPI_Bcast(buffer, n, type, root, comm);
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    count(MPI_KIND_ALLREDUCE, n, type);
    return PMPI_Allreduce(in, out, n, type, op, comm);
}

int MPI_Send(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    count(MPI_KIND_POINT, n, type);
    return PMPI_Send(buffer, n, type, to, tag, comm);
}

int MPI_Recv(void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
             MPI_Status *status)
{
    count(MPI_KIND_POINT, n, type);
    return PMPI_Recv(buffer, n, type, from, tag, comm, status);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *out)
{
    count(MPI_KIND_COMM, 0, MPI_BYTE);
    return PMPI_Comm_dup(comm, out);
}

int MPI_Comm_split_type(MPI_Comm comm, int by, int key, MPI_Info info, MPI_Comm *out)
{
    count(MPI_KIND_COMM, 0, MPI_BYTE);
    return PMPI_Comm_split_type(comm, by, key, info, out);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    count(MPI_KIND_COMM, 0, MPI_BYTE);
    return PMPI_Comm_free(comm);
}

int MPI_File_open(MPI_Comm comm, const char *path, int mode, MPI_Info info, MPI_File *file)
{
    count(MPI_KIND_FILE, 0, MPI_BYTE);
    return PMPI_File_open(comm, path, mode, info, file);
}

int MPI_File_close(MPI_File *file)
{
    count(MPI_KIND_FILE, 0, MPI_BYTE);
    return PMPI_File_close(file);
}

/* ---- calls that they must not use ---- */

int MPI_Barrier(MPI_Comm comm)
{
    count(MPI_KIND_OTHER, 0, MPI_BYTE);
    return PMPI_Barrier(comm);
}

int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int n_out,
                  MPI_Datatype out_type, MPI_Comm comm)
{
    count(MPI_KIND_OTHER, n, type);
    return PMPI_Allgather(in, n, type, out, n_out, out_type, comm);
}

int MPI_Reduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm)
{
    count(MPI_KIND_OTHER, n, type);
    return PMPI_Reduce(in, out, n, type, op, root, comm);
}

int MPI_Ibcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request *request)
{
    count(MPI_KIND_OTHER, n, type);
    return PMPI_Ibcast(buffer, n, type, root, comm, request);
}

int MPI_Iallreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request)
{
    count(MPI_KIND_OTHER, n, type);
    return PMPI_Iallreduce(in, out, n, type, op, comm, request);
}

int MPI_File_set_view(MPI_File file, MPI_Offset at, MPI_Datatype unit, MPI_Datatype type,
                      const char *name, MPI_Info info)
{
    count(MPI_KIND_OTHER, 0, MPI_BYTE);
    return PMPI_File_set_view(file, at, unit, type, name, info);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void *bytes, int n, MPI_Datatype type,
                          MPI_Status *status)
{
    count(MPI_KIND_OTHER, n, type);
    return PMPI_File_write_at_all(file, at, bytes, n, type, status);
}

int MPI_File_read_at_all(MPI_File file, MPI_Offset at, void *bytes, int n, MPI_Datatype type,
                         MPI_Status *status)
{
    count(MPI_KIND_OTHER, n, type);
    return PMPI_File_read_at_all(file, at, bytes, n, type, status);
}

/* ---- calls that transfers use ---- */

int MPI_File_write_at(MPI_File file, MPI_Offset at, const void *bytes, int n, MPI_Datatype type,
                      MPI_Status *status)
{
    count(MPI_KIND_WRITE, n, type);
    return PMPI_File_write_at(file, at, bytes, n, type, status);
}

int MPI_File_read_at(MPI_File file, MPI_Offset at, void *bytes, int n, MPI_Datatype type,
                     MPI_Status *status)
{
    count(MPI_KIND_READ, n, type);
    return PMPI_File_read_at(file, at, bytes, n, type, status);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    count(MPI_KIND_IBARRIER, 0, MPI_BYTE);
    return PMPI_Ibarrier(comm, request);
}

int MPI_Issend(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    count(MPI_KIND_SENT, n, type);
    return PMPI_Issend(buffer, n, type, to, tag, comm, request);
}

int MPI_Isend(const void *buffer, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count(MPI_KIND_SENT, n, type);
    return PMPI_Isend(buffer, n, type, to, tag, comm, request);
}

int MPI_Irecv(void *buffer, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    // The length of the message is not known yet.
    count(MPI_KIND_WANTED, 0, MPI_BYTE);
    return PMPI_Irecv(buffer, n, type, from, tag, comm, request);
}
