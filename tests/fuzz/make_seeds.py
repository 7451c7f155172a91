"""Writes corpus/: a few small valid inputs for each fuzz target, from which the fuzzer starts. Pictures come from ../golden/pictures."""
import gzip
import io
import os
import struct
import tarfile

here = os.path.dirname(os.path.abspath(__file__))
golden = os.path.join(here, "..", "golden")


def seed(target, name, *pieces):
    folder = os.path.join(here, "corpus", target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as file:
        file.write(b"".join(pieces))


def piece(content):
    return struct.pack("<H", len(content)) + content


def tar(entries, fmt=tarfile.USTAR_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=fmt) as file:
        for path, content, *more in entries:
            info = tarfile.TarInfo(path)
            info.size = len(content)
            if more:
                info.type, info.linkname = more
            file.addfile(info, io.BytesIO(content))
    entries = out.getvalue().rstrip(b"\0")
    return entries + b"\0" * (-len(entries) % 512 + 1024)  # without the padding to whole tape records


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def feature(key, kind, content):
    return field(1, field(1, key) + field(2, field(kind, content)))


def example(label, name, padding=0):
    return field(1, feature(b"image/encoded", 1, field(1, b"picture" + b"p" * padding)) + feature(b"image/class/label", 3, field(1, varint(label))) +
                 feature(b"image/class/text", 1, field(1, name)))


pictures = struct.pack(">4B3I", 0, 0, 8, 3, 3, 2, 2) + bytes(range(12))
labels = struct.pack(">4BI", 0, 0, 8, 1, 3) + bytes([0, 1, 2])
colour = struct.pack(">4B4I", 0, 0, 8, 4, 1, 2, 2, 3) + bytes(range(12))
seed("idx", "plain", b"\0", piece(pictures), labels)
seed("idx", "colour", b"\0", piece(colour), labels[:7] + b"\1\0")
seed("idx", "gzip", b"\3", piece(gzip.compress(pictures, mtime=0)), gzip.compress(labels, mtime=0))
record = bytes(i * 7 & 255 for i in range(3072))
seed("cifar", "ten", b"\1", piece(b""), b"\3" + record)
seed("cifar", "named", b"\7", piece(b"\n".join(b"name%d" % i for i in range(10))), b"\0" + record)
seed("cifar", "hundred", b"\2", piece(b"x\n" * 100), b"\0\5" + record)
seed("csv", "plain", b"\0", b"file,label\na.jpg,cat\nb.jpg,\"dog, \"\"big\"\"\"\n")
seed("csv", "semicolons", b"\2", "\ufeffGröße;Wert\r\n1,5;NA\r\n\r\n2,25;\"a\r\nb\"\r\n".encode())
seed("csv", "tabs", b"\7", b"1\t2\t3\n4\t5\t-6e7\n")
long_name = "roses/" + "n" * 120 + ".png"
flowers = [("roses/1.png", b"one"), ("tulips/2.png", b"two" * 300)]
seed("tar", "ustar", b"\1", tar(flowers))
seed("tar", "links", b"\1", tar(flowers + [("roses/l.png", b"", tarfile.SYMTYPE, "1.png"), ("t/h.png", b"", tarfile.LNKTYPE, "roses/1.png")]))
seed("tar", "gnu", b"\1", tar([(long_name, b"one")], tarfile.GNU_FORMAT))
seed("tar", "pax", b"\1", tar([(long_name, b"one"), ("tulips/花.png", b"two")], tarfile.PAX_FORMAT))
seed("tar", "raw", b"\0", tar(flowers))
seed("webdataset", "numbers", b"\1", piece(b""), tar([("1.png", b"one"), ("1.cls", b"0"), ("2.jpg", b"two"), ("2.cls", b"1\n")]))
seed("webdataset", "json", b"\1", piece(b""), tar([("1.png", b"one"), ("1.json", b'{"label": "cat"}'), ("2.png", b"two"), ("2.json", b'{"label": "dog"}')]))
seed("webdataset", "named", b"\3", piece(b"cat\ndog\n"), tar([("1.png", b"one"), ("1.json", b'{"a": [1, {}], "cls": 1}')]))
seed("tfrecord", "records", b"\0", piece(example(1, b"cat")), piece(example(2, b"dog")))
seed("tfrecord", "large", b"\0", piece(example(0, b"cat", 5000)))
for name in ["train-00000-of-00002"]:
    with open(os.path.join(golden, "archives", name), "rb") as file:
        seed("tfrecord", "file", b"\1", file.read())
