/* SIGKILL at random moments, 1,000 times, to processes that append with lock files.
 *
 * The lock file is their only lock: flock of the journal is granted to every process, as on a file
 * system whose locks are local to the node. Half of them create the lock file by link, as on
 * systems without renameat2. Every step makes the array longer by one cell, so its length is the
 * number of the step. A step is reported after it was made, in memory that outlives the process. At
 * the end no step was reported twice (which would mean that two processes had the lock), at most
 * one for each kill is missing (killed before it could report), and the array has every reported
 * step. A process that finds the lock file of a dead one continues, so no process ever fails.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <xta/array.h>

#include "support/folder.h"
#include "support/random.h"
#include "support/report.h"
#include "util/os.h"

#define N_PROCESSES 3
#define MOST_STEPS  4000000

typedef struct shared {
    atomic_bool stop;
    atomic_uint n_failed;
    xta_error failure; /* the first one */
    atomic_uchar told[MOST_STEPS];
} shared;

static shared *common;
static test_story story;
static char path[TEST_PATH_BYTES], lock_path[TEST_PATH_BYTES + 16];
static xta__os_calls calls;

/* ---- the processes ---- */

/* Only a lock of the lock file excludes others. */
static int lock_only_lock_file(int fd, int operation)
{
    char link[64], target[TEST_PATH_BYTES + 64];

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    return strstr(target, ".lock") != NULL ? flock(fd, operation) : 0;
}

static int rename_by_link(const char *from, const char *to, bool replace)
{
    if (replace) {
        return rename(from, to);
    }
    return link(from, to) == 0 ? unlink(from) : -1;
}

static _Noreturn void append_for_ever(bool by_link)
{
    const xta_growth growth = {0, XTA_BACK, 1};
    xta_open_options options = XTA_OPEN_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err = {0};
    xta_box after = {.ndim = 1};

    calls = *xta__os();
    calls.lock = lock_only_lock_file;
    calls.rename = by_link ? rename_by_link : calls.rename;
    // No process has to detect that the journal's own lock does not work, because there is a lock
    // file.
    xta__os_replace(&calls);
    options.writable = true;
    options.lock = XTA_LOCK_FILE;
    xta_status status = xta_array_open(path, &options, &array, &err);
    while (status == XTA_OK && !atomic_load(&common->stop)) {
        status = xta_array_extend(array, &growth, 1, &after, &err);
        if (status == XTA_OK) {
            atomic_fetch_add(&common->told[after.hi[0]], 1);
        }
    }
    if (status == XTA_OK) {
        status = xta_array_close(array, &err);
    }
    if (status != XTA_OK && atomic_fetch_add(&common->n_failed, 1) == 0) {
        common->failure = err;
    }
    _exit(status == XTA_OK ? 0 : 1);
}

static pid_t start(bool by_link)
{
    fflush(NULL);
    pid_t child = fork();

    if (child == 0) {
        append_for_ever(by_link);
    }
    STORY_CHECK(&story, child > 0, "no process");
    return child;
}

/* ---- killing ---- */

static void check_none_failed(void)
{
    STORY_CHECK(&story, atomic_load(&common->n_failed) == 0, "a process failed: %s",
                common->failure.text);
}

static bool has_lock(pid_t process)
{
    char text[1024], wanted[32];
    FILE *file = fopen(lock_path, "r");
    size_t n = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    text[n] = '\0';
    if (file != NULL) {
        fclose(file);
    }
    snprintf(wanted, sizeof wanted, "\npid %d\n", (int)process);
    return strstr(text, wanted) != NULL;
}

