#!/usr/bin/env python3
"""Does an attached window slow training? And how soon does it paint?

  window.py [--bin FOLDER] [--pairs N]

Pairs of the same run, alone and with the window attached to its page, in the order alone, attached, attached, alone; the rate of a run is its
number of steps over the seconds its `step` events span after a warm-up. Then the window's start: seconds from starting the process to the line that
it prints at its first paint when TRAINYARD_FIRST_PAINT is set. Nothing else may be running. Standard library only. Appends its table to last.md.
"""
import argparse, json, os, pathlib, shutil, statistics, subprocess, sys, tempfile, time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def rate(run):
    """Steps per second between the first `step` event after the warm-up and the last."""
    steps = [e for e in map(json.loads, open(run / 'events.jsonl')) if e['type'] == 'step']
    late = [e for e in steps if e['time'] > steps[0]['time'] + 3]
    return (late[-1]['step'] - late[0]['step']) / (late[-1]['time'] - late[0]['time'])


def train(binaries, home, name, attached, epochs):
    environment = dict(os.environ, TRAINYARD_RUNS=str(home))
    run = home / name
    engine = subprocess.Popen([binaries / 'trainyard', 'demo', '--json', '--run-dir', run, '--set', f'train.epochs={epochs}', '--set', 'train.threads=1'],
                              env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    window = None
    if attached:
        while not (run / 'events.jsonl').exists(): time.sleep(0.05)
        window = subprocess.Popen([binaries / 'trainyard-gui', '--run', run], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    code = engine.wait()
    if window:
        if window.poll() is not None: sys.exit('the window ended before the run')
        window.terminate(); window.wait()
    if code: sys.exit(f'the run failed with {code}')
    return rate(run)


def first_paint(binaries, home):
    environment = dict(os.environ, TRAINYARD_RUNS=str(home), TRAINYARD_FIRST_PAINT='1')
    start = time.perf_counter()
    window = subprocess.Popen([binaries / 'trainyard-gui', '--page', 'home'], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    line = window.stdout.readline()
    seconds = time.perf_counter() - start
    window.terminate(); window.wait()
    if not line: sys.exit('the window ended before it painted')
    return seconds


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--bin', type=pathlib.Path, default=ROOT / 'build/release/bin'); a.add_argument('--pairs', type=int, default=6)
    a.add_argument('--epochs', type=int, default=120)
    a = a.parse_args()
    if 'DISPLAY' not in os.environ and 'WAYLAND_DISPLAY' not in os.environ and os.environ.get('QT_QPA_PLATFORM') != 'offscreen':
        sys.exit('window.py: no display; start it under xvfb-run')
    home = pathlib.Path(tempfile.mkdtemp(prefix='trainyard-window-'))
    ratios = []
    try:
        for pair in range(a.pairs):
            rates = {}
            for attached in ((False, True) if pair % 2 == 0 else (True, False)):
                rates[attached] = train(a.bin, home, f'run-{pair}-{attached}', attached, a.epochs)
            ratios.append(rates[True] / rates[False])
            print(f'pair {pair + 1}: alone {rates[False]:.1f} steps/s, attached {rates[True]:.1f}, ratio {ratios[-1]:.3f}', flush=True)
        paints = sorted(first_paint(a.bin, home) for _ in range(7))
    finally:
        shutil.rmtree(home, ignore_errors=True)
    rows = ['', '| window | asked | median | range |', '|---|---|---|---|',
            f'| training rate, window attached ÷ alone ({a.pairs} pairs) | ≥ 0.97 | {statistics.median(ratios):.3f} | {min(ratios):.3f}–{max(ratios):.3f} |',
            f'| process start to first paint (7 starts) | ≤ 250 ms | {statistics.median(paints) * 1000:.0f} ms | {paints[0] * 1000:.0f}–{paints[-1] * 1000:.0f} ms |']
    print('\n'.join(rows))
    with open(HERE / 'last.md', 'a') as table: table.write('\n'.join(rows) + '\n')


if __name__ == '__main__': main()
