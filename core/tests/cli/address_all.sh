# xta address --all against a naive program that assigns addresses chunk by chunk: random histories with
# growth at both sides, shrinking and rank growth. The seed is printed on failure.
# SPDX-License-Identifier: Apache-2.0
exec python3 "$(dirname "$0")/address_all.py"
