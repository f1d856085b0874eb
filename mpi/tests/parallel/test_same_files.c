/* nprocs: 2 3; mpich: 2 3 */
/* Ranks for which one path means different files, by separate mount namespaces, and locks that are
 * local to a node: every call is refused on all ranks, with the ranks named, and no file is left.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "parallel/mpi_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <xta/parallel.h>

#include "support/folder.h"
#include "util/os.h"

static xta_error err;
static char place[512], own[512]; /* where the array is, and this rank's folder */
static xta__os_calls calls;
static bool apart; /* each rank is a node */

/* Replaces MPI's own function, so that ranks of one machine can pretend to be nodes. */
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *out)
{
    if (apart && type == MPI_COMM_TYPE_SHARED) {
        return PMPI_Comm_split(comm, xta_test_rank, key, out);
    }
    return PMPI_Comm_split_type(comm, type, key, info, out);
}

static void all(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static const char *in(const char *folder, const char *name)
{
    static char paths[4][600];
    static int turn;
    char *path = paths[turn++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* The number of files in a folder whose names contain `part`. */
static int count_files(const char *folder, const char *part)
{
    DIR *names = opendir(folder);
    int n = 0;

    for (struct dirent *e; names != NULL && (e = readdir(names)) != NULL;) {
        n += e->d_name[0] != '.' && strstr(e->d_name, part) != NULL;
    }
    if (names != NULL) {
        closedir(names);
    }
    return names != NULL ? n : -1;
}

/* ---- calls ---- */

static xta_status open_all(const char *path, bool writable, xta_parallel_io io, xta_parallel **p)
{
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;

    options.writable = writable;
    options.io = io;
    return xta_parallel_open(MPI_COMM_WORLD, path, &options, p, &err);
}

static xta_status create_all(const char *path, xta_parallel_io io, xta_parallel **p)
{
    const int64_t bounds[2] = {8, 8};
    xta_parallel_options options = XTA_PARALLEL_OPTIONS_INIT;

    options.io = io;
    return xta_parallel_create(MPI_COMM_WORLD, path, XTA_I32, 2, bounds, NULL, &options, p, &err);
}

/* An array of this rank alone. */
static void make_alone(const char *path, int64_t length)
{
    const int64_t bounds[1] = {length};
    xta_array *array = NULL;

    XTA_CHECK_OK(xta_array_create(path, XTA_I32, 1, bounds, NULL, &array, &err), err);
    XTA_CHECK_OK(xta_array_close(array, &err), err);
}

static void copy_pair(const char *from, const char *to, const char *name)
{
    char file[64];

    for (int k = 0; k < 2; k++) {
        snprintf(file, sizeof file, "%s%s", name, k == 0 ? ".xmd" : ".xta");
        XTA_CHECK(test_file_copy(in(from, file), in(to, file)), "%s was not copied", file);
    }
}

/* The result expected on all ranks. */
static void check_refused(xta_status status, xta_parallel **p, xta_status wanted, const char *word)
{
    XTA_CHECK_STATUS(status, wanted, err);
    XTA_CHECK(*p == NULL, "there is a handle");
    XTA_CHECK(status == XTA_OK || strstr(err.text, word) != NULL, "no '%s' in: %s", word, err.text);
    XTA_CHECK(status == XTA_OK || strstr(err.text, "rank 1 on ") != NULL, "not named: %s",
              err.text);
    if (*p != NULL) {
        xta_parallel_close(*p, NULL);
    }
}

static void check_good(xta_status status, xta_parallel **p, xta_same_files wanted)
{
    XTA_CHECK_OK(status, err);
    if (*p != NULL) {
        XTA_CHECK(xta_parallel_same_files(*p) == wanted, "%d", (int)xta_parallel_same_files(*p));
        XTA_CHECK_OK(xta_parallel_close(*p, &err), err);
    }
}

/* ---- cases ---- */

static void test_one_folder(xta_parallel_io io)
{
    const char *path = in(place, io == XTA_IO_MPI ? "one-mpi" : "one");
    xta_parallel *p = NULL;

    check_good(create_all(path, io, &p), &p, XTA_FILES_SAME);
    check_good(open_all(path, true, io, &p), &p, XTA_FILES_SAME);
    check_good(open_all(path, false, io, &p), &p, XTA_FILES_SAME);
    XTA_CHECK(count_files(place, ".meet-") == 0, "a file is left");
}

/* Each rank a node, for locks. */
static int grant(int fd, int operation)
{
    (void)fd;
    (void)operation;
    return 0;
}

static int open_no_meeting(const char *path, int flags, unsigned mode)
{
    if (strstr(path, ".meet-") != NULL) {
        errno = EACCES;
        return -1;
    }
    return open(path, flags, mode);
}

static void replace_calls(bool granting, bool closed)
{
    xta__os_replace(NULL);
    calls = *xta__os();
    if (granting && xta_test_rank != 0) {
        calls.lock = grant;
    }
    if (closed) {
        calls.open = open_no_meeting;
    }
    xta__os_replace(&calls);
}

/* Locks known only on rank 0's node: of the file made for the test, or of the journal. */
static void test_locks_of_nodes(bool closed)
{
    const char *path = in(place, closed ? "closed" : "nodes");
    xta_same_files wanted = closed ? XTA_FILES_ALIKE : XTA_FILES_SAME;
    xta_parallel *p = NULL;

    apart = true;
    replace_calls(false, closed);
    check_good(create_all(path, XTA_IO_AUTO, &p), &p, wanted);
    check_good(open_all(path, true, XTA_IO_AUTO, &p), &p, wanted);
    replace_calls(true, closed);
    xta_status status = open_all(path, true, XTA_IO_AUTO, &p);
    check_refused(status, &p, XTA_EUNSUPPORTED, "could lock it, too");
    check_good(open_all(path, false, XTA_IO_AUTO, &p), &p, wanted);
    replace_calls(false, closed);
    check_good(open_all(path, true, XTA_IO_AUTO, &p), &p, wanted);
    xta__os_replace(NULL);
    apart = false;
}

/* If no file can be made the journal is locked, unless an exclusive writer has it. */
static void test_exclusive_writer(void)
{
    const char *path = in(place, "exclusive");
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_parallel *p = NULL;

    if (xta_test_rank == 0) {
        make_alone(path, 4);
        options.writable = options.exclusive_writer = true;
        XTA_CHECK_OK(xta_array_open(path, &options, &array, &err), err);
    }
    all();
    check_good(open_all(path, true, XTA_IO_AUTO, &p), &p, XTA_FILES_SAME);
    replace_calls(false, true);
    XTA_CHECK_STATUS(open_all(path, true, XTA_IO_AUTO, &p), XTA_EBUSY, err);
    check_good(open_all(path, false, XTA_IO_AUTO, &p), &p, XTA_FILES_ALIKE);
    xta__os_replace(NULL);
    XTA_CHECK_OK(xta_array_close(array, &err), err);
}

/* From here on the ranks have separate namespaces. */
static void test_create_apart(xta_parallel_io io)
{
    xta_parallel *p = NULL;
    int before = count_files(place, "");

    all();
    xta_status status = create_all(in(place, "new"), io, &p);
    check_refused(status, &p, XTA_EARG, "another folder");
    all();
    XTA_CHECK(count_files(place, "") == before, "%d files instead of %d", count_files(place, ""),
              before);
}

static void test_open_apart(xta_parallel_io io, const char *name)
{
    xta_parallel *p = NULL;

    for (int writable = 0; writable < 2; writable++) {
        xta_status status = open_all(in(place, name), writable != 0, io, &p);
        check_refused(status, &p, XTA_EARG, "another folder");
    }
    XTA_CHECK(count_files(place, ".meet-") == 0, "a file is left");
}

/* Comparison without write permission: copies of the files pass, and the result says so. */
static void test_alike(const char *name, bool same)
{
    xta_parallel *p = NULL;

    for (int io = 0; io < 2; io++) {
        xta_status status = open_all(in(place, name), false, (xta_parallel_io)io, &p);
        if (same) {
            check_good(status, &p, XTA_FILES_ALIKE);
        } else {
            check_refused(status, &p, XTA_EARG, "another journal");
        }
    }
}

/* ---- namespaces ---- */

static bool bind_folder(const char *from, unsigned long more)
{
    return mount(from, place, NULL, MS_BIND, NULL) == 0 &&
           (more == 0 || mount(NULL, place, NULL, MS_BIND | MS_REMOUNT | more, NULL) == 0);
}

/* Every rank but 0 has a separate folder at `place`. */
static bool go_apart(void)
{
    int able = unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;

    if (able && xta_test_rank != 0) {
        able = bind_folder(own, 0);
    }
    MPI_Allreduce(MPI_IN_PLACE, &able, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return able != 0;
}

static void make_folders(void)
{
    const char *here = getenv("XTA_TEST_DIR");

    snprintf(place, sizeof place, "%s/place", here != NULL ? here : ".");
    snprintf(own, sizeof own, "%s/own%d", here != NULL ? here : ".", xta_test_rank);
    if (xta_test_rank == 0) {
        XTA_CHECK(mkdir(place, 0777) == 0, "no folder");
        make_alone(in(place, "copied"), 8);
        make_alone(in(place, "another"), 8);
        make_alone(in(place, "shorter"), 8);
        make_alone(in(place, "missing"), 8);
    }
    all();
    if (xta_test_rank != 0) {
        XTA_CHECK(mkdir(own, 0777) == 0, "no folder");
        copy_pair(place, own, "copied");
        copy_pair(place, own, "shorter");
        make_alone(in(own, "another"), 8);
    }
    all();
    if (xta_test_rank == 0) {
        const xta_growth growth = {0, XTA_BACK, 1};
        xta_open_options options = XTA_OPEN_OPTIONS_INIT;
        xta_array *array = NULL;
        options.writable = true;
        XTA_CHECK_OK(xta_array_open(in(place, "shorter"), &options, &array, &err), err);
        XTA_CHECK_OK(xta_array_extend(array, &growth, 1, NULL, &err), err);
        XTA_CHECK_OK(xta_array_close(array, &err), err);
    }
    all();
}

static void test_apart(void)
{
    for (int io = 0; io < 2; io++) {
        test_create_apart((xta_parallel_io)io);
        test_open_apart((xta_parallel_io)io, "copied");
        test_open_apart((xta_parallel_io)io, "missing");
    }
    int able = xta_test_rank != 0 || bind_folder(place, MS_RDONLY);
    MPI_Allreduce(MPI_IN_PLACE, &able, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    XTA_CHECK(able != 0, "the folder cannot be made read-only");
    test_alike("copied", true);
    test_alike("another", false);
    test_alike("shorter", false);
    test_alike("missing", false);
}

int main(int argc, char **argv)
{
    xta_test_begin(&argc, &argv);
    make_folders();
    test_one_folder(XTA_IO_AUTO);
    test_one_folder(XTA_IO_MPI);
    test_locks_of_nodes(false);
    test_locks_of_nodes(true);
    test_exclusive_writer();
    bool able = go_apart();
    if (able) {
        test_apart();
    } else if (xta_test_rank == 0) {
        printf("SKIPPED: mount namespaces are not allowed here, so no rank had files of its own\n");
    }
    int code = xta_test_end();
    return code == 0 && !able ? 77 : code;
}
