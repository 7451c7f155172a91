#!/usr/bin/env bash
# Times Trainyard beside the Python program that a careful PyTorch user would write, in pairs, and writes the table last.md beside this script.
#
#   tests/bench/peers.sh --peers DIR [--python PYTHON] [--trainyard PROGRAM] [further options of peers.py]
#
# --peers DIR      the folder with peer_train.py and requirements.txt
# --python         a Python with what requirements.txt lists; without it an environment of its own is made under the cache (about 5 GB, once)
# --trainyard      default: the release build of this checkout
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)

peers='' python='' trainyard="$root/build/release/bin/trainyard"
rest=()
while [ $# -gt 0 ]; do
  case "$1" in
    --peers|--python|--trainyard)
      [ $# -ge 2 ] || { echo "peers.sh: $1 needs a value" >&2; exit 2; }
      case "$1" in --peers) peers=$2 ;; --python) python=$2 ;; --trainyard) trainyard=$2 ;; esac
      shift 2 ;;
    -h|--help) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; python3 "$here/peers.py" --help; exit 0 ;;
    *) rest+=("$1"); shift ;;
  esac
done

[ -n "$peers" ] || { echo "peers.sh: --peers DIR is missing: the folder with peer_train.py" >&2; exit 2; }
[ -f "$peers/peer_train.py" ] || { echo "peers.sh: there is no peer_train.py in $peers" >&2; exit 2; }
[ -x "$trainyard" ] || {
  echo "peers.sh: $trainyard is not there; build it (cmake --preset release && cmake --build --preset release) or name it with --trainyard" >&2
  exit 2
}

if [ -z "$python" ]; then
  environment="${TRAINYARD_CACHE:-$HOME/.cache/trainyard}/peers"
  python="$environment/bin/python"
  if [ ! -e "$environment/complete" ]; then
    echo "peers.sh: making a Python environment in $environment (about 5 GB)" >&2
    python3 -m venv "$environment"
    "$python" -m pip install --quiet -r "$peers/requirements.txt"
    touch "$environment/complete"
  fi
fi

exec python3 "$here/peers.py" --python "$python" --peers "$peers" --trainyard "$trainyard" ${rest[@]+"${rest[@]}"}
