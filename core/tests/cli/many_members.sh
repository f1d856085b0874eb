# More members than descriptors: the soft limit is raised, and an error names the hard one.
# SPDX-License-Identifier: Apache-2.0
try() {
    xta "$@" 2>&1
    echo "exit $?"
}
mkdir set
for k in $(seq 10 39); do
    xta create set/m$k --type u8 --bounds 2 --chunk 4 --names t
done
ulimit -S -n 40
xta extend set --axis t --by 2 | sort | sed -n '1p;$p'
xta info set | grep -c '(t)'
try copy set other
try diff set other
try check set
ulimit -H -n 40
xta extend set --axis t --by 1 2>&1 | sed 's/m[0-9][0-9]\.x[a-z]*:/mNN:/'
for k in $(seq 10 39); do xta info set/m$k; done | grep '^bounds' | uniq
