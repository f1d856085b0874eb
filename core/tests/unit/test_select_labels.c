/* Cells selected by labels: each form, what coordinates are found, and each error. xarray judges
 * random ones in tests/labels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <xta/attribute.h>
#include <xta/select.h>
#include <xta/units.h>

#include "support/must.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static xta_error err;

static xta_array *make_array(int ndim, const int64_t bounds[])
{
    xta_array *array = NULL;

    test_must(xta_array_new(XTA_U8, ndim, bounds, NULL, &array, &err), &err);
    return array;
}

static void set_list(xta_array *array, int axis, xta_type type, const void *values, size_t n)
{
    xta_attribute list = {.name = "values", .type = type, .count = n, .values = values};

    test_must(xta_attribute_set(array, axis, &list, &err), &err);
}

static void set_box(xta_array *array, int axis, const int64_t *box, size_t n)
{
    xta_attribute list = {.name = "values//box", .type = XTA_I64, .count = n, .values = box};

    test_must(xta_attribute_set(array, axis, &list, &err), &err);
}

/* An array as a model writes it: time (noleap, days at noon from 2015-01-01 on, 800 of them),
 * descending latitudes in binary32, listed levels in Pa, named stations, an axis without
 * coordinates. */
static xta_array *model(void)
{
    static const int64_t bounds[5] = {800, 37, 4, 3, 10};
    static const double levels[] = {100000, 85000, 50000, 10000};
    static const char *const names[] = {"time", "lat", "lev", "station", "member"};
    static const xta_regular days = {XTA_F64, {.f = 0.5}, {.f = 1}};
    static const xta_regular latitudes = {XTA_F32, {.f = 90}, {.f = -5}};
    xta_array *array = make_array(5, bounds);

    for (int axis = 0; axis < 5; axis++) {
        test_must(xta_axis_set_name(array, axis, names[axis], &err), &err);
    }
    test_must(xta_axis_set_regular(array, 0, &days, &err), &err);
    test_must(xta_axis_set_unit(array, 0, "days since 2015-01-01", &err), &err);
    test_must(xta_attribute_set_text(array, 0, "calendar", "noleap", &err), &err);
    test_must(xta_axis_set_regular(array, 1, &latitudes, &err), &err);
    test_must(xta_attribute_set_text(array, 1, "units", "degrees_north", &err), &err);
    set_list(array, 2, XTA_F64, levels, 4);
    test_must(xta_axis_set_unit(array, 2, "Pa", &err), &err);
    test_must(xta_attribute_set_text(array, 3, "values", "Ulm\nA, B: \"C\"~\nT12:30\n", &err),
              &err);
    return array;
}

/* Cells as text: "axis lo:hi[:step]" or "axis [a b]", of the one axis that differs from the
 * bounds. */
static void expect(xta_array *array, int axis, const char *labels, const char *wanted)
{
    char found[256];
    xta_selection s;
    int n = 0;

    test_must(xta_box_select(array, labels, &s, &err), &err);
    if (s.list[axis] == NULL) {
        n = snprintf(found, sizeof found, "%d:%d", (int)s.box.lo[axis], (int)s.box.hi[axis]);
        if (s.step[axis] != 1) {
            snprintf(found + n, sizeof found - (size_t)n, ":%d", (int)s.step[axis]);
        }
    } else {
        n = snprintf(found, sizeof found, "%d:%d", (int)s.box.lo[axis], (int)s.box.hi[axis]);
        for (int k = 0; k < s.n_list[axis]; k++) {
            n += snprintf(found + n, sizeof found - (size_t)n, " %d", (int)s.list[axis][k]);
        }
    }
    assert_string_equal(found, wanted);
    xta_selection_clear(&s);
    assert_null(s.list[axis]);
}

typedef struct wanted_cells {
    int axis;
    const char *labels, *wanted;
} wanted_cells;

