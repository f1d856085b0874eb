/* Memory that nobody may use now, for the address sanitizer; without it these do nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_UTIL_POISON_H
#define XTA_UTIL_POISON_H

#include <stdbool.h>

#include "util/compiler.h"

/* From XTA__POISON on, each load and store there is reported, until XTA__UNPOISON. */
#if XTA__ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#define XTA__POISON(address, bytes)   __asan_poison_memory_region((address), (bytes))
#define XTA__UNPOISON(address, bytes) __asan_unpoison_memory_region((address), (bytes))
#define XTA__IS_POISONED(address)     (__asan_address_is_poisoned(address) != 0)
#else
#define XTA__POISON(address, bytes)   ((void)(address), (void)(bytes))
#define XTA__UNPOISON(address, bytes) ((void)(address), (void)(bytes))
#define XTA__IS_POISONED(address)     ((void)(address), false)
#endif

#endif
