/* Failures of repartitioning: reads and writes that fail, requests to stop, resume logs of all
 * kinds, a damaged target, kills at random moments, a full disk, a source that is cut short.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "property/fake_grid.h"
#include "repartition_files.h"

/* ---- grids in memory ---- */

typedef struct pair {
    fake_grid from, to;
    xta_repartition_options options;
    char notes[TEST_PATH_BYTES];
} pair;

static void make_pair(pair *p, const char *what)
{
    const xta_box bounds = xta_box_make(2, (int64_t[]){-3, 0}, (int64_t[]){45, 30});
    const xta_partition from = xta_partition_regular(2, (int64_t[]){4, 5}, NULL);
    const xta_partition to = xta_partition_regular(2, (int64_t[]){6, 3}, NULL);

    test_story_begin(&story, what, 0, 0);
    fake_grid_init(&p->from, "source", &bounds, &from, XTA_BLOCKS_FILES, 2, false);
    fake_grid_init(&p->to, "target", &bounds, &to, XTA_BLOCKS_FILES, 2, true);
    p->options = (xta_repartition_options)XTA_REPARTITION_OPTIONS_INIT;
    p->options.memory_bytes = 4096;
    p->options.resume_path = test_folder_join(&folder, "notes", p->notes);
}

static void end_pair(pair *p)
{
    fake_grid_clear(&p->from);
    fake_grid_clear(&p->to);
    unlink(p->notes);
}

static xta_status run_pair(pair *p, xta_repartition_report *report)
{
    return xta_repartition_run(&p->from.blocks, &p->to.blocks, &p->options, report, &err);
}

static bool log_exists(const pair *p)
{
    return access(p->notes, F_OK) == 0;
}

static void check_arrived(const pair *p)
{
    STORY_CHECK(&story, memcmp(p->from.cells, p->to.cells, p->from.n_cells * 2) == 0,
                "cells differ");
}

/* Resumes after a failure, and checks what is repeated: everything that is not in the resume
 * log. */
static void go_on(pair *p, int n_threads)
{
    bool is_noted[256];
    uint64_t n = noted_blocks(p->notes, is_noted, 256);
    xta_repartition_report report;

    STORY_CHECK(&story, log_exists(p), "there are no notes");
    fake_grid_forget(&p->from);
    fake_grid_forget(&p->to);
    p->from.fail_at = p->to.fail_at = 0;
    p->options.report = NULL;
    p->options.resume = true;
    p->options.n_threads = n_threads;
    STORY_OK(&story, run_pair(p, &report), err);
    check_arrived(p);
    STORY_CHECK(&story, report.blocks_resumed == n, "%llu blocks resumed, %llu are noted",
                (unsigned long long)report.blocks_resumed, (unsigned long long)n);
    for (size_t k = 0; k < p->to.n_moves; k++) {
        STORY_CHECK(&story, !is_noted[fake_block_number(&p->to.blocks, p->to.moves[k].block)],
                    "a finished block is written again");
    }
    STORY_CHECK(&story, !log_exists(p), "the notes of a complete run are left behind");
    STORY_CHECK(&story, p->to.n_synced > 0, "the notes went before the target was synced");
}

/* Each call of either side fails once; then the run goes on. */
static void failing_calls(bool reading)
{
    pair p;

    make_pair(&p, reading ? "a read fails" : "a write fails");
    p.options.resume_path = NULL;
    STORY_OK(&story, run_pair(&p, NULL), err);
    uint64_t n = reading ? p.from.n_calls : p.to.n_calls;
    end_pair(&p);
    for (uint64_t k = 1; k <= n; k += 3) {
        make_pair(&p, reading ? "a read fails" : "a write fails");
        test_story_add(&story, "call %llu of %llu", (unsigned long long)k, (unsigned long long)n);
        (reading ? &p.from : &p.to)->fail_at = k;
        p.options.n_threads = 1 + (int)(k % 2);
        STORY_FAILS(&story, run_pair(&p, NULL), XTA_EIO, err);
        STORY_CHECK(&story, strstr(err.text, reading ? "source" : "target") != NULL,
                    "'%s' does not name the file", err.text);
        go_on(&p, 2 - (int)(k % 2));
        end_pair(&p);
    }
}

static int stop_after(void *user, const xta_repartition_progress *progress)
{
    uint64_t *n = user;

    STORY_CHECK(&story,
                progress->blocks_done <= progress->blocks_total &&
                    progress->bytes_written <= progress->bytes_total &&
                    progress->bytes_written <= progress->bytes_read,
                "progress makes no sense");
    return (*n)-- == 0;
}

