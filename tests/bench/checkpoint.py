#!/usr/bin/env python3
"""Measures saving and loading a checkpoint against torch.save with fsync and torch.load in pairs and prints a Markdown table; checkpoint.sh starts it.

Both sides save until the bytes are on the disk under their final name, then load in a new process from memory that holds the file (each reads it
once before). Ours verifies every checksum while loading; the peer's format has one as well and does not look at it."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from peers import busy_share, processor, versions

SAVE, LOAD, STALL = 1.5, 10, 1.2   # ratios to reach; the last one at most


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith('{')]
    if done.returncode != 0 or not lines:
        sys.exit(f'{" ".join(map(str, command))}\nended with {done.returncode}\n{done.stdout}{done.stderr}')
    return json.loads(lines[-1])


class Sides:
    def __init__(self, options, folder):
        self.folder, self.size = folder, ['--bytes', options.bytes]
        self.programs = {'peer': [options.python, pathlib.Path(__file__).parent / 'peer_checkpoint.py'], 'ours': [options.trainyard, 'bench', 'checkpoint']}

    def save(self, side):
        os.sync()
        return run([*self.programs[side], self.place(side), *self.size, '--rounds', 3])

    def load(self, side):
        for file in self.place(side).rglob('*'):
            if file.is_file():
                file.read_bytes()
        return run([*self.programs[side], self.place(side), '--load'])

    def place(self, side):
        place = self.folder / side
        place.mkdir(exist_ok=True)
        return place


def in_turn(pair):
    return ('peer', 'ours') if pair % 2 == 0 else ('ours', 'peer')


def measure(sides, pairs):
    saves, loads, stalls, faults = [], [], [], []
    for pair in range(pairs):
        saved = {side: sides.save(side) for side in in_turn(pair)}
        loaded = {side: sides.load(side) for side in in_turn(pair)}
        saves.append(tuple(statistics.median(saved[side]['save_s']) for side in ('peer', 'ours')))
        loads.append(tuple(loaded[side]['load_s'] for side in ('peer', 'ours')))
        stalls += zip(saved['ours']['memcpy_ms'], saved['ours']['stall_ms'])
        faults += saved['ours']['page_faults']
        print(f'  pair {pair + 1}/{pairs}: save {saves[-1]}, load {loads[-1]}', file=sys.stderr, flush=True)
    return saves, loads, stalls, faults


def row(what, figures, target):
    ratios = [peer / ours for peer, ours in figures]
    ratio = statistics.median(ratios)
    peer, ours = (1000 * statistics.median(side) for side in zip(*figures))
    reached = ratio >= target
    return (f'| {what} | {peer:.1f} | {ours:.1f} | **{ratio:.2f}** ({min(ratios):.2f}–{max(ratios):.2f}, {len(ratios)} pairs) | ≥ {target} | '
            f'{"reached" if reached else "not reached"} |'), reached


def stall_row(stalls):
    ratios = [ours / plain for plain, ours in stalls]
    ratio = statistics.median(ratios)
    plain, ours = (statistics.median(side) for side in zip(*stalls))
    reached = ratio <= STALL
    return (f'| training waits (against memcpy of the same bytes) | {plain:.1f} | {ours:.1f} | **{ratio:.2f}** ({min(ratios):.2f}–{max(ratios):.2f}, '
            f'{len(ratios)} saves) | ≤ {STALL} | {"reached" if reached else "not reached"} |'), reached


def table(options, rows, faults):
    head = [f'{time.strftime("%Y-%m-%d")}, {processor()}, {len(os.sched_getaffinity(0))} logical processors, {versions(options.python)}, '
            f'{options.bytes / 1e6:.0f} MB in 60 tensors.' + (' **Taken on a busy machine: not a measurement.**' if options.busy else ''), '',
            'Milliseconds, medians; ratio: the peer to ours (waiting: ours to memcpy), median and range. Loading: in a new process, the files in memory;',
            f'ours looks at every checksum. Page faults while training waits: {statistics.median(faults):.0f}.', '',
            '| what | peer | Trainyard | ratio | goal | |', '|---|---|---|---|---|---|']
    return '\n'.join(head + rows) + '\n'


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--python', required=True, help='a Python with torch')
    parser.add_argument('--trainyard', required=True, type=pathlib.Path, help='the program')
    parser.add_argument('--folder', type=pathlib.Path, help='on the disk to measure (default: a temporary folder)')
    parser.add_argument('--bytes', type=int, default=500_000_000)
    parser.add_argument('--pairs', type=int, default=6, help='at least 5 (default 6)')
    parser.add_argument('--out', type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent / 'checkpoint.md',
                        help='where the table goes (default: checkpoint.md beside this script)')
    parser.add_argument('--busy', action='store_true', help='run on a busy machine; the table says so')
    options = parser.parse_args()
    if options.pairs < 5 and not options.busy:
        parser.error('--pairs: at least 5')
    return options


def main():
    options = parse()
    if not options.busy and (share := busy_share(3)) > 0.05:
        sys.exit(f'This machine is busy ({share:.0%} of its processor time is in use): figures taken now would mean nothing. '
                 'End what runs, or pass --busy to try the script itself.')
    with tempfile.TemporaryDirectory(prefix='trainyard-checkpoint-', dir=options.folder) as folder:
        saves, loads, stalls, faults = measure(Sides(options, pathlib.Path(folder)), options.pairs)
    rows = [row('save, durable (torch.save, fsync)', saves, SAVE), row('load (torch.load)', loads, LOAD), stall_row(stalls)]
    text = table(options, [line for line, _ in rows], faults)
    print(text, end='')
    options.out.write_text(text)
    return 0 if all(reached for _, reached in rows) else 1


if __name__ == '__main__':
    sys.exit(main())
