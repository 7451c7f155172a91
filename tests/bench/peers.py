#!/usr/bin/env python3
"""Measures Trainyard against its Python peer in pairs and prints a Markdown table; peers.sh starts it.

A speed is a ratio measured in one sitting: peer, ours, ours, peer, and so on, on an idle machine, one thread, same initial weights, same batches. The
median of the pair ratios counts, and only where the losses agree."""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

FP32_FIRST_LOSS, BF16_LAST_LOSS = 1e-6, 0.01   # relative
AGREEMENT_STEPS = 30
WARM_UP_STEPS = 3                              # both sides do these before the clock starts


@dataclass
class Workload:
    name: str
    model: str
    batch: int
    steps: int
    target: float                  # ratio to reach; for start: seconds of ours
    peer_flags: list = field(default_factory=list)
    our_flags: list = field(default_factory=list)
    optimizer: str = 'sgd'
    bf16: bool = False
    start: bool = False            # measures process start to first step instead of steps/s


WORKLOADS = [
    Workload('smallcnn-fp32', 'smallcnn', 64, 60, 1.2),
    Workload('smallcnn-fp32-tuned', 'smallcnn', 64, 60, 1.0, ['--tuned']),
    Workload('smallcnn-bf16-tuned', 'smallcnn', 64, 120, 1.0, ['--tuned'], bf16=True),
    Workload('mlp', 'mlp', 32, 6000, 1.7),
    Workload('resnet18-fp32', 'resnet18', 16, 25, 1.2),
    Workload('resnet18-bf16-tuned', 'resnet18', 16, 40, 1.1, ['--tuned'], bf16=True),
    Workload('gpt-fp32', 'gpt', 4, 15, 1.2),
    Workload('gpt-bf16-tuned', 'gpt', 4, 30, 1.1, ['--tuned'], bf16=True),
    Workload('gpt-bf16-compiled', 'gpt', 4, 30, 1.0, ['--tuned', '--compile'], bf16=True),
    Workload('start', 'smallcnn', 64, 1, 1.5, start=True),
]


class Sides:
    """Runs either program and gives back its JSON line."""

    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.threads = str(options.threads)

    def run(self, command):
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder)
        lines = [line for line in done.stdout.splitlines() if line.startswith('{')]
        if done.returncode != 0 or not lines:
            sys.exit(f'{" ".join(command)}\nended with {done.returncode}\n{done.stdout}{done.stderr}')
        return json.loads(lines[-1])

    def common(self, work, steps):
        return ['--model', work.model, '--batch', str(work.batch), '--steps', str(steps), '--threads', self.threads, '--optimizer', work.optimizer,
                *(['--bf16'] if work.bf16 else [])]

    def weights(self, work):
        file = self.folder / f'{work.model}.safetensors'
        if not file.exists():
            self.peer(work, 1, ['--save-init', str(file)])
        return file

    def peer(self, work, steps, more=()):
        return self.run([self.options.python, str(self.options.peers / 'peer_train.py'), *self.common(work, steps), *work.peer_flags, *more])

    def ours(self, work, steps):
        return self.run([str(self.options.trainyard), 'bench', 'train', *self.common(work, steps), *work.our_flags, '--init', str(self.weights(work))])


def relative(a, b):
    return abs(a - b) / max(abs(a), 1e-12)


def agreement(sides, work):
    """The figure that must be small, its limit, and whether it holds: the first loss in fp32, the last of AGREEMENT_STEPS in bf16."""
    steps = AGREEMENT_STEPS - WARM_UP_STEPS
    peer, ours = sides.peer(work, steps), sides.ours(work, steps)
    if len(ours['losses']) != len(peer['losses']):
        sys.exit(f'{work.name}: the peer prints {len(peer["losses"])} losses, trainyard {len(ours["losses"])}')
    index, limit = (-1, BF16_LAST_LOSS) if work.bf16 else (0, FP32_FIRST_LOSS)
    difference = relative(peer['losses'][index], ours['losses'][index])
    return {'difference': difference, 'limit': limit, 'holds': difference <= limit, 'peer_losses': peer['losses'], 'our_losses': ours['losses']}


def measure(sides, work, pairs):
    """The pairs in the order peer, ours, ours, peer, …"""
    sides.weights(work)
    key = 'start_to_first_step_s' if work.start else 'steps_per_s'
    figures = []
    for pair in range(pairs):
        order = [('peer', sides.peer), ('ours', sides.ours)]
        values = {name: run(work, work.steps)[key] for name, run in (order if pair % 2 == 0 else reversed(order))}
        figures.append((values['peer'], values['ours']))
        print(f'  {work.name} pair {pair + 1}/{pairs}: peer {values["peer"]:.4g}, ours {values["ours"]:.4g}', file=sys.stderr, flush=True)
    return figures


