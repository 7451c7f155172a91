#!/usr/bin/env bash
# What run.sh and test.sh have in common: bring what is missing, configure, build. Sourced, not run.
#
#   TRAINYARD_CACHE       where LibTorch is kept (default ~/.cache/trainyard)
#   TRAINYARD_TORCH_DIR   an existing LibTorch to build with; nothing is fetched then
#   TRAINYARD_JOBS        compilers at a time (default: as many as processors and memory allow)
set -Eeuo pipefail

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log_dir=$source_dir/build/logs
# shellcheck source=installer/libtorch.sh
source "$source_dir/installer/libtorch.sh"

say() { printf '==> %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }
die() { # what happened, what to do
  printf '\nerror: %s\n' "$1" >&2
  if [ -n "${2:-}" ]; then printf '       %s\n' "$2" >&2; fi
  exit 1
}

milliseconds() { date +%s%3N; }
duration() { # of so many milliseconds, for people
  if [ "$1" -lt 60000 ]; then
    printf '%d.%d s' $(($1 / 1000)) $(($1 % 1000 / 100))
  else
    printf '%d min %02d s' $(($1 / 60000)) $(($1 / 1000 % 60))
  fi
}

# quiet LOG TEXT HINT COMMAND…: one line with its duration; the command's output goes to a log, whose end is shown when it fails.
quiet() {
  local log=$log_dir/$1.log text=$2 hint=$3 start status=0
  shift 3
  mkdir -p "$log_dir"
  start=$(milliseconds)
  printf '==> %s ... ' "$text"
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -eq 0 ]; then
    printf '%s\n' "$(duration $(($(milliseconds) - start)))"
    return 0
  fi
  printf 'failed after %s\n' "$(duration $(($(milliseconds) - start)))"
  tail -n 40 "$log" >&2
  die "$text: failed (the whole output is in $log)" "$hint"
}

# shown TEXT HINT COMMAND…: the same for a command whose output one wants to watch.
shown() {
  local text=$1 hint=$2 start status=0
  shift 2
  start=$(milliseconds)
  say "$text"
  "$@" || status=$?
  [ "$status" -eq 0 ] || die "$text: failed after $(duration $(($(milliseconds) - start)))" "$hint"
  say "$text: done in $(duration $(($(milliseconds) - start)))"
}

# ---- what must be installed --------------------------------------------------------------------------------------------------------

# Debian's names; "a|b" where releases differ. Those that stand for a program count as there when the program is.
required_packages=(
  'g++' cmake ninja-build python3-pip ca-certificates
  qt6-base-dev qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools 'linguist-qt6|qt6-l10n-tools' 'qt6-svg-dev|libqt6svg6-dev' libgl1-mesa-dev libjpeg-dev libtiff-dev
  libpng-dev libgif-dev libwebp-dev libheif-dev 'libheif-plugin-libde265|libheif-dev'
  libqcustomplot-dev libopencv-dev libgloo-dev libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libexpected-dev libasio-dev
  libarchive-dev zlib1g-dev libzip-dev libprotozero-dev libxxhash-dev libcurl4-openssl-dev libssl-dev
)
# Faster builds, Chinese text, more picture formats, the window on Wayland. Nothing fails without them.
optional_packages=(ccache mold fonts-noto-cjk qt6-image-formats-plugins qt6-wayland)

# For the fuzz targets that installer/test.sh runs.
# shellcheck disable=SC2034 # test.sh uses it
fuzzing_packages=(clang 'libclang-rt-dev|libclang-rt-18-dev|libclang-rt-14-dev')

have_program() { # the program that a package stands for
  case $1 in
    'g++') command -v g++ ;;
    cmake) command -v cmake ;;
    ninja-build) command -v ninja ;;
    clang) command -v clang++ ;;
    python3-pip) python3 -m pip --version ;;
    *) false ;;
  esac >/dev/null 2>&1
}

missing_packages() { # of those named, one a line
  local installed entry name found names
  # shellcheck disable=SC2016,SC2046
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $(printf '%s\n' "$@" | tr '|' ' ') 2>/dev/null | sed -n 's/ installed$//p' || true)
  for entry in "$@"; do
    found=no
    IFS='|' read -ra names <<<"$entry"
    for name in "${names[@]}"; do
      if grep -qxF -- "$name" <<<"$installed" || have_program "$name"; then found=yes; fi
    done
    [ "$found" = yes ] || printf '%s\n' "$entry"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then env DEBIAN_FRONTEND=noninteractive "$@"; else sudo env DEBIAN_FRONTEND=noninteractive "$@"; fi
}
apt_install() { as_root apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=600 "$@"; }
apt_has() { apt-cache show "$1" >/dev/null 2>&1; }

