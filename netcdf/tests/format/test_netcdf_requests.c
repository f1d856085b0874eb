/* Random requests of a data set and of the file that `xta export` makes of it: the same values and
 * codes, also of requests that are wrong, of all types in memory, with strides and maps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <netcdf.h>

#include <xta/netcdf_format.h>

#include "same.h"
#include "sets.h"
#include "support/folder.h"
#include "support/random.h"

enum { MOST_DIMS = 3, MEMORY_BYTES = 1 << 16 };

/* One call, of both files. */
typedef struct request {
    int id;
    nc_type memory;
    int ndim;
    size_t start[MOST_DIMS], count[MOST_DIMS];
    ptrdiff_t stride[MOST_DIMS], map[MOST_DIMS];
    bool strided, mapped;
} request;

static const nc_type types[] = {NC_BYTE,  NC_UBYTE,  NC_SHORT, NC_USHORT, NC_INT, NC_UINT,
                                NC_INT64, NC_UINT64, NC_FLOAT, NC_DOUBLE, NC_CHAR};

/* Mostly a request that is right. Maps transpose the dimensions, with gaps. */
static request random_request(test_random *random, int file, int id, bool may_exceed)
{
    request r = {.id = id};
    int dims[MOST_DIMS];
    nc_type type = NC_NAT;
    ptrdiff_t distance = 1;

    nc_must(nc_inq_var(file, id, NULL, &type, &r.ndim, dims, NULL));
    r.memory = type;
    if (type != NC_STRING && test_random_chance(random, 60)) {
        r.memory = types[test_random_in(random, 0, test_random_chance(random, 5) ? 10 : 9)];
    }
    r.strided = test_random_chance(random, 50);
    r.mapped = r.ndim > 0 && type != NC_STRING && test_random_chance(random, 30);
    for (int d = 0; d < r.ndim; d++) {
        size_t length = 0;
        nc_must(nc_inq_dimlen(file, dims[d], &length));
        r.stride[d] = r.strided ? test_random_in(random, 1, 4) : 1;
        r.start[d] = (size_t)test_random_in(random, 0, (int64_t)length - 1);
        size_t most = (length - r.start[d] + (size_t)r.stride[d] - 1) / (size_t)r.stride[d];
        r.count[d] =
            (size_t)test_random_in(random, test_random_chance(random, 3) ? 0 : 1, (int64_t)most);
        if (may_exceed && test_random_chance(random, 4)) {
            r.count[d] += (size_t)test_random_in(random, 0, 2);
            r.start[d] += (size_t)test_random_in(random, 0, 3);
        }
        if (r.strided && may_exceed && test_random_chance(random, 2)) {
            r.stride[d] = test_random_in(random, -1, 0);
        }
    }
    int first = r.ndim > 0 ? (int)test_random_in(random, 0, r.ndim - 1) : 0;
    for (int k = 0; k < r.ndim; k++) {
        int d = (first + k) % r.ndim;
        r.map[d] = distance;
        distance = distance * (ptrdiff_t)r.count[d] + test_random_in(random, 0, 2);
    }
    return r;
}

/* The function of NetCDF for a type in memory: its public ones are made for each. */
#define CALL(type, suffix, ctype)                                                              \
    case type:                                                                                 \
        return r->mapped ? nc_get_varm_##suffix(file, r->id, r->start, r->count,               \
                                                r->strided ? r->stride : NULL, r->map, memory) \
               : r->strided                                                                    \
                   ? nc_get_vars_##suffix(file, r->id, r->start, r->count, r->stride, memory)  \
                   : nc_get_vara_##suffix(file, r->id, r->start, r->count, memory)

