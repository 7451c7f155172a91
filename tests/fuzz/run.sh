#!/usr/bin/env bash
# Runs every fuzz target for a while, two at a time. A finding stops nothing; in the end it makes this fail, and its input is kept.
# The inputs are the same at each run; for others: FUZZ_SEED=0.
#
#   tests/fuzz/run.sh BUILD_FOLDER [SECONDS_EACH [TARGET…]]
set -Eeuo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$(cd "${1:?give the build folder}" && pwd)
seconds=${2:-60}
shift $(($# < 2 ? $# : 2))
targets=("$@")
[ "${#targets[@]}" -gt 0 ] || targets=(idx cifar csv tar webdataset tfrecord image)

# The targets write small files: in memory, please.
scratch=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")" trainyard-fuzz.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

fuzz() { # target
  local corpus=$build/corpus/$1 findings=$build/findings/$1 seeds=("$source_dir/corpus/$1") status=0
  [ "$1" != image ] || seeds=("$source_dir/../golden/pictures")
  mkdir -p "$corpus" "$findings" "$scratch/$1"
  TMPDIR=$scratch/$1 nice "$build/bin/fuzz_$1" -seed="${FUZZ_SEED:-1}" -max_total_time="$seconds" -rss_limit_mb=1024 -timeout=20 -max_len=32768 -print_final_stats=1 \
    -artifact_prefix="$findings/" "$corpus" "${seeds[@]}" >"$build/fuzz_$1.log" 2>&1 || status=$?
  echo "$status" >"$scratch/$1.status"
}

summary() { # target
  local log=$build/fuzz_$1.log status runs input
  status=$(cat "$scratch/$1.status")
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  if [ "$status" -eq 0 ]; then
    printf '    fuzz %-10s no finding in %s s, %s inputs\n' "$1" "$seconds" "${runs:-?}"
    return 0
  fi
  input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
  printf '    fuzz %-10s FINDING: %s\n' "$1" "$(grep -m 1 -E 'SUMMARY:|ERROR:' "$log" || echo "ended with $status")"
  printf '         again: %s %s   (whole output: %s)\n' "$build/bin/fuzz_$1" "${input:-}" "$log"
  return 1
}

failed=0
for ((i = 0; i < ${#targets[@]}; i += 2)); do
  for target in "${targets[@]:i:2}"; do fuzz "$target" & done
  wait
  for target in "${targets[@]:i:2}"; do summary "$target" || failed=1; done
done
exit "$failed"
