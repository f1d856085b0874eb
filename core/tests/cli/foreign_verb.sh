# A verb that is none of ours: xta-VERB of the PATH is run with the arguments, and a closed pipe ends it as usual.
# SPDX-License-Identifier: Apache-2.0
mkdir programs
cat >programs/xta-greet <<'END'
#!/bin/sh
printf '<%s>' "$@"
echo
# Bit 13 of the ignored signals is SIGPIPE.
read -r _ ignored <<SIGNALS
$(grep SigIgn /proc/self/status)
SIGNALS
echo "ignored: $((0x$ignored >> 12 & 1))"
exit 3
END
chmod +x programs/xta-greet
status=0
PATH=$PATH:$PWD/programs xta greet "a b" --chunk 3 || status=$?
echo $status
# Not executable, a folder of the name, and a verb with a slash.
chmod -x programs/xta-greet
for verb in greet programs/xta-greet; do
    status=0
    PATH=$PATH:$PWD/programs xta "$verb" 2>&1 || status=$?
    echo $status
done
