/* The template of a bridge: it can read what it writes, and damaged files are refused.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dense/template.h"
#include "description/description.h"
#include "description/format.h"

static char path[64];

static void put(const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static xta_status try_open(bridge_description *what, void **state, xta_error *err)
{
    xta_import_options options = XTA_IMPORT_OPTIONS_INIT;
    bridge_target target = {NULL, -1};
    *state = NULL;
    xta__description_init(what);
    return xta__bridge_template.open(path, &options, &target, what, state, err);
}

static void test_round_trip(void **unused)
{
    const bridge_format *format = &xta__bridge_template;
    xta_export_options options = XTA_EXPORT_OPTIONS_INIT;
    bridge_description what;
    void *state = NULL;
    xta_error err;
    double out[12];
    double in[6];
    int64_t lo[2] = {0, 0};
    int64_t hi[2] = {3, 4};
    xta_box box = xta_box_make(2, lo, hi);
    (void)unused;
    for (int k = 0; k < 12; k++) {
        out[k] = 1.5 * k;
    }
    xta__description_init(&what);
    what.type = XTA_F64;
    what.cell_bytes = 8;
    what.ndim = 2;
    memcpy(what.bounds, hi, sizeof hi);
    assert_int_equal(format->create(path, &options, &what, &state, &err), XTA_OK);
    assert_int_equal(format->write(state, &box, out, &err), XTA_OK);
    assert_int_equal(format->finish(state, &err), XTA_OK);

    assert_int_equal(try_open(&what, &state, &err), XTA_OK);
    assert_int_equal(what.type, XTA_F64);
    assert_int_equal(what.ndim, 2);
    assert_int_equal(what.bounds[1], 4);
    box.lo[0] = 1;
    box.lo[1] = 1;
    assert_int_equal(format->read(state, &box, in, &err), XTA_OK);
    for (int k = 0; k < 6; k++) {
        assert_true(in[k] == out[(k / 3 + 1) * 4 + k % 3 + 1]);
    }
    format->close(state);
}

static void test_damage(void **unused)
{
    static const char good[] = "XTATEMPLATE i16 2 2\nabcdefgh";
    bridge_description what;
    void *state;
    xta_error err;
    (void)unused;
    put(good, sizeof good - 1);
    assert_int_equal(try_open(&what, &state, &err), XTA_OK);
    xta__bridge_template.close(state);
    for (size_t n = 0; n < sizeof good - 1; n++) {
        put(good, n);
        assert_int_equal(try_open(&what, &state, &err), XTA_EFORMAT);
        assert_non_null(strstr(err.text, path));
    }
    put("XTATEMPLATE i16 2 -2\nabcdefgh", 29);
    assert_int_equal(try_open(&what, &state, &err), XTA_EFORMAT);
    put("XTATEMPLATE i99 2 2\nabcdefgh", 28);
    assert_int_equal(try_open(&what, &state, &err), XTA_EFORMAT);
    put("XTATEMPLATE i16 9999999999 9999999999 9999999999\n", 49);
    assert_int_equal(try_open(&what, &state, &err), XTA_EFORMAT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_damage),
    };
    snprintf(path, sizeof path, "bridge-template-%ld.tmp", (long)getpid());
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path);
    return failed;
}