static const wanted_cells form_cases[] = {
    // Periods of each precision; noleap.
    {0, "time=2015", "0:365"},
    {0, "time=2016", "365:730"},
    {0, "time=2015-02", "31:59"},
    {0, "time=2016-03-01", "424:425"},
    {0, "time=2015-01-01T12", "0:1"},
    {0, "time=2015-01-01T12:00:00.0", "0:1"},
    {0, "time=2015-01-01T14+02:00", "0:1"},
    // Ranges are closed, with the whole period B; times have colons.
    {0, "time=2015-01:2015-03", "0:90"},
    {0, "time=2015-01-02T12:00:2015-01-04T12:00", "1:4"},
    {0, "time=2015-01-02T12:00:00:2015-01-04T11:59:59", "1:3"},
    {0, "time=2015-01-02T13:2015-01-04", "2:4"},
    {0, "time=:2015-01", "0:31"},
    {0, "time=2016-12:", "699:800"},
    {0, "time=2015:2015:100", "0:301:100"},
    {0, "time=::7", "0:799:7"},
    {0, "time=2015-01-01T00:00:00:2015-01-01T13:00:00:12", "0:1:12"},
    {0, "time=:", "0:800"},
    // The nearest; of two the lower cell.
    {0, "time=2015-03-01~", "58:59"},
    {0, "time=2015-03-01T00:00:01~", "59:60"},
    {0, "time=1900~", "0:1"},
    {0, "time=2015-03-01~0.5", "58:59"},
    {0, "time=2015-03-01~12h", "58:59"},
    {0, "time=2015-03-01~720 min", "58:59"},
    // Numbers in the unit of the coordinates, or another one.
    {0, "time=4.5", "4:5"},
    {0, "time=108h", "4:5"},
    {0, "time=0.5:2.5", "0:3"},
    {0, "time=2015.0~", "799:800"},
    {0, "time=[2015-01-05,2015-01-01,3.5]", "0:5 4 0 3"},
    {0, "time=[2015-02]",
     "31:59 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 "
     "52 53 54 55 56 57 58"},
    // Descending.
    {1, "lat=90", "0:1"},
    {1, "lat=-90", "36:37"},
    {1, "lat=40:50", "8:11"},
    {1, "lat=41:49", "9:10"},
    {1, "lat=40:50:2", "8:11:2"},
    {1, "lat=40:55:2", "7:10:2"},
    {1, "lat=:-80", "34:37"},
    {1, "lat=80:", "0:3"},
    {1, "lat=42.5~", "9:10"},
    {1, "lat=42.4~", "10:11"},
    {1, "lat=1e3~", "0:1"},
    {1, "lat=[10,20~,21~2]", "14:17 16 14 14"},
    {1, "lat=85 degrees_north", "1:2"},
    // Listed.
    {2, "lev=85000", "1:2"},
    {2, "lev=10000:50000", "2:4"},
    {2, "lev=[100000,10000]", "0:4 0 3"},
    // Names.
    {3, "station=Ulm", "0:1"},
    {3, "station=\"T12:30\"", "2:3"},
    {3, "station=\"A, B: \"\"C\"\"~\"", "1:2"},
    {3, "station=[\"T12:30\",Ulm]", "0:3 2 0"},
    {3, "station=::2", "0:3:2"},
    // Cell numbers, closed too; an axis by its number.
    {4, "member=3", "3:4"},
    {4, "member=2:4", "2:5"},
    {4, "member=:5:4", "0:5:4"},
    {4, "member=99~", "9:10"},
    {4, "4=[7,1]", "1:8 7 1"},
    {4, "member=4.0", "4:5"},
    // Several axes.
    {0, "lev=50000,time=2015-01-02,lat=0", "1:2"},
    {1, "lev=50000,time=2015-01-02,lat=0", "18:19"},
    {2, "lev=50000,time=2015-01-02,lat=0", "2:3"},
    {3, "lev=50000,time=2015-01-02,lat=0", "0:3"},
};
static const wanted_cells converted[] = {{2, "lev=850hPa", "1:2"},
                                         {2, "lev=85 kPa", "1:2"},
                                         {2, "lev=90000~60hPa", "1:2"},
                                         {2, "lev=100hPa:500mbar", "2:4"},
                                         {1, "lat=85 degrees", "1:2"}};

