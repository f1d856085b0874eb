/* Conversion of units.
 *
 * UDUNITS reads units with one parser and one table of units for the process, neither of them safe
 * for threads: one lock protects both. Its converters are values of their own. It writes messages
 * to standard error unless a function is set for them, which is put back afterwards, since the
 * program may use UDUNITS as well.
 *
 * It is loaded when a unit is first converted: few programs do that, and loading it and its parser
 * of XML takes 31 system calls.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/units.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <xta/calendar.h>

#include "base/base.h"

#ifdef XTA_UDUNITS
#include <pthread.h>

#include <udunits2.h>

#include "util/library.h"
#endif

/* Longer texts are no units, and are not given to a parser. */
enum { UNIT_BYTES = 256 };

/* A text without blanks at both ends. */
static const char *trim(const char *text, size_t *n)
{
    text += strspn(text, " \t");
    *n = strlen(text);
    while (*n > 0 && (text[*n - 1] == ' ' || text[*n - 1] == '\t')) {
        (*n)--;
    }
    return text;
}

static bool same_text(const char *a, const char *b)
{
    size_t n_a, n_b;

    a = trim(a, &n_a);
    b = trim(b, &n_b);
    return n_a == n_b && memcmp(a, b, n_a) == 0;
}

/* Without UDUNITS. False, with nothing converted, unless both are units of time. */
static bool convert_times(const char *from, const char *to, const double *numbers,
                          double *converted, size_t n)
{
    int64_t a = xta_time_unit_length(from), b = xta_time_unit_length(to);

    if (a == 0 || b == 0) {
        return false;
    }
    // Where one unit is a multiple of the other, there is one rounding.
    int64_t times = a % b == 0 ? a / b : 0, parts = b % a == 0 ? b / a : 0;
    for (size_t k = 0; k < n; k++) {
        converted[k] = times != 0   ? numbers[k] * (double)times
                       : parts != 0 ? numbers[k] / (double)parts
                                    : numbers[k] * (double)a / (double)b;
    }
    return true;
}

#ifdef XTA_UDUNITS
/* Every function of UDUNITS that is called here. */
#define UDUNITS_FUNCTIONS(F) \
    F(cv_convert_double)     \
    F(cv_free)               \
    F(ut_are_convertible)    \
    F(ut_free)               \
    F(ut_get_converter)      \
    F(ut_get_status)         \
    F(ut_ignore)             \
    F(ut_parse)              \
    F(ut_read_xml)           \
    F(ut_set_error_message_handler)

typedef struct udunits_functions {
#define MEMBER(name) __typeof__(name) *name;
    UDUNITS_FUNCTIONS(MEMBER)
#undef MEMBER
} udunits_functions;

#define FUNCTION(member) {#member, offsetof(udunits_functions, member)},
static const xta__library_function functions[] = {UDUNITS_FUNCTIONS(FUNCTION)};

static const xta__library library = {.file = XTA_UDUNITS_LIBRARY,
                                     .name = "UDUNITS",
                                     .purpose = "converts units",
                                     .functions = functions,
                                     .n_functions = sizeof functions / sizeof functions[0]};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;
static udunits_functions udunits; // valid once the library is loaded
static ut_system *unit_system;    // read once, kept as long as the process lives

static xta_status parse_unit(const char *text, ut_unit **unit, xta_error *err)
{
    char copy[UNIT_BYTES];
    size_t n;

    text = trim(text, &n);
    if (n >= sizeof copy) {
        return xta__fail(err, XTA_EARG, 0, "\"%.64s...\" is no unit: longer than %d bytes", text,
                         UNIT_BYTES - 1);
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    *unit = udunits.ut_parse(unit_system, copy, UT_UTF8);
    if (*unit == NULL && udunits.ut_get_status() == UT_OS) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for the unit \"%.64s\"", copy);
    }
    return *unit != NULL ? XTA_OK
                         : xta__fail(err, XTA_EARG, 0, "\"%.64s\" is no unit of UDUNITS", copy);
}

