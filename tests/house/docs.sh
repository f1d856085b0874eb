#!/bin/bash
# `make docs`: the pages are made without a warning, twice to the same bytes; links lead somewhere; in a browser nothing
# is on the console and nothing is asked of a network. The commands of the tutorial print what stands there.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
skip() {
    echo "SKIPPED: $*" >&2
    exit 77
}
fail() {
    echo "docs: $*" >&2
    exit 1
}
for program in doxygen ncgen ncdump; do
    command -v $program >/dev/null || skip "there is no $program; tools/install-deps brings it"
done
/usr/bin/python3 -c 'import sphinx' 2>/dev/null || skip 'there is no Sphinx; tools/install-deps brings it'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$XTA_SOURCE_DIR"

# --- The tutorial, and one that is wrong.
export PATH="${XTA_TOOL%/*}:$PATH"
if [[ "$(xta version)" == *'bridge netcdf'* ]]; then
    tools/check_tutorial docs/html/tutorial.rst
    sed '0,/17\.5 17\.6 17\.8 18\.1$/s/18\.1$/18.2/; s/sst --axis time --by 2$/sst --axis none --by 2/' docs/html/tutorial.rst \
        >"$work/wrong.rst"
    ! tools/check_tutorial "$work/wrong.rst" >"$work/log" 2>&1 || fail "check_tutorial accepts a page that is wrong"
    grep -q 'axis none\|none' "$work/log" || fail "check_tutorial does not name the command that fails"
fi

# --- The pages.
tools/make_docs --out "$work/docs" || fail "make_docs failed"
tools/make_docs --out "$work/again" >/dev/null
diff -r "$work/docs" "$work/again" >"$work/log" || {
    head -n 20 "$work/log"
    fail "two runs give different bytes"
}
[ -s "$work/docs/api/array__lifetime_8h.html" ] || fail "the reference has no page of <xta/array_lifetime.h>"
for name in $(sed -n 's/.*XTA_API.* \*\{0,1\}\(xta_[a-z_]*\)(.*/\1/p' core/include/xta/dataset.h); do
    grep -q "$name" "$work/docs/api/dataset_8h.html" || fail "the reference does not have $name"
done

# --- The check of links finds each kind of fault.
wrong() { # EXPECTED HTML
    rm -rf "$work/wrong"
    mkdir "$work/wrong"
    echo "<!DOCTYPE html><title>x</title><p id=\"there\"><a href=\"#there\">x</a>$2" >"$work/wrong/page.html"
    ! tools/check_links "$work/wrong" >"$work/log" 2>&1 || fail "check_links accepts $2"
    grep -q "$1" "$work/log" || fail "check_links says of $2: $(cat "$work/log")"
}
wrong 'leads to no file' '<a href="gone.html">x</a>'
wrong 'leads to no anchor' '<a href="page.html#gone">x</a>'
wrong 'loads https://example.org' '<script src="https://example.org/a.js"></script>'
wrong 'loads //example.org' '<style>@import "//example.org/font.css";</style>'

# --- In a browser.
command -v chromium >/dev/null || skip 'there is no chromium; tools/install-deps brings it'
/usr/bin/python3 tests/house/docs_browser.py "$work/docs" "$work"
echo "docs: $(find "$work/docs" -name '*.html' | wc -l) pages"
