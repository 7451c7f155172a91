"""Writes pictures/: small files of every kind that is read, and pictures.json with the pixels each must give.

Expected pixels come from the definitions (16 bits to 8 by v / 257, alpha on white, EXIF turned) and, where a decoder's own
arithmetic matters (JPEG), from Pillow. Written with Pillow 13.0.0.
"""
import json
import struct
import zlib
from pathlib import Path

from PIL import Image, ImageOps

OUT = Path(__file__).parent / 'pictures'
WIDTH, HEIGHT = 7, 5
expected = {}


def rgb(y, x):
    return (20 * x + 10, 40 * y + 15, (x * 31 + y * 17) % 256)


def record(name, rows, tolerance=0):
    """rows: a list of rows of pixels, each a number or three."""
    flat = [value for row in rows for pixel in row for value in (pixel if isinstance(pixel, (tuple, list)) else [pixel])]
    channels = 3 if isinstance(rows[0][0], (tuple, list)) else 1
    expected[name] = dict(height=len(rows), width=len(rows[0]), channels=channels, tolerance=tolerance, pixels=bytes(flat).hex())


def rows_of(image):
    data = list(image.get_flattened_data() if hasattr(image, 'get_flattened_data') else image.getdata())
    return [data[y * image.width:(y + 1) * image.width] for y in range(image.height)]


def save(name, image, tolerance=0, rows=None, **options):
    image.save(OUT / name, **options)
    record(name, rows if rows is not None else rows_of(image), tolerance)


