/* How commands print unfinished work.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "kit/print/unfinished.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "kit/print/describe.h"

enum { ID_TEXT_BYTES = 33 };

const char *cli_verb_name(xta_work_verb verb)
{
    static const char *const names[] = {"work", "import", "append", "rechunk", "work"};

    return names[(unsigned)verb < CLI_COUNT(names) ? (unsigned)verb : 0];
}

static void id_text(const uint8_t id[16], char text[ID_TEXT_BYTES])
{
    for (size_t k = 0; k < 16; k++) {
        snprintf(text + 2 * k, 3, "%02x", id[k]);
    }
}

/* UTC, to the second. */
static void time_text(int64_t seconds, char *text, size_t capacity)
{
    time_t at = (time_t)seconds;
    struct tm parts;

    if (gmtime_r(&at, &parts) == NULL ||
        strftime(text, capacity, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
        snprintf(text, capacity, "%" PRId64 " s", seconds);
    }
}

/* ---- for people ---- */

typedef struct printer {
    FILE *out;
    const char *prefix;
    size_t n;
} printer;

static int print_one(void *user, const xta_unfinished *work)
{
    printer *p = user;
    char id[ID_TEXT_BYTES], when[40];

    id_text(work->id, id);
    time_text(work->begun, when, sizeof when);
    fprintf(p->out, "%s%s %.8s into ", p->prefix, cli_verb_name(work->verb), id);
    cli_print_box(p->out, &work->box);
    fprintf(p->out, " %s: from '%s', process %" PRIu64 " on %s, begun %s\n",
            work->live ? "goes on" : "was interrupted", work->source, work->process, work->host,
            when);
    p->n += !work->live;
    return 0;
}

xta_status cli_print_unfinished(FILE *out, xta_array *array, const char *prefix, size_t *n,
                                cli_error *err)
{
    printer p = {.out = out, .prefix = prefix};
    xta_status status = xta_array_unfinished(array, print_one, &p, &err->error);

    if (n != NULL) {
        *n = p.n;
    }
    return status;
}

/* ---- for programs ---- */

static int put_one(void *user, const xta_unfinished *work)
{
    printer *p = user;
    char id[ID_TEXT_BYTES];

    id_text(work->id, id);
    fprintf(p->out, "%s\n    {\"id\": \"%s\", \"verb\": \"%s\", \"state\": \"%s\", \"source\": ",
            p->n++ > 0 ? "," : "", id, cli_verb_name(work->verb),
            work->live ? "live" : "interrupted");
    cli_json_text(p->out, work->source);
    fprintf(p->out, ", \"box\": ");
    cli_json_box(p->out, &work->box);
    fprintf(p->out, ", \"before\": ");
    cli_json_box(p->out, &work->before);
    fprintf(p->out, ", \"created_array\": %s, \"process\": %" PRIu64 ", \"host\": ",
            work->created_array ? "true" : "false", work->process);
    cli_json_text(p->out, work->host);
    fprintf(p->out, ", \"begun\": %" PRId64 "}", work->begun);
    return 0;
}

xta_status cli_unfinished_json(FILE *out, xta_array *array, cli_error *err)
{
    printer p = {.out = out};

    fputs("[", out);
    xta_status status = xta_array_unfinished(array, put_one, &p, &err->error);
    fputs(p.n > 0 ? "\n  ]" : "]", out);
    return status;
}

/* ---- choosing one ---- */

typedef struct search {
    const char *text;
    unsigned verbs;
    const char *source;
    xta_unfinished found;
    size_t n;
    bool live;
    char ids[160];
} search;

static int match_one(void *user, const xta_unfinished *work)
{
    search *s = user;
    char id[ID_TEXT_BYTES];

    id_text(work->id, id);
    bool wanted = s->text != NULL
                      ? strncmp(id, s->text, strlen(s->text)) == 0
                      : (s->verbs == 0 || (s->verbs >> (unsigned)work->verb & 1) != 0) &&
                            (s->source == NULL || strcmp(s->source, work->source) == 0);
    if (wanted && work->live) {
        s->live = true;
    } else if (wanted) {
        s->found = *work;
        s->n++;
        size_t used = strlen(s->ids);
        snprintf(s->ids + used, sizeof s->ids - used, "%s%.8s", used > 0 ? ", " : "", id);
    }
    return 0;
}

xta_status cli_find_unfinished(xta_array *array, const char *text, unsigned verbs,
                               const char *source, xta_unfinished *found, cli_error *err)
{
    search s = {.text = text, .verbs = verbs, .source = source};
    xta_status status = xta_array_unfinished(array, match_one, &s, &err->error);

    if (status != XTA_OK) {
        return status;
    }
    if (s.n == 0 && s.live) {
        return cli_fail(err, XTA_EBUSY, 0, "%s: this work goes on in another process; wait for it",
                        xta_array_path(array));
    }
    if (s.n == 0 && text == NULL && source != NULL) {
        return cli_fail(err, XTA_ENOENT, 0,
                        "%s: no work of '%s' was interrupted here; xta info lists what was",
                        xta_array_path(array), source);
    }
    if (s.n == 0) {
        return cli_fail(err, XTA_ENOENT, 0,
                        text != NULL ? "%s: no interrupted work whose id begins with '%s'"
                                     : "%s: no work was interrupted here",
                        xta_array_path(array), text);
    }
    if (s.n > 1) {
        return cli_fail(err, XTA_EARG, 0,
                        "%s: %zu pieces of work were interrupted (%s); say which, by its id",
                        xta_array_path(array), s.n, s.ids);
    }
    *found = s.found;
    // Its texts were valid only during the iteration.
    found->host = found->source = "";
    return XTA_OK;
}
