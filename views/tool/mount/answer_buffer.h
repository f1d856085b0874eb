/* Memory for answers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_VIEWS_TOOL_MOUNT_ANSWER_BUFFER_H
#define XTA_VIEWS_TOOL_MOUNT_ANSWER_BUFFER_H

/* Memory for the largest request, MOUNT_REQUEST_BYTES, until it is given back; from any thread.
 * NULL: out of memory. */
void *answer_buffer_take(void);
void answer_buffer_give(void *buffer);

#endif
