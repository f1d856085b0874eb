/* xta hyper as a separate program.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "kit/program.h"
#include "verb_loader.h"

int main(int argc, char *argv[])
{
    return cli_verb_program(&cli_hyper, argc, argv);
}
