#!/usr/bin/env bash
# Checks training on NVIDIA GPUs against the processor: one GPU, and two ranks over NCCL in every strategy. Takes no Qt and no OpenCV, draws its data
# in memory, and builds against any torch of 2.11 or later.
#
#   tests/gpu/run.sh [--torch DIR] [--cpu] [--build DIR]
#
# --torch DIR   the folder "torch" of an installed PyTorch or LibTorch; default: that of the python3 on PATH, else of Trainyard's own download
# --cpu         the same checks with ranks on the processor: does the script itself work?
# --build DIR   default: build/gpu
#
# With one GPU both ranks share it, which NCCL allows from 2.30 on (NCCL_MULTI_RANK_GPU_ENABLE=1); older ones skip those checks and say so.
# Ends with 0 where everything agrees, 1 where something does not, 77 where there is no GPU.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build/gpu torch= check=()
while [ $# -gt 0 ]; do
  case $1 in
    --torch) torch=$2; shift 2 ;;
    --build) build=$2; shift 2 ;;
    --cpu) check+=(--cpu); shift ;;
    *) echo "unknown option $1; the head of this file lists them" >&2; exit 2 ;;
  esac
done
if [ -z "$torch" ]; then
  torch=$(python3 -c 'import pathlib, torch; print(pathlib.Path(torch.__file__).parent)' 2>/dev/null || true)
fi
if [ -z "$torch" ]; then
  torch=$(ls -d "${XDG_CACHE_HOME:-$HOME/.cache}"/trainyard/libtorch-*/torch 2>/dev/null | tail -1)
fi
[ -d "$torch/include/ATen" ] || { echo "no LibTorch: name its folder with --torch" >&2; exit 2; }
mkdir -p "$build"
cmake -S "$root/tests/gpu" -B "$build" -DCMAKE_BUILD_TYPE=Release -DTRAINYARD_TORCH_DIR="$torch" >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 2; }
cmake --build "$build" --parallel "$(nproc)" >>"$build.log" 2>&1 || { tail -40 "$build.log" >&2; exit 2; }
export NCCL_MULTI_RANK_GPU_ENABLE=1
exec "$build/gpu_check" "${check[@]}"