def evaluate(work, figures, agreed):
    peers, ours = zip(*figures)
    ratios = [p / o if work.start else o / p for p, o in figures]
    result = {'name': work.name, 'peer': statistics.median(peers), 'ours': statistics.median(ours), 'ratio': statistics.median(ratios),
              'low': min(ratios), 'high': max(ratios), 'pairs': len(ratios), 'agreement': agreed}
    reached = result['ours'] <= work.target if work.start else result['ratio'] >= work.target
    result['verdict'] = 'losses disagree' if not agreed['holds'] else 'reached' if reached else 'not reached'
    return result


def row(work, result):
    unit = 's' if work.start else 'steps/s'
    peer = 'peer_train.py' + ''.join(f' {flag}' for flag in work.peer_flags) + (' --bf16' if work.bf16 else '')
    goal = f'≤ {work.target} s' if work.start else f'≥ {work.target}'
    agreed = result['agreement']
    return (f'| {work.name} | `{peer}`, {work.model}, batch {work.batch} | {result["peer"]:.4g} {unit} | {result["ours"]:.4g} {unit} | '
            f'**{result["ratio"]:.2f}** ({result["low"]:.2f}–{result["high"]:.2f}, {result["pairs"]} pairs) | {goal} | '
            f'{agreed["difference"]:.1e} (limit {agreed["limit"]:.0e}) | {result["verdict"]} |')


def processor():
    for line in pathlib.Path('/proc/cpuinfo').read_text().splitlines():
        if line.startswith('model name'):
            return line.split(':', 1)[1].strip()
    return platform.processor() or 'unknown processor'


def busy_share(seconds):
    """The share of all processor time that is in use, over some seconds."""
    def read():
        numbers = [int(n) for n in pathlib.Path('/proc/stat').read_text().splitlines()[0].split()[1:9]]
        return sum(numbers), numbers[3] + numbers[4]
    total, idle = read()
    time.sleep(seconds)
    total_after, idle_after = read()
    return 1 - (idle_after - idle) / max(total_after - total, 1)


def require_idle(options):
    if options.busy:
        return
    share = busy_share(3)
    if share > 0.05:
        sys.exit(f'This machine is busy ({share:.0%} of its processor time is in use): figures taken now would mean nothing. '
                 'End what runs, or pass --busy to try the script itself.')


def versions(python):
    """Of the peer: "torch 2.15.0, Python 3.11.7"."""
    code = 'import platform, torch; print(f"torch {torch.__version__}, Python {platform.python_version()}")'
    return subprocess.run([python, '-c', code], capture_output=True, text=True, check=True).stdout.strip()


def table(options, works, results):
    head = [f'{time.strftime("%Y-%m-%d")}, {processor()}, {len(os.sched_getaffinity(0))} logical processors, {options.threads} thread'
            f'{"" if options.threads == 1 else "s"}, {versions(options.python)}.'
            + (' **Taken on a busy machine: not a measurement.**' if options.busy else ''), '',
            'Ratio: ours to the peer (start: the peer to ours), median and range of the pairs; above 1 is quicker. Loss: relative difference, of the',
            f'first step in fp32, of step {AGREEMENT_STEPS} in bf16.', '',
            '| workload | peer | peer, median | Trainyard, median | ratio | goal | loss | |', '|---|---|---|---|---|---|---|---|']
    return '\n'.join(head + [row(w, r) for w, r in zip(works, results)]) + '\n'


def parse():
    here = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--python', required=True, help="the peer's Python")
    parser.add_argument('--peers', required=True, type=pathlib.Path, help='the folder with peer_train.py')
    parser.add_argument('--trainyard', required=True, type=pathlib.Path, help='the program')
    parser.add_argument('--pairs', type=int, default=6, help='pairs for each workload, at least 5 (default 6)')
    parser.add_argument('--threads', type=int, default=1, help='intra-op threads of both sides (default 1)')
    parser.add_argument('--only', action='append', choices=[w.name for w in WORKLOADS], help='this workload alone; may be given several times')
    parser.add_argument('--out', type=pathlib.Path, default=here / 'last.md', help='where the table goes (default: last.md beside this script)')
    parser.add_argument('--json', type=pathlib.Path, metavar='FILE', help='also write every figure as JSON')
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
    require_idle(options)
    results, figures = [], {}
    with tempfile.TemporaryDirectory(prefix='trainyard-peers-') as folder:
        sides = Sides(options, folder)
        for work in works:
            agreed = agreement(sides, work)
            figures[work.name] = measure(sides, work, options.pairs)
            results.append(evaluate(work, figures[work.name], agreed))
    text = table(options, works, results)
    print(text, end='')
    options.out.write_text(text)
    if options.json:
        options.json.write_text(json.dumps([dict(r, figures=figures[r['name']]) for r in results], indent=1) + '\n')
    return 0 if all(r['verdict'] == 'reached' for r in results) else 1


if __name__ == '__main__':
    sys.exit(main())
