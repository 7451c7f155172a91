"""Writes archives/: the same few pictures packed by Python's tarfile and zipfile in every dialect, and TFRecord files by the definition.

Every picture is 2x2 of one colour, so that a test can tell which one it got. Needs Pillow.
"""
import io
import os
import struct
import tarfile
import zipfile

from PIL import Image

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "archives")
LONG = "tulips/" + "m" * 100 + "/" + "n" * 60 + ".png"
DEEP = "tulips/" + "d" * 100 + "/" + "e" * 100 + "/" + "f" * 100 + ".png"
PICTURES = {"roses/1.png": (10, 20, 30), "roses/2.png": (40, 50, 60), "tulips/été 花.png": (70, 80, 90), LONG: (1, 2, 3)}


def png(colour):
    out = io.BytesIO()
    Image.new("RGB", (2, 2), colour).save(out, "PNG")
    return out.getvalue()


def write_tar(name, mode, fmt, deep):
    with tarfile.open(os.path.join(here, name), mode, format=fmt) as tar:
        def entry(path, content=None, **more):
            info = tarfile.TarInfo(path)
            info.mtime = 1000000000
            for key, value in more.items():
                setattr(info, key, value)
            info.size = len(content or b"")
            tar.addfile(info, io.BytesIO(content or b""))
        entry("./roses", type=tarfile.DIRTYPE)
        for path, colour in PICTURES.items():
            entry("./" + path if path.startswith("roses") else path, png(colour))
        if deep:
            entry(DEEP, png((4, 5, 6)))
        entry("roses/link.png", type=tarfile.SYMTYPE, linkname="../tulips/été 花.png")
        entry("tulips/hard.png", type=tarfile.LNKTYPE, linkname="./roses/1.png" if fmt != tarfile.GNU_FORMAT else "roses/1.png")
        entry("roses/gone.png", type=tarfile.SYMTYPE, linkname="nowhere.png")
        entry("roses/passwd.png", type=tarfile.SYMTYPE, linkname="/etc/passwd")
        entry("roses/._1.png", b"AppleDouble")
        entry("roses/notes.txt", b"text")


def write_zip():
    with zipfile.ZipFile(os.path.join(here, "flowers.zip"), "w") as out:
        def entry(path, content, method=zipfile.ZIP_DEFLATED, attributes=0o644 << 16, zip64=False):
            info = zipfile.ZipInfo(path, (2001, 9, 9, 1, 46, 40))
            info.compress_type, info.external_attr, info.create_system = method, attributes, 3
            with out.open(info, "w", force_zip64=zip64) as file:
                file.write(content)
        entry("flowers/", b"", zipfile.ZIP_STORED, 0o40755 << 16)
        for i, (path, colour) in enumerate(PICTURES.items()):
            entry("flowers/" + path, png(colour), [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED][i % 2], zip64=i == 2)
        entry("flowers/roses/link.png", b"1.png", attributes=0o120777 << 16)
        entry("flowers/roses/.DS_Store", b"junk")
        entry("__MACOSX/flowers/roses/._1.png", b"junk")
        entry("readme.txt", b"text")


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def masked(data):
    value = crc32c(data)
    return struct.pack("<I", ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def feature(key, kind, content):
    return field(1, field(1, key.encode()) + field(2, field(kind, content)))


def example(picture, label, text, packed):
    number = field(1, varint(label)) if packed else varint(1 << 3) + varint(label)
    features = [feature("image/encoded", 1, field(1, picture)), feature("image/format", 1, field(1, b"png")),
                feature("image/class/label", 3, number), feature("image/class/text", 1, field(1, text.encode())),
                feature("image/object/bbox/xmin", 2, field(1, struct.pack("<f", 0.5)))]
    return field(1, b"".join(features if packed else reversed(features)))


def write_records(name, samples):
    with open(os.path.join(here, name), "wb") as file:
        for i, (colour, label, text, padding) in enumerate(samples):
            record = example(png(colour) + b"\0" * padding, label, text, i % 2 == 0)
            length = struct.pack("<Q", len(record))
            file.write(length + masked(length) + record + masked(record))


os.makedirs(here, exist_ok=True)
write_tar("ustar.tar.gz", "w:gz", tarfile.USTAR_FORMAT, False)
write_tar("gnu.tar.xz", "w:xz", tarfile.GNU_FORMAT, True)
write_tar("pax.tar.bz2", "w:bz2", tarfile.PAX_FORMAT, True)
write_zip()
write_records("train-00000-of-00002", [((10, 20, 30), 1, "roses", 0), ((40, 50, 60), 2, "tulips", 0)])
write_records("train-00001-of-00002", [((70, 80, 90), 2, "tulips", 0)])
write_records("validation-00000-of-00001", [((1, 2, 3), 1, "roses", 5000)])
