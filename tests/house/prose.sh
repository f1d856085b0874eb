#!/bin/bash
# Lines of prose stay within 120 columns.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$XTA_SOURCE_DIR"
mapfile -d '' pages < <(find . -name '*.md' -not -path './build*' -not -path './.git/*' -print0 | sort -z)
[ ${#pages[@]} -gt 10 ] || { echo "prose: only ${#pages[@]} pages found" >&2; exit 1; }
tools/wrap_prose --check "${pages[@]}"
