/* The bands of one item, shared by several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "reduction/shared_bands.h"

bool xta__shared_bands_make(xta__shared_bands *bands)
{
    *bands = (xta__shared_bands){.begun = 0};
    if (pthread_mutex_init(&bands->lock, NULL) != 0) {
        return false;
    }
    if (pthread_cond_init(&bands->passed, NULL) != 0) {
        pthread_mutex_destroy(&bands->lock);
        return false;
    }
    return true;
}

void xta__shared_bands_clear(xta__shared_bands *bands)
{
    pthread_cond_destroy(&bands->passed);
    pthread_mutex_destroy(&bands->lock);
}

size_t xta__shared_bands_next(xta__shared_bands *bands)
{
    pthread_mutex_lock(&bands->lock);
    size_t band = bands->begun++;
    pthread_mutex_unlock(&bands->lock);
    return band;
}

bool xta__shared_bands_wait(xta__shared_bands *bands, size_t band)
{
    pthread_mutex_lock(&bands->lock);
    while (!bands->stop && bands->added != band) {
        pthread_cond_wait(&bands->passed, &bands->lock);
    }
    bool turn = !bands->stop;
    pthread_mutex_unlock(&bands->lock);
    return turn;
}

void xta__shared_bands_pass(xta__shared_bands *bands)
{
    pthread_mutex_lock(&bands->lock);
    bands->added++;
    pthread_cond_broadcast(&bands->passed);
    pthread_mutex_unlock(&bands->lock);
}

void xta__shared_bands_stop(xta__shared_bands *bands)
{
    pthread_mutex_lock(&bands->lock);
    bands->stop = true;
    pthread_cond_broadcast(&bands->passed);
    pthread_mutex_unlock(&bands->lock);
}
