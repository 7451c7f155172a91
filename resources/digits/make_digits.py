"""Makes the IDX files in this folder from scikit-learn's copy of the data.

    pip download --no-deps scikit-learn==1.7.2 -d wheels
    python3 make_digits.py wheels/scikit_learn-1.7.2-*.whl

Needs only Python. The same wheel gives the same bytes.
"""
import gzip
import struct
import sys
import zipfile
from pathlib import Path

EDGE, LEVELS = 8, 16
HERE = Path(__file__).parent


def write_gz(name, content):
    with open(HERE / name, 'wb') as file:
        with gzip.GzipFile(filename='', mode='wb', compresslevel=9, fileobj=file, mtime=0) as packed:
            packed.write(content)


def main():
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        text = gzip.decompress(wheel.read('sklearn/datasets/data/digits.csv.gz')).decode()
    rows = [[int(float(value)) for value in line.split(',')] for line in text.split()]
    assert len(rows) == 1797 and all(len(row) == EDGE * EDGE + 1 for row in rows)
    assert all(0 <= value <= LEVELS for row in rows for value in row[:-1])
    pixels = bytes((value * 255 + LEVELS // 2) // LEVELS for row in rows for value in row[:-1])
    labels = bytes(row[-1] for row in rows)
    write_gz('train-images-idx3-ubyte.gz', struct.pack('>4B3I', 0, 0, 8, 3, len(rows), EDGE, EDGE) + pixels)
    write_gz('train-labels-idx1-ubyte.gz', struct.pack('>4BI', 0, 0, 8, 1, len(rows)) + labels)


if __name__ == '__main__':
    main()
