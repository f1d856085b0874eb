/* What the benchmarks share: a clock, alternating repetitions, medians, rows of CSV, and the values
 * that cells hold, so that every benchmark can check what it read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_BENCH_H
#define XTA_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <xta/xta.h>

#define BENCH_CACHE_BYTES ((uint64_t)64 << 20)

/* How a ratio is read. */
typedef enum bench_sense {
    BENCH_TIME, // smaller is better; ratio = peer / ours, a target is a minimum
    BENCH_RATE, // larger is better; ratio = ours / peer, a target is a minimum
    BENCH_COST  // smaller is better; ratio = ours / peer, a target is a maximum
} bench_sense;

/* One line of the CSV. A target of 0 means that none was set. */
typedef struct bench_row {
    const char *name; // the case
    const char *metric;
    double ours;
    const char *peer_name;
    double peer;
    const char *unit;
    bench_sense sense;
    double target;
} bench_row;

/* One side of a comparison: `run` does the work once and returns the seconds that count. */
typedef struct bench_side {
    double (*run)(void *state, int repetition);
    void *state;
} bench_side;

/* Print the head of the CSV: machine, commit, library versions, size, and the column names. */
void bench_begin(const char *topic);

void bench_print(const bench_row *row);

/* Seconds of a clock that never runs backwards. */
double bench_now(void);

/* CPU seconds of this thread, for loops that only compute: other programs on the machine do not
 * affect them. */
double bench_cpu_now(void);

/* The median; sorts `values`. */
double bench_median(double values[], int n);

/* The next number of a sequence that depends on `*state` alone (splitmix64). */
uint64_t bench_random(uint64_t *state);

/* A number in [0, n). */
int64_t bench_below(uint64_t *state, int64_t n);

/* Run the sides in turn, `repetitions` times after one round that is not counted, and give the
 * median seconds of each. The side that goes first changes from round to round. */
void bench_alternate(const bench_side sides[], int n_sides, int repetitions, double seconds[]);

/* Whether the small sizes were asked for (XTA_BENCH_SMALL=1). */
bool bench_small(void);

/* A file name in the working folder (XTA_BENCH_DIR, or the current one). One of eight buffers in
 * turn. */
const char *bench_path(const char *name);

/* Delete a file if it is there. */
void bench_remove(const char *path);

/* Delete an array, or what is left of one, if it is there. */
void bench_remove_array(const char *path);

/* Let the disk finish the writes of earlier work, so that they do not disturb the next
 * measurement. */
void bench_settle(void);

/* Bytes that the file occupies on the disk; `*apparent` is its length, which ls shows. */
uint64_t bench_file_bytes(const char *path, uint64_t *apparent);

/* Allocate memory, or end the program. All pages are touched, so that the timed part has no page
 * faults. */
void *bench_memory(size_t bytes);

/* Say why and end the program with status 1. */
_Noreturn void bench_die(const char *format, ...) XTA_PRINTF(1, 2);

/* The error of the latest call made through BENCH_XTA. */
extern xta_error bench_error;

/* Make a call of the library, or end the program with the call's error text. */
#define BENCH_XTA(call)                                                   \
    do {                                                                  \
        if ((call) != XTA_OK) {                                           \
            bench_die("%s:%d: %s", __FILE__, __LINE__, bench_error.text); \
        }                                                                 \
    } while (0)

/* The value of the cell at `coord` in every array of the benchmarks: exact in a double, and
 * different for any two cells near each other. */
double bench_value(int ndim, const int64_t coord[]);

/* Fill a dense row-major buffer with the values of the cells of `box`, or compare it with them; a
 * difference ends the program. `who` is named in the message. */
void bench_fill(const xta_box *box, double *cells);
void bench_verify(const xta_box *box, const double *cells, const char *who);

/* The box of `ndim` axes from lo[] to lo[] + length[]. */
xta_box bench_box(int ndim, const int64_t lo[], const int64_t length[]);

#endif
