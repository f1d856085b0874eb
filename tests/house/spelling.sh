#!/bin/bash
# No word is misspelt in a way that codespell knows. Words that are right stand in spelling.words.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$XTA_SOURCE_DIR"
found=()
for path in README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md Makefile CMakeLists.txt cmake \
    src include tests bench examples fuzz docs tools; do
    if [ -e "$path" ]; then
        found+=("$path")
    fi
done
codespell --ignore-words=tests/house/spelling.words \
    --skip='*.npy,*.nc,*.tif,*.png,*.svg,*.xta,*.xmd,*.csv,*.words,__pycache__,golden,bad' \
    "${found[@]}"
echo "spelling: ${#found[@]} files and folders"
