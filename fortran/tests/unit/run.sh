#!/bin/bash
# Run a program in an empty folder, which is its only argument and is removed afterwards.
#
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

work=$(mktemp -d "${XTA_TEST_DIR:-${TMPDIR:-/tmp}}/xta-fortran.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
"$1" "$work"
