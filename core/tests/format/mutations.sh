#!/usr/bin/env bash
# Changed journals with correct checksums: the library and the reference reader agree on each.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/mutations.py"
