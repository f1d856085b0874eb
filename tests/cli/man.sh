# Each command has a man page; its options are those of `xta help`; pages are free of errors; and the
# examples on them do what they say.
# SPDX-License-Identifier: Apache-2.0
exec python3 "$(dirname "$0")/man.py"
