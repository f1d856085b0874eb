/* What the benchmarks share; see bench.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MAX_SIDES       4
#define MAX_REPETITIONS 32

xta_error bench_error;

static const char *current_topic = "";

void bench_die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "bench_%s: ", current_topic);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

/* The processor's name as Linux gives it; empty elsewhere. */
static void processor_name(char *name, size_t capacity)
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");

    name[0] = '\0';
    while (info != NULL && name[0] == '\0' && fgets(line, sizeof line, info) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            colon[strcspn(colon, "\n")] = '\0';
            snprintf(name, capacity, "%s", colon + 2);
        }
    }
    if (info != NULL) {
        fclose(info);
    }
}

void bench_begin(const char *topic)
{
    struct utsname system_name;
    char processor[128];
    long pages = sysconf(_SC_PHYS_PAGES);
    long page_bytes = sysconf(_SC_PAGESIZE);

    current_topic = topic;
    setvbuf(stdout, NULL, _IOLBF, 0);
    uname(&system_name);
    processor_name(processor, sizeof processor);
    printf("# machine: %s %s, %s, %ld processors, %.0f GiB\n", system_name.sysname,
           system_name.release, processor, sysconf(_SC_NPROCESSORS_ONLN),
           (double)pages * (double)page_bytes / (1 << 30));
    printf("# commit: %s\n", environment("XTA_BENCH_COMMIT", "unknown"));
    printf("# library: xta %s\n", xta_version());
    printf("# size: %s\n", bench_small() ? "small" : "full");
    printf("topic,case,metric,ours,peer_name,peer,unit,ratio,target,ok\n");
}

void bench_print(const bench_row *row)
{
    bool cost = row->sense == BENCH_COST;
    double ratio = row->sense == BENCH_TIME ? row->peer / row->ours : row->ours / row->peer;
    char target[32] = "";
    const char *ok = "";

    // The CSV is written without quotes.
    if (strchr(row->name, ',') || strchr(row->metric, ',') || strchr(row->peer_name, ',')) {
        bench_die("a comma in '%s', '%s' or '%s'", row->name, row->metric, row->peer_name);
    }
    if (row->target > 0) {
        snprintf(target, sizeof target, "%s%g", cost ? "<=" : ">=", row->target);
        ok = (cost ? ratio <= row->target : ratio >= row->target) ? "yes" : "no";
    }
    printf("%s,%s,%s,%.6g,%s,%.6g,%s,%.4g,%s,%s\n", current_topic, row->name, row->metric,
           row->ours, row->peer_name, row->peer, row->unit, ratio, target, ok);
}

double bench_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double bench_cpu_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double values[], int n)
{
    qsort(values, (size_t)n, sizeof values[0], by_value);
    return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

uint64_t bench_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int64_t bench_below(uint64_t *state, int64_t n)
{
    return (int64_t)(bench_random(state) % (uint64_t)n);
}

void bench_alternate(const bench_side sides[], int n_sides, int repetitions, double seconds[])
{
    double taken[MAX_SIDES][MAX_REPETITIONS];

    if (n_sides > MAX_SIDES || repetitions > MAX_REPETITIONS) {
        bench_die("%d sides, %d repetitions: too many", n_sides, repetitions);
    }
    for (int repetition = -1; repetition < repetitions; repetition++) {
        for (int turn = 0; turn < n_sides; turn++) {
            int side = (turn + repetition + 1) % n_sides;
            double once = sides[side].run(sides[side].state, repetition + 1);
            if (repetition >= 0) {
                taken[side][repetition] = once;
            }
        }
    }
    for (int side = 0; side < n_sides; side++) {
        seconds[side] = bench_median(taken[side], repetitions);
    }
}

bool bench_small(void)
{
    return strcmp(environment("XTA_BENCH_SMALL", "0"), "0") != 0;
}

const char *bench_path(const char *name)
{
    static char paths[8][1024];
    static int next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", environment("XTA_BENCH_DIR", "."), name);
    return path;
}

void bench_remove(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT) {
        bench_die("cannot delete %s: %s", path, strerror(errno));
    }
}

void bench_remove_array(const char *path)
{
    char file[1100];

    snprintf(file, sizeof file, "%s.xmd", path);
    bench_remove(file);
    snprintf(file, sizeof file, "%s.xta", path);
    bench_remove(file);
}

void bench_settle(void)
{
    sync();
}

uint64_t bench_file_bytes(const char *path, uint64_t *apparent)
{
    struct stat about;

    if (stat(path, &about) != 0) {
        bench_die("cannot look at %s: %s", path, strerror(errno));
    }
    if (apparent != NULL) {
        *apparent = (uint64_t)about.st_size;
    }
    return (uint64_t)about.st_blocks * 512;
}

void *bench_memory(size_t bytes)
{
    void *memory = NULL;

    if (posix_memalign(&memory, 4096, bytes) != 0) {
        bench_die("no memory for %zu bytes", bytes);
    }
    memset(memory, 1, bytes);
    return memory;
}

double bench_value(int ndim, const int64_t coord[])
{
    double value = 1;
    for (int axis = 0; axis < ndim; axis++) {
        value = value * 1021 + (double)coord[axis];
    }
    return value;
}

/* Step through the rows of a box; false after the last one. */
static bool next_row(const xta_box *box, int64_t coord[])
{
    for (int axis = box->ndim - 2; axis >= 0; axis--) {
        if (++coord[axis] < box->hi[axis]) {
            return true;
        }
        coord[axis] = box->lo[axis];
    }
    return false;
}

void bench_fill(const xta_box *box, double *cells)
{
    int last = box->ndim - 1;
    int64_t length = box->hi[last] - box->lo[last];
    int64_t coord[XTA_MAX_NDIM];

    memcpy(coord, box->lo, sizeof coord);
    do {
        double first = bench_value(box->ndim, coord);
        for (int64_t i = 0; i < length; i++) {
            cells[i] = first + (double)i;
        }
        cells += length;
    } while (next_row(box, coord));
}

void bench_verify(const xta_box *box, const double *cells, const char *who)
{
    int last = box->ndim - 1;
    int64_t length = box->hi[last] - box->lo[last];
    int64_t coord[XTA_MAX_NDIM];

    memcpy(coord, box->lo, sizeof coord);
    do {
        double first = bench_value(box->ndim, coord);
        for (int64_t i = 0; i < length; i++) {
            if (cells[i] != first + (double)i) {
                bench_die("wrong data from %s: the cell %lld after the row at %lld,... holds %.17g "
                          "instead of %.17g",
                          who, (long long)i, (long long)coord[0], cells[i], first + (double)i);
            }
        }
        cells += length;
    } while (next_row(box, coord));
}

xta_box bench_box(int ndim, const int64_t lo[], const int64_t length[])
{
    int64_t hi[XTA_MAX_NDIM];

    for (int axis = 0; axis < ndim; axis++) {
        hi[axis] = lo[axis] + length[axis];
    }
    return xta_box_make(ndim, lo, hi);
}
