#!/usr/bin/env python3
"""Measures Trainyard's loader against its Python peers in pairs and prints a Markdown table; loader.sh starts it.

Both sides go twice through the same pictures with two workers and count the second time. The median of the pair ratios counts."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from peers import busy_share, processor


@dataclass
class Workload:
    name: str
    what: str
    way: str          # of the peer
    target: float
    pictures: tuple   # arguments of make_images.py behind the folder; empty: none
    ours: list
    peer: list


SMALL, LARGE = (2000, 500, 375), (60, 3000, 2000)
FULL, CROP = ['--workload', 'full'], ['--workload', 'crop']
WORKLOADS = [
    Workload('full-pil', 'random resized crop 224, flip, normalise; 500×375', 'pil', 2.8, SMALL, FULL, FULL),
    Workload('full-v2', 'the same', 'v2', 1.9, SMALL, FULL, FULL),
    Workload('crop-pil', 'random crop 224, flip, normalise; 500×375', 'pil', 4, SMALL, CROP, CROP),
    Workload('crop-v2', 'the same', 'v2', 3.2, SMALL, CROP, CROP),
    Workload('large-v2', 'random resized crop 224, flip, normalise; 3000×2000', 'v2', 3, LARGE, FULL, FULL),
    Workload('cifar', 'crop 32 with padding 4, flip, normalise; 32×32 in memory', 'pil', 25, (), ['--workload', 'cifar'], []),
]


class Sides:
    """Runs either program and gives back its pictures per second."""

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)

    def run(self, command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        lines = [line for line in done.stdout.splitlines() if line.startswith('{')]
        if done.returncode != 0 or not lines:
            sys.exit(f'{" ".join(map(str, command))}\nended with {done.returncode}\n{done.stdout}{done.stderr}')
        return json.loads(lines[-1])['images_per_s']

    def pictures(self, work):
        if not work.pictures:
            return []
        folder = self.folder / 'x'.join(map(str, work.pictures))
        if not folder.exists():
            print(f'  writing {work.pictures[0]} pictures', file=sys.stderr, flush=True)
            subprocess.run([self.options.python, self.options.peers / 'make_images.py', folder, *map(str, work.pictures)], check=True)
        return [folder]

    def common(self, work):
        return ['--workers', self.options.workers, '--batch', 64 if work.pictures else 128]

    def peer(self, work):
        if not work.pictures:
            return self.run([self.options.python, pathlib.Path(__file__).parent / 'peer_cifar.py', *self.common(work)])
        return self.run([self.options.python, self.options.peers / 'peer_loader.py', *self.pictures(work), '--way', work.way, *work.peer, *self.common(work)])

    def ours(self, work):
        return self.run([self.options.trainyard, 'bench', 'loader', *self.pictures(work), *work.ours, *self.common(work)])


def measure(sides, work, pairs):
    """The pairs in the order peer, ours, ours, peer, …"""
    sides.pictures(work)
    figures = []
    for pair in range(pairs):
        order = [('peer', sides.peer), ('ours', sides.ours)]
        values = {name: run(work) for name, run in (order if pair % 2 == 0 else reversed(order))}
        figures.append((values['peer'], values['ours']))
        print(f'  {work.name} pair {pair + 1}/{pairs}: peer {values["peer"]:.4g}, ours {values["ours"]:.4g}', file=sys.stderr, flush=True)
    return figures


def row(work, figures):
    ratios = [ours / peer for peer, ours in figures]
    ratio = statistics.median(ratios)
    peer, ours = (statistics.median(side) for side in zip(*figures))
    verdict = 'reached' if ratio >= work.target else 'not reached'
    return (f'| {work.name} | {work.what} | {peer:,.0f} | {ours:,.0f} | **{ratio:.2f}** ({min(ratios):.2f}–{max(ratios):.2f}, {len(ratios)} pairs) | '
            f'≥ {work.target} | {verdict} |'), verdict == 'reached'


def table(options, rows):
    code = 'import platform, torchvision, PIL; print(f"torchvision {torchvision.__version__}, Pillow {PIL.__version__}, Python {platform.python_version()}")'
    versions = subprocess.run([options.python, '-c', code], capture_output=True, text=True, check=True).stdout.strip()
    head = [f'{time.strftime("%Y-%m-%d")}, {processor()}, {len(os.sched_getaffinity(0))} logical processors, {options.workers} workers, {versions}.'
            + (' **Taken on a busy machine: not a measurement.**' if options.busy else ''), '',
            'Pictures per second, medians; ratio: ours to the peer, median and range of the pairs. The peer decodes with Pillow (pil) or with',
            "torchvision's own decoder and transforms v2 (v2).", '',
            '| workload | what | peer | Trainyard | ratio | goal | |', '|---|---|---|---|---|---|---|']
    return '\n'.join(head + rows) + '\n'


def parse():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--python', required=True, help="the peers' Python")
    parser.add_argument('--peers', required=True, type=pathlib.Path, help='the folder with peer_loader.py and make_images.py')
    parser.add_argument('--trainyard', required=True, type=pathlib.Path, help='the program')
    parser.add_argument('--pairs', type=int, default=6, help='pairs for each workload, at least 5 (default 6)')
    parser.add_argument('--workers', type=int, default=2, help='of both sides (default 2)')
    parser.add_argument('--only', action='append', choices=[w.name for w in WORKLOADS], help='this workload alone; may be given several times')
    parser.add_argument('--pictures', type=pathlib.Path, help='keep the pictures in this folder (default: a new one, removed in the end)')
    parser.add_argument('--out', type=pathlib.Path, default=here / 'loader.md', help='where the table goes (default: loader.md beside this script)')
    parser.add_argument('--busy', action='store_true', help='run on a busy machine; the table says so')
    options = parser.parse_args()
    if options.pairs < 5 and not options.busy:
        parser.error('--pairs: at least 5')
    options.peers, options.trainyard = options.peers.resolve(), options.trainyard.resolve()
    options.python = os.path.abspath(options.python)  # not resolved: an environment's python is a link
    return options


def main():
    options = parse()
    works = [w for w in WORKLOADS if not options.only or w.name in options.only]
    if not options.busy and (share := busy_share(3)) > 0.05:
        sys.exit(f'This machine is busy ({share:.0%} of its processor time is in use): figures taken now would mean nothing. '
                 'End what runs, or pass --busy to try the script itself.')
    with tempfile.TemporaryDirectory(prefix='trainyard-loader-') as folder:
        sides = Sides(options, options.pictures or folder)
        rows = [row(work, measure(sides, work, options.pairs)) for work in works]
    text = table(options, [line for line, _ in rows])
    print(text, end='')
    options.out.write_text(text)
    return 0 if all(reached for _, reached in rows) else 1


if __name__ == '__main__':
    sys.exit(main())
