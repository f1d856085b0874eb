# --memory holds for a scene that is four times larger: the additional memory of a command compared with a small scene
# stays below the limit, and the results are those without a limit.
# SPDX-License-Identifier: Apache-2.0
if grep -q __asan_init "$XTA_TOOL"; then
    echo "SKIPPED: the sanitizer takes memory of its own: limits of xta hyper" >&2
    exit 77
fi
source "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_scene.sh"
exec python3 "$XTA_SOURCE_DIR/hyper/tests/cli/hyper_memory.py"
