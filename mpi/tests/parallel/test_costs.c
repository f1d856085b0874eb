/* nprocs: 1 2 3 4 5; mpich: 1 2 3 4 5 */
/* The cost of structural calls does not depend on the history of the array.
 *
 * Each call is made on an array that has grown ten times and on one that has grown 6,000 times, by
 * all ranks together, each growth with an axial record of its own. The MPI calls and bytes of every
 * rank must be the same, and as docs/SCALING.md says. Only opening an array sends its structure: 16
 * bytes for each axial record.
 *
 * The printed table is the one of docs/SCALING.md. Times are printed as well, but not checked,
 * since the machine may be busy.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "parallel/mpi_test.h"

#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include <xta/parallel.h>

#include "parallel/agree/notice.h"
#include "parallel/handle/handle.h"
#include "parallel/mpi_count.h"
#include "support/random.h"
#include "util/os.h"

#define YOUNG 10
#define OLD   6000
#define TIMED 4000

/* Bytes of what docs/SCALING.md calls the meeting, the notice and the agreement. */
#define MEETING   40
#define NOTICE    1024
#define AGREEMENT 8

static xta_error err;

/* ---- counting ---- */

static xta__os_calls counting_os;
static long opens, file_calls; // of this rank's files, by the library

static int count_open(const char *path, int flags, unsigned mode)
{
    opens++;
    xta__os_replace(NULL);
    int fd = xta__os()->open(path, flags, mode);
    xta__os_replace(&counting_os);
    return fd;
}

static ssize_t count_read(int fd, void *bytes, size_t n, off_t offset)
{
    file_calls++;
    xta__os_replace(NULL);
    ssize_t got = xta__os()->read_at(fd, bytes, n, offset);
    xta__os_replace(&counting_os);
    return got;
}

static ssize_t count_write(int fd, const void *bytes, size_t n, off_t offset)
{
    file_calls++;
    xta__os_replace(NULL);
    ssize_t put = xta__os()->write_at(fd, bytes, n, offset);
    xta__os_replace(&counting_os);
    return put;
}

static void count_files(void)
{
    xta__os_replace(NULL);
    counting_os = *xta__os();
    counting_os.open = count_open;
    counting_os.read_at = count_read;
    counting_os.write_at = count_write;
    xta__os_replace(&counting_os);
}

/* The cost of one call on this rank. */
typedef struct cost {
    mpi_count mpi;
    long opens, file_calls;
    double microseconds;
} cost;

static double began;

static void begin_cost(void)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    opens = file_calls = 0;
    mpi_count_start();
    began = MPI_Wtime();
}

static cost end_cost(void)
{
    cost c = {.microseconds = (MPI_Wtime() - began) * 1e6};

    c.mpi = mpi_count_read();
    c.opens = opens;
    c.file_calls = file_calls;
    return c;
}

/* ---- the calls ---- */

typedef enum call { EXTEND, SHRINK, REFUSED, IDLE, ALONE, NEWS, CLOSE, OPEN, N_CALLS } call;

static const char *const names[N_CALLS] = {
    "extend", "shrink", "shrink, refused", "refresh, no news", "extend alone", "refresh, a growth",
    "close",  "open"};

typedef struct subject {
    xta_parallel *p;
    xta_parallel_options options;
    char path[1024];
    long n_extended;
} subject;

/* Chunks are added to either end of axis 0 in turn, so that no growth lengthens the last record. */
static xta_growth next_growth(subject *s)
{
    return (xta_growth){0, s->n_extended++ % 2 == 0 ? XTA_FRONT : XTA_BACK, 4};
}

static void extend(subject *s)
{
    xta_growth growth = next_growth(s);

    XTA_CHECK_OK(xta_parallel_extend(s->p, &growth, 1, NULL, &err), err);
}

