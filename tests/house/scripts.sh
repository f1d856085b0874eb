#!/bin/bash
# Shell scripts pass shellcheck, Python ones compile, pages of the manual pass mandoc's errors.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$XTA_SOURCE_DIR"
lists=(*/CMakeLists.txt)
shell=()
python=()
while IFS= read -r -d '' file && IFS= read -r head; do
    case "$head" in
    '#!'*bash* | '#!/bin/sh'*) shell+=("$file") ;;
    '#!'*python*) python+=("$file") ;;
    esac
done < <(find "${lists[@]%/*}" tools .ci -type f ! -name '*.[ch]' ! -name '*.cpp' -size +0 -print0 | LC_ALL=C sort -z |
    LC_ALL=C xargs -0 awk 'FNR == 1 { printf "%s%c%s\n", FILENAME, 0, substr($0, 1, 64); nextfile }')
[ -f tools/completion/xta.bash ] && shell+=(tools/completion/xta.bash)

shellcheck --severity=warning --shell=bash "${shell[@]}"
/usr/bin/python3 - "${python[@]}" <<'END'
import ast, sys
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as handle:
        ast.parse(handle.read(), name)
END

pages=0
for page in */man/*.[15]; do
    mandoc -T lint -W error "$page"
    pages=$((pages + 1))
done
[ "$pages" -gt 20 ] || { echo "scripts: only $pages pages" >&2; exit 1; }
echo "scripts: ${#shell[@]} shell, ${#python[@]} Python, $pages pages"
