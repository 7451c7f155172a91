#!/usr/bin/env bash
# Times the loader beside what a careful PyTorch user would write (DataLoader, torchvision), in pairs; writes the table loader.md beside it.
#
#   tests/bench/loader.sh --peers DIR [--python PYTHON] [--trainyard PROGRAM] [further options of loader.py]
#
# --peers DIR      the folder with peer_loader.py, make_images.py and requirements.txt
# --python         a Python with what requirements.txt lists; without it an environment of its own is made under the cache (about 5 GB, once)
# --trainyard      default: the release build of this checkout
script=loader.py peer=peer_loader.py
. "$(dirname "${BASH_SOURCE[0]}")/compare.sh"
