/* Handles and processes: a handle belongs to the process that opened it.
 *
 * A child that fork makes has copies of all handles, with descriptors that share their locks with
 * those of the parent. Unlocking there, or truncating a file at close, would affect the parent. So
 * every open handle of files is in a list, and a handler that fork calls in the child makes all of
 * them useless there: their descriptors are closed, so that the parent keeps the locks and they do
 * not outlive it, and every call but close fails. Calls on cells need no additional check: a handle
 * that is broken has no fast accessors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "array/handle/fork.h"

#include "array/handle/write_guard.h"
#include "array/io/cell.h"

static pthread_once_t handler_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static xta_array *first_handle;
static bool handler_installed;

static void before_fork(void)
{
    pthread_mutex_lock(&list_lock);
}

static void in_parent(void)
{
    pthread_mutex_unlock(&list_lock);
}

static void in_child(void)
{
    for (xta_array *array = first_handle; array != NULL; array = array->next_handle) {
        atomic_store(&array->inherited, true);
        xta__break(array);
        xta__journal_disown(&array->journal);
        xta__guard_disown(array);
        if (!array->replica) {
            xta__chunks_disown(array->chunk_store);
        }
    }
    pthread_mutex_unlock(&list_lock);
}

static void install_handler(void)
{
    handler_installed = pthread_atfork(before_fork, in_parent, in_child) == 0;
}

xta_status xta__handle_enter(xta_array *array, xta_error *err)
{
    pthread_once(&handler_once, install_handler);
    if (!handler_installed) {
        return xta__fail(err, XTA_ENOMEM, 0, "%s: no memory to open the array", array->path);
    }
    pthread_mutex_lock(&list_lock);
    array->next_handle = first_handle;
    array->before_handle = &first_handle;
    if (first_handle != NULL) {
        first_handle->before_handle = &array->next_handle;
    }
    first_handle = array;
    pthread_mutex_unlock(&list_lock);
    return XTA_OK;
}

void xta__handle_leave(xta_array *array)
{
    // Neighbours in the list also change these pointers. An array in memory is in no list.
    pthread_mutex_lock(&list_lock);
    if (array->before_handle != NULL) {
        *array->before_handle = array->next_handle;
        if (array->next_handle != NULL) {
            array->next_handle->before_handle = array->before_handle;
        }
    }
    pthread_mutex_unlock(&list_lock);
}
