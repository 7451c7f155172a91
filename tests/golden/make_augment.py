"""Writes augment.json: pictures made by a formula, changed by torchvision's functions on 8-bit tensors (resizing: by Pillow).
Written with torch 2.15.0, torchvision 0.29.2 and Pillow 13.0.0."""
import base64
import json
from pathlib import Path

import torch
from PIL import Image
from torchvision.transforms import v2
from torchvision.transforms.functional import InterpolationMode
from torchvision.transforms.v2 import functional as F

EXACT, COLOUR, SMOOTH = 0, 1, 2  # levels that may differ


def picture(channels, height, width):
    def value(y, x, c):
        return ((y * 37 + x * 101 + c * 59) ^ (y * x + 7 * c)) & 255
    return torch.tensor([[[value(y, x, c) for x in range(width)] for y in range(height)] for c in range(channels)], dtype=torch.uint8)


def pillow(tensor, size, mode):
    array = tensor.permute(1, 2, 0).numpy()
    image = Image.fromarray(array if array.shape[2] == 3 else array[:, :, 0])
    return F.pil_to_tensor(image.resize((size[1], size[0]), mode))


def mode(name):
    return InterpolationMode(name)


def run(name, a, p):
    """The picture `p` under step `name` with arguments `a`."""
    plain = dict(invert=F.invert, grey=lambda p: F.rgb_to_grayscale(p, p.shape[0]), autocontrast=F.autocontrast, equalize=F.equalize,
                 hflip=F.horizontal_flip, vflip=F.vertical_flip)
    factors = dict(posterize=F.posterize, solarize=F.solarize, brightness=F.adjust_brightness, contrast=F.adjust_contrast,
                   saturation=F.adjust_saturation, hue=F.adjust_hue, sharpness=F.adjust_sharpness)
    if name in plain:
        return plain[name](p)
    if name in factors:
        return factors[name](p, a['by'])
    if name == 'blur':
        return F.gaussian_blur(p, a['window'], [a['sigma']] * 2)
    if name == 'affine':
        return F.affine(p, a['angle'], a['translate'], a['scale'], a['shear'], mode(a['mode']), a['fill'], a['center'])
    if name == 'rotate':
        return F.rotate(p, a['angle'], mode(a['mode']), a['expand'], a['center'], a['fill'])
    if name == 'perspective':
        return F.perspective(p, a['from'], a['to'], mode(a['mode']), a['fill'])
    if name == 'pad':
        return F.pad(p, a['padding'], a['fill'], a['mode'])
    if name == 'center_crop':
        return F.center_crop(p, a['size'])
    if name == 'resize':
        size = F._geometry._compute_resized_output_size(tuple(p.shape[1:]), a['size'] if isinstance(a['size'], list) else [a['size']], a.get('max_size'))
        return pillow(p, size, Image.Resampling[a['mode'].upper()])
    if name == 'operation':
        return v2.RandAugment()._apply_image_or_video_transform(p, a['kind'], a['magnitude'], mode(a['mode']), {'others': a['fill']})
    raise KeyError(name)


def geometry_cases(interpolation, near):
    fill = 0
    for angle in (30.0, -71.5, 181.0):
        yield 'rotate', dict(angle=angle, mode=interpolation, expand=False, center=None, fill=fill), near
    yield 'rotate', dict(angle=33.0, mode=interpolation, expand=True, center=None, fill=[10, 100, 200]), near
    yield 'rotate', dict(angle=12.0, mode=interpolation, expand=False, center=[2.0, 9.5], fill=None), near
    yield 'affine', dict(angle=17.0, translate=[2, -3], scale=1.3, shear=[11.0, -7.0], mode=interpolation, fill=77, center=None), near
    yield 'affine', dict(angle=-100.0, translate=[0, 0], scale=0.6, shear=[0.0, 20.0], mode=interpolation, fill=None, center=[1.0, 1.0]), near
    corners = [[0, 0], [12, 0], [12, 10], [0, 10]]
    yield 'perspective', {'from': corners, 'to': [[2, 1], [10, 3], [11, 8], [1, 10]], 'mode': interpolation, 'fill': 0}, near
    yield 'perspective', {'from': corners, 'to': [[0, 3], [9, 0], [12, 7], [3, 9]], 'mode': interpolation, 'fill': [9, 90, 250]}, near


