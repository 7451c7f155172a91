"""Writes resize.json: pictures made by a formula, resized by Pillow's bilinear filter. Written with Pillow 13.0.0."""
import json
from pathlib import Path

from PIL import Image

CASES = [  # channels, height, width → height, width
    (1, 37, 29, 8, 8), (3, 37, 29, 8, 8), (3, 5, 7, 12, 16), (3, 40, 10, 12, 30), (3, 200, 150, 9, 7), (1, 9, 9, 9, 4),
    (3, 9, 9, 4, 9), (1, 1, 1, 3, 5), (3, 2, 3, 1, 1), (1, 64, 64, 63, 65), (3, 16, 16, 16, 16), (1, 300, 2, 11, 2),
]


def value(y, x, c):
    return ((y * 37 + x * 101 + c * 59) ^ (y * x + 7 * c)) & 255


def main():
    cases = []
    for channels, height, width, to_height, to_width in CASES:
        pixels = bytes(value(y, x, c) for y in range(height) for x in range(width) for c in range(channels))
        picture = Image.frombytes('L' if channels == 1 else 'RGB', (width, height), pixels)
        result = picture.resize((to_width, to_height), Image.Resampling.BILINEAR)
        cases.append(dict(channels=channels, height=height, width=width, to_height=to_height, to_width=to_width, pixels=result.tobytes().hex()))
    (Path(__file__).parent / 'resize.json').write_text('[\n' + ',\n'.join(json.dumps(case) for case in cases) + '\n]\n')


if __name__ == '__main__':
    main()