/* Returns how many of the killed processes had the lock. */
static unsigned kill_some(test_random *random, uint64_t n_kills)
{
    pid_t children[N_PROCESSES];
    unsigned n_locked = 0;

    for (int k = 0; k < N_PROCESSES; k++) {
        children[k] = start(k % 2 == 1);
    }
    for (uint64_t kill_number = 0; kill_number < n_kills; kill_number++) {
        int k = (int)test_random_in(random, 0, N_PROCESSES - 1);
        usleep((useconds_t)test_random_in(random, 0, 12000));
        kill(children[k], SIGKILL);
        if (test_random_chance(random, 50)) {
            // For a while it is a zombie.
            usleep((useconds_t)test_random_in(random, 0, 3000));
        }
        waitpid(children[k], NULL, 0);
        n_locked += has_lock(children[k]);
        check_none_failed();
        children[k] = start(test_random_chance(random, 50));
    }
    atomic_store(&common->stop, true);
    for (int k = 0; k < N_PROCESSES; k++) {
        int status = 0;
        waitpid(children[k], &status, 0);
        check_none_failed();
        STORY_CHECK(&story, status == 0, "a process ended by %d", status);
    }
    return n_locked;
}

/* ---- comparing ---- */

static void judge(uint64_t n_kills, unsigned n_locked)
{
    xta_array *array = NULL;
    xta_error err;
    uint64_t n_untold = 0;
    struct stat facts;

    STORY_OK(&story, xta_array_open(path, NULL, &array, &err), err);
    int64_t n = xta_array_bounds(array).hi[0];
    STORY_OK(&story, xta_array_close(array, &err), err);
    STORY_CHECK(&story, n < MOST_STEPS - 1, "too many steps");
    for (int64_t step = 1; step < MOST_STEPS; step++) {
        unsigned told = atomic_load(&common->told[step]);
        STORY_CHECK(&story, told <= 1, "%u processes did step %lld", told, (long long)step);
        STORY_CHECK(&story, step <= n || told == 0, "step %lld was lost", (long long)step);
        n_untold += step <= n && told == 0;
    }
    STORY_CHECK(&story, n_untold <= n_kills, "%llu steps that nobody did",
                (unsigned long long)n_untold);
    STORY_CHECK(&story, lstat(lock_path, &facts) != 0 && errno == ENOENT, "the lock file is left");
    STORY_OK(&story, xta_check(path, NULL, NULL, &err), err);
    printf("test_lock_file_kill: %llu kills, %u of them of who had the lock; %lld steps, %llu of "
           "them not told\n",
           (unsigned long long)n_kills, n_locked, (long long)n, (unsigned long long)n_untold);
}

/* A compaction removes the temporary lock files of killed processes. */
static void check_leftovers(const test_folder *folder)
{
    xta_error err;
    xta__folder_entry *names = NULL;
    size_t n = 0;

    STORY_OK(&story, xta_compact(path, NULL, NULL, &err), err);
    STORY_OK(&story, xta__folder_list(folder->path, &names, &n, &err), err);
    for (size_t k = 0; k < n; k++) {
        STORY_CHECK(&story, strstr(names[k].name, ".lock") == NULL, "%s is left", names[k].name);
    }
    xta__folder_entries_free(names, n);
}

int main(void)
{
    const int64_t bounds[1] = {0}, chunk[1] = {4096};
    xta_create_options options = XTA_CREATE_OPTIONS_INIT;
    xta_array *array = NULL;
    xta_error err;
    test_folder folder;
    uint64_t seed = test_seed("test_lock_file_kill", 20261123);
    test_random random = test_random_make(seed, 0);
    uint64_t n_kills = test_scale(1000);

    test_story_begin(&story, "test_lock_file_kill", seed, 0);
    common = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    STORY_CHECK(&story, common != MAP_FAILED, "no memory");
    test_folder_make_fast(&folder);
    test_folder_join(&folder, "a", path);
    snprintf(lock_path, sizeof lock_path, "%s.xmd.lock", path);
    options.chunk = chunk;
    STORY_OK(&story, xta_array_create(path, XTA_U8, 1, bounds, &options, &array, &err), err);
    STORY_OK(&story, xta_array_close(array, &err), err);
    unsigned n_locked = kill_some(&random, n_kills);
    judge(n_kills, n_locked);
    check_leftovers(&folder);
    test_folder_remove(&folder);
    return 0;
}
