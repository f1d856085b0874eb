/* The Python objects that the module keeps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "support/common.h"

module_objects xta_python;