def image_of(mode, pixel):
    image = Image.new(mode, (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            image.putpixel((x, y), pixel(y, x))
    return image


def on_white(pixel):
    alpha = pixel[-1]
    return tuple((value * alpha + 255 * (255 - alpha) + 127) // 255 for value in pixel[:-1])


def write_png16(name, rows, colour_type):
    """A 16-bit PNG by hand: Pillow writes only grey ones."""
    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    lines = b''.join(b'\0' + b''.join(struct.pack('>H', value) for pixel in row for value in pixel) for row in rows)
    header = struct.pack('>2I5B', len(rows[0]), len(rows), 16, colour_type, 0, 0, 0)
    (OUT / name).write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'IDAT', zlib.compress(lines)) + chunk(b'IEND', b''))


def to8(value):
    return (value + 128) // 257


def grey(y, x):
    return 30 * x + 9 * y


def lossless():
    colour, plain = image_of('RGB', rgb), image_of('L', grey)
    for name, options in {'rgb.png': {}, 'rgb.bmp': {}, 'rgb.webp': dict(lossless=True), 'rgb.tiff': dict(compression='tiff_lzw'), 'rgb_raw.tif': {}}.items():
        save(name, colour, **options)
    for name, options in {'grey.png': {}, 'grey.bmp': {}, 'grey.tiff': dict(compression='tiff_adobe_deflate')}.items():
        save(name, plain, **options)
    palette = colour.quantize(16)
    save('palette.png', palette, rows=rows_of(palette.convert('RGB')))
    save('palette.bmp', palette, rows=rows_of(palette.convert('RGB')))
    save('palette.tiff', palette, rows=rows_of(palette.convert('RGB')))
    bits = image_of('1', lambda y, x: 255 * ((x + y) % 2))
    for name in ('bits.png', 'bits.bmp', 'bits.tiff'):
        save(name, bits, rows=rows_of(bits.convert('L')))


def alpha():
    soft = image_of('RGBA', lambda y, x: (*rgb(y, x), 40 * x))
    soft.putpixel((0, 0), (255, 0, 0, 128))
    rows = [[on_white(pixel) for pixel in row] for row in rows_of(soft)]
    assert rows[0][0] == (255, 127, 127)
    save('rgba.png', soft, rows=rows)
    save('rgba.webp', soft, rows=rows, lossless=True, exact=True)
    save('rgba.tiff', soft, rows=rows, tolerance=1)
    faint = image_of('LA', lambda y, x: (grey(y, x), 255 - 30 * x))
    save('grey_alpha.png', faint, rows=[[on_white(pixel)[0] for pixel in row] for row in rows_of(faint)])
    palette = image_of('RGB', lambda y, x: [(250, 10, 20), (0, 200, 100)][(x + y) % 2]).quantize(2)
    colours = palette.getpalette()[:6]
    palette.save(OUT / 'palette_alpha.png', transparency=bytes([128, 255]))
    shown = [on_white((*colours[0:3], 128)), tuple(colours[3:6])]
    record('palette_alpha.png', [[shown[pixel] for pixel in row] for row in rows_of(palette)])


def sixteen_bits():
    deep = Image.new('I;16', (WIDTH, HEIGHT), 40000)
    save('grey16.png', deep, rows=[[156] * WIDTH] * HEIGHT)
    save('grey16.tiff', deep, rows=[[156] * WIDTH] * HEIGHT)
    values = [[tuple(65535 * rgb(y, x)[c] // 300 for c in range(3)) for x in range(WIDTH)] for y in range(HEIGHT)]
    soft = [[(*pixel, 65535 * x // 6) for x, pixel in enumerate(row)] for row in values]
    write_png16('rgba16.png', soft, 6)
    record('rgba16.png', [[on_white(tuple(map(to8, pixel))) for pixel in row] for row in soft])
    white_is_zero = Image.new('I;16', (WIDTH, HEIGHT), 1000)
    save('inverted16.tiff', white_is_zero, rows=[[to8(64535)] * WIDTH] * HEIGHT, tiffinfo={262: 0})
    write_png16('rgb16.png', values, 2)
    record('rgb16.png', [[tuple(map(to8, pixel)) for pixel in row] for row in values])


def photo():
    image = Image.new('RGB', (48, 32))
    for y in range(32):
        for x in range(48):
            image.putpixel((x, y), (5 * x, 7 * y, 255 - 3 * x - 2 * y))
    return image


def jpegs():
    image = photo()
    for name, options in {'photo.jpg': dict(quality=90), 'progressive.jpg': dict(quality=90, progressive=True), 'full_chroma.jpeg': dict(quality=95, subsampling=0)}.items():
        image.save(OUT / name, **options)
        record(name, rows_of(Image.open(OUT / name)), 2)
    image.convert('L').save(OUT / 'grey.jpg', quality=90)
    record('grey.jpg', rows_of(Image.open(OUT / 'grey.jpg')), 2)
    image.convert('CMYK').save(OUT / 'cmyk.jpg', quality=95)
    record('cmyk.jpg', rows_of(Image.open(OUT / 'cmyk.jpg').convert('RGB')), 3)


def turned():
    """The same upright picture, stored in the eight orientations."""
    undo = {1: None, 2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE,
            6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270}
    colour, large = image_of('RGB', rgb), photo()
    for orientation, operation in undo.items():
        exif = Image.Exif()
        exif[0x0112] = orientation
        for suffix, upright, options, tolerance in (('png', colour, {}, 0), ('webp', colour, dict(lossless=True), 0), ('jpg', large, dict(quality=100, subsampling=0), 3),
                                                    ('tiff', colour, {}, 0)):
            stored = upright if operation is None else upright.transpose(operation)
            name = f'turned{orientation}.{suffix}'
            if suffix == 'tiff':
                stored.save(OUT / name, tiffinfo={274: orientation})
            else:
                stored.save(OUT / name, exif=exif.tobytes(), **options)
            shown = ImageOps.exif_transpose(Image.open(OUT / name))
            assert shown.size == upright.size and (suffix != 'png' or shown.tobytes() == upright.tobytes())
            record(name, rows_of(upright), tolerance)


def main():
    OUT.mkdir(exist_ok=True)
    lossless()
    alpha()
    sixteen_bits()
    jpegs()
    turned()
    (OUT / 'pictures.json').write_text('{\n' + ',\n'.join(f'{json.dumps(name)}: {json.dumps(value)}' for name, value in sorted(expected.items())) + '\n}\n')


if __name__ == '__main__':
    main()