/* Grow the array by a serial handle, which does not involve the ranks. */
static void grow_from_outside(const subject *s)
{
    const xta_growth growth = {1, XTA_BACK, 1};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;

    options.writable = true;
    if (xta_test_rank == 0) {
        XTA_CHECK_OK(xta_array_open(s->path, &options, &array, &err), err);
        XTA_CHECK_OK(xta_array_extend(array, &growth, 1, NULL, &err), err);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
}

/* Grow the array by the last rank alone, with a handle of its own. */
static void grow_alone(const subject *s)
{
    const xta_growth growth = {1, XTA_BACK, 1};

    if (xta_test_rank == xta_test_ranks - 1) {
        XTA_CHECK_OK(xta_parallel_extend_alone(s->p, &growth, 1, NULL, &err), err);
    }
}

static void make_call(subject *s, call which)
{
    const xta_growth shrink = {0, XTA_BACK, 1}, too_much = {1, XTA_BACK, 1000};
    bool changed = false;

    switch (which) {
    case EXTEND:
        extend(s);
        break;
    case SHRINK:
        XTA_CHECK_OK(xta_parallel_shrink(s->p, &shrink, 1, NULL, &err), err);
        break;
    case REFUSED:
        XTA_CHECK_STATUS(xta_parallel_shrink(s->p, &too_much, 1, NULL, &err), XTA_EBOX, err);
        break;
    case ALONE:
        grow_alone(s);
        break;
    case IDLE:
    case NEWS:
        XTA_CHECK_OK(xta_parallel_refresh(s->p, &changed, &err), err);
        XTA_CHECK(changed == (which == NEWS), "refresh says %d", (int)changed);
        break;
    case OPEN:
        XTA_CHECK_OK(xta_parallel_open(MPI_COMM_WORLD, s->path, &s->options, &s->p, &err), err);
        break;
    default:
        XTA_CHECK_OK(xta_parallel_close(s->p, &err), err);
    }
}

static void measure(subject *s, cost costs[N_CALLS])
{
    for (int which = 0; which < N_CALLS; which++) {
        if (which == NEWS) {
            grow_from_outside(s);
        }
        begin_cost();
        make_call(s, (call)which);
        costs[which] = end_cost();
        if (which == ALONE) {
            PMPI_Barrier(MPI_COMM_WORLD);
            XTA_CHECK_OK(xta_parallel_refresh(s->p, NULL, &err), err);
        }
    }
}

/* The median time of nine extensions. */
static double time_extensions(subject *s)
{
    double times[9];

    for (int k = 0; k < 9; k++) {
        begin_cost();
        extend(s);
        double t = end_cost().microseconds;
        int at = k;
        for (; at > 0 && times[at - 1] > t; at--) {
            times[at] = times[at - 1];
        }
        times[at] = t;
    }
    return times[4];
}

/* ---- the expected costs ---- */

/* The maximum over all ranks but 0 (with one rank: its value). */
static long most_of_others(long mine)
{
    long none = 0, most = 0;

    PMPI_Allreduce(xta_test_rank > 0 || xta_test_ranks == 1 ? &mine : &none, &most, 1, MPI_LONG,
                   MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static void print_row(const char *io, const char *name, const cost *young, const cost *old)
{
    const long *n = old->mpi.calls;
    long others[2] = {most_of_others(old->opens), most_of_others(old->file_calls)};

    if (xta_test_rank == 0) {
        printf("| %d | %s | %s | %ld | %ld | %ld | %ld | %ld / %ld | %ld / %ld | %.0f | %.0f |\n",
               xta_test_ranks, io, name, n[MPI_KIND_ALLREDUCE], n[MPI_KIND_BCAST],
               n[MPI_KIND_COMM] + n[MPI_KIND_FILE], mpi_count_bytes(&old->mpi), old->opens,
               others[0], old->file_calls, others[1], young->microseconds, old->microseconds);
    }
}

static void check_counts(const char *name, const mpi_count *count, long reductions, long notices,
                         long agreements)
{
    long bytes = MEETING + AGREEMENT * agreements;

    XTA_CHECK(
        count->calls[MPI_KIND_ALLREDUCE] == reductions && count->bytes[MPI_KIND_ALLREDUCE] == bytes,
        "%s: %ld reductions of %ld bytes, not %ld of %ld", name, count->calls[MPI_KIND_ALLREDUCE],
        count->bytes[MPI_KIND_ALLREDUCE], reductions, bytes);
    XTA_CHECK(count->calls[MPI_KIND_BCAST] == notices &&
                  count->bytes[MPI_KIND_BCAST] == NOTICE * notices,
              "%s: %ld broadcasts of %ld bytes", name, count->calls[MPI_KIND_BCAST],
              count->bytes[MPI_KIND_BCAST]);
    XTA_CHECK(mpi_count_calls(count) == reductions + notices,
              "%s: %ld calls of MPI, not %ld: it asks for something else as well", name,
              mpi_count_calls(count), reductions + notices);
}

static uint32_t count_records(const subject *s)
{
    xta_array_info info;

    XTA_CHECK_OK(xta_array_inquire(xta_parallel_array(s->p), &info, &err), err);
    return (uint32_t)info.n_segments;
}

/* The bytes of the state of this rank's replica. */
static long state_bytes(const subject *s)
{
    xta__bytes payload = {0};

    XTA_CHECK_OK(xta__replica_encode(s->p->array, &payload, &err), err);
    long n = (long)payload.n;
    xta__bytes_clear(&payload);
    return n;
}

/* The identity of rank 0's files, which the other ranks compare with theirs
 * (parallel/same_files.c). */
enum { SIGN_BYTES = 56 };

/* Opening: the notice, and after it the rest of the state that does not fit into it, the uuid, the
 * name of the journal and its length; with several ranks also the identity of the files. */
static void check_open(const subject *s, xta_parallel_io io, const mpi_count *count)
{
    long n = state_bytes(s) + 16 + (long)strlen(s->path) + 5 + 8, rest = n - XTA__NOTICE_BYTES;

    int signs = xta_test_ranks > 1;
    XTA_CHECK(count->calls[MPI_KIND_BCAST] == (rest > 0 ? 2 : 1) + signs, "open: %ld broadcasts",
              count->calls[MPI_KIND_BCAST]);
    XTA_CHECK(count->bytes[MPI_KIND_BCAST] == NOTICE + (rest > 0 ? rest : 0) + signs * SIGN_BYTES,
              "open: %ld bytes of broadcasts, and the state has %ld", count->bytes[MPI_KIND_BCAST],
              state_bytes(s));
    long reductions = (io == XTA_IO_MPI ? 12 : 11) + (rest > 0);
    long bytes = (io == XTA_IO_MPI ? 116 : 104) + (rest > 0 ? AGREEMENT : 0);
    XTA_CHECK(!signs || (count->calls[MPI_KIND_ALLREDUCE] == reductions &&
                         count->bytes[MPI_KIND_ALLREDUCE] == bytes),
              "open: %ld reductions of %ld bytes, not %ld of %ld", count->calls[MPI_KIND_ALLREDUCE],
              count->bytes[MPI_KIND_ALLREDUCE], reductions, bytes);
    XTA_CHECK(state_bytes(s) == 96 + 2 * 56 + 16 * (long)count_records(s),
              "the state of %u records has %ld bytes", count_records(s), state_bytes(s));
}

/* Files that this rank opens, except those opened by MPI. */
static void check_opens(xta_parallel_io io, const cost *opening)
{
    long want = io == XTA_IO_MPI ? 5 : 1;

    // The journal, the data file, and the journal again, to test its lock.
    want += xta_test_rank == 0 ? 3 : 0;
    // The file by which several ranks check that they have the same folder.
    want += xta_test_ranks > 1;
    XTA_CHECK(opening->opens == want, "%ld files opened, not %ld", opening->opens, want);
}

/* The new axis changes the array for all later calls, so this comes last. */
static void test_new_axis(subject *s)
{
    begin_cost();
    XTA_CHECK_OK(xta_parallel_add_axis(s->p, 0, "t", &err), err);
    cost c = end_cost();
    check_counts("add axis", &c.mpi, 2, 1, 1);
}

static void compare(const char *io, const cost young[], const cost old[])
{
    for (int which = 0; which < N_CALLS; which++) {
        const mpi_count *a = &young[which].mpi, *b = &old[which].mpi;
        print_row(io, names[which], &young[which], &old[which]);
        if (which == OPEN) {
            continue;
        }
        XTA_CHECK(mpi_count_equal(a, b),
                  "%s: %ld calls of %ld bytes on the young array, %ld of %ld on the old one",
                  names[which], mpi_count_calls(a), mpi_count_bytes(a), mpi_count_calls(b),
                  mpi_count_bytes(b));
        // Only rank 0 touches a file when the structure changes, and the rank that changes it
        // alone, which also makes it durable at the end.
        XTA_CHECK(which == ALONE || which == CLOSE || xta_test_rank == 0 ||
                      old[which].opens + old[which].file_calls == 0,
                  "%s: %ld files opened, %ld reads and writes", names[which], old[which].opens,
                  old[which].file_calls);
    }
    check_counts(names[EXTEND], &old[EXTEND].mpi, 2, 1, 1);
    check_counts(names[SHRINK], &old[SHRINK].mpi, 2, 1, 1);
    check_counts(names[REFUSED], &old[REFUSED].mpi, 1, 1, 0);
    check_counts(names[IDLE], &old[IDLE].mpi, 1, 1, 0);
    XTA_CHECK(mpi_count_calls(&old[ALONE].mpi) == 0, "a rank alone asks MPI %ld times",
              mpi_count_calls(&old[ALONE].mpi));
    check_counts(names[NEWS], &old[NEWS].mpi, 2, 1, 1);
}

static size_t memory_in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

static subject make_subject(const char *name, xta_parallel_io io, double timeout_s)
{
    static const int64_t bounds[2] = {4, 8}, chunk[2] = {4, 16};
    xta_create_options create = XTA_CREATE_OPTIONS_INIT;
    subject s = {.options = XTA_PARALLEL_OPTIONS_INIT};

    create.chunk = chunk;
    s.options.io = io;
    s.options.timeout_s = timeout_s;
    s.options.writable = true;
    snprintf(s.path, sizeof s.path, "%s%d", xta_test_path(name), (int)io);
    XTA_CHECK_OK(xta_parallel_create(MPI_COMM_WORLD, s.path, XTA_I8, 2, bounds, &create, &s.options,
                                     &s.p, &err),
                 err);
    return s;
}

/* MPICH waits without yielding: if the ranks outnumber the processors an extension takes as long as
 * the scheduler lets a rank spin, 20 ms and more. In that case rank 0 makes the history alone, with
 * the same records in the journal, and the others read it by one refresh. */
static bool takes_too_long(void)
{
#ifdef MPICH_VERSION
    return sysconf(_SC_NPROCESSORS_ONLN) < xta_test_ranks;
#else
    return false;
#endif
}

/* Extend up to number `last`; returns the median time of some of the extensions, 0 if none was
 * timed. */
static double make_history(subject *s, long last)
{
    bool alone = takes_too_long();
    double time = 0;

    while (s->n_extended < last) {
        xta_growth growth = next_growth(s);
        if (alone && xta_test_rank == 0) {
            XTA_CHECK_OK(xta_parallel_extend_alone(s->p, &growth, 1, NULL, &err), err);
        } else if (!alone) {
            XTA_CHECK_OK(xta_parallel_extend(s->p, &growth, 1, NULL, &err), err);
        }
        if (!alone && s->n_extended == TIMED) {
            time = time_extensions(s);
        }
    }
    if (alone) {
        PMPI_Barrier(MPI_COMM_WORLD);
        XTA_CHECK_OK(xta_parallel_refresh(s->p, NULL, &err), err);
    }
    return time;
}

static void test_history(xta_parallel_io io)
{
    subject s = make_subject("history", io, 0);
    const char *way = io == XTA_IO_MPI ? "MPI-IO" : "mapped";
    cost young[N_CALLS], old[N_CALLS];
    long last = (long)test_scale(OLD);

    while (s.n_extended < YOUNG - 1) {
        extend(&s);
    }
    measure(&s, young);
    check_open(&s, io, &young[OPEN].mpi);
    uint32_t records = count_records(&s);
    long state = state_bytes(&s);
    size_t before = memory_in_use();
    double early = time_extensions(&s), late = make_history(&s, last - 1);
    uint32_t more = count_records(&s) - records;
    long grown = (long)(memory_in_use() - before), others = most_of_others(grown);
    XTA_CHECK((long)more == last - 1 - YOUNG, "%u records", more);
    XTA_CHECK(state_bytes(&s) - state == 16 * (long)more, "the state has %ld bytes more",
              state_bytes(&s) - state);
    measure(&s, old);
    check_open(&s, io, &old[OPEN].mpi);
    check_opens(io, &old[OPEN]);
    compare(way, young, old);
    test_new_axis(&s);
    if (xta_test_rank == 0) {
        printf("%s: an extension takes %.1f us at first, %.1f after %d (0: not taken)\n", way,
               early, late, TIMED);
        printf("%s: for each of %u records %ld bytes of memory on rank 0, %ld on others\n", way,
               more, grown / (long)more, others / (long)more);
    }
    XTA_CHECK_OK(xta_parallel_close(s.p, &err), err);
}

/* Partners in the tree of a rendezvous. */
static int count_partners(void)
{
    int r = xta_test_rank, n = xta_test_ranks;

    return (r > 0) + (2 * r + 1 < n) + (2 * r + 2 < n);
}

/* With a time limit each rank also exchanges four messages of 16 bytes with each partner, of which
 * it has three at most; their number is the same each time. */
static void test_time_limit(void)
{
    subject s = make_subject("limit", XTA_IO_AUTO, 60);
    cost first, last;

    begin_cost();
    extend(&s);
    first = end_cost();
    for (int k = 0; k < 20; k++) {
        extend(&s);
    }
    begin_cost();
    extend(&s);
    last = end_cost();
    XTA_CHECK(mpi_count_equal(&first.mpi, &last.mpi), "%ld calls, then %ld",
              mpi_count_calls(&first.mpi), mpi_count_calls(&last.mpi));
    long messages = last.mpi.calls[MPI_KIND_POINT], most = 0, sum = 0;
    XTA_CHECK(messages == 4 * count_partners() && last.mpi.bytes[MPI_KIND_POINT] == 16 * messages,
              "%ld messages of %ld bytes with %d partners", messages,
              last.mpi.bytes[MPI_KIND_POINT], count_partners());
    PMPI_Reduce(&messages, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    PMPI_Reduce(&messages, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (xta_test_rank == 0) {
        printf("with a time limit: %ld messages sent or received by a rank at most, %ld sent by "
               "all\n",
               most, sum / 2);
        XTA_CHECK(most <= 12 && sum == 8L * (xta_test_ranks - 1), "%ld, %ld", most, sum);
    }
    XTA_CHECK_OK(xta_parallel_close(s.p, &err), err);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    count_files();
    if (xta_test_rank == 0) {
        printf("| ranks | way | call | reductions | broadcasts | communicators and files | bytes "
               "| opens, rank 0 / others | reads and writes | us, young | us, old |\n");
    }
    test_history(XTA_IO_AUTO);
    test_history(XTA_IO_MPI);
    test_time_limit();
    xta__os_replace(NULL);
    return xta_test_end();
}
