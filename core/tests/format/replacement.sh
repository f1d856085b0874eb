#!/usr/bin/env bash
# An array that replaces another one: every state in which a machine may stop.
# SPDX-License-Identifier: Apache-2.0
set -eu
exec "${XTA_PYTHON:-/usr/bin/python3}" -B "$(dirname "$0")/replacement.py"
