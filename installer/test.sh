#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors, runs every test, and then a minute of each fuzz target (four minutes in all).
# With arguments for ctest: those tests alone.
#
#   ./installer/test.sh [-- ARGUMENTS FOR CTEST]
set -Eeuo pipefail

if [ "${1:-}" = -h ] || [ "${1:-}" = --help ]; then
  printf 'Usage: ./installer/test.sh [-- ARGUMENTS FOR CTEST]   for example: -- -R loader\n'
  exit 0
fi
if [ $# -gt 0 ]; then
  [ "$1" = -- ] || { printf 'Usage: ./installer/test.sh [-- ARGUMENTS FOR CTEST]\n' >&2 && exit 2; }
  shift
fi

# shellcheck source=installer/bootstrap.sh
source "$(dirname "${BASH_SOURCE[0]}")/bootstrap.sh"

[ $# -gt 0 ] || required_packages+=("${fuzzing_packages[@]}")
prepare ci
build ci
shown "Testing" "The output of each failed test stands above; one test alone: ./installer/test.sh -- -R NAME" \
  ctest --test-dir "$source_dir/build/ci" --output-on-failure --no-tests=error "$@"
[ $# -eq 0 ] || exit 0

configure fuzz
build fuzz fuzzers
shown "Fuzzing the readers" "The lines above name the inputs that break them; each command shown runs one again." \
  "$source_dir/tests/fuzz/run.sh" "$source_dir/build/fuzz"
