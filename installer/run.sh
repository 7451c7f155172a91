#!/usr/bin/env bash
# Installs what is missing, builds, and opens the window with the practice run; without a display it trains in the terminal.
#
#   ./installer/run.sh [--terminal] [-- ARGUMENTS FOR THE PROGRAM]
set -Eeuo pipefail

usage() {
  cat <<'TEXT'
Usage: ./installer/run.sh [--terminal] [-- ARGUMENTS]

Installs what is missing, builds Trainyard, opens its window and starts the practice run (a small network learns to read digits).
Where there is no display it trains in the terminal and leaves curves.png in the run's folder.

  --terminal   train in the terminal even where there is a display
  -- …         handed on to the program: trainyard-gui --start digits …, or trainyard demo …
TEXT
}

terminal=no
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --terminal) terminal=yes && shift ;;
    --) shift && break ;;
    *) usage >&2 && exit 2 ;;
  esac
done
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || terminal=yes

# shellcheck source=installer/bootstrap.sh
source "$(dirname "${BASH_SOURCE[0]}")/bootstrap.sh"

prepare release
build release trainyard trainyard-gui trainyard_images
if [ "$terminal" = yes ]; then
  say "Training on the digits in the terminal"
  report=$(mktemp)
  trap 'rm -f "$report"' EXIT
  "$source_dir/build/release/bin/trainyard" demo "$@" | tee "$report"
  # The last line names the run's folder; with --json it is the key "dir".
  run=$(sed -n 's/^ *"dir": "\(.*\)",$/\1/p' "$report")
  [ -n "$run" ] || run=$(tail -n 1 "$report")
  if [ -f "$run/events.jsonl" ]; then
    QT_QPA_PLATFORM=offscreen "$source_dir/build/release/bin/trainyard-gui" --page run --run "$run" --grab "$run/curves.png"
    say "The curves are in $run/curves.png"
  fi
  exit 0
fi
say "Opening the window"
exec "$source_dir/build/release/bin/trainyard-gui" --start digits "$@"