static int get(int file, const request *r, void *memory)
{
    switch (r->memory) {
        CALL(NC_BYTE, schar, signed char);
        CALL(NC_UBYTE, uchar, unsigned char);
        CALL(NC_SHORT, short, short);
        CALL(NC_USHORT, ushort, unsigned short);
        CALL(NC_INT, int, int);
        CALL(NC_UINT, uint, unsigned);
        CALL(NC_INT64, longlong, long long);
        CALL(NC_UINT64, ulonglong, unsigned long long);
        CALL(NC_FLOAT, float, float);
        CALL(NC_DOUBLE, double, double);
        CALL(NC_CHAR, text, char);
    default:
        return r->strided ? nc_get_vars_string(file, r->id, r->start, r->count, r->stride, memory)
                          : nc_get_vara_string(file, r->id, r->start, r->count, memory);
    }
}

#undef CALL
#define CALL(type, suffix, ctype)                                                              \
    case type:                                                                                 \
        return r->mapped ? nc_put_varm_##suffix(file, r->id, r->start, r->count,               \
                                                r->strided ? r->stride : NULL, r->map, memory) \
               : r->strided                                                                    \
                   ? nc_put_vars_##suffix(file, r->id, r->start, r->count, r->stride, memory)  \
                   : nc_put_vara_##suffix(file, r->id, r->start, r->count, memory)

static int put(int file, const request *r, const void *memory)
{
    switch (r->memory) {
        CALL(NC_BYTE, schar, signed char);
        CALL(NC_UBYTE, uchar, unsigned char);
        CALL(NC_SHORT, short, short);
        CALL(NC_USHORT, ushort, unsigned short);
        CALL(NC_INT, int, int);
        CALL(NC_UINT, uint, unsigned);
        CALL(NC_INT64, longlong, long long);
        CALL(NC_UINT64, ulonglong, unsigned long long);
        CALL(NC_FLOAT, float, float);
        CALL(NC_DOUBLE, double, double);
    default:
        return r->strided ? nc_put_vars_text(file, r->id, r->start, r->count, r->stride, memory)
                          : nc_put_vara_text(file, r->id, r->start, r->count, memory);
    }
}

static size_t values_of(const request *r)
{
    size_t n = 1;

    for (int d = 0; d < r->ndim; d++) {
        n *= r->count[d];
    }
    return n;
}

static void print_request(const request *r, uint64_t part)
{
    print_error("part %llu: variable %d, type %d, %s%s", (unsigned long long)part, r->id,
                (int)r->memory, r->strided ? "strided " : "", r->mapped ? "mapped" : "");
    for (int d = 0; d < r->ndim; d++) {
        print_error(" [%zu +%zu, %td, map %td]", r->start[d], r->count[d], r->stride[d], r->map[d]);
    }
    print_error("\n");
}

/* What both files gave for one request. */
static bool same_answer(int ours, int theirs, const request *r)
{
    static char a[MEMORY_BYTES], b[MEMORY_BYTES];
    bool same = true;

    memset(a, 0x55, sizeof a);
    memset(b, 0x55, sizeof b);
    int code = get(theirs, r, b);
    int answer = get(ours, r, a);
    if (answer != code) {
        print_error("%s instead of %s\n", nc_strerror(answer), nc_strerror(code));
        return false;
    }
    if (r->memory == NC_STRING) {
        size_t n = code == NC_NOERR ? values_of(r) : 0;
        for (size_t k = 0; k < n; k++) {
            same = same && strcmp(((char **)a)[k], ((char **)b)[k]) == 0;
        }
        nc_free_string(n, (char **)a);
        nc_free_string(n, (char **)b);
        return same;
    }
    return (code != NC_NOERR && code != NC_ERANGE) || memcmp(a, b, sizeof a) == 0;
}

typedef struct pair {
    const char *folder, *copy;
    int ours, theirs;
} pair;

static void open_pair(pair *p, const char *name, bool grown, uint64_t seed, int mode)
{
    char base[64];

    snprintf(base, sizeof base, "%s.nc", name);
    const char *source = test_folder_path(&test_group_folder, base);
    snprintf(base, sizeof base, "%s.copy.nc", name);
    p->copy = test_folder_path(&test_group_folder, base);
    p->folder = test_folder_path(&test_group_folder, name);
    source_make(source, seed);
    set_make(source, p->folder, grown);
    set_export(p->folder, p->copy);
    nc_must(nc_open(set_address(p->folder), mode, &p->ours));
    nc_must(nc_open(p->copy, mode, &p->theirs));
}

