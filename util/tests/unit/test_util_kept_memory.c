/* Memory that is kept between uses: which piece is found, what is kept at most, and that no piece
 * has two owners.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/failing_alloc.h"
#include "support/random.h"
#include "util/huge_page.h"
#include "util/kept_memory.h"
#include "util/poison.h"

enum { MOST_PIECES = 256, N_LENGTHS = 6 };

static const size_t lengths[N_LENGTHS] = {1, 100, 64 << 10, (1 << 20) + 5, 2 << 20, 20 << 20};

static uint64_t seed;

/* ---- against a list ---- */

typedef struct owned {
    uint8_t *memory;
    size_t bytes;
    uint8_t mark;
} owned;

/* What is expected to be kept, longest first. */
typedef struct model {
    owned pieces[MOST_PIECES];
    size_t n, bytes;
} model;

static void model_remove(model *m, size_t i)
{
    m->bytes -= m->pieces[i].bytes;
    m->n--;
    memmove(&m->pieces[i], &m->pieces[i + 1], (m->n - i) * sizeof m->pieces[0]);
}

static void model_add(model *m, owned piece)
{
    while (m->n == MOST_PIECES || m->bytes + piece.bytes > XTA__MOST_KEPT) {
        model_remove(m, 0);
    }
    m->pieces[m->n++] = piece;
    m->bytes += piece.bytes;
}

/* The piece of that length that was given back last. */
static uint8_t *model_find(model *m, size_t bytes)
{
    for (size_t i = m->n; i-- > 0;) {
        if (m->pieces[i].bytes == bytes) {
            uint8_t *memory = m->pieces[i].memory;
            model_remove(m, i);
            return memory;
        }
    }
    return NULL;
}

static void own(owned *piece, uint8_t *memory, size_t bytes, uint8_t mark)
{
    *piece = (owned){memory, bytes, mark};
    memory[0] = memory[bytes - 1] = mark;
}

static void the_last_of_its_length_is_found(void **state)
{
    enum { MOST_OWNED = 300 };
    static owned mine[MOST_OWNED];
    static model m;
    test_random random = test_random_make(seed, 1);
    size_t n = 0, n_found = 0, n_full = 0;

    (void)state;
    (void)!xta__kept_release();
    for (uint64_t step = 0, steps = test_scale(50000); step < steps; step++) {
        // Runs of requests and runs of returns, so that the list fills and empties.
        bool more = test_random_chance(&random, step / 500 % 2 ? 65 : 35);
        if (more && n < MOST_OWNED) {
            size_t bytes = lengths[test_random_in(&random, 0, step / 5000 % 2 ? 1 : N_LENGTHS - 1)];
            uint8_t *expected = model_find(&m, bytes), *got = xta__kept_find(bytes);
            assert_ptr_equal(got, expected);
            n_found += got != NULL;
            got = got != NULL ? got : xta__kept_alloc(bytes);
            assert_non_null(got);
            own(&mine[n++], got, bytes, (uint8_t)step);
        } else if (n > 0) {
            size_t i = (size_t)test_random_in(&random, 0, (int64_t)n - 1);
            owned piece = mine[i];
            assert_int_equal(piece.memory[0], piece.mark);
            assert_int_equal(piece.memory[piece.bytes - 1], piece.mark);
            mine[i] = mine[--n];
            n_full += m.n == MOST_PIECES || m.bytes + piece.bytes > XTA__MOST_KEPT;
            model_add(&m, piece);
            xta__kept_free(piece.memory, piece.bytes);
        }
    }
    // A short run need not meet both.
    assert_true(test_scale(50000) < 5000 || (n_found > 0 && n_full > 0));
    assert_int_equal(xta__kept_release(), m.bytes);
    assert_int_equal(xta__kept_release(), 0);
    while (n > 0) {
        n--;
        xta__kept_free(mine[n].memory, mine[n].bytes);
    }
    (void)!xta__kept_release();
    assert_int_equal(failing_alloc_live(), 0);
}

/* A store into memory that was given back is an error like one into memory that was freed. */
static void what_is_kept_may_not_be_used(void **state)
{
    uint8_t *piece = xta__kept_alloc(5000);

    (void)state;
    assert_non_null(piece);
    xta__kept_free(piece, 5000);
    assert_true(!XTA__ADDRESS_SANITIZER || XTA__IS_POISONED(piece + 100));
    assert_ptr_equal(xta__kept_find(5000), piece);
    assert_false(XTA__IS_POISONED(piece + 100));
    xta__kept_free(piece, 5000);
    assert_int_equal(xta__kept_release(), 5000);
}

