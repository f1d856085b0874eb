# The frame around the commands: help, version, unknown commands and options, exit codes.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
xta --help | head -n 1
xta help | cmp - <(xta --help)
xta -h | cmp - <(xta --help)
[ "$(xta --version)" = "xta $(cat "$XTA_SOURCE_DIR/VERSION")" ] && echo version
[ "$(xta version | head -n 1)" = "$(xta --version)" ] && echo version
xta version | grep -c '^bridge npy: '
for command in $(xta --help | sed -n 's/^  \([a-z-]*\) .*/\1/p'); do
    xta help "$command" >help.txt || echo "help $command failed"
    xta "$command" --help | cmp - help.txt
    xta "$command" -h | cmp - help.txt
    grep -q "^Usage: xta $command" help.txt && grep -q '^Options:' help.txt && grep -q '^Example:' help.txt ||
        echo "$command: a part of the help is missing"
    awk -v name="$command" 'length($0) > 79 { print name ": line too long: " $0 }' help.txt
    grep -A2 '^Example:' help.txt | grep -q "xta $command" || echo "$command: no example"
done
try
try raed
try frobnicate
try help raed
try help read write
try --verbose
try version now
try read a --as=text --as=raw
try ls -z
try ls --long=yes
try ls -- -l