resolve_names() { # of each "a|b" the first that the system offers
  local entry name names
  for entry in "$@"; do
    IFS='|' read -ra names <<<"$entry"
    for name in "${names[@]}"; do
      if apt_has "$name"; then
        printf '%s\n' "$name"
        continue 2
      fi
    done
    printf '%s\n' "${names[0]}"
  done
}

name_requirements() {
  note "Trainyard needs: GCC 12 or newer, CMake 3.25, Ninja, Python 3 with pip, Qt 6.4 (Widgets, Svg, DBus, LinguistTools, Test),"
  note "QCustomPlot 2.1 for Qt 6, OpenCV 4, the headers of Gloo, toml++, nlohmann-json, CLI11, tl::expected, Asio, libarchive, zlib, libzip, protozero, xxHash,"
  note "libjpeg-turbo, libpng, libtiff, giflib, libwebp, libheif."
}

install_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "No apt here: going on with what is installed"
    name_requirements
    return 0
  fi
  local missing optional
  mapfile -t missing < <(missing_packages "${required_packages[@]}")
  mapfile -t optional < <(missing_packages "${optional_packages[@]}")
  if [ "${#missing[@]}" -eq 0 ]; then
    say "System packages: all there"
    return 0 # optional ones are brought along with required ones only: a further run asks for no password
  fi
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || die "${#missing[@]} packages are missing and there is no sudo" \
      "As root, type: apt-get install $(printf '%s ' "${missing[@]%%|*}")"
    note "installing ${#missing[@]} packages; sudo may ask for your password"
    sudo -v || die "sudo was refused" "Ask an administrator to type: apt-get install $(printf '%s ' "${missing[@]%%|*}")"
  fi
  quiet apt-update "Reading the package lists" "Check the network and /etc/apt/sources.list, then start again." as_root apt-get update
  local names
  mapfile -t names < <(resolve_names "${missing[@]}")
  quiet apt-install "Installing ${#names[@]} packages" "Debian 12 or Ubuntu 24.04 (with universe) have them all; type: sudo apt-get install ${names[*]}" \
    apt_install "${names[@]}"
  local name
  for name in "${optional[@]}"; do
    apt_install "$name" >>"$log_dir/apt-optional.log" 2>&1 || note "without $name (optional)"
  done
}

check_tools() {
  local program version
  for program in g++ cmake ninja python3; do
    command -v "$program" >/dev/null || die "$program was not found" "Install it with your system's package manager, then start again."
  done
  version=$(cmake --version | sed -n '1s/.* \([0-9][0-9.]*\).*/\1/p')
  [ "$(printf '3.25\n%s\n' "$version" | sort -V | head -n 1)" = 3.25 ] || die "CMake $version is too old" "Install CMake 3.25 or newer."
}

# ---- configure and build -----------------------------------------------------------------------------------------------------------

cached() { sed -n "s|^$2:[A-Z]*=||p" "$source_dir/build/$1/CMakeCache.txt" 2>/dev/null || true; } # preset, name

configure() { # preset
  local fresh=()
  if [ -f "$source_dir/build/$1/CMakeCache.txt" ]; then
    if [ "$(cached "$1" CMAKE_HOME_DIRECTORY)" != "$source_dir" ]; then
      fresh=(--fresh) # the checkout was moved
    elif [ -f "$source_dir/build/$1/build.ninja" ] && [ "$(cached "$1" TRAINYARD_TORCH_DIR)" = "$torch_dir" ]; then
      say "Configuration ($1): up to date"
      return 0
    fi
  fi
  quiet "configure-$1" "Configuring ($1)" "The last lines above name what is missing." \
    cmake -S "$source_dir" --preset "$1" "${fresh[@]}" "-DTRAINYARD_TORCH_DIR=$torch_dir"
}

# A compiler takes up to 2 GiB in the files that include LibTorch.
jobs() {
  local processors memory_kib fitting
  processors=$(nproc)
  memory_kib=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo)
  fitting=$((${memory_kib:-0} / 2097152))
  [ "$fitting" -ge 1 ] || fitting=1
  [ "$fitting" -lt "$processors" ] || fitting=$processors
  printf '%d' "${TRAINYARD_JOBS:-$fitting}"
}

build() { # preset, targets (default: all)
  local preset=$1 targets=()
  shift
  [ $# -eq 0 ] || targets=(--target "$@")
  shown "Building ($preset)" "The first error above names the file; when the compiler was killed, memory ran out: start again with TRAINYARD_JOBS=1." \
    cmake --build "$source_dir/build/$preset" --parallel "$(jobs)" "${targets[@]}"
}

prepare() { # preset
  cd "$source_dir"
  install_packages
  check_tools
  provide_libtorch
  configure "$1"
}
