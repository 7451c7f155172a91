"""Behind scan.sh: makes the pictures, times the scan beside plain reading and decoding, prints the table."""
import argparse
import json
import os
import random
import subprocess
import sys


def make_pictures(folder, count):
    """Small JPEGs in ten class folders: one picture's bytes would decode from a warm cache and be one duplicate, so each is drawn."""
    made = os.path.join(folder, 'made')
    if os.path.exists(made) and open(made).read() == str(count):
        return
    from PIL import Image
    draw = random.Random(7)
    for i in range(count):
        name = os.path.join(folder, f'class{i % 10}')
        os.makedirs(name, exist_ok=True)
        small = Image.frombytes('RGB', (8, 8), draw.randbytes(192))
        small.resize((64, 64), Image.BICUBIC).save(os.path.join(name, f'{i:06d}.jpg'), quality=90)
    with open(made, 'w') as file:
        file.write(str(count))


def timed(command, environment):
    """The JSON a command prints, and the most memory it held (MiB)."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f'{command[0]} ended with {status}')
    return json.loads(text), usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser()
    for name in ('--pictures', '--trainyard', '--folder', '--work', '--rounds'):
        parser.add_argument(name)
    options = parser.parse_args()
    make_pictures(options.folder, int(options.pictures))
    plain_program = os.path.join(options.work, 'read_and_decode')
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'read_and_decode.cpp')
    subprocess.run(['g++', '-std=c++20', '-O2', '-pthread', source, '-ljpeg', '-o', plain_program], check=True)
    environment = dict(os.environ, XDG_DATA_HOME=options.work)
    scan = [options.trainyard, 'data', 'scan', options.folder, '--json']
    timed([plain_program, options.folder], environment)  # the first round pays for the disk
    pairs = []
    for _ in range(int(options.rounds or 3)):
        plain, _ = timed([plain_program, options.folder], environment)
        anew, memory = timed(scan + ['--no-cache'], environment)
        pairs.append((plain['seconds'], anew['seconds'], memory))
    timed(scan, environment)
    again, again_memory = timed(scan, environment)
    assert again['from_cache'] == again['samples'] == plain['pictures']
    print('| pictures | reading and decoding (s) | scan (s) | share | memory (MiB) |\n|---|---|---|---|---|')
    for seconds, scanned, memory in pairs:
        print(f"| {plain['pictures']} | {seconds:.2f} | {scanned:.2f} | {seconds / scanned:.2f} | {memory:.0f} |")
    print(f"\nsecond look: {again['seconds']:.2f} s, {again_memory:.0f} MiB")


if __name__ == '__main__':
    main()
