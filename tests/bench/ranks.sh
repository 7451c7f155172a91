#!/usr/bin/env bash
# Measures training on two CPU ranks beside DistributedDataParallel over Gloo, the collectives, a pipeline and sharding, and writes ranks.md beside
# this script. On an idle machine with at least two cores.
#
#   tests/bench/ranks.sh --peers DIR [--python PYTHON] [--trainyard PROGRAM] [further options of ranks.py]
#
# --peers DIR      the folder with peer_ddp.py and requirements.txt
# --python         a Python with what requirements.txt lists; without it an environment of its own is made under the cache (about 5 GB, once)
# --trainyard      default: the release build of this checkout
script=ranks.py peer=peer_ddp.py
. "$(dirname "${BASH_SOURCE[0]}")/compare.sh"
