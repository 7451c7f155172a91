#!/usr/bin/env bash
# Times saving and loading a checkpoint beside torch.save with fsync and torch.load, in pairs; writes the table checkpoint.md beside it.
#
#   tests/bench/checkpoint.sh --python PYTHON [--trainyard PROGRAM] [--folder DIR] [further options of checkpoint.py]
#
# --python       a Python with torch
# --trainyard    default: the release build of this checkout
# --folder       on the disk to measure (default: a temporary folder)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case "${1:-}" in -h|--help) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" ;; esac
exec python3 "$here/checkpoint.py" --trainyard "$here/../../build/release/bin/trainyard" "$@"
