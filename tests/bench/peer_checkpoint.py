#!/usr/bin/env python3
"""The peer of `trainyard bench checkpoint`: saves random tensors with torch.save and fsync, or loads them; prints one JSON line."""
import argparse
import json
import os
import time

import torch

TENSORS = 60


def save(file, size, rounds):
    state = {f'layer{i}': torch.randn(size // 4 // TENSORS) for i in range(TENSORS)}
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        with open(file + '.new', 'wb') as out:
            torch.save(state, out)
            out.flush()
            os.fsync(out.fileno())
        os.replace(file + '.new', file)
        folder = os.open(os.path.dirname(file), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        seconds.append(time.perf_counter() - begin)
    return {'save_s': seconds}


def load(file):
    begin = time.perf_counter()
    state = torch.load(file)
    loaded = time.perf_counter() - begin
    return {'load_s': loaded, 'bytes': sum(tensor.nbytes for tensor in state.values())}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder')
    parser.add_argument('--bytes', type=int, default=500_000_000)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--load', action='store_true')
    options = parser.parse_args()
    torch.set_num_threads(1)
    file = os.path.join(options.folder, 'checkpoint.pt')
    print(json.dumps(load(file) if options.load else save(file, options.bytes, options.rounds)))


if __name__ == '__main__':
    main()
