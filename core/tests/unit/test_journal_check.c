/* Journals with one thing wrong: the checks name the invariant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/journal/journal.h"
#include "store/journal/journal_check.h"
#include "support/folder.h"
#include "util/crc32c.h"

enum { FIRST_NUMBER = 7, PATH_BYTES = 512 };

static xta_error err;
static char journal_at[PATH_BYTES], data_at[PATH_BYTES];
static xta__journal journal;
static uint8_t *file;
static size_t n_bytes;

static xta__path path_of(const char *at)
{
    return (xta__path){at, at};
}

static xta_status accept(void *user, const xta__record *record, const char **why)
{
    (void)user;
    (void)record;
    (void)why;
    return XTA_OK;
}

static void append(unsigned type, const char *text)
{
    xta__bytes payload = {0};

    xta__bytes_add(&payload, text, strlen(text));
    xta_status status = type == XTA__RECORD_CHECKPOINT
                            ? xta__journal_add_checkpoint(&journal, &payload, &err)
                            : xta__journal_append(&journal, type, &payload, &err);
    assert_int_equal(status, XTA_OK);
    xta__bytes_clear(&payload);
}

static void read_file(void)
{
    free(file);
    file = test_file_read(journal_at, &n_bytes);
    assert_non_null(file);
}

/* A journal of two records, newly created and opened. */
static void open_journal(void)
{
    const uint8_t uuid[16] = {1, 2, 3};
    xta__new_record records[2] = {{.type = XTA__RECORD_CHECKPOINT},
                                  {.type = XTA__RECORD_AXIS_NAME}};

    test_folder_join(&test_group_folder, "a.xmd", journal_at);
    test_folder_join(&test_group_folder, "a.xta", data_at);
    test_file_write(data_at, "", 0);
    xta__bytes_add(&records[0].payload, "a checkpoint", 12);
    xta__bytes_add(&records[1].payload, "a name", 6);
    assert_int_equal(xta__journal_create(&xta__array_journal, path_of(journal_at), uuid,
                                         FIRST_NUMBER, records, 2, true, NULL, &err),
                     XTA_OK);
    xta__bytes_clear(&records[0].payload);
    xta__bytes_clear(&records[1].payload);
    assert_int_equal(xta__journal_open(path_of(journal_at), true, false, &journal, &err), XTA_OK);
    assert_int_equal(xta__journal_read(&journal, accept, NULL, &err), XTA_OK);
}

static int make_journal(void **state)
{
    bool news = false;

    (void)state;
    open_journal();
    assert_int_equal(xta__journal_lock(&journal, path_of(data_at), 0, &news, &err), XTA_OK);
    append(XTA__RECORD_AXIS_UNIT, "kelvin");
    append(XTA__RECORD_CHECKPOINT, "another checkpoint");
    append(XTA__RECORD_AXIS_UNIT, "a longer name of a unit");
    assert_int_equal(xta__journal_sync(&journal, &err), XTA_OK);
    xta__journal_unlock(&journal);
    read_file();
    return 0;
}

static int close_journal(void **state)
{
    (void)state;
    xta__journal_close(&journal);
    free(file);
    file = NULL;
    return 0;
}

static void assert_breaks(char number)
{
    const char *flaw = xta__check_journal_file(file, n_bytes, journal.end);

    assert_non_null(flaw);
    assert_int_equal(flaw[0], 'J');
    assert_int_equal(flaw[1], number);
}

static void assert_handle_breaks(char number)
{
    const char *flaw = xta__check_journal(&journal);

    assert_non_null(flaw);
    assert_int_equal(flaw[1], number);
}

static uint8_t *last_record(void)
{
    uint64_t at = XTA__HEADER_BYTES, length = 0;

    for (uint64_t number = FIRST_NUMBER; at + length < journal.end; number++) {
        at += length;
        assert_null(xta__check_record(file + at, n_bytes - at, number, &length));
    }
    return file + at;
}

/* A separate mark with a correct checksum. */
static void put_mark(unsigned place, uint64_t count, uint64_t synced, uint64_t checkpoint)
{
    uint8_t *mark = file + XTA__MARK_AT + (size_t)place * XTA__MARK_BYTES;

    xta__put_u64(mark, count);
    xta__put_u64(mark + 8, synced);
    xta__put_u64(mark + 16, checkpoint);
    xta__put_u32(mark + 28, xta__crc32c(0, mark, 28));
}

static void a_sound_journal(void **state)
{
    (void)state;
    assert_null(xta__check_journal_file(file, n_bytes, journal.end));
    assert_null(xta__check_journal(&journal));
    assert_int_equal(n_bytes, journal.end);
}