def cases():
    for name in ('hflip', 'vflip', 'invert'):
        yield name, {}, EXACT
    for bits in (0, 1, 4, 8):
        yield 'posterize', dict(by=bits), EXACT
    for threshold in (0.0, 127.5, 128.0, 255.0):
        yield 'solarize', dict(by=threshold), EXACT
    for padding_mode in ('constant', 'edge', 'reflect', 'symmetric'):
        yield 'pad', dict(padding=[3, 1, 2, 4], fill=[50, 60, 70] if padding_mode == 'constant' else 0, mode=padding_mode), EXACT
    for size in ([7, 6], [20, 4], [14, 15]):
        yield 'center_crop', dict(size=size), EXACT
    for name, factors in dict(brightness=(0.4, 1.7), contrast=(0.0, 0.5, 2.2), saturation=(0.0, 0.6, 1.9), hue=(-0.5, -0.13, 0.02, 0.31, 0.5), sharpness=(0.0, 0.5, 3.0)).items():
        for factor in factors:
            yield name, dict(by=factor), COLOUR
    for name in ('grey', 'autocontrast', 'equalize'):
        yield name, {}, COLOUR
    yield 'blur', dict(window=[3, 3], sigma=0.7), COLOUR
    yield 'blur', dict(window=[7, 3], sigma=2.0), COLOUR
    yield from geometry_cases('nearest', EXACT)
    yield from geometry_cases('bilinear', SMOOTH)
    for angle in (90, 180, 270):
        yield 'rotate', dict(angle=float(angle), mode='nearest', expand=True, center=None, fill=0), EXACT
        yield 'rotate', dict(angle=float(angle), mode='nearest', expand=False, center=None, fill=0), EXACT
    for name in ('nearest', 'bicubic', 'bilinear'):
        yield 'resize', dict(size=[5, 9], mode=name), COLOUR if name != 'nearest' else EXACT
        yield 'resize', dict(size=[5, 11], mode=name), COLOUR if name != 'nearest' else EXACT  # Pillow goes down the columns first
        yield 'resize', dict(size=17, mode=name), COLOUR if name != 'nearest' else EXACT
    yield 'resize', dict(size=9, max_size=10, mode='bilinear'), COLOUR
    for kind, magnitude in dict(ShearX=0.27, ShearY=-0.9, TranslateX=3.9, TranslateY=-2.9, Rotate=-27.0, Brightness=-0.9, Color=0.9, Contrast=-0.45, Sharpness=0.99,
                                Posterize=3.0, Solarize=0.4, AutoContrast=0.0, Equalize=0.0, Invert=0.0, Identity=0.0).items():
        yield 'operation', dict(kind=kind, magnitude=magnitude, mode='nearest', fill=None), COLOUR if kind in ('Brightness', 'Color', 'Contrast', 'Sharpness', 'AutoContrast', 'Equalize') else EXACT


def grey_fill(a):
    return dict(a, fill=a['fill'][0]) if isinstance(a.get('fill'), list) else a


def written(channels, height, width, name, a, near):
    p = picture(channels, height, width)
    result = run(name, a, p)
    pixels = base64.b64encode(bytes(result.permute(1, 2, 0).contiguous().flatten().tolist())).decode()
    return dict(step=name, arguments=a, near=near, channels=channels, height=height, width=width, to_height=result.shape[1], to_width=result.shape[2], pixels=pixels)


def magnitudes():
    spaces = dict(usual=v2.RandAugment._AUGMENTATION_SPACE, wide=v2.TrivialAugmentWide._AUGMENTATION_SPACE)
    out = []
    for space, table in spaces.items():
        for kind, (of, signed) in table.items():
            for grades in (10, 31) if kind in ('Rotate', 'Posterize') else (10,):
                values = of(grades, 48, 80)
                out.append(dict(space=space, kind=kind, signed=signed, grades=grades, values=None if values is None else [float(x) for x in values]))
    return out


def mixes():
    batch = torch.arange(4 * 2 * 3 * 5, dtype=torch.float32).reshape(4, 2, 3, 5).mul(37).remainder(11)
    labels = torch.arange(4)
    mixup = v2.MixUp(num_classes=4).transform(batch, dict(labels=labels, batch_size=4, lam=0.3))
    cutmix = v2.CutMix(num_classes=4).transform(batch, dict(labels=labels, batch_size=4, box=(1, 0, 4, 2), lam_adjusted=1 - 6 / 15))
    flat = lambda t: t.permute(0, 2, 3, 1).flatten().tolist()
    return dict(batch=flat(batch), mixup=flat(mixup), cutmix=flat(cutmix))


def main():
    out = []
    for name, a, near in cases():
        height, width = (32, 24) if name in ('equalize', 'autocontrast') or a.get('kind') in ('Equalize', 'AutoContrast') else (11, 13)
        out.append(written(3, height, width, name, a, near))
        if name in ('contrast', 'equalize', 'autocontrast', 'sharpness') or (name == 'rotate' and a['mode'] == 'bilinear'):
            out.append(written(1, height, width, name, grey_fill(a), near))
    lines = lambda items: '[\n' + ',\n'.join(json.dumps(item) for item in items) + '\n]'
    text = '{"pictures": ' + lines(out) + ',\n"magnitudes": ' + lines(magnitudes()) + ',\n"mixes": ' + json.dumps(mixes()) + '}\n'
    (Path(__file__).parent / 'augment.json').write_text(text)


if __name__ == '__main__':
    main()
