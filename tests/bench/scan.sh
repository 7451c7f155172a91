#!/usr/bin/env bash
# Times `trainyard data scan` on many small JPEGs beside what reading and decoding them on all cores costs, and prints a table.
#
#   tests/bench/scan.sh [--pictures N] [--trainyard PROGRAM] [--folder DIR] [--python PYTHON]
#
# --pictures     how many pictures of 64×64 (default 20000)
# --trainyard    default: the release build of this checkout
# --python       a Python with Pillow (default: python3), to make the pictures
# --folder       where the pictures are made, and kept for the next time (default: a temporary folder)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

python=python3 pictures=20000 trainyard="$root/build/release/bin/trainyard" folder=''
while [ $# -gt 0 ]; do
  case "$1" in
    --pictures|--trainyard|--folder|--python)
      [ $# -ge 2 ] || { echo "scan.sh: $1 needs a value" >&2; exit 2; }
      case "$1" in --pictures) pictures=$2 ;; --trainyard) trainyard=$2 ;; --folder) folder=$2 ;; --python) python=$2 ;; esac
      shift 2 ;;
    -h|--help) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "scan.sh: unknown option $1" >&2; exit 2 ;;
  esac
done
[ -x "$trainyard" ] || { echo "scan.sh: $trainyard is not there; build it or name it with --trainyard" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
exec "$python" "$here/scan.py" --pictures "$pictures" --trainyard "$trainyard" --folder "${folder:-$work/pictures}" --work "$work"
