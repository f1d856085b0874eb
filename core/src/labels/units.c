/* Conversion of units.
 *
 * UDUNITS reads units with one parser and one table of units for the process, neither of them safe
 * for threads: one lock protects both. Its converters are values of their own. It writes messages
 * to standard error unless a function is set for them, which is put back afterwards, since the
 * program may use UDUNITS as well.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <xta/units.h>

#include <string.h>

#include <xta/calendar.h>

#include "base/base.h"

#ifdef XTA_UDUNITS
#include <pthread.h>

#include <udunits2.h>
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

#ifdef XTA_UDUNITS
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ut_system *unit_system; // read once, kept as long as the process lives

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
    *unit = ut_parse(unit_system, copy, UT_UTF8);
    if (*unit == NULL && ut_get_status() == UT_OS) {
        return xta__fail(err, XTA_ENOMEM, 0, "no memory for the unit \"%.64s\"", copy);
    }
    return *unit != NULL ? XTA_OK
                         : xta__fail(err, XTA_EARG, 0, "\"%.64s\" is no unit of UDUNITS", copy);
}

/* With the lock held and messages ignored. */
static xta_status find_converter(const char *from, const char *to, cv_converter **converter,
                                 xta_error *err)
{
    ut_unit *a = NULL, *b = NULL;
    xta_status status = XTA_OK;

    if (unit_system == NULL) {
        unit_system = ut_read_xml(NULL);
    }
    if (unit_system == NULL) {
        return xta__fail(err, XTA_EFOREIGN, 0,
                         "UDUNITS cannot read its table of units; is libudunits2-data there, or "
                         "does UDUNITS2_XML_PATH say where it is?");
    }
    XTA_TRY(parse_unit(from, &a, err));
    XTA_TRY(parse_unit(to, &b, err));
    if (!ut_are_convertible(a, b)) {
        status =
            xta__fail(err, XTA_EARG, 0, "\"%.64s\" cannot be converted to \"%.64s\"", from, to);
        goto done;
    }
    *converter = ut_get_converter(a, b);
    if (*converter == NULL) {
        status =
            xta__fail(err, XTA_ENOMEM, 0, "no memory to convert \"%.64s\" to \"%.64s\"", from, to);
    }
done:
    ut_free(a);
    ut_free(b);
    return status;
}

static xta_status convert(const char *from, const char *to, const double *numbers,
                          double *converted, size_t n, xta_error *err)
{
    cv_converter *converter = NULL;

    pthread_mutex_lock(&lock);
    ut_error_message_handler before = ut_set_error_message_handler(ut_ignore);
    xta_status status = find_converter(from, to, &converter, err);
    ut_set_error_message_handler(before);
    pthread_mutex_unlock(&lock);
    for (size_t k = 0; status == XTA_OK && k < n; k++) {
        converted[k] = cv_convert_double(converter, numbers[k]);
    }
    cv_free(converter);
    return status;
}

bool xta_units_known(void)
{
    return true;
}
#else
static xta_status convert(const char *from, const char *to, const double *numbers,
                          double *converted, size_t n, xta_error *err)
{
    int64_t a = xta_time_unit_length(from), b = xta_time_unit_length(to);

    if (a == 0 || b == 0) {
        return xta__fail(err, XTA_EUNSUPPORTED, 0,
                         "\"%.64s\" to \"%.64s\": this build has no UDUNITS, so only units of time "
                         "are converted (XTA_UDUNITS=ON builds with it)",
                         from, to);
    }
    for (size_t k = 0; k < n; k++) {
        converted[k] = a >= b && a % b == 0   ? numbers[k] * (double)(a / b)
                       : b >= a && b % a == 0 ? numbers[k] / (double)(b / a)
                                              : numbers[k] * (double)a / (double)b;
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
