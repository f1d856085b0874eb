/* The server: libmicrohttpd speaks HTTP, a thread for each connection.
 *
 * Everything that a client sends is bounded: the bytes of its header (by the memory of a
 * connection), the time that nothing moves, the number of connections, and the bytes of the answers
 * to all of them. A request has no body.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <xta/serve.h>

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <xta/options.h>

#include "serve/answer.h"
#include "serve/budget.h"
#include "serve/client_host.h"
#include "serve/request_framing.h"
#include "serve/request_path.h"
#include "serve/respond.h"
#include "util/bus_guard.h"
#include "util/text.h"
#include "util/try.h"

enum {
    CONNECTIONS = 512,
    TIMEOUT_S = 30,
    CONNECTION_MEMORY = 32 << 10,
    BACKLOG = 128,
    FEW_BYTES = 1 << 20 /* what an answer that is no chunk is counted as */
};
#define MEMORY_BYTES ((uint64_t)1 << 30)

struct xta_server {
    struct MHD_Daemon *daemon;
    xta_serve_options options;
    char *origin, *url, *address; /* of the server: "127.0.0.1:8080" */
    bool loopback;
    int port;
    catalogue sources;
    serve_budget budget;
    atomic_int n_connections;
};

/* ---- one request ---- */

/* What is kept from the first call for a request to its end. */
typedef struct serve_request {
    uint64_t reserved_bytes;
} serve_request;

/* The address of the server as the client says it. */
static char *base_of(const xta_server *server, const char *host)
{
    if (server->url != NULL) {
        return xta__string("%s", server->url);
    }
    return xta__string("http://%s", host != NULL ? host : server->address);
}

/* Clients keep connections open that they do not use; at the limit new ones are reset. So beyond
 * half of it each is closed after its answer. */
static serve_style style_of(const xta_server *server)
{
    bool many = atomic_load(&server->n_connections) > server->options.connections / 2;

    return (serve_style){.origin = server->origin, .closes = many};
}

/* What is refused by the header alone; 0: nothing. */
static int refuse(const xta_server *server, struct MHD_Connection *connection, const char *method,
                  const char **why)
{
    const char *host = xta__request_header(connection, "Host");
    const char *length = xta__request_header(connection, "Content-Length");

    *why = xta__request_framing(connection);
    if (*why != NULL) {
        return 400;
    }
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0 &&
        strcmp(method, "OPTIONS") != 0) {
        *why = "only GET and HEAD are answered: nothing can be changed here";
        return 405;
    }
    if ((length != NULL && strcmp(length, "0") != 0) ||
        xta__request_header(connection, "Transfer-Encoding") != NULL) {
        *why = "a request here has no body";
        return 413;
    }
    if (host != NULL && !xta__host_is_valid(host)) {
        *why = "the header Host is no name";
        return 400;
    }
    if (host != NULL && server->loopback && server->url == NULL && !xta__host_is_loopback(host)) {
        *why =
            "this server answers on this machine alone; start it with --url to serve other names";
        return 421;
    }
    return 0;
}

static enum MHD_Result answer_request(xta_server *server, struct MHD_Connection *connection,
                                      const char *path, const char *method, serve_request *request)
{
    request_path parsed;
    serve_answer answer = {.file = -1};
    serve_style style = style_of(server);

    style.head = strcmp(method, "HEAD") == 0;
    if (strcmp(method, "OPTIONS") == 0) {
        return xta__send_options(&style, connection);
    }
    int refused = xta__request_path_parse(path, &parsed);
    if (refused != 0) {
        return xta__send_error(&style, connection, refused,
                               refused == 404
                                   ? "there is nothing of this kind here; / lists what there is"
                               : refused == 414 ? "the path is too long"
                                                : "the path is none that this server answers");
    }
    uint64_t bytes = xta__answer_bytes(&server->sources, &parsed);
    bytes = bytes > 0 ? bytes : FEW_BYTES;
    if (!xta__budget_reserve(&server->budget, bytes, server->options.timeout_s)) {
        return xta__send_error(
            &style, connection, 503,
            "there is no memory for this answer; start the server with more --memory, "
            "or rechunk the array");
    }
    request->reserved_bytes = bytes;
    char *base = base_of(server, xta__request_header(connection, "Host"));
    if (base == NULL) {
        return MHD_NO;
    }
    xta__answer(&server->sources, &parsed, base, &answer);
    enum MHD_Result result = xta__send_answer(&style, connection, &answer);
    xta__answer_clear(&answer);
    free(base);
    return result;
}