static void a_journal_of_an_exclusive_writer(void **state)
{
    bool news = false;

    (void)state;
    open_journal();
    assert_int_equal(xta__journal_close_lease(&journal, path_of(data_at), &err), XTA_OK);
    assert_int_equal(xta__journal_lock(&journal, path_of(data_at), 0, &news, &err), XTA_OK);
    assert_int_equal(xta__journal_keep_lock(&journal, &err), XTA_OK);
    append(XTA__RECORD_AXIS_UNIT, "metre");
    append(XTA__RECORD_CHECKPOINT, "a checkpoint");
    assert_int_equal(xta__journal_sync(&journal, &err), XTA_OK);
    append(XTA__RECORD_AXIS_UNIT, "second");
    assert_null(xta__check_journal(&journal));
    read_file(); // with the zeros that are reserved at its end
    assert_null(xta__check_journal_file(file, n_bytes, journal.end));

    xta__file lease = journal.lease;
    journal.lease = (xta__file)XTA__FILE_CLOSED;
    assert_handle_breaks('2');
    journal.lease = lease;
    if (journal.tail.end == 0) {
        printf("SKIPPED: this file system reserves no space at the end of a journal\n");
    } else {
        uint64_t mapped = journal.tail.mapped;
        journal.tail.mapped = 0;
        journal.tail.end += (uint64_t)1 << 40;
        assert_handle_breaks('3');
        journal.tail.end -= (uint64_t)1 << 40;
        journal.tail.mapped = mapped;
        journal.exclusive = false;
        assert_handle_breaks('2');
        journal.exclusive = true;
    }
    close_journal(NULL);
}

static void whole_records(void **state)
{
    uint8_t *record = last_record();

    (void)state;
    record[XTA__RECORD_HEAD_BYTES] ^= 1;
    assert_breaks('1');
    record[XTA__RECORD_HEAD_BYTES] ^= 1;

    // A sequence number that does not follow, with a correct checksum.
    uint32_t payload = xta__get_u32(record);
    xta__put_u64(record + 8, xta__get_u64(record + 8) + 1);
    uint32_t crc = xta__crc32c(0, record, XTA__RECORD_HEAD_BYTES - 4);
    crc = xta__crc32c(crc, record + XTA__RECORD_HEAD_BYTES, xta__padded(payload));
    xta__put_u32(record + XTA__RECORD_HEAD_BYTES - 4, crc);
    assert_breaks('1');

    journal.end += 4;
    assert_handle_breaks('1');
    journal.end -= 4;
}

static void the_end_of_the_last_record(void **state)
{
    uint8_t *longer = realloc(file, n_bytes + 64);

    (void)state;
    assert_non_null(longer);
    file = longer;
    memset(file + n_bytes, 0, 64);
    n_bytes += 64;
    assert_null(xta__check_journal_file(file, n_bytes, journal.end));
    file[n_bytes - 1] = 1;
    assert_breaks('2');
}

static void records_there_or_not(void **state)
{
    (void)state;
    memset(last_record(), 0, 8); // the value stored last
    assert_breaks('3');
}

static void durable_bytes(void **state)
{
    uint64_t count = journal.mark_count;

    (void)state;
    put_mark(count % 2, count, journal.end + 8, journal.checkpoint_offset);
    assert_breaks('4');
}

static void marks_by_turns(void **state)
{
    uint64_t count = journal.mark_count;

    (void)state;
    put_mark(count % 2, count + 1, journal.end, journal.checkpoint_offset);
    assert_breaks('5');
    put_mark(count % 2, count + 2, journal.end, journal.checkpoint_offset);
    assert_breaks('5');
    put_mark(count % 2, count, journal.end, journal.checkpoint_offset);
    assert_null(xta__check_journal_file(file, n_bytes, journal.end));
    file[XTA__MARK_AT]++;
    assert_breaks('5');
}

static void named_checkpoints(void **state)
{
    uint64_t count = journal.mark_count, offset = journal.checkpoint_offset;

    (void)state;
    put_mark(count % 2, count, journal.end, (uint64_t)(last_record() - file));
    assert_breaks('6');
    put_mark(count % 2, count, journal.end, offset + 8);
    assert_breaks('6');

    journal.checkpoint_offset = journal.end + 8;
    assert_handle_breaks('6');
    journal.checkpoint_offset = offset;
}

#define JOURNAL_TEST(name) cmocka_unit_test_setup_teardown(name, make_journal, close_journal)

int main(void)
{
    const struct CMUnitTest tests[] = {
        JOURNAL_TEST(a_sound_journal),      cmocka_unit_test(a_journal_of_an_exclusive_writer),
        JOURNAL_TEST(whole_records),        JOURNAL_TEST(the_end_of_the_last_record),
        JOURNAL_TEST(records_there_or_not), JOURNAL_TEST(durable_bytes),
        JOURNAL_TEST(marks_by_turns),       JOURNAL_TEST(named_checkpoints),
    };

    return cmocka_run_group_tests_name("journal_check", tests, test_group_begin, test_group_end);
}
