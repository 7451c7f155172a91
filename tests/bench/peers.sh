#!/usr/bin/env bash
# Times Trainyard beside the Python program that a careful PyTorch user would write, in pairs, and writes the table last.md beside this script.
#
#   tests/bench/peers.sh --peers DIR [--python PYTHON] [--trainyard PROGRAM] [further options of peers.py]
#
# --peers DIR      the folder with peer_train.py and requirements.txt
# --python         a Python with what requirements.txt lists; without it an environment of its own is made under the cache (about 5 GB, once)
# --trainyard      default: the release build of this checkout
script=peers.py peer=peer_train.py
. "$(dirname "${BASH_SOURCE[0]}")/compare.sh"