/* libmicrohttpd calls this when it has the header, and again when the request is complete. */
static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_bytes, void **state)
{
    xta_server *server = user;
    serve_style style = style_of(server);
    const char *why = NULL;

    (void)version, (void)upload;
    if (*state == NULL) {
        int refused = refuse(server, connection, method, &why);
        if (refused != 0) {
            style.closes = true; // whatever follows may be its body
            return xta__send_error(&style, connection, refused, why);
        }
        *state = calloc(1, sizeof(serve_request));
        return *state != NULL ? MHD_YES : MHD_NO;
    }
    if (*upload_bytes > 0) {
        return MHD_NO;
    }
    return answer_request(server, connection, path, method, *state);
}

static void end_request(void *user, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code)
{
    xta_server *server = user;
    serve_request *request = *state;

    (void)connection, (void)code;
    if (request != NULL) {
        if (request->reserved_bytes > 0) {
            xta__budget_release(&server->budget, request->reserved_bytes);
        }
        free(request);
        *state = NULL;
    }
}

static void count_connection(void *user, struct MHD_Connection *connection, void **state,
                             enum MHD_ConnectionNotificationCode code)
{
    xta_server *server = user;

    (void)connection, (void)state;
    atomic_fetch_add(&server->n_connections, code == MHD_CONNECTION_NOTIFY_STARTED ? 1 : -1);
}

/* The path stays as it was sent: request_path.c decodes it. */
static size_t keep_escapes(void *user, struct MHD_Connection *connection, char *text)
{
    (void)user, (void)connection;
    return strlen(text);
}

/* ---- start and stop ---- */

static xta_status no_memory(xta_error *err)
{
    return xta_error_set(err, XTA_ENOMEM, 0, "no memory for the server");
}

/* A socket that listens at the address and the port. */
static xta_status listen_at(xta_server *server, const char *bind_to, int *out, xta_error *err)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)server->options.port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6,
                              .sin6_port = htons((uint16_t)server->options.port)};
    bool is_v4 = inet_pton(AF_INET, bind_to, &v4.sin_addr) == 1;
    const int on = 1;

    if (!is_v4 && inet_pton(AF_INET6, bind_to, &v6.sin6_addr) != 1) {
        return xta_error_set(err, XTA_EARG, 0,
                             "%s: is no numeric address to bind to; take 127.0.0.1, 0.0.0.0 or ::1",
                             bind_to);
    }
    server->loopback =
        is_v4 ? (ntohl(v4.sin_addr.s_addr) >> 24) == 127 : IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
    const struct sockaddr *address = is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
    int file = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0 || setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(file, address, is_v4 ? sizeof v4 : sizeof v6) != 0 || listen(file, BACKLOG) != 0) {
        int number = errno;
        if (file >= 0) {
            close(file);
        }
        return xta_error_set(err,
                             number == EADDRINUSE ? XTA_EBUSY
                             : number == EACCES   ? XTA_EACCESS
                                                  : XTA_EIO,
                             number, "%s: cannot listen at port %d: %s; take another --port",
                             bind_to, server->options.port, strerror(number));
    }
    *out = file;
    return XTA_OK;
}

static xta_status name_address(xta_server *server, int file, const char *bind_to, xta_error *err)
{
    struct sockaddr_storage address = {0};
    socklen_t n = sizeof address;

    if (getsockname(file, (struct sockaddr *)&address, &n) != 0) {
        return xta_error_set(err, XTA_EIO, errno, "%s: cannot read its port: %s", bind_to,
                             strerror(errno));
    }
    bool v6 = address.ss_family == AF_INET6;
    server->port = ntohs(v6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                            : ((struct sockaddr_in *)&address)->sin_port);
    server->address = xta__string(v6 ? "[%s]:%d" : "%s:%d", bind_to, server->port);
    return server->address != NULL ? XTA_OK : no_memory(err);
}

static xta_status start_daemon(xta_server *server, xta_error *err)
{
    xta_status status = XTA_OK;
    const char *bind_to = server->options.bind != NULL ? server->options.bind : "127.0.0.1";
    int file = -1;

    XTA_TRY(listen_at(server, bind_to, &file, err));
    XTA_TRY(name_address(server, file, bind_to, err));
    server->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL, 0, NULL,
        NULL, handle, server, MHD_OPTION_LISTEN_SOCKET, file, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)server->options.connections, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)server->options.timeout_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED,
        end_request, server, MHD_OPTION_NOTIFY_CONNECTION, count_connection, server,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_END);
    if (server->daemon == NULL) {
        XTA_TRY(xta_error_set(err, XTA_EIO, errno, "%s: the server cannot be started: %s", bind_to,
                              strerror(errno)));
    }
    file = -1;

