/* The functions main of formats/tool/import and export, as they are called in verbs_io.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef XTA_TESTS_VERBS_IO_H
#define XTA_TESTS_VERBS_IO_H

int import_main(int argc, char *argv[]);
int export_main(int argc, char *argv[]);

#endif
