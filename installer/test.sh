#!/usr/bin/env bash
# Installs what is missing, builds with warnings as errors, and runs every test.
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

prepare ci
build ci
shown "Testing" "The output of each failed test stands above; one test alone: ./installer/test.sh -- -R NAME" \
  ctest --test-dir "$source_dir/build/ci" --output-on-failure --no-tests=error "$@"
