#!/usr/bin/env bash
# What a group must do, seen from outside: in the files it leaves, and in its system calls.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/group.py"
