/* Paths of requests: what each form means, and what is refused in every spelling.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "serve/request_path.h"

static void expect(const char *path, request_kind kind, int version, const char *name,
                   const char *pin, const char *key)
{
    request_path got;

    if (xta__request_path_parse(path, &got) != 0) {
        fail_msg("%s: refused", path);
    }
    assert_int_equal(got.kind, kind);
    assert_int_equal(got.version, version);
    assert_string_equal(got.name, name);
    assert_int_equal(got.pinned, pin != NULL);
    assert_string_equal(got.pin, pin != NULL ? pin : "");
    assert_string_equal(got.key, key);
}

static void forms(void **state)
{
    (void)state;
    expect("/", REQUEST_PAGE, 0, "", NULL, "");
    expect("/sst.zarr/sst/0.0.0", REQUEST_ZARR, 2, "sst", NULL, "sst/0.0.0");
    expect("/sst.zarr3/sst/c/0/0", REQUEST_ZARR, 3, "sst", NULL, "sst/c/0/0");
    expect("/sst@17.zarr/.zmetadata", REQUEST_ZARR, 2, "sst", "17", ".zmetadata");
    expect("/o@time=-3:9,lat=0:2.zarr3/zarr.json", REQUEST_ZARR, 3, "o", "time=-3:9,lat=0:2",
           "zarr.json");
    expect("/sst.zarr", REQUEST_ZARR, 2, "sst", NULL, "");
    expect("/sst.zarr/", REQUEST_ZARR, 2, "sst", NULL, "");
    expect("/a.b.zarr/x", REQUEST_ZARR, 2, "a.b", NULL, "x");
    expect("/sst.json", REQUEST_REFERENCES, 0, "sst", NULL, "");
    expect("/sst@4.json", REQUEST_REFERENCES, 0, "sst", "4", "");
    expect("/sst/latest", REQUEST_LATEST, 2, "sst", NULL, "");
    expect("/sst/latest3", REQUEST_LATEST, 3, "sst", NULL, "");
    expect("/sst/steps.json", REQUEST_STEPS, 0, "sst", NULL, "");
    expect("/sst.xta", REQUEST_DATA, 0, "sst", NULL, "");
    expect("/ocean/g/sst.xta", REQUEST_DATA, 0, "ocean", NULL, "g/sst");
    expect("/ocean/sst.png", REQUEST_QUICKLOOK, 0, "ocean", NULL, "sst");
    expect("/%73st%2Ezarr%2f0", REQUEST_ZARR, 2, "sst", NULL, "0");
    expect("/m\xc3\xa4rz.json", REQUEST_REFERENCES, 0, "m\xc3\xa4rz", NULL, "");
}

static const struct {
    const char *path;
    int status;
} cases[] = {
    {"", 400},
    {"sst.zarr", 400},
    {"*", 400},
    {"/..", 400},
    {"/.", 400},
    {"/../etc/passwd", 400},
    {"/sst.zarr/../../etc/passwd", 400},
    {"/sst.zarr/%2e%2e/%2e%2e/etc/passwd", 400},
    {"/sst.zarr/%2E./x", 400},
    {"/sst.zarr/.%2e/x", 400},
    {"/sst.zarr/..%2fx", 400},
    {"/%2e%2e%2fetc%2fpasswd", 400},
    {"//etc/passwd", 400},
    {"/sst.zarr//x", 400},
    {"/sst.zarr/%2fx", 400},
    {"/sst.zarr/x%00.png", 400},
    {"/sst.zarr/%0d%0aX: y", 400},
    {"/sst.zarr/%", 400},
    {"/sst.zarr/%4", 400},
    {"/sst.zarr/%zz", 400},
    {"/sst.zarr/\\..\\x", 400},
    {"/sst.zarr/%5c..%5cx", 400},
    {"/sst.zarr/\xff", 400},
    {"/sst.zarr/%ff", 400},
    {"/sst.zarr/%c0%ae%c0%ae/x", 400},
    {"/sst.zarr/%252e%252e/x/..", 400},
    {"/ocean/..png", 400},
    {"/ocean/...png", 400},
    {"/ocean/%2e..xta", 400},
    {"/..xta", 400},
    {"/sst", 404},
    {"/sst/", 404},
    {"/.zarr", 404},
    {"/.json", 404},
    {"/@4.zarr/x", 404},
    {"/sst@.zarr/x", 404},
    {"/a/b.json", 404},
    {"/..zarr/x", 404},
    {"/...zarr3", 404},
    {"/...json", 404},
    {"/.@4.zarr/x", 404},
    {"/sst@..zarr/x", 404},
    {"/sst@...json", 404},
    {"/sst/steps", 404},
    {"/x.xmd", 404},
    {"/x.xta/y", 404},
};

static void refused(void **state)
{
    request_path got;
    char *path = test_malloc(REQUEST_PATH_BYTES + 2);

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        int status = xta__request_path_parse(cases[k].path, &got);
        if (status != cases[k].status) {
            fail_msg("%s: %d instead of %d", cases[k].path, status, cases[k].status);
        }
    }
    // Decoded once: what is left of %252e is a name like any other.
    expect("/sst.zarr/%252e%252e/x", REQUEST_ZARR, 2, "sst", NULL, "%2e%2e/x");
    memset(path, 'a', REQUEST_PATH_BYTES + 1);
    path[0] = '/';
    path[REQUEST_PATH_BYTES + 1] = '\0';
    assert_int_equal(xta__request_path_parse(path, &got), 414);
    path[REQUEST_PATH_BYTES] = '\0';
    assert_int_equal(xta__request_path_parse(path, &got), 404);
    test_free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
