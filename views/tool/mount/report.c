/* Where the program reports what a reader of the mount is told by an errno only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "mount/report.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <syslog.h>
#include <time.h>

#include "kit/escape.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *out;
static bool opened;

xta_status mount_report_begin(const char *log, bool foreground, xta_error *err)
{
    if (log != NULL) {
        out = fopen(log, "a");
        opened = out != NULL;
        if (!opened) {
            return xta_error_set(err, XTA_EIO, errno, "--log: cannot open %s", log);
        }
    } else if (foreground) {
        out = stderr;
    } else {
        openlog("xta mount", LOG_PID, LOG_DAEMON);
    }
    return XTA_OK;
}

void mount_report(const char *text)
{
    char stamp[32] = "";
    struct tm parts;
    time_t now = time(NULL);

    if (out == NULL) {
        syslog(LOG_ERR, "%s", text);
        return;
    }
    if (gmtime_r(&now, &parts) != NULL) {
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    pthread_mutex_lock(&lock);
    fprintf(out, "%s xta mount: ", stamp);
    cli_print_name(out, text);
    fputc('\n', out);
    fflush(out);
    pthread_mutex_unlock(&lock);
}

void mount_report_end(void)
{
    if (opened) {
        fclose(out);
    }
    out = NULL;
}
