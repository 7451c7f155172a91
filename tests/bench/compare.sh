# Sourced by the comparisons with a peer: reads the arguments, sees to the peer's Python and starts $script, which measures. $peer is the program
# that --peers DIR must hold.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=$(basename "$0")
root=$(cd "$here/../.." && pwd)

peers='' python='' trainyard="$root/build/release/bin/trainyard"
rest=()
while [ $# -gt 0 ]; do
  case "$1" in
    --peers|--python|--trainyard)
      [ $# -ge 2 ] || { echo "$name: $1 needs a value" >&2; exit 2; }
      case "$1" in --peers) peers=$2 ;; --python) python=$2 ;; --trainyard) trainyard=$2 ;; esac
      shift 2 ;;
    -h|--help) sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"; python3 "$here/$script" --help; exit 0 ;;
    *) rest+=("$1"); shift ;;
  esac
done

[ -n "$peers" ] || { echo "$name: --peers DIR is missing: the folder with $peer" >&2; exit 2; }
[ -f "$peers/$peer" ] || { echo "$name: there is no $peer in $peers" >&2; exit 2; }
[ -x "$trainyard" ] || {
  echo "$name: $trainyard is not there; build it (cmake --preset release && cmake --build --preset release) or name it with --trainyard" >&2
  exit 2
}

if [ -z "$python" ]; then
  environment="${TRAINYARD_CACHE:-$HOME/.cache/trainyard}/peers"
  python="$environment/bin/python"
  if [ ! -e "$environment/complete" ]; then
    echo "$name: making a Python environment in $environment (about 5 GB)" >&2
    python3 -m venv "$environment"
    "$python" -m pip install --quiet -r "$peers/requirements.txt"
    touch "$environment/complete"
  fi
fi

exec python3 "$here/$script" --python "$python" --peers "$peers" --trainyard "$trainyard" ${rest[@]+"${rest[@]}"}
