/* Functions that libxta exports to the other libraries of this source tree, and to nobody else.
 *
 * libxta_parallel is linked against the shared libxta and needs more functions of it than users do.
 * These are declared with XTA_PRIVATE_API, and are listed in core/libxta.map.in under a symbol
 * version of its own, XTA_PRIVATE_<version>, as glibc does with GLIBC_PRIVATE: the headers are not
 * installed, nothing is promised, and a libxta_parallel of another version does not start.
 * tools/check_symbols compares list, declarations and library. Other products include the headers
 * of core/src/private only.
 *
 * When the core itself is compiled (XTA_CORE) the symbols are protected: visible from outside, but
 * called inside libxta as directly as hidden ones.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_PRIVATE_API_H
#define XTA_PRIVATE_API_H

#if defined(XTA_CORE) && defined(__ELF__)
#define XTA_PRIVATE_API __attribute__((visibility("protected")))
#else
#define XTA_PRIVATE_API __attribute__((visibility("default")))
#endif

#endif