static void cancelled(void)
{
    pair p;

    for (int threads = 1; threads <= 2; threads++) {
        uint64_t calls = 2;
        make_pair(&p, "cancelled");
        p.options.report = stop_after;
        p.options.user = &calls;
        p.options.n_threads = threads;
        // Slow enough that progress is called several times.
        p.to.pause_us = 5000;
        STORY_FAILS(&story, run_pair(&p, NULL), XTA_ECANCELLED, err);
        p.to.pause_us = 0;
        STORY_CHECK(&story, p.to.n_finished > 0 && p.to.n_finished < 80, "%llu blocks were done",
                    (unsigned long long)p.to.n_finished);
        go_on(&p, threads);
        end_pair(&p);
    }
}

static void odd_notes(void)
{
    static const char *const tails[] = {"block 3 00000000\n", "block", "\n", "synced 12",
                                        "block 99999 12345678\n"};
    pair p, other;

    make_pair(&p, "odd notes");
    p.to.fail_at = 20;
    p.options.n_threads = 1;
    STORY_FAILS(&story, run_pair(&p, NULL), XTA_EIO, err);
    STORY_FAILS(&story, run_pair(&p, NULL), XTA_EEXIST, err);
    p.options.resume = true;
    // Another target or another source does not match this resume log.
    make_pair(&other, "notes of another run");
    other.options.resume = true;
    other.to.blocks.name = "another target";
    STORY_FAILS(&story, run_pair(&other, NULL), XTA_ESTATE, err);
    other.to.blocks.name = "target";
    other.from.blocks.partition.axis[1].length = 6;
    STORY_FAILS(&story, run_pair(&other, NULL), XTA_ESTATE, err);
    STORY_CHECK(&story, log_exists(&other), "the notes of another run are gone");
    fake_grid_clear(&other.from);
    fake_grid_clear(&other.to);
    // Lines that are cut or damaged are skipped.
    for (size_t k = 0; k < sizeof tails / sizeof tails[0]; k++) {
        test_story_add(&story, "a tail '%s'", tails[k]);
        int fd = open(p.notes, O_WRONLY | O_APPEND);
        STORY_CHECK(&story, fd >= 0 && write(fd, tails[k], strlen(tails[k])) > 0, "no tail");
        close(fd);
        fake_grid_forget(&p.from);
        fake_grid_forget(&p.to);
        p.to.fail_at = 4;
        STORY_FAILS(&story, run_pair(&p, NULL), XTA_EIO, err);
    }
    go_on(&p, 1);
    end_pair(&p);
    // A file cut at any length can be resumed.
    make_pair(&p, "notes cut short");
    p.to.fail_at = 9;
    p.options.n_threads = 1;
    STORY_FAILS(&story, run_pair(&p, NULL), XTA_EIO, err);
    size_t bytes = 0;
    uint8_t *text = test_file_read(p.notes, &bytes);
    for (size_t n = 0; n <= bytes; n++) {
        test_file_write(p.notes, text, n);
        go_on(&p, 1);
    }
    free(text);
    end_pair(&p);
}

static void spoiled(void)
{
    pair p;

    for (int threads = 1; threads <= 2; threads++) {
        make_pair(&p, "spoiled");
        p.options.verify = true;
        p.options.n_threads = threads;
        p.to.spoil = 7 * 30 + 4; // cell 4,4: the bounds begin at -3,0
        STORY_FAILS(&story, run_pair(&p, NULL), XTA_ECORRUPT, err);
        STORY_CHECK(&story, strstr(err.text, "4,4") != NULL, "'%s' does not name the cell",
                    err.text);
        STORY_CHECK(&story, !log_exists(&p), "notes of a bad target are left behind");
        end_pair(&p);
    }
}

static void refused(void)
{
    pair p;

    make_pair(&p, "refused");
    p.options.memory_bytes = 1;
    STORY_FAILS(&story, run_pair(&p, NULL), XTA_ENOMEM, err);
    STORY_CHECK(&story, strstr(err.text, "enough") != NULL, "'%s' does not say what is enough",
                err.text);
    p.options.memory_bytes = 4096;
    p.options.n_threads = 3;
    STORY_FAILS(&story, run_pair(&p, NULL), XTA_EARG, err);
    p.options.n_threads = 0;
    p.to.blocks.cell_bytes = 4;
    STORY_FAILS(&story, run_pair(&p, NULL), XTA_ETYPE, err);
    p.to.blocks.cell_bytes = 2;
    p.to.blocks.bounds.hi[1]++;
    STORY_FAILS(&story, run_pair(&p, NULL), XTA_EARG, err);
    p.to.blocks.bounds.hi[1]--;
    p.to.calls.read = NULL;
    p.options.verify = true;
    STORY_FAILS(&story, run_pair(&p, NULL), XTA_EUNSUPPORTED, err);
    STORY_CHECK(&story, p.to.n_moves == 0 && !log_exists(&p), "a refused run did something");
    end_pair(&p);
}

int main(void)
{
    test_folder_make(&folder);
    failing_calls(true);
    failing_calls(false);
    cancelled();
    odd_notes();
    spoiled();
    refused();
    test_folder_remove(&folder);
    printf("test_repartition_faults: done\n");
    return 0;
}
