"""Writes resize.json: pictures made by a formula, resized by Pillow's filters, whole or a box of them. Written with Pillow 13.0.0."""
import json
from pathlib import Path

from PIL import Image

CASES = [  # channels, height, width → height, width
    (1, 37, 29, 8, 8), (3, 37, 29, 8, 8), (3, 5, 7, 12, 16), (3, 40, 10, 12, 30), (3, 200, 150, 9, 7), (1, 9, 9, 9, 4),
    (3, 9, 9, 4, 9), (1, 1, 1, 3, 5), (3, 2, 3, 1, 1), (1, 24, 24, 23, 25), (3, 16, 16, 16, 16), (1, 300, 2, 11, 2),
    (3, 30, 50, 13, 17), (3, 10, 40, 30, 12),
]
BOXES = [  # channels, height, width, box (left, top, right, bottom) → height, width
    (3, 37, 29, (3, 5, 20, 30), 8, 8), (3, 37, 29, (1.25, 2.5, 27.125, 33.75), 20, 14), (3, 17, 19, (0.5, 0.5, 18.5, 16.5), 16, 18),
    (1, 20, 30, (2.75, 0, 9.5, 20), 20, 15), (3, 20, 30, (0, 3.3, 30, 11.1), 13, 30), (3, 50, 70, (10.4, 20.6, 60.2, 49.9), 7, 90),
    (3, 8, 8, (3.2, 3.2, 4.7, 4.1), 6, 6),
]
FILTERS = {'bilinear': Image.Resampling.BILINEAR, 'bicubic': Image.Resampling.BICUBIC}


def value(y, x, c):
    return ((y * 37 + x * 101 + c * 59) ^ (y * x + 7 * c)) & 255


def main():
    cases = []
    whole = [(c, h, w, None, th, tw) for c, h, w, th, tw in CASES]
    for name, resampling in FILTERS.items():
        for channels, height, width, box, to_height, to_width in whole + BOXES:
            pixels = bytes(value(y, x, c) for y in range(height) for x in range(width) for c in range(channels))
            picture = Image.frombytes('L' if channels == 1 else 'RGB', (width, height), pixels)
            result = picture.resize((to_width, to_height), resampling, box=box)
            cases.append(dict(filter=name, channels=channels, height=height, width=width, box=box or [0, 0, width, height], to_height=to_height,
                              to_width=to_width, pixels=result.tobytes().hex()))
    (Path(__file__).parent / 'resize.json').write_text('[\n' + ',\n'.join(json.dumps(case) for case in cases) + '\n]\n')


if __name__ == '__main__':
    main()