static void forms(void **state)
{
    xta_array *array = model();

    (void)state;
    for (size_t k = 0; k < COUNT(form_cases); k++) {
        expect(array, form_cases[k].axis, form_cases[k].labels, form_cases[k].wanted);
    }
    for (size_t k = 0; xta_units_known() && k < COUNT(converted); k++) {
        expect(array, converted[k].axis, converted[k].labels, converted[k].wanted);
    }
    xta_array_close(array, NULL);
}

static void refuse(xta_array *array, const char *labels, xta_status status, const char *text)
{
    xta_selection s;

    memset(&s, 1, sizeof s);
    if (xta_box_select(array, labels, &s, &err) != status || strstr(err.text, text) == NULL) {
        print_error("%s: %s\n", labels, err.text);
    }
    assert_int_equal(err.status, status);
    assert_non_null(strstr(err.text, text));
    assert_int_equal(s.box.ndim, 0);
    assert_null(s.list[0]);
}

static void errors(void **state)
{
    static const struct {
        const char *labels;
        xta_status status;
        const char *text;
    } cases[] = {
        {"", XTA_EARG, "is not AXIS=LABELS"},
        {"time", XTA_EARG, "\"time\" is not AXIS=LABELS"},
        {"=2", XTA_EARG, "is not AXIS=LABELS"},
        {"time=", XTA_EARG, "a label is missing"},
        {"time=2015,", XTA_EARG, "\",\" is left over"},
        {"time=2015,,lat=3", XTA_EARG, "is not AXIS=LABELS"},
        {"time=2015~~", XTA_EARG, "\"~\" is left over after time=2015~"},
        {"lat=1:2:3:4", XTA_EARG, "\":4\" is left over"},
        {"lat=1:2:", XTA_EARG, "a step is missing"},
        {"lat=[1,2", XTA_EARG, "bracket is not closed"},
        {"lat=[1,2]3", XTA_EARG, "\"3\" is left over"},
        {"lat=[]", XTA_EARG, "a label is missing"},
        {"lat=[1:2]", XTA_EARG, "has no ranges"},
        {"station=\"Ulm", XTA_EARG, "quotes are not closed"},
        {"lat=0,lat=5", XTA_EARG, "axis lat is selected twice"},
        {"lat=0,1=5", XTA_EARG, "selected twice"},
        {"depth=0", XTA_ENOENT, "depth"},
        {"lat=43", XTA_ENOENT, "lat: no cell has 43; the nearest has 45 (cell 9); a ~"},
        {"lat=41:44", XTA_ENOENT, "no cell lies in 41:44; the nearest has 40 (cell 10)"},
        {"lat=91:", XTA_ENOENT, "at or above 91; the nearest has 90 (cell 0)"},
        {"lat=43~1", XTA_ENOENT, "no cell lies within 1 of 43; the nearest has 45 (cell 9)"},
        {"lat=50:40", XTA_EARG, "50 lies above 40"},
        {"lat=a", XTA_EARG, "\"a\" is no number"},
        {"lat=inf", XTA_EARG, "\"inf\" is no number"},
        {"lat=0x10", XTA_EARG, "is no number"},
        {"lat=\"0\"", XTA_EARG, "is no number"},
        {"lat=0:10:0", XTA_EARG, "\"0\" is no step"},
        {"lat=0:10:1.5", XTA_EARG, "\"1.5\" is no step"},
        {"lat=0~-1", XTA_EARG, "a tolerance is a number"},
        {"lat=2015-03", XTA_EARG, "is a date, but its coordinates are no time"},
        {"time=2014", XTA_ENOENT, "the nearest has 2015-01-01T12:00 (cell 0)"},
        {"time=2015-01-05T13", XTA_ENOENT, "the nearest has 2015-01-05T12:00 (cell 4)"},
        {"time=2016-02-29", XTA_EARG, "2016-02-29: day 29"},
        {"time=2016:2015", XTA_EARG, "2016 lies above 2015"},
        {"time=soon", XTA_EARG, "\"soon\" is no date"},
        {"time=3 m", XTA_EARG, "\"m\" is no unit of time"},
        {"time=2015-1-1", XTA_EARG, "\"-1-1\" is no date; want YYYY-MM-DD"},
        {"time=2015-01-01 12", XTA_EARG, "\"-01-01 12\" is no date"},
        {"time=2015-01-01T12:00:00.0000005", XTA_EARG, "and up to six behind its second"},
        {"station=Bonn", XTA_ENOENT, "no cell is called Bonn; there are Ulm, "},
        {"station=Ulm~", XTA_EARG, "no name is nearest"},
        {"station=Ulm:Bonn", XTA_EBOX, "needs coordinates that ascend or descend"},
        {"member=10", XTA_ENOENT, "the nearest has 9 (cell 9)"},
        {"member=1 m", XTA_EARG, "have no unit"},
        {"member=all", XTA_EARG, "labels are cell numbers"},
    };
    xta_array *array = model();

    (void)state;
    for (size_t k = 0; k < COUNT(cases); k++) {
        refuse(array, cases[k].labels, cases[k].status, cases[k].text);
    }
    refuse(array, "lev=5 m", xta_units_known() ? XTA_EARG : XTA_EUNSUPPORTED, "lev: \"m\"");
    // Dates need a calendar and a reference date that can be read; numbers do not.
    test_must(xta_attribute_set_text(array, 0, "calendar", "lunar", &err), &err);
    refuse(array, "time=2015-01", XTA_EARG, "\"lunar\" is no calendar");
    expect(array, 0, "time=3.5", "3:4");
    xta_array_close(array, NULL);
}

