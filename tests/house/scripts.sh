#!/bin/bash
# Shell scripts pass shellcheck, Python ones compile, pages of the manual pass mandoc's errors.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$XTA_SOURCE_DIR"
lists=(*/CMakeLists.txt)
mapfile -d '' candidates < <(find "${lists[@]%/*}" tools .ci -type f \
    ! -name '*.[ch]' ! -name '*.cpp' -print0 | sort -z)
shell=()
python=()
for file in "${candidates[@]}"; do
    head=$(head -c 64 "$file" | head -n 1 | tr -d '\0')
    case "$head" in
    '#!'*bash* | '#!/bin/sh'*) shell+=("$file") ;;
    '#!'*python*) python+=("$file") ;;
    esac
done
[ -f tools/completion/xta.bash ] && shell+=(tools/completion/xta.bash)

shellcheck --severity=warning --shell=bash "${shell[@]}"
for file in "${python[@]}"; do
    /usr/bin/python3 - "$file" <<'END'
import ast, sys
with open(sys.argv[1], encoding="utf-8") as handle:
    ast.parse(handle.read(), sys.argv[1])
END
done

pages=0
for page in */man/*.[15]; do
    mandoc -T lint -W error "$page"
    pages=$((pages + 1))
done
[ "$pages" -gt 20 ] || { echo "scripts: only $pages pages" >&2; exit 1; }
echo "scripts: ${#shell[@]} shell, ${#python[@]} Python, $pages pages"