static void long_pieces_begin_at_cache_lines(void **state)
{
    static const size_t pieces[] = {0,
                                    1,
                                    100,
                                    4096,
                                    65535,
                                    65536,
                                    65537,
                                    100003,
                                    1277952,
                                    (size_t)XTA__HUGE_BYTES - 1,
                                    (size_t)XTA__HUGE_BYTES,
                                    (size_t)XTA__HUGE_BYTES + 1,
                                    3 * (size_t)XTA__HUGE_BYTES / 2};

    (void)state;
    (void)!xta__kept_release();
    for (size_t k = 0; k < sizeof pieces / sizeof pieces[0]; k++) {
        uint8_t *piece = xta__kept_alloc(pieces[k]);
        assert_non_null(piece);
        assert_int_equal((uintptr_t)piece % (pieces[k] < 65536 ? _Alignof(max_align_t) : 64), 0);
        memset(piece, 1, pieces[k]);
        xta__kept_free(piece, pieces[k]);
    }
    assert_null(xta__kept_alloc(SIZE_MAX));
    (void)!xta__kept_release();
}

static void too_much_is_not_kept(void **state)
{
    (void)state;
    xta__kept_free(NULL, 100);
    assert_int_equal(xta__kept_release(), 0);
    xta__kept_free(xta__kept_alloc(XTA__MOST_KEPT + 1), XTA__MOST_KEPT + 1);
    assert_int_equal(xta__kept_release(), 0);
    xta__kept_free(xta__kept_alloc(XTA__MOST_KEPT), XTA__MOST_KEPT);
    assert_int_equal(xta__kept_release(), XTA__MOST_KEPT);
    assert_int_equal(failing_alloc_live(), 0);
}

static void without_memory_kept_pieces_are_found(void **state)
{
    void *piece = xta__kept_alloc(5000);

    (void)state;
    assert_non_null(piece);
    xta__kept_free(piece, 5000);
    failing_alloc_at(1, true);
    failing_alloc_arm(true);
    void *again = xta__kept_alloc(5000), *none = xta__kept_alloc(5000);
    failing_alloc_arm(false);
    failing_alloc_at(0, false);
    assert_ptr_equal(again, piece);
    assert_null(none);
    xta__kept_free(again, 5000);
    (void)!xta__kept_release();
}

/* ---- threads, and a child of fork ---- */

enum { N_THREADS = 4 };

static _Atomic bool over;
static _Atomic unsigned n_mixed;

static void *use_pieces(void *user)
{
    uint8_t mark = *(const uint8_t *)user;

    for (unsigned k = 0; !atomic_load(&over); k++) {
        size_t bytes = lengths[k % 3];
        uint8_t *piece = xta__kept_alloc(bytes);
        if (piece == NULL) {
            break;
        }
        piece[0] = piece[bytes - 1] = mark;
        n_mixed += ((volatile uint8_t *)piece)[0] != mark;
        n_mixed += ((volatile uint8_t *)piece)[bytes - 1] != mark;
        xta__kept_free(piece, bytes);
    }
    return NULL;
}

/* A child of fork has one thread; the others may have held the lock. Not with the address
 * sanitizer: its malloc waits in such a child for threads that do not exist. */
static bool child_ends(void)
{
    int status = 1;
    pid_t child = XTA__ADDRESS_SANITIZER ? -1 : fork();

    if (child == 0) {
        alarm(60);
        for (int k = 0; k < 50; k++) {
            uint8_t *piece = xta__kept_alloc(lengths[k % 3]);
            if (piece == NULL) {
                _exit(1);
            }
            piece[0] = 1;
            xta__kept_free(piece, lengths[k % 3]);
        }
        _exit(0);
    }
    return XTA__ADDRESS_SANITIZER ||
           (child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void a_piece_has_one_owner(void **state)
{
    pthread_t threads[N_THREADS];
    uint8_t marks[N_THREADS];
    bool ended = true;

    (void)state;
    for (int t = 0; t < N_THREADS; t++) {
        marks[t] = (uint8_t)(t + 1);
        assert_int_equal(pthread_create(&threads[t], NULL, use_pieces, &marks[t]), 0);
    }
    for (uint64_t k = 0, n = test_scale(100); k < n; k++) {
        ended = child_ends() && ended;
        (void)!xta__kept_release();
    }
    atomic_store(&over, true);
    for (int t = 0; t < N_THREADS; t++) {
        pthread_join(threads[t], NULL);
    }
    assert_true(ended);
    assert_int_equal(n_mixed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_of_its_length_is_found),
        cmocka_unit_test(what_is_kept_may_not_be_used),
        cmocka_unit_test(long_pieces_begin_at_cache_lines),
        cmocka_unit_test(too_much_is_not_kept),
        cmocka_unit_test(without_memory_kept_pieces_are_found),
        cmocka_unit_test(a_piece_has_one_owner),
    };
    seed = test_seed("test_util_kept_memory", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