/* Neither ascending nor descending: single labels find all their cells, the rest is refused. */
static void unsorted(void **state)
{
    static const int64_t bounds[1] = {6}, one[1] = {1};
    const double nan = (double)NAN;
    static const int32_t days[] = {400, 10, 11, 380, 10, 5};
    xta_array *array = make_array(1, bounds);

    (void)state;
    test_must(xta_axis_set_name(array, 0, "t", &err), &err);
    set_list(array, 0, XTA_I32, days, 6);
    expect(array, 0, "t=380", "3:4");
    expect(array, 0, "t=10", "1:5 1 4");
    expect(array, 0, "t=[11,10]", "1:5 2 1 4");
    refuse(array, "t=10:20", XTA_EBOX, "neither");
    refuse(array, "t=10~", XTA_EBOX, "neither");
    refuse(array, "t=382", XTA_ENOENT, "the nearest has 380 (cell 3)");
    test_must(xta_axis_set_unit(array, 0, "days since 2000-01-01", &err), &err);
    expect(array, 0, "t=2000", "1:6 1 2 4 5");
    expect(array, 0, "t=2001", "0:4 0 3");
    xta_array_close(array, NULL);
    // One cell, whose coordinate is no number.
    array = make_array(1, one);
    test_must(xta_axis_set_name(array, 0, "t", &err), &err);
    set_list(array, 0, XTA_F64, &nan, 1);
    refuse(array, "t=3~", XTA_ENOENT,
           "t: nothing is near 3: the coordinate of cell 0 is no number");
    refuse(array, "t=3~1", XTA_ENOENT, "nothing is near 3");
    refuse(array, "t=3:5", XTA_ENOENT, "no cell lies in 3:5");
    assert_null(strstr(err.text, "~")); // it would not help
    expect(array, 0, "t=:", "0:1");
    xta_array_close(array, NULL);
}

