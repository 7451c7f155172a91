#!/usr/bin/env bash
# Times the all-reduce of a gradient bucket (25 MiB) between two CPU ranks, over shared memory beside Gloo over the loopback, and prints a table.
# Ends with 1 where shared memory is less than 5 times as quick.
#
#   tests/bench/allreduce.sh [--trainyard PROGRAM]
#
# --trainyard    default: the release build of this checkout
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

trainyard="$root/build/release/bin/trainyard"
while [ $# -gt 0 ]; do
  case "$1" in
    --trainyard)
      [ $# -ge 2 ] || { echo "allreduce.sh: $1 needs a value" >&2; exit 2; }
      trainyard=$2; shift 2 ;;
    -h|--help) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "allreduce.sh: unknown option $1" >&2; exit 2 ;;
  esac
done
[ -x "$trainyard" ] || { echo "allreduce.sh: $trainyard is not there; build it or name it with --trainyard" >&2; exit 2; }
"$trainyard" bench allreduce --json | python3 -c '
import json, sys
result = json.load(sys.stdin)
print("| collectives | median, ms | best, ms | GB/s |\n|---|---|---|---|")
for one in result["backends"]:
    print("| {id} | {median_ms:.2f} | {min_ms:.2f} | {gb_per_s:.2f} |".format(**one))
print("\n{ranks} ranks, {mib:.0f} MiB, {rounds} rounds: local is {local_over_gloo:.1f} times as quick as gloo".format(mib=result["bytes"] / 2**20, **result))
sys.exit(0 if result["local_over_gloo"] >= 5 else 1)'
