#!/usr/bin/env python3
"""Golden values of the convolutional architectures, from torchvision: python make_models.py [FOLDER]. What the files hold is in README.md beside this script.

Needs torch 2.15, torchvision 0.29 and safetensors. Everything runs in float64: in float32 a single value that rounds to the other side of a ReLU moves
some gradients by percents, which --tolerances shows."""
import argparse
import hashlib
import json
import math
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision
from safetensors.torch import save_file

CLASSES, INPUT, PROJECTED = 10, (4, 3, 64, 48), 1 << 20
DROP = {'vgg': dict(dropout=0.0), 'mobilenet': dict(dropout=0.0), 'efficientnet': dict(dropout=0.0, stochastic_depth_prob=0.0),
        'convnext': dict(stochastic_depth_prob=0.0)}
ARCHS = ['resnet18', 'resnet34', 'resnet50', 'resnet101', 'resnet152', 'resnext50_32x4d', 'wide_resnet50_2', 'vgg11_bn', 'vgg16_bn', 'densenet121',
         'mobilenet_v2', 'mobilenet_v3_small', 'mobilenet_v3_large', 'efficientnet_b0', 'efficientnet_b1', 'efficientnet_b2', 'efficientnet_b3',
         'convnext_tiny', 'convnext_small']
# One of each family, for the first weights.
INITIAL = ['resnet18', 'resnext50_32x4d', 'vgg11_bn', 'densenet121', 'mobilenet_v2', 'mobilenet_v3_small', 'efficientnet_b0', 'convnext_tiny']


class SmallStem(torchvision.models.ResNet):
    """ResNet-18 for small pictures: 3×3 without stride, no pool."""

    def __init__(self, **arguments):
        super().__init__(torchvision.models.resnet.BasicBlock, [2, 2, 2, 2], **arguments)
        self.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        self.maxpool = nn.Identity()


VARIANTS = {'resnet18:cifar': lambda: SmallStem(num_classes=CLASSES),
            'resnet50:group': lambda: torchvision.models.resnet50(num_classes=CLASSES, norm_layer=lambda channels: nn.GroupNorm(min(32, channels), channels))}


def build(arch):
    if arch in VARIANTS:
        return VARIANTS[arch]()
    arguments = next((value for key, value in DROP.items() if arch.startswith(key)), {})
    return getattr(torchvision.models, arch)(num_classes=CLASSES, **arguments)


def draw(seed, shape):
    return torch.empty(shape).uniform_(-1, 1, generator=torch.Generator().manual_seed(seed))


def fill(model):
    """Entry k of the state dictionary from the generator with seed k, so that neither values nor gradients vanish or explode."""
    with torch.no_grad():
        for k, (name, tensor) in enumerate(model.state_dict().items()):
            if not tensor.is_floating_point():
                continue
            values = draw(k, tensor.shape)
            if tensor.dim() in (2, 4):
                values *= math.sqrt(6.0 / tensor[0].numel())
            elif name.endswith('running_var'):
                values.mul_(0.5).add_(1)
            elif name.endswith('weight'):
                values.mul_(0.1).add_(0.8)
            else:
                values *= 0.1
            tensor.copy_(values)


def listing(model):
    """Names and sizes of the state dictionary, one a line: "conv1.weight 64,3,7,7"."""
    return ''.join(f'{name} {",".join(map(str, tensor.shape))}\n' for name, tensor in model.state_dict().items())


def projection(gradient, k):
    """The product with numbers drawn from the generator with seed k, over the first 2^20 entries."""
    flat = gradient.flatten()[:PROJECTED].double()
    return float(flat @ draw(k, flat.shape).double())


def passes(model, dtype=torch.float64, channels_last=False, sizes=INPUT):
    fill(model)
    model.to(dtype)
    images, labels = draw(1, sizes).to(dtype), torch.arange(sizes[0])
    if channels_last:
        model.to(memory_format=torch.channels_last)
        images = images.contiguous(memory_format=torch.channels_last)
    model.eval()
    with torch.no_grad():
        logits = model(images)
    model.train()
    train_logits = model(images)
    loss = F.cross_entropy(train_logits, labels)
    loss.backward()
    with torch.no_grad():
        gradients = [[float(p.grad.norm(dtype=torch.float64)), projection(p.grad, k)] for k, p in enumerate(model.parameters())]
        buffers = [float(b.norm(dtype=torch.float64)) for b in model.buffers() if b.is_floating_point()]
    return {'logits': logits.double(), 'train_logits': train_logits.detach().double(), 'gradients': torch.tensor(gradients, dtype=torch.float64),
            'buffers': torch.tensor(buffers, dtype=torch.float64), 'loss': float(loss.detach())}


def initial(make):
    """Mean, standard deviation and mean size of every parameter as torchvision draws it."""
    torch.manual_seed(1)
    with torch.no_grad():
        return torch.tensor([[float(p.double().mean()), float(p.double().std(unbiased=False)), float(p.double().abs().mean())] for p in make().parameters()])


def report(arch):
    exact = passes(build(arch))
    norms = exact['gradients'][:, :1]
    print(f'{arch:20} largest logit {float(exact["logits"].abs().max()):.3g}, norms of gradients {float(norms.min()):.1e} to {float(norms.max()):.1e}')
    for label, other in (('float32', passes(build(arch), torch.float32)), ('channels_last', passes(build(arch), torch.float32, channels_last=True))):
        logits, train = (float((other[key] - exact[key]).abs().max() / exact[key].abs().max()) for key in ('logits', 'train_logits'))
        gradients = float(((other['gradients'] - exact['gradients']).abs() / norms.clamp(min=norms.norm() * 1e-3)).max())
        print(f'    {label:14} logits {logits:.1e}  train {train:.1e}  gradients {gradients:.1e}', flush=True)


def write(folder, name, makers, with_initial, sizes=lambda arch: INPUT):
    """The files NAME.json and NAME.safetensors of the networks that the makers give, for pictures of the sizes N, C, H, W."""
    folder.mkdir(parents=True, exist_ok=True)
    facts, tensors = {}, {}
    for arch, make in makers.items():
        model = make()
        text, count, values = listing(model), sum(p.numel() for p in model.parameters()), passes(model, sizes=sizes(arch))
        facts[arch] = {'entries': text.count('\n'), 'listing_sha256': hashlib.sha256(text.encode()).hexdigest(), 'parameters': count,
                       'loss': float(f'{values["loss"]:.8g}')}
        for key in ('logits', 'train_logits', 'gradients', 'buffers'):
            tensors[f'{arch}/{key}'] = values[key].float().contiguous()
        print(arch, facts[arch], flush=True)
    tensors |= {f'{arch}/initial': initial(makers[arch]) for arch in with_initial}
    lines = ',\n'.join(f'{json.dumps(arch)}: {json.dumps(values)}' for arch, values in facts.items())
    (folder / f'{name}.json').write_text('{\n' + lines + '\n}\n')
    save_file(tensors, folder / f'{name}.safetensors')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', nargs='?', type=pathlib.Path, default=pathlib.Path(__file__).parent / 'models')
    parser.add_argument('--tolerances', action='store_true', help='write nothing; print how far float64 and channels_last are from these values')
    options = parser.parse_args()
    torch.set_num_threads(1)
    archs = ARCHS + list(VARIANTS)
    if options.tolerances:
        return [report(arch) for arch in archs]
    write(options.folder, 'convolutional', {arch: (lambda arch=arch: build(arch)) for arch in archs}, INITIAL)


if __name__ == '__main__':
    main()
