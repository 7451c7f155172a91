#!/bin/sh
# The all-reduce of a gradient bucket between two CPU ranks: shared memory against Gloo over the loopback. Usage: allreduce.sh [trainyard]
set -eu
trainyard=${1:-$(dirname "$0")/../../build/release/bin/trainyard}
"$trainyard" bench allreduce --json | python3 -c '
import json, sys
result = json.load(sys.stdin)
print("| collectives | median, ms | best, ms | GB/s |\n|---|---|---|---|")
for one in result["backends"]:
    print("| {id} | {median_ms:.2f} | {min_ms:.2f} | {gb_per_s:.2f} |".format(**one))
print("\n{ranks} ranks, {mib:.0f} MiB, {rounds} rounds: local is {local_over_gloo:.1f} times as quick".format(mib=result["bytes"] / 2**20, **result))
sys.exit(0 if result["local_over_gloo"] >= 5 else 1)'
