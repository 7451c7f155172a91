#!/usr/bin/env bash
# Brings LibTorch: PyPI's wheels, used as archives only, checked, and unpacked side by side. Sourced by bootstrap.sh.
# Result: torch_dir, the folder that holds include/ and lib/.
# shellcheck shell=bash

libtorch_version=2.15.0
cache_dir=${TRAINYARD_CACHE:-~/.cache/trainyard}
torch_dir=${TRAINYARD_TORCH_DIR:-}

has_nvidia_gpu() {
  [ -e /proc/driver/nvidia/version ] || { command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; }
}

wheel_list() { # variant → "name version sha256" lines
  local files=("$source_dir/installer/libtorch-cpu.txt")
  [ "$1" = cpu ] || files+=("$source_dir/installer/libtorch-cuda.txt")
  sed -n 's/^\([a-z0-9-]*\)==\([0-9.]*\) --hash=sha256:\([0-9a-f]*\)$/\1 \2 \3/p' "${files[@]}"
}

stamp_of() { wheel_list "$1" | sha256sum | cut -d ' ' -f 1; } # variant

# Every file that the wheels' own lists name is there with its size.
verify_unpacked() { # folder, variant
  # shellcheck disable=SC2046
  python3 - "$1" $(wheel_list "$2" | while read -r name version _; do printf '%s-%s ' "${name//-/_}" "$version"; done) <<'PYTHON'
import csv, os, sys

folder, wheels = sys.argv[1], sys.argv[2:]
for wheel in wheels:
    record = os.path.join(folder, wheel + ".dist-info", "RECORD")
    try:
        rows = list(csv.reader(open(record, newline="")))
    except OSError:
        sys.exit(f"{wheel}: not there")
    for path, _, size in rows:
        if size and (not os.path.isfile(os.path.join(folder, path)) or os.path.getsize(os.path.join(folder, path)) != int(size)):
            sys.exit(f"{wheel}: {path} is missing or has another size than {size} bytes")
PYTHON
}

# A folder counts only with its stamp, or after a look at every file in it.
is_complete() { # folder, variant
  [ -f "$1/torch/lib/libtorch_cpu.so" ] || return 1
  [ "$(cat "$1/.complete" 2>/dev/null)" = "$(stamp_of "$2")" ] && return 0
  verify_unpacked "$1" "$2" || return 1
  stamp_of "$2" >"$1/.complete" 2>/dev/null || true # another user's cache may be read-only
}

find_wheel() { # name, version
  local candidate
  for candidate in "$cache_dir/wheels/${1//-/_}-$2"-*.whl; do
    [ -f "$candidate" ] && printf '%s' "$candidate" && return 0
  done
  return 1
}

# Any Python will do: the wheel's own version and platform are named.
download_wheel() { # name, version
  local platforms=() minor
  for ((minor = 28; minor >= 5; --minor)); do platforms+=(--platform "manylinux_2_${minor}_x86_64"); done
  platforms+=(--platform manylinux2014_x86_64 --platform manylinux2010_x86_64 --platform manylinux1_x86_64)
  PIP_REQUIRE_VIRTUALENV=false python3 -m pip download --quiet --disable-pip-version-check --no-input --no-cache-dir --no-deps --only-binary=:all: \
    --implementation cp --python-version 3.11 "${platforms[@]}" --dest "$cache_dir/wheels" "$1==$2"
}

wheel_is_right() { # file, sha256; a wrong file is deleted
  [ "$(sha256sum "$1" | cut -d ' ' -f 1)" = "$2" ] && return 0
  rm -f "$1"
  echo "$(basename "$1") has a wrong checksum and was deleted (expected sha256 $2)"
  return 1
}

fetch_wheel() { # name, version, sha256
  local wheel
  if wheel=$(find_wheel "$1" "$2") && wheel_is_right "$wheel" "$3"; then return 0; fi
  download_wheel "$1" "$2" || return 1
  wheel=$(find_wheel "$1" "$2") || { echo "pip brought no file for $1==$2" && return 1; }
  wheel_is_right "$wheel" "$3"
}

# Unpacked aside, then renamed: the final folder is never half there.
unpack_wheels() { # folder, variant
  local aside=$1.unpacking.$$ wheel name version
  rm -rf "$1".unpacking.*
  mkdir -p "$aside" || return 1
  while read -r name version _; do
    wheel=$(find_wheel "$name" "$version") && python3 -m zipfile -e "$wheel" "$aside" || return 1
  done < <(wheel_list "$2")
  verify_unpacked "$aside" "$2" || return 1
  stamp_of "$2" >"$aside/.complete" || return 1
  rm -rf "$1"
  mv "$aside" "$1"
}

check_space() { # GiB
  local free_kib
  free_kib=$(df -Pk "$cache_dir" | awk 'NR == 2 {print $4}')
  [ "$free_kib" -ge $(($1 * 1048576)) ] || die "$cache_dir has $((free_kib / 1048576)) GiB free; LibTorch needs $1 while it is unpacked" \
    "Free some space, or set TRAINYARD_CACHE to a folder on a larger disk."
}

fetch_libtorch() { # folder, variant
  local hint name version sum
  hint="Check the network (pip's settings count: a proxy, a mirror), then start again; what has arrived is kept. An existing LibTorch is taken with TRAINYARD_TORCH_DIR=…"
  [ ! -e "$1" ] || note "$1 is not complete; it will be replaced"
  while read -r name version sum; do
    quiet "fetch-$name" "Fetching $name $version" "$hint" fetch_wheel "$name" "$version" "$sum"
  done < <(wheel_list "$2")
  quiet unpack-libtorch "Unpacking LibTorch" "Check that $cache_dir is on a disk with room and may be written, then start again." unpack_wheels "$1" "$2"
  rm -rf "$cache_dir/wheels"
}

provide_libtorch() {
  if [ -n "$torch_dir" ]; then
    [ -f "$torch_dir/lib/libtorch_cpu.so" ] || die "TRAINYARD_TORCH_DIR=$torch_dir holds no lib/libtorch_cpu.so" "Name the folder that holds include/ and lib/."
    say "LibTorch: $torch_dir"
    return 0
  fi
  local variant=cpu space=3 folder
  if has_nvidia_gpu; then variant=cuda space=8; fi
  folder=$cache_dir/libtorch-$libtorch_version-$variant
  torch_dir=$folder/torch
  if is_complete "$folder" "$variant" 2>/dev/null; then
    say "LibTorch $libtorch_version ($variant): there"
    return 0
  fi
  [ "$(uname -m)" = x86_64 ] || die "LibTorch is fetched for x86_64 only; this is $(uname -m)" "Install a LibTorch for it and name it with TRAINYARD_TORCH_DIR=…"
  mkdir -p "$cache_dir/wheels" || die "$cache_dir cannot be written" "Set TRAINYARD_CACHE to a folder of yours."
  exec 9>"$cache_dir/.lock"
  if command -v flock >/dev/null && ! flock -n 9; then
    note "another installer is at work in $cache_dir; waiting for it"
    flock 9
  fi
  if ! is_complete "$folder" "$variant" 2>/dev/null; then
    check_space "$space"
    fetch_libtorch "$folder" "$variant"
  fi
  exec 9>&-
}
