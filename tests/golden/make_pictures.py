"""Writes pictures/: small files of every kind that is read, and pictures.json with the pixels each must give.

Expected pixels come from the definitions (16 bits to 8 by v / 257, alpha on white, EXIF turned) and, where a decoder's own
arithmetic matters (JPEG), from Pillow. Written with Pillow 13.0.0 and pillow-heif 1.8.1.
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


def write_png(name, size, bits, colour_type, lines, interlaced=0, others=()):
    """A PNG by hand: Pillow writes only some kinds. lines: the bytes of each, in the order of the file."""
    def chunk(kind, body):
        return struct.pack('>I', len(body)) + kind + body + struct.pack('>I', zlib.crc32(kind + body))
    header = struct.pack('>2I5B', *size, bits, colour_type, 0, 0, interlaced)
    before = b''.join(chunk(kind, body) for kind, body in others)
    data = zlib.compress(b''.join(b'\0' + line for line in lines))
    (OUT / name).write_bytes(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + before + chunk(b'IDAT', data) + chunk(b'IEND', b''))


def write_png16(name, rows, colour_type, others=()):
    lines = [b''.join(struct.pack('>H', value) for pixel in row for value in pixel) for row in rows]
    write_png(name, (len(rows[0]), len(rows)), 16, colour_type, lines, others=others)


def packed(values, bits):
    """Rows of small numbers, the first in the highest bits."""
    text = ''.join(format(value, f'0{bits}b') for value in values)
    return bytes(int(text[i:i + 8].ljust(8, '0'), 2) for i in range(0, len(text), 8))


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


def more_png():
    """Few bits, the eight-by-eight interlacing, and one colour that means transparent."""
    for bits in (1, 2, 4):
        most = 2**bits - 1
        values = [[(x + 2 * y) % (most + 1) for x in range(WIDTH)] for y in range(HEIGHT)]
        write_png(f'grey{bits}.png', (WIDTH, HEIGHT), bits, 0, [packed(row, bits) for row in values])
        record(f'grey{bits}.png', [[255 * value // most for value in row] for row in values])
    colours = [(i * 16, 255 - i * 10, i * 5) for i in range(16)]
    values = [[(x + 3 * y) % 16 for x in range(WIDTH)] for y in range(HEIGHT)]
    write_png('palette4.png', (WIDTH, HEIGHT), 4, 3, [packed(row, 4) for row in values], others=[(b'PLTE', bytes(sum(colours, ())))])
    record('palette4.png', [[colours[value] for value in row] for row in values])
    rows = [[rgb(y, x) for x in range(WIDTH)] for y in range(HEIGHT)]
    passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    lines = [bytes(sum(row[x::dx], ())) for y, x, dy, dx in passes for row in rows[y::dy] if row[x::dx]]
    write_png('interlaced.png', (WIDTH, HEIGHT), 8, 2, lines, interlaced=1)
    record('interlaced.png', rows)
    key = rows[2][3]
    write_png('colour_key.png', (WIDTH, HEIGHT), 8, 2, [bytes(sum(row, ())) for row in rows], others=[(b'tRNS', struct.pack('>3H', *key))])
    record('colour_key.png', [[(255, 255, 255) if pixel == key else pixel for pixel in row] for row in rows])
    shades = [[grey(y, x) % 256 for x in range(WIDTH)] for y in range(HEIGHT)]
    write_png('grey_key.png', (WIDTH, HEIGHT), 8, 0, [bytes(row) for row in shades], others=[(b'tRNS', struct.pack('>H', shades[1][1]))])
    record('grey_key.png', [[255 if value == shades[1][1] else value for value in row] for row in shades])
    deep = [[(65535 * (x + 7 * y) // 40, 65535 - 9000 * x) for x in range(WIDTH)] for y in range(HEIGHT)]
    write_png16('grey_alpha16.png', deep, 4)
    record('grey_alpha16.png', [[on_white(tuple(map(to8, pixel)))[0] for pixel in row] for row in deep], 1)


def gifs():
    colour = image_of('RGB', rgb).quantize(16)
    save('plain.gif', colour, rows=rows_of(colour.convert('RGB')), interlace=0)
    tall = Image.new('RGB', (6, 21))
    for y in range(21):
        for x in range(6):
            tall.putpixel((x, y), (x * 40, y * 12, 90))
    tall = tall.quantize(200)
    save('interlaced.gif', tall, rows=rows_of(tall.convert('RGB')), interlace=1)
    clear = image_of('P', lambda y, x: (x + y) % 3)
    clear.putpalette([250, 10, 20, 0, 200, 100, 30, 40, 50])
    clear.save(OUT / 'transparent.gif', transparency=1)
    shown = [(250, 10, 20), (255, 255, 255), (30, 40, 50)]
    record('transparent.gif', [[shown[(x + y) % 3] for x in range(WIDTH)] for y in range(HEIGHT)])
    second = Image.new('RGB', (WIDTH, HEIGHT), (1, 2, 3)).quantize(2)
    save('animated.gif', colour, rows=rows_of(colour.convert('RGB')), save_all=True, append_images=[second], duration=100)
    # A frame smaller than its canvas: the rest is transparent.
    plain = Image.new('P', (2, 2), 0)
    plain.putpalette([9, 99, 199] * 2)
    plain.save(OUT / 'part.gif')
    body = bytearray((OUT / 'part.gif').read_bytes())
    body[6:10] = struct.pack('<2H', 4, 3)
    frame = body.index(b',', 13)
    body[frame + 1:frame + 5] = struct.pack('<2H', 1, 1)
    (OUT / 'part.gif').write_bytes(body)
    record('part.gif', [[(9, 99, 199) if 1 <= x <= 2 and 1 <= y <= 2 else (255, 255, 255) for x in range(4)] for y in range(3)])


def write_bmp(name, bits, compression, body, height=HEIGHT, header_size=40, masks=(), palette=b'', width=WIDTH):
    header = struct.pack('<IiiHHIIiiII', header_size, width, height, 1, bits, compression, len(body), 0, 0, len(palette) // 4, 0)
    header += b''.join(struct.pack('<I', mask) for mask in masks)
    header += b'\0' * (header_size - len(header))
    start = 14 + len(header) + len(palette)
    (OUT / name).write_bytes(b'BM' + struct.pack('<IHHI', start + len(body), 0, 0, start) + header + palette + body)


def bmps():
    def padded(line):
        return line + b'\0' * (-len(line) % 4)
    rows = [[rgb(y, x) for x in range(WIDTH)] for y in range(HEIGHT)]
    def lines(pixel, order=reversed):
        return b''.join(padded(b''.join(pixel(*value, x) for x, value in enumerate(row))) for row in order(rows))
    write_bmp('masks565.bmp', 16, 3, lines(lambda r, g, b, x: struct.pack('<H', r >> 3 << 11 | g >> 2 << 5 | b >> 3)), masks=(0xf800, 0x7e0, 0x1f))
    record('masks565.bmp', [[(round((r >> 3) * 255 / 31), round((g >> 2) * 255 / 63), round((b >> 3) * 255 / 31)) for r, g, b in row] for row in rows])
    write_bmp('bits555.bmp', 16, 0, lines(lambda r, g, b, x: struct.pack('<H', r >> 3 << 10 | g >> 3 << 5 | b >> 3)))
    record('bits555.bmp', [[tuple(round((value >> 3) * 255 / 31) for value in pixel) for pixel in row] for row in rows])
    write_bmp('unused32.bmp', 32, 0, lines(lambda r, g, b, x: bytes((b, g, r, 0))))
    record('unused32.bmp', rows)
    with_alpha = dict(header_size=108, masks=(0xff0000, 0xff00, 0xff, 0xff000000))
    write_bmp('rgba.bmp', 32, 3, lines(lambda r, g, b, x: bytes((b, g, r, 40 * x))), **with_alpha)
    record('rgba.bmp', [[on_white((*pixel, 40 * x)) for x, pixel in enumerate(row)] for row in rows])
    write_bmp('no_alpha32.bmp', 32, 3, lines(lambda r, g, b, x: bytes((b, g, r, 0))), **with_alpha)
    record('no_alpha32.bmp', rows)
    write_bmp('top_down.bmp', 24, 0, lines(lambda r, g, b, x: bytes((b, g, r)), iter), height=-HEIGHT)
    record('top_down.bmp', rows)
    colours = [(i * 16, 255 - i * 10, i * 5) for i in range(16)]
    palette = b''.join(bytes((b, g, r, 0)) for r, g, b in colours)
    # From the bottom: a run and single ones; a jump by (3, 1) into the line above the next; a run. What is jumped over has colour 0.
    write_bmp('runs8.bmp', 8, 1, bytes((4, 5, 0, 3, 1, 2, 3, 0, 0, 0, 0, 2, 3, 1, 2, 7, 0, 1)), height=4, palette=palette)
    indices = [[0] * 7, [0, 0, 0, 7, 7, 0, 0], [0] * 7, [5, 5, 5, 5, 1, 2, 3]]
    record('runs8.bmp', [[colours[index] for index in row] for row in indices])
    write_bmp('runs4.bmp', 4, 2, bytes((5, 0x12, 0, 0, 0, 4, 0x34, 0x56, 0, 1)), height=2, palette=palette)
    record('runs4.bmp', [[colours[index] for index in row] for row in ([3, 4, 5, 6, 0, 0, 0], [1, 2, 1, 2, 1, 0, 0])])


def write_tiff(name, rows, bits, photometric, planes=False, tile=None, extra=None, fmt=1):
    """An uncompressed TIFF by hand, in strips of two lines or in tiles. rows of tuples."""
    count, height, width = len(rows[0][0]), len(rows), len(rows[0])
    code = {8: 'B', 16: 'H', 32: 'f'}[bits]
    def block(y0, x0, h, w, channels):
        zero = (0,) * count
        inside = lambda y, x: rows[y][x] if y < height and x < width else zero
        return b''.join(struct.pack('<' + code, inside(y, x)[c]) for y in range(y0, y0 + h) for x in range(x0, x0 + w) for c in channels)
    channel_sets = [[c] for c in range(count)] if planes else [range(count)]
    if tile:
        blocks = [block(y, x, tile, tile, c) for c in channel_sets for y in range(0, height, tile) for x in range(0, width, tile)]
    else:
        blocks = [block(y, 0, min(2, height - y), width, c) for c in channel_sets for y in range(0, height, 2)]
    body, offsets = b'', []
    for part in blocks:
        offsets.append(8 + len(body))
        body += part + b'\0' * (len(part) % 2)
    tags = {256: (4, [width]), 257: (4, [height]), 258: (3, [bits] * count), 259: (3, [1]), 262: (3, [photometric]), 277: (3, [count]), 284: (3, [2 if planes else 1]),
            339: (3, [fmt] * count)}
    tags.update({322: (4, [tile]), 323: (4, [tile]), 324: (4, offsets), 325: (4, [len(part) for part in blocks])} if tile else
                {273: (4, offsets), 278: (4, [2]), 279: (4, [len(part) for part in blocks])})
    if extra is not None:
        tags[338] = (3, [extra])
    directory, more, at = b'', b'', 8 + len(body)
    behind = at + 2 + 12 * len(tags) + 4
    for tag, (kind, values) in sorted(tags.items()):
        packed_values = b''.join(struct.pack('<I' if kind == 4 else '<H', value) for value in values)
        if len(packed_values) <= 4:
            directory += struct.pack('<HHI', tag, kind, len(values)) + packed_values.ljust(4, b'\0')
        else:
            directory += struct.pack('<HHII', tag, kind, len(values), behind + len(more))
            more += packed_values
    (OUT / name).write_bytes(b'II*\0' + struct.pack('<I', at) + body + struct.pack('<H', len(tags)) + directory + struct.pack('<I', 0) + more)


def more_tiff():
    deep = [[tuple(65535 * value // 300 for value in rgb(y, x)) for x in range(WIDTH)] for y in range(HEIGHT)]
    shown = [[tuple(map(to8, pixel)) for pixel in row] for row in deep]
    for name, options in {'rgb16.tiff': {}, 'planes16.tiff': dict(planes=True), 'tiles16.tiff': dict(tile=16), 'tiles_planes16.tiff': dict(tile=16, planes=True)}.items():
        write_tiff(name, deep, 16, 2, **options)
        record(name, shown)
    plain = [[rgb(y, x) for x in range(20)] for y in range(18)]
    plain = [[tuple(value % 256 for value in pixel) for pixel in row] for row in plain]
    write_tiff('tiles.tiff', plain, 8, 2, tile=16)
    record('tiles.tiff', plain)
    soft = [[(*rgb(y, x), 40 * x) for x in range(WIDTH)] for y in range(HEIGHT)]
    multiplied = [[(*((value * pixel[3] + 127) // 255 for value in pixel[:3]), pixel[3]) for pixel in row] for row in soft]
    write_tiff('multiplied.tiff', multiplied, 8, 2, extra=1)
    record('multiplied.tiff', [[on_white(pixel) for pixel in row] for row in soft], 2)
    write_tiff('unknown_extra.tiff', soft, 8, 2, extra=0)
    record('unknown_extra.tiff', [[pixel[:3] for pixel in row] for row in soft])
    faint = [[(grey(y, x) % 256, 255 - 30 * x) for x in range(WIDTH)] for y in range(HEIGHT)]
    write_tiff('grey_alpha.tiff', faint, 8, 1, extra=2)
    record('grey_alpha.tiff', [[on_white(pixel)[0] for pixel in row] for row in faint])
    ink = Image.new('CMYK', (WIDTH, HEIGHT), (30, 100, 200, 40))
    save('cmyk.tiff', ink, tolerance=2, rows=rows_of(ink.convert('RGB')))
    write_tiff('float.tiff', [[(0.5,)] * 4] * 4, 32, 1, fmt=3)  # refused: no pixels


def more_webp():
    image = photo()
    image.save(OUT / 'lossy.webp', quality=80)
    record('lossy.webp', rows_of(Image.open(OUT / 'lossy.webp')), 2)
    first, second = image_of('RGB', rgb), Image.new('RGB', (WIDTH, HEIGHT), (1, 2, 3))
    save('animated.webp', first, save_all=True, append_images=[second], duration=100, lossless=True)


def dated():
    """When the picture was taken: DateTimeOriginal, else DateTime."""
    image = image_of('RGB', rgb)
    exif = Image.Exif()
    exif[0x0132] = '2020:02:29 12:00:00'
    for name, options in {'dated.png': {}, 'dated.webp': dict(lossless=True)}.items():
        save(name, image, exif=exif.tobytes(), **options)
    save('dated.tiff', image, tiffinfo={306: '2020:02:29 12:00:00'})
    exif.get_ifd(0x8769)[0x9003] = '2019:07:03 08:09:10'
    image.save(OUT / 'dated.jpg', quality=95, subsampling=0, exif=exif.tobytes())
    record('dated.jpg', rows_of(Image.open(OUT / 'dated.jpg')), 2)


def heif():
    """Not to the bit: both formats compress with loss. The turned ones say so twice, in EXIF and for the decoder, as phones do."""
    import pillow_heif
    pillow_heif.register_heif_opener()
    image = Image.new('RGB', (64, 40))
    for y in range(40):
        for x in range(64):
            image.putpixel((x, y), (60 + 2 * x, 200 - 3 * y, 90 + x))
    for name, orientation in {'plain.heic': 1, 'turned6.heic': 6, 'turned7.heic': 7, 'turned6.avif': 6}.items():
        exif = Image.Exif()
        exif[0x0112] = orientation
        exif[0x0132] = '2020:02:29 12:00:00'
        exif.get_ifd(0x8769)[0x9003] = '2019:07:03 08:09:10'
        image.save(OUT / name, quality=90, exif=exif.tobytes())
        turned_image = image.copy()
        turned_image.getexif()[0x0112] = orientation
        record(name, rows_of(ImageOps.exif_transpose(turned_image)), 6)
    soft = image.convert('RGBA')
    soft.putalpha(Image.new('L', soft.size, 128))
    soft.save(OUT / 'alpha.heic', quality=90)
    record('alpha.heic', [[on_white(pixel) for pixel in row] for row in rows_of(soft)], 6)


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
    more_png()
    gifs()
    bmps()
    more_tiff()
    more_webp()
    dated()
    heif()
    (OUT / 'pictures.json').write_text('{\n' + ',\n'.join(f'{json.dumps(name)}: {json.dumps(value)}' for name, value in sorted(expected.items())) + '\n}\n')


if __name__ == '__main__':
    main()
