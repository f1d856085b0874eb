#!/bin/bash
# A machine for ranks, simulated: machine.sh [-OPTION...] HOST COMMAND...
# An MPI launcher calls this instead of ssh, on this machine. COMMAND, the launcher's own process on HOST, runs with its
# own host name and its own mounts: the folder $XTA_TEST_DIR, shared by all machines, is bind-mounted once for each;
# shared memory (/dev/shm) and the folder for temporary files are the machine's. Processes and the network are those of
# the real machine.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
while [[ ${1:-} == -* ]]; do
    shift
done
host=$1
shift

# ssh would pass the words to a shell, so the launchers quote them for one.
export XTA_MACHINE=$host XTA_MACHINE_COMMAND="$*"
exec unshare --mount --uts --propagation private bash -euc '
    hostname "$XTA_MACHINE"
    mount -t tmpfs none /dev/shm
    mount --bind "$XTA_TEST_DIR" "$XTA_TEST_DIR"
    mkdir -p "$XTA_TEST_LOCAL"
    mount -t tmpfs none "$XTA_TEST_LOCAL"
    export TMPDIR=$XTA_TEST_LOCAL
    cd "$XTA_TEST_DIR"
    eval "$XTA_MACHINE_COMMAND"'
