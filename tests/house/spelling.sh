#!/bin/bash
# No word is misspelt in a way that codespell knows. Words that are correct are listed in spelling.words.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$XTA_SOURCE_DIR"
lists=(*/CMakeLists.txt)
found=(*.md Makefile CMakeLists.txt cmake docs tools "${lists[@]%/*}")
codespell --ignore-words=tests/house/spelling.words \
    --skip='*.npy,*.nc,*.tif,*.png,*.svg,*.xta,*.xmd,*.csv,*.words,__pycache__,golden,bad' \
    "${found[@]}"
echo "spelling: ${#found[@]} files and folders"
