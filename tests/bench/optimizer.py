#!/usr/bin/env python3
"""Measures the optimizer step, 60 tensors of 4 million values on one thread, beside torch's default one, in pairs.

    tests/bench/optimizer.py [--python PYTHON] [--trainyard PROGRAM] [--optimizer adamw] [--pairs 5] [--steps 200]

PYTHON is one with torch 2.15. Prints one line: the median of the pair ratios, their range, and how far the parameters of both are apart after the
same steps (the sum of their sizes, relative)."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

PAIRS, ROWS, COLUMNS, WARM_UP, RATE = 30, 258, 516, 5, 3e-4


def peer(name, steps):
    import torch

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(1)
    params = []
    for _ in range(PAIRS):
        for sizes in ((ROWS, COLUMNS), (ROWS,)):
            p = torch.nn.Parameter(torch.randn(sizes, generator=generator))
            p.grad = torch.randn(sizes, generator=generator)
            params.append(p)
    makers = {'adamw': lambda: torch.optim.AdamW(params, lr=RATE), 'adam': lambda: torch.optim.Adam(params, lr=RATE),
              'sgd': lambda: torch.optim.SGD(params, lr=RATE, momentum=0.9)}
    optimizer = makers[name]()
    for step in range(steps + WARM_UP):
        if step == WARM_UP:
            started = time.perf_counter()
        optimizer.step()
    seconds = time.perf_counter() - started
    size = sum(p.detach().abs().sum(dtype=torch.float64).item() for p in params)
    print(json.dumps({'steps_per_s': steps / seconds, 'sum_of_sizes': size}))


def run(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--python', default=sys.executable)
    parser.add_argument('--trainyard', default=str(root / 'build/release/bin/trainyard'))
    parser.add_argument('--optimizer', default='adamw', choices=['adamw', 'adam', 'sgd'])
    parser.add_argument('--pairs', type=int, default=5)
    parser.add_argument('--steps', type=int, default=200)
    parser.add_argument('--as-peer', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.as_peer:
        return peer(options.optimizer, options.steps)
    steps = ['--optimizer', options.optimizer, '--steps', str(options.steps)]
    theirs = [options.python, __file__, '--as-peer', *steps]
    ours = [options.trainyard, 'bench', 'optimizer', '--threads', '1', *steps]
    ratios, apart = [], 0.0
    for pair in range(options.pairs):
        first, second = (theirs, ours) if pair % 2 == 0 else (ours, theirs)
        results = {tuple(command): run(command) for command in (first, second)}
        a, b = results[tuple(theirs)], results[tuple(ours)]
        ratios.append(b['steps_per_s'] / a['steps_per_s'])
        apart = max(apart, abs(b['sum_of_sizes'] / a['sum_of_sizes'] - 1))
        print(f'peer {a["steps_per_s"]:.1f} steps/s, ours {b["steps_per_s"]:.1f} steps/s', file=sys.stderr)
    print(f'{options.optimizer}: {statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f}, {len(ratios)} pairs), parameters {apart:.1e} apart')
    return None


if __name__ == '__main__':
    main()
