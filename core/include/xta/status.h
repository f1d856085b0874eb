/** @file
 * What a call returns: a status, and one line of text that says why it failed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef XTA_STATUS_H
#define XTA_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define XTA_MUST_CHECK          __attribute__((warn_unused_result))
#define XTA_API                 __attribute__((visibility("default")))
#define XTA_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define XTA_MUST_CHECK
#define XTA_API
#define XTA_PRINTF(text, first)
#endif

/** Every fallible function returns one of these. The values are part of the ABI. */
typedef enum xta_status {
    XTA_OK = 0,
    XTA_EARG = 1,          /**< an argument is invalid (the text names argument, value, remedy) */
    XTA_EBOX = 2,          /**< a box or a coordinate leaves the bounds */
    XTA_ETYPE = 3,         /**< element types do not match */
    XTA_ERANGE = 4,        /**< a value cannot be represented in the requested type */
    XTA_EOVERFLOW = 5,     /**< bounds, strides or addresses would exceed 64 bits */
    XTA_ENOMEM = 6,        /**< out of memory */
    XTA_EIO = 7,           /**< a system call failed; `os_errno` says how */
    XTA_ENOSPC = 8,        /**< the disk or the quota is full */
    XTA_ENOENT = 9,        /**< no such array, attribute, step or file */
    XTA_EEXIST = 10,       /**< it already exists */
    XTA_EACCESS = 11,      /**< opened read-only, or the file system forbids it */
    XTA_EFORMAT = 12,      /**< not an XTA file, or of a version this library does not know */
    XTA_ECORRUPT = 13,     /**< an inconsistent XTA file (the text names file and offset) */
    XTA_ESTATE = 14,       /**< the array refuses every call until it is opened again */
    XTA_EUNSUPPORTED = 15, /**< this build, or this kind of array, cannot do it */
    XTA_EFOREIGN = 16,     /**< a library of another format failed; the text quotes its message */
    XTA_ECANCELLED = 17,   /**< a progress function asked to stop */
    XTA_ETIMEDOUT = 18,    /**< other processes did not take part in time */
    XTA_EBUSY = 19,        /**< another handle is the array's exclusive writer; wait, or close it */
    XTA_EUNFINISHED = 20   /**< work that fills the array was interrupted; finish it or undo it */
} xta_status;

#define XTA_ERROR_TEXT_BYTES 512

/** Why a call failed. The memory is the caller's; every function accepts NULL for "not wanted".
 * After XTA_OK the contents are unspecified. */
typedef struct xta_error {
    xta_status status;               /**< the same value the function returned */
    int os_errno;                    /**< errno of the failed system call, or 0 */
    char text[XTA_ERROR_TEXT_BYTES]; /**< one line, no newline: what, where, which value, remedy */
} xta_error;

/** Fill in an error and return its status, for layers above the library and for programs. Does
 * nothing to `*err` if `err` is NULL. The text is cut to XTA_ERROR_TEXT_BYTES - 1 bytes.
 *
 * @param[out] err       may be NULL
 * @param[in]  status    what to return
 * @param[in]  os_errno  errno of the failed system call, or 0
 * @param[in]  format    as for printf
 * @return `status` */
XTA_API xta_status xta_error_set(xta_error *err, xta_status status, int os_errno,
                                 const char *format, ...) XTA_PRINTF(4, 5);

/** The name of a status, such as "XTA_EBOX". Never NULL; static memory. Thread-safe. */
XTA_API const char *xta_status_name(xta_status status);

/** The version of the library, such as "0.2.0". Static memory. Thread-safe. */
XTA_API const char *xta_version(void);

#ifdef __cplusplus
}
#endif
#endif
