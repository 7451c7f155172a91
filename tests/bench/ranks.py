#!/usr/bin/env python3
"""Training on several CPU ranks, measured in pairs on an idle machine; prints a Markdown table. ranks.sh starts it.

Data parallel against peer_ddp.py (two processes over Gloo): step time and memory (PSS of all processes). The all-reduce of 25 MiB between two threads
against Gloo's over the loopback. A pipeline of two stages with eight parts against one device that accumulates the same eight. What a rank keeps in
stage 3 against data parallel. Ratios are medians over the pairs."""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from peers import processor, versions


def run(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith('{')]
    if done.returncode != 0 or not lines:
        sys.exit(f'{command}\nended with {done.returncode}\n{done.stdout}{done.stderr}')
    return json.loads(lines[-1])


def spread(values):
    return f'**{statistics.median(values):.3g}** ({min(values):.3g}–{max(values):.3g})'


def data_parallel(options):
    ours = [options.trainyard, 'bench', 'ranks', '--model', 'resnet18', '--batch', '16', '--steps', '20']
    theirs = [options.python, options.peers / 'peer_ddp.py']
    steps, memory = [], []
    for pair in range(options.pairs):
        order = [('peer', theirs), ('ours', ours)]
        figures = {name: run(command) for name, command in (order if pair % 2 == 0 else order[::-1])}
        steps.append(figures['peer']['steps_per_s'] / figures['ours']['steps_per_s'])
        memory.append(figures['ours']['pss_mib'] / figures['peer']['pss_mib'])
        print(f'  data parallel: step time {steps[-1]:.3f}, memory {memory[-1]:.3f} of the peer\'s', file=sys.stderr)
    yield 'resnet18, 2 ranks, 16 samples each: step time ÷ the peer\'s', steps, '≤ 0.85', statistics.median(steps) <= 0.85
    yield '  memory (PSS) ÷ the peer\'s', memory, '≤ 0.5', statistics.median(memory) <= 0.5


def collectives(options):
    ratios = [run([options.trainyard, 'bench', 'allreduce', '--json'])['local_over_gloo'] for _ in range(options.pairs)]
    yield 'all-reduce of 25 MiB, 2 threads: speed ÷ Gloo\'s over the loopback', ratios, '≥ 5', statistics.median(ratios) >= 5


def pipeline(options):
    common = [options.trainyard, 'bench', 'ranks', '--model', 'gpt', '--batch', '8', '--micro-batches', '8', '--steps', '6']
    shares = []
    for pair in range(options.pairs):
        order = [('one', [*common, '--strategy', 'single']), ('two', [*common, '--strategy', 'pipeline'])]
        figures = {name: run(command) for name, command in (order if pair % 2 == 0 else order[::-1])}
        if abs(figures['one']['loss'] - figures['two']['loss']) > 1e-4:
            sys.exit(f'the losses differ: {figures}')
        shares.append(figures['two']['steps_per_s'] / figures['one']['steps_per_s'] / 2 / (8 / 9))
        print(f'  pipeline: {shares[-1]:.3f} of 8/9', file=sys.stderr)
    yield 'pipeline of 2 stages, 8 parts: efficiency ÷ (8/9)', shares, '≥ 0.90', statistics.median(shares) >= 0.9


def sharded(options):
    common = [options.trainyard, 'bench', 'ranks', '--model', 'gpt', '--optimizer', 'adamw', '--batch', '4', '--steps', '2']
    whole, parts = run([*common, '--strategy', 'data']), run([*common, '--strategy', 'sharded3'])
    ratio = parts['kept_bytes'] / whole['kept_bytes']
    yield (f'sharded stage 3 × 2, gpt with AdamW: kept by a rank ÷ data parallel\'s (gathered besides at most {parts["gathered_bytes"] / 2**20:.0f} MiB of '
           f'{whole["kept_bytes"] / 2**20:.0f})'), [ratio], '≤ 0.55', ratio <= 0.55


def main():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--python', required=True)
    parser.add_argument('--peers', required=True, type=pathlib.Path)
    parser.add_argument('--trainyard', required=True, type=pathlib.Path)
    parser.add_argument('--pairs', type=int, default=5)
    parser.add_argument('--out', type=pathlib.Path, default=here / 'ranks.md')
    options = parser.parse_args()
    rows = [row for measure in (data_parallel, collectives, pipeline, sharded) for row in measure(options)]
    lines = [f'{time.strftime("%Y-%m-%d")}, {processor()}, {len(os.sched_getaffinity(0))} logical processors, {versions(options.python)}, {options.pairs} pairs, one thread each; median and range.', '', '| | | goal | |', '|---|---|---|---|']
    lines += [f'| {name} | {spread(values)} | {goal} | {"reached" if reached else "not reached"} |' for name, values, goal, reached in rows]
    text = '\n'.join(lines) + '\n'
    print(text, end='')
    options.out.write_text(text)
    return 0 if all(reached for *_, reached in rows) else 1


if __name__ == '__main__':
    sys.exit(main())
