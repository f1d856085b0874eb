/* Convert values to dates and dates to values, as dates.py asks: labels_dates UNITS CASES ANSWERS.
 *
 * UNITS has a line `CALENDAR<tab>UNIT since DATE` for each unit; CASES and ANSWERS are arrays of
 * the structs below, in this machine's byte order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xta/calendar.h>

typedef struct fields {
    int32_t year, month, day, hour, minute, second, microsecond;
} fields;

typedef struct question {
    int32_t unit, is_real;
    int64_t whole;
    double real;
    fields date;
    int32_t unused;
} question;

typedef struct answer {
    int32_t status_of_date, status_of_value, status_of_whole;
    fields date;
    int64_t whole;
    double real;
} answer;

enum { MAX_UNITS = 256, LINE_BYTES = 256 };

static xta_time_unit units[MAX_UNITS];

static int read_units(const char *path)
{
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    xta_error err;
    int n = 0;

    while (file != NULL && n < MAX_UNITS && fgets(line, sizeof line, file) != NULL) {
        char *tab = strchr(line, '\t');
        line[strcspn(line, "\n")] = '\0';
        if (tab == NULL) {
            break;
        }
        *tab = '\0';
        if (xta_time_unit_parse(tab + 1, line, &units[n++], &err) != XTA_OK) {
            fprintf(stderr, "labels_dates: %s: %s\n", line, err.text);
            exit(1);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return n;
}

static answer reply(const question *q)
{
    const xta_time_unit *unit = &units[q->unit];
    answer a = {0};
    xta_instant at;
    xta_date date;

    a.status_of_date = q->is_real != 0 ? xta_time_from_f64(unit, q->real, &at, NULL)
                                       : xta_time_from_i64(unit, q->whole, &at, NULL);
    if (a.status_of_date == XTA_OK) {
        a.status_of_date = xta_instant_to_date(unit->calendar, &at, &date, NULL);
    }
    if (a.status_of_date == XTA_OK) {
        a.date = (fields){(int32_t)date.year, date.month,  date.day,        date.hour,
                          date.minute,        date.second, date.microsecond};
    }
    date = (xta_date){q->date.year,   q->date.month,  q->date.day,        q->date.hour,
                      q->date.minute, q->date.second, q->date.microsecond};
    a.status_of_value = xta_date_to_instant(unit->calendar, &date, &at, NULL);
    if (a.status_of_value == XTA_OK) {
        a.real = xta_time_to_f64(unit, &at);
        a.status_of_whole = xta_time_to_i64(unit, &at, &a.whole, NULL);
    }
    return a;
}

int main(int argc, char *argv[])
{
    question q;

    if (argc != 4 || read_units(argv[1]) == 0) {
        fprintf(stderr, "usage: labels_dates UNITS CASES ANSWERS\n");
        return 1;
    }
    FILE *in = fopen(argv[2], "rb"), *out = fopen(argv[3], "wb");
    while (in != NULL && out != NULL && fread(&q, sizeof q, 1, in) == 1) {
        answer a = reply(&q);
        if (fwrite(&a, sizeof a, 1, out) != 1) {
            return 1;
        }
    }
    return in == NULL || out == NULL || fclose(in) != 0 || fclose(out) != 0;
}