done:
    if (file >= 0) {
        close(file);
    }
    return status;
}

static xta_status add_source(xta_server *server, const char *path, xta_error *err)
{
    source *one = NULL;
    xta_status status = xta__source_open(path, server->options.follow, &one, err);

    for (size_t k = 0; status == XTA_OK && k < server->sources.n; k++) {
        if (strcmp(server->sources.sources[k]->name, one->name) == 0) {
            status =
                xta_error_set(err, XTA_EARG, 0,
                              "%s and %s: both would be served as %s; give one by another name, "
                              "such as that of a link to it",
                              server->sources.sources[k]->path, path, one->name);
        }
    }
    if (status == XTA_OK) {
        server->sources.sources[server->sources.n++] = one;
        return XTA_OK;
    }
    xta__source_close(one);
    return status;
}

/* The options, checked, with the texts copied. */
static xta_status set_options(xta_server *server, const xta_serve_options *options, xta_error *err)
{
    xta_serve_options *o = &server->options;
    xta_status status = xta_options_read(o, sizeof *o, options, "xta_serve_options", err);

    if (status != XTA_OK) {
        return status;
    }
    o->connections = o->connections == 0 ? CONNECTIONS : o->connections;
    o->timeout_s = o->timeout_s == 0 ? TIMEOUT_S : o->timeout_s;
    o->memory_bytes = o->memory_bytes == 0 ? MEMORY_BYTES : o->memory_bytes;
    if (o->port < 0 || o->port > 65535 || o->connections < 1 || o->timeout_s < 1 ||
        o->memory_bytes < FEW_BYTES) {
        return xta_error_set(
            err, XTA_EARG, 0,
            "port %d, %d connections, %d seconds and %llu bytes of memory cannot all "
            "be; ports are 0 to 65535, the others at least 1, 1 and 1 MiB",
            o->port, o->connections, o->timeout_s, (unsigned long long)o->memory_bytes);
    }
    for (int k = 0; k < 2; k++) {
        const char *text = k == 0 ? o->origin : o->url;
        char **copy = k == 0 ? &server->origin : &server->url;
        if (text != NULL && xta__clean_bytes(text, strlen(text), false) < strlen(text)) {
            return xta_error_set(err, XTA_EARG, 0, "%s: is no origin or URL", text);
        }
        *copy = text != NULL ? xta__string("%s", text) : NULL;
        if (text != NULL && *copy == NULL) {
            return no_memory(err);
        }
    }
    for (size_t n = server->url != NULL ? strlen(server->url) : 0;
         n > 0 && server->url[n - 1] == '/'; n--) {
        server->url[n - 1] = '\0';
    }
    return XTA_OK;
}

xta_status xta_server_start(const char *const paths[], size_t n, const xta_serve_options *options,
                            xta_server **out, xta_error *err)
{
    xta_status status = XTA_OK;
    xta_server *server = calloc(1, sizeof *server);

    *out = NULL;
    if (server == NULL) {
        return no_memory(err);
    }
    server->options = (xta_serve_options)XTA_SERVE_OPTIONS_INIT;
    xta__budget_init(&server->budget, 0);
    XTA_TRY(set_options(server, options, err));
    if (server->options.guard_sigbus && !xta__bus_guard_install()) {
        XTA_TRY(
            xta_error_set(err, XTA_EIO, errno, "SIGBUS cannot be handled: %s", strerror(errno)));
    }
    server->budget.limit_bytes = server->options.memory_bytes;
    server->sources.memory_bytes = server->options.memory_bytes;
    server->sources.sources = calloc(n + 1, sizeof *server->sources.sources);
    if (server->sources.sources == NULL) {
        XTA_TRY(no_memory(err));
    }
    for (size_t k = 0; k < n; k++) {
        XTA_TRY(add_source(server, paths[k], err));
    }
    XTA_TRY(start_daemon(server, err));
    *out = server;
    server = NULL;

done:
    xta_server_stop(server);
    return status;
}

int xta_server_port(const xta_server *server)
{
    return server->port;
}

void xta_server_stop(xta_server *server)
{
    if (server == NULL) {
        return;
    }
    xta__budget_close(&server->budget);
    if (server->daemon != NULL) {
        MHD_stop_daemon(server->daemon);
    }
    for (size_t k = 0; k < server->sources.n; k++) {
        xta__source_close(server->sources.sources[k]);
    }
    xta__budget_clear(&server->budget);
    free(server->sources.sources);
    free(server->address);
    free(server->origin);
    free(server->url);
    free(server);
}