/* Which coordinates an axis has. */
static void sources(void **state)
{
    static const int64_t bounds[1] = {3};
    static const double values[] = {1.5, 2.5, NAN, 4.5, 5.5};
    static const int64_t boxes[] = {0, 4, -1, 4}, short_box[] = {1, 6};
    static const uint64_t large[] = {UINT64_MAX, 0, 1};
    static const xta_regular regular = {XTA_I16, {.i = 7}, {.i = -2}};
    xta_array *array = make_array(1, bounds);
    xta_coordinates *c = NULL;

    (void)state;
    assert_int_equal(xta_coordinates_read(array, 0, &c, &err), XTA_ENOENT);
    assert_null(c);
    assert_int_equal(xta_coordinates_read(array, 1, &c, &err), XTA_EARG);
    set_list(array, 0, XTA_F64, values, 5);
    assert_int_equal(xta_coordinates_read(array, 0, &c, &err), XTA_EBOX);
    assert_non_null(strstr(err.text, "5 items for 3 cells"));
    set_box(array, 0, boxes, 4);
    test_must(xta_coordinates_read(array, 0, &c, &err), &err);
    assert_int_equal(xta_coordinates_kind_of(c), XTA_COORDINATES_LISTED);
    assert_int_equal(xta_coordinates_type(c), XTA_F64);
    assert_int_equal(xta_coordinates_lo(c), 0);
    assert_int_equal(xta_coordinates_hi(c), 3);
    assert_true(xta_coordinates_at(c, 0) == 2.5);
    assert_true(isnan(xta_coordinates_at(c, 1)));
    assert_true(xta_coordinates_at(c, 2) == 4.5);
    assert_true(isnan(xta_coordinates_at(c, 3)));
    assert_int_equal(xta_coordinates_direction(c), 0);
    assert_string_equal(xta_coordinates_unit(c), "");
    assert_null(xta_coordinates_name(c, 0));
    xta_coordinates_free(c);
    set_box(array, 0, short_box, 2);
    assert_int_equal(xta_coordinates_read(array, 0, &c, &err), XTA_EBOX);
    assert_non_null(strstr(err.text, "cells 0 to 0 have no coordinate; its list covers 1 to 5"));
    test_must(xta_attribute_remove(array, 0, "values//box", &err), &err);
    set_list(array, 0, XTA_U64, large, 3);
    test_must(xta_coordinates_read(array, 0, &c, &err), &err);
    assert_true(xta_coordinates_at(c, 0) == 0x1p64);
    xta_coordinates_free(c);
    set_list(array, 0, XTA_C128, values, 1);
    assert_int_equal(xta_coordinates_read(array, 0, &c, &err), XTA_EBOX);
    test_must(xta_attribute_set_text(array, 0, "values//dimensions", "y\nx\n", &err), &err);
    assert_int_equal(xta_coordinates_read(array, 0, &c, &err), XTA_ENOENT);
    test_must(xta_axis_set_regular(array, 0, &regular, &err), &err);
    test_must(xta_attribute_set_text(array, 0, "units", "m", &err), &err);
    test_must(xta_coordinates_read(array, 0, &c, &err), &err);
    assert_int_equal(xta_coordinates_kind_of(c), XTA_COORDINATES_REGULAR);
    assert_int_equal(xta_coordinates_direction(c), -1);
    assert_true(xta_coordinates_at(c, 2) == 3);
    assert_string_equal(xta_coordinates_unit(c), "m");
    xta_coordinates_free(c);
    xta_coordinates_free(NULL);
    xta_array_close(array, NULL);
}