static void test_definitions(void **state)
{
    pair p;
    int format[2] = {0}, mode[2] = {0};
    uint64_t seed = test_seed("test_netcdf_requests", 7);

    (void)state;
    for (int grown = 0; grown < 2; grown++) {
        open_pair(&p, grown ? "grown" : "plain", grown, seed, NC_NOWRITE);
        same_definitions(p.ours, p.theirs);
        same_values(p.ours, p.theirs);
        nc_must(nc_inq_format(p.ours, &format[0]));
        nc_must(nc_inq_format_extended(p.ours, &format[1], &mode[0]));
        assert_int_equal(format[0], NC_FORMAT_NETCDF4);
        assert_int_equal(format[1], NC_FORMATX_UDF0);
        nc_must(nc_close(p.ours));
        nc_must(nc_close(p.theirs));
    }
}

static void test_reads(void **state)
{
    uint64_t seed = test_seed("test_netcdf_requests", 11);
    pair p;
    int n = 0;

    (void)state;
    open_pair(&p, "reads", true, seed, NC_NOWRITE);
    nc_must(nc_inq_nvars(p.ours, &n));
    for (uint64_t part = 0; part < test_scale(20000); part++) {
        test_random random = test_random_make(seed, part);
        int id = (int)test_random_in(&random, 0, n - 1);
        const request r = random_request(&random, p.ours, id, true);
        if (!same_answer(p.ours, p.theirs, &r)) {
            print_request(&r, part);
            fail();
        }
    }
    nc_must(nc_close(p.ours));
    nc_must(nc_close(p.theirs));
}

/* Also beyond the end of the unlimited dimension, which then is longer for all variables. */
static void test_writes(void **state)
{
    static char memory[MEMORY_BYTES];
    uint64_t seed = test_seed("test_netcdf_requests", 13);
    pair p;
    int n = 0, t = -1;

    (void)state;
    open_pair(&p, "writes", true, seed, NC_WRITE);
    nc_must(nc_inq_nvars(p.ours, &n));
    nc_must(nc_inq_dimid(p.ours, "t", &t));
    for (uint64_t part = 0; part < test_scale(600); part++) {
        test_random random = test_random_make(seed, part);
        int id = (int)test_random_in(&random, 0, n - 1), dims[MOST_DIMS] = {-1, -1, -1};
        request r = random_request(&random, p.ours, id, true);
        if (r.mapped) {
            // A wrong request with a map writes those of its values that come before the wrong one.
            r = random_request(&random, p.ours, id, false);
        }
        nc_must(nc_inq_vardimid(p.ours, id, dims));
        if (r.memory == NC_STRING || r.memory == NC_CHAR) {
            continue;
        }
        if (dims[0] == t && test_random_chance(&random, 5)) {
            r.start[0] += (size_t)test_random_in(&random, 0, 2);
        }
        for (size_t k = 0; k < sizeof memory; k++) {
            memory[k] = (char)test_random_in(&random, 0, test_random_chance(&random, 50) ? 3 : 255);
        }
        int code = put(p.theirs, &r, memory);
        int answer = put(p.ours, &r, memory);
        if (answer != code) {
            print_error("%s instead of %s\n", nc_strerror(answer), nc_strerror(code));
            print_request(&r, part);
            fail();
        }
        if (part % 50 == 0) {
            same_values(p.ours, p.theirs);
        }
    }
    same_values(p.ours, p.theirs);
    nc_must(nc_close(p.ours));
    nc_must(nc_close(p.theirs));
    nc_must(nc_open(set_address(p.folder), NC_NOWRITE, &p.ours));
    nc_must(nc_open(p.copy, NC_NOWRITE, &p.theirs));
    same_values(p.ours, p.theirs);
    nc_must(nc_close(p.ours));
    nc_must(nc_close(p.theirs));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_writes),
    };

    nc_must(xta_netcdf_register());
    return cmocka_run_group_tests(tests, test_group_begin, test_group_end);
}