/* With the lock held. */
static xta_status load(const char *from, const char *to, xta_error *err)
{
    char subject[160];

    if (!is_loaded) {
        snprintf(subject, sizeof subject, "\"%.64s\" to \"%.64s\"", from, to);
        is_loaded = xta__library_load(&library, &udunits, subject, err) == XTA_OK;
    }
    return is_loaded ? XTA_OK : XTA_EUNSUPPORTED;
}

/* With the lock held and messages ignored. */
static xta_status find_converter(const char *from, const char *to, cv_converter **converter,
                                 xta_error *err)
{
    ut_unit *a = NULL, *b = NULL;
    xta_status status = XTA_OK;

    if (unit_system == NULL) {
        unit_system = udunits.ut_read_xml(NULL);
    }
    if (unit_system == NULL) {
        return xta__fail(err, XTA_EFOREIGN, 0,
                         "UDUNITS cannot read its table of units; is libudunits2-data there, or "
                         "does UDUNITS2_XML_PATH say where it is?");
    }
    XTA_TRY(parse_unit(from, &a, err));
    XTA_TRY(parse_unit(to, &b, err));
    if (!udunits.ut_are_convertible(a, b)) {
        status =
            xta__fail(err, XTA_EARG, 0, "\"%.64s\" cannot be converted to \"%.64s\"", from, to);
        goto done;
    }
    *converter = udunits.ut_get_converter(a, b);
    if (*converter == NULL) {
        status =
            xta__fail(err, XTA_ENOMEM, 0, "no memory to convert \"%.64s\" to \"%.64s\"", from, to);
    }
done:
    udunits.ut_free(a);
    udunits.ut_free(b);
    return status;
}

static xta_status convert(const char *from, const char *to, const double *numbers,
                          double *converted, size_t n, xta_error *err)
{
    cv_converter *converter = NULL;

    pthread_mutex_lock(&lock);
    xta_status status = load(from, to, err);
    bool there = is_loaded;
    if (there) {
        ut_error_message_handler before = udunits.ut_set_error_message_handler(udunits.ut_ignore);
        status = find_converter(from, to, &converter, err);
        udunits.ut_set_error_message_handler(before);
    }
    pthread_mutex_unlock(&lock);
    if (!there && convert_times(from, to, numbers, converted, n)) {
        xta__clear(err);
        return XTA_OK;
    }
    if (status != XTA_OK) {
        return status;
    }
    for (size_t k = 0; k < n; k++) {
        converted[k] = udunits.cv_convert_double(converter, numbers[k]);
    }
    udunits.cv_free(converter);
    return XTA_OK;
}

bool xta_units_known(void)
{
    return true;
}
#else
static xta_status convert(const char *from, const char *to, const double *numbers,
                          double *converted, size_t n, xta_error *err)
{
    if (!convert_times(from, to, numbers, converted, n)) {
        return xta__fail(err, XTA_EUNSUPPORTED, 0,
                         "\"%.64s\" to \"%.64s\": this build has no UDUNITS, so only units of time "
                         "are converted (XTA_UDUNITS=ON builds with it)",
                         from, to);
    }
    return XTA_OK;
}

bool xta_units_known(void)
{
    return false;
}
#endif

xta_status xta_units_convert(const char *from, const char *to, const double *numbers,
                             double *converted, size_t n, xta_error *err)
{
    xta__clear(err);
    if (same_text(from, to)) {
        memmove(converted, numbers, n * sizeof *numbers);
        return XTA_OK;
    }
    return convert(from, to, numbers, converted, n, err);
}

bool xta_units_same(const char *a, const char *b)
{
    enum { N_PROBES = 3 };
    static const double probes[N_PROBES] = {0, 1, 1000};
    double found[N_PROBES];

    if (same_text(a, b)) {
        return true;
    }
    if (convert(a, b, probes, found, N_PROBES, NULL) != XTA_OK) {
        return false;
    }
    for (int k = 0; k < N_PROBES; k++) {
        if (found[k] != probes[k]) {
            return false;
        }
    }
    return true;
}