/* The same axis as an array's, and given by its coordinates: all forms find the same cells. */
static void given_coordinates(void **state)
{
    static const double levels[] = {100000, 85000, 50000, 10000};
    static const char *const texts[] = {"lev=85000",         "lev=50000:100000", "lev=::2",
                                        "lev=[10000,85000]", "lev=60000~",       "lev=10000:50000"};
    const int64_t bounds[1] = {4};
    const xta_labelled_axis axis = {.path = "f.nc",
                                    .name = "lev",
                                    .lo = 0,
                                    .hi = 4,
                                    .type = XTA_F64,
                                    .values = levels,
                                    .unit = "Pa"};
    xta_array *array = make_array(1, bounds);
    (void)state;

    test_must(xta_axis_set_name(array, 0, "lev", &err), &err);
    test_must(xta_axis_set_unit(array, 0, "Pa", &err), &err);
    set_list(array, 0, XTA_F64, levels, 4);
    for (size_t k = 0; k < COUNT(texts); k++) {
        xta_selection a, b;
        test_must(xta_box_select(array, texts[k], &a, &err), &err);
        test_must(xta_labels_select(&axis, texts[k], &b, &err), &err);
        assert_true(xta_box_equal(&a.box, &b.box));
        assert_int_equal(a.step[0], b.step[0]);
        assert_int_equal(a.n_list[0], b.n_list[0]);
        for (int64_t c = 0; c < a.n_list[0]; c++) {
            assert_int_equal(a.list[0][c], b.list[0][c]);
        }
        xta_selection_clear(&a);
        xta_selection_clear(&b);
    }
    xta_array_close(array, NULL);
}

/* Names, cell numbers from another one than 0 on, and what is refused. */
static void given_axes(void **state)
{
    static const char names[] = "ab\0\0cd\0\0e\0\0\0";
    static const double complex_values[2] = {1, 2};
    xta_labelled_axis axis = {
        .path = "f.nc", .name = "s", .hi = 3, .type = XTA_BYTES, .cell_bytes = 4, .values = names};
    xta_selection s;
    (void)state;

    test_must(xta_labels_select(&axis, "s=[e,ab]", &s, &err), &err);
    assert_true(s.n_list[0] == 2 && s.list[0][0] == 2 && s.list[0][1] == 0);
    xta_selection_clear(&s);
    axis.type = XTA_TEXT;
    axis.values = "ab\ncd\ne\n";
    axis.text_bytes = 8;
    test_must(xta_labels_select(&axis, "s=cd", &s, &err), &err);
    assert_int_equal(s.box.lo[0], 1);
    xta_selection_clear(&s);
    assert_int_equal(xta_labels_select(&axis, "s=x", &s, &err), XTA_ENOENT);
    assert_non_null(strstr(err.text, "f.nc: s: no cell is called x"));
    axis.values = NULL;
    axis.lo = -2;
    axis.hi = 4;
    test_must(xta_labels_select(&axis, "s=-1:2", &s, &err), &err);
    assert_true(s.box.lo[0] == -1 && s.box.hi[0] == 3 && s.list[0] == NULL);
    xta_selection_clear(&s);
    assert_int_equal(xta_labels_select(&axis, "s=4", &s, &err), XTA_ENOENT);
    assert_int_equal(xta_labels_select(&axis, "s=1,t=2", &s, &err), XTA_EARG);
    axis = (xta_labelled_axis){
        .path = "f.nc", .name = "s", .hi = 1, .type = XTA_C128, .values = complex_values};
    assert_int_equal(xta_labels_select(&axis, "s=1", &s, &err), XTA_ETYPE);
}

/* Which selections are those of their parts. */
static void splits_of(void **state)
{
    static const struct {
        const char *text;
        bool splits;
    } cases[] = {{"time=2015-01", true},         {"lat=3:4,lon=5:", true}, {"lat=3:4:2", false},
                 {"lat=3,lon=5~", false},        {"lat=[3]", false},       {"s=\"a~[:::\"", true},
                 {"time=2015-01-01T12:30", true}};
    (void)state;

    for (size_t k = 0; k < COUNT(cases); k++) {
        bool splits = !cases[k].splits;
        test_must(xta_selection_splits(cases[k].text, &splits, &err), &err);
        assert_int_equal(splits, cases[k].splits);
    }
    bool splits = false;
    assert_int_equal(xta_selection_splits("lat", &splits, &err), XTA_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(given_coordinates),
                                       cmocka_unit_test(given_axes),
                                       cmocka_unit_test(splits_of),
                                       cmocka_unit_test(forms),
                                       cmocka_unit_test(errors),
                                       cmocka_unit_test(unsorted),
                                       cmocka_unit_test(sources)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
