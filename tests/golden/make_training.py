#!/usr/bin/env python3
"""Golden values of training, from PyTorch: python make_training.py [FOLDER]. What the files hold is in README.md beside this script.

Needs torch 2.15, torchvision 0.29 and safetensors. Everything runs in float32 on one CPU thread."""
import argparse
import json
import pathlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

CLASSES, BATCH, BATCHES, STEPS = 10, 16, 4, 20
# After how many steps the weights are recorded: a network with batch norm multiplies rounding differences from step to step, an mlp does not.
STATE_AFTER = {'mlp': 20, 'smallcnn': 5}


class SmallCnn(nn.Module):
    def __init__(self, channels=3, classes=CLASSES):
        super().__init__()

        def block(i, o):
            return nn.Sequential(nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o), nn.ReLU())

        self.features = nn.Sequential(block(channels, 32), nn.MaxPool2d(2), block(32, 64), nn.MaxPool2d(2), block(64, 128))
        self.classifier = nn.Linear(128, classes)

    def forward(self, x):
        return self.classifier(self.features(x).mean((2, 3)))


def build(arch):
    """The network and the shape of one picture."""
    if arch == 'mlp':
        return nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, CLASSES)), (1, 28, 28)
    if arch == 'smallcnn':
        return SmallCnn(), (3, 32, 32)
    import torchvision
    return getattr(torchvision.models, arch)(num_classes=CLASSES), (3, 64, 64)


ARCHS = ['mlp', 'smallcnn', 'resnet18', 'resnet34']

# name: (optimizer, its arguments)
OPTIMIZERS = {
    'sgd': ('sgd', dict(lr=0.05)),
    'sgd_momentum': ('sgd', dict(lr=0.05, momentum=0.9, weight_decay=5e-4)),
    'sgd_nesterov': ('sgd', dict(lr=0.05, momentum=0.9, weight_decay=5e-4, nesterov=True)),
    'sgd_dampening': ('sgd', dict(lr=0.05, momentum=0.9, weight_decay=5e-4, dampening=0.5)),
    'adam': ('adam', dict(lr=1e-3)),
    'adam_decay': ('adam', dict(lr=1e-3, weight_decay=0.01)),
    'adam_amsgrad': ('adam', dict(lr=1e-3, weight_decay=0.01, amsgrad=True)),
    'adamw': ('adamw', dict(lr=1e-3)),
    'adamw_amsgrad': ('adamw', dict(lr=1e-3, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.1, amsgrad=True)),
}
MAKERS = {'sgd': torch.optim.SGD, 'adam': torch.optim.Adam, 'adamw': torch.optim.AdamW}


def noise(k, count):
    """count numbers in [-1, 1), exact in float64: a hash of (k, i) for i = 0 … count-1."""
    x = np.arange(count, dtype=np.uint64) * 0x9E3779B9 + np.uint64(k) * np.uint64(0x85EBCA6B)
    mask = np.uint64(0xFFFFFFFF)
    x &= mask
    x ^= x >> np.uint64(16)
    x = (x * np.uint64(0x7FEB352D)) & mask
    x ^= x >> np.uint64(15)
    x = (x * np.uint64(0x846CA68B)) & mask
    x ^= x >> np.uint64(16)
    return x.astype(np.float64) / 2.0**31 - 1.0


def fill(model):
    """Weights of two and more dimensions: noise / sqrt(fan_in); the weight of a norm: 1 + noise / 10; a bias: noise / 10."""
    with torch.no_grad():
        for k, (name, p) in enumerate(model.named_parameters()):
            values = noise(k, p.numel())
            if p.dim() > 1:
                values = values * (1.0 / np.sqrt(float(p[0].numel())))
            elif name.endswith('weight'):
                values = 1.0 + 0.1 * values
            else:
                values = 0.1 * values
            p.copy_(torch.from_numpy(values.astype(np.float32)).view(p.shape))


def data(shape, count):
    generator = torch.Generator().manual_seed(1)
    return torch.randn(count, *shape, generator=generator), torch.randint(CLASSES, (count,), generator=generator)


def f32(value):
    """The shortest decimal that gives the same float32."""
    return float(str(np.float32(float(value.detach() if torch.is_tensor(value) else value))))


def f64(value):
    return float(f'{float(value):.12g}')


def digest(tensor):
    """[sum, sum of absolute values, four entries]: sums in float64; entries 0, n/3, 2n/3, n-1 in row-major order."""
    flat, n = tensor.detach().contiguous().flatten().double(), tensor.numel()
    return [f64(flat.sum()), f64(flat.abs().sum())] + [f32(flat[i]) for i in (0, n // 3, 2 * n // 3, n - 1)]


def layout(model, xs, channels_last):
    if not channels_last or xs.shape[1] != 3:
        return model, xs
    return model.to(memory_format=torch.channels_last), xs.contiguous(memory_format=torch.channels_last)


def forward_values(arch, channels_last=False):
    model, shape = build(arch)
    fill(model)
    xs, ys = data(shape, 4)
    model, xs = layout(model, xs, channels_last)
    model.eval()
    with torch.no_grad():
        logits = model(xs)
    result = {'input': [4, *shape], 'eval_logits': [f32(v) for v in logits.flatten()], 'eval_loss': f32(F.cross_entropy(logits, ys)),
              'targets': ys.tolist(), 'input_digest': digest(xs)}
    model.train()
    logits = model(xs)
    loss = F.cross_entropy(logits, ys, label_smoothing=0.1)
    loss.backward()
    result |= {'train_logits': [f32(v) for v in logits.flatten()], 'train_loss': f32(loss),
               'gradients': {n: digest(p.grad)[:2] for n, p in model.named_parameters()},
               'buffers_after': {n: digest(b)[:2] for n, b in model.named_buffers()}}
    return result


def train(arch, optimizer, smoothing, clip, bf16=False, channels_last=False, fused=None):
    """Losses and gradient norms (before clipping) of STEPS steps, and the state dict after STATE_AFTER of them."""
    model, shape = build(arch)
    fill(model)
    xs, ys = data(shape, BATCH * BATCHES)
    model, xs = layout(model, xs, channels_last)
    kind, arguments = OPTIMIZERS[optimizer]
    opt = MAKERS[kind](model.parameters(), fused=fused, **arguments)
    losses, norms = [], []
    for step in range(STEPS):
        i = step % BATCHES * BATCH
        opt.zero_grad()
        with torch.autocast('cpu', dtype=torch.bfloat16, enabled=bf16):
            logits = model(xs[i:i + BATCH])
            loss = F.cross_entropy(logits.float(), ys[i:i + BATCH], label_smoothing=smoothing)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), clip if clip else float('inf'))
        opt.step()
        losses.append(f32(loss.item()))
        norms.append(f32(norm.item()))
        if step + 1 == STATE_AFTER[arch]:
            state = {n: t.clone() for n, t in model.state_dict().items()}
    return losses, norms, state


def step_cases():
    cases = []
    for arch in ('mlp', 'smallcnn'):
        for optimizer, (kind, arguments) in OPTIMIZERS.items():
            for smoothing in (0.0, 0.1):
                for clip in (0.0, 1.0):
                    losses, norms, state = train(arch, optimizer, smoothing, clip)
                    cases.append({'arch': arch, 'case': optimizer, 'optimizer': kind, 'params': arguments, 'label_smoothing': smoothing, 'clip_norm': clip,
                                  'losses': losses, 'grad_norms': norms, 'state_after': STATE_AFTER[arch],
                                  'state': {n: digest(t) for n, t in state.items()}})
    return cases


def bf16_cases():
    return [{'arch': arch, 'case': case, 'optimizer': OPTIMIZERS[case][0], 'params': OPTIMIZERS[case][1], 'label_smoothing': 0.0, 'clip_norm': 0.0,
             'losses': train(arch, case, 0.0, 0.0, bf16=True)[0]} for arch in ('mlp', 'smallcnn') for case in ('sgd_momentum', 'adamw')]


def write(file, value):
    if isinstance(value, list):
        text = '[\n' + ',\n'.join(json.dumps(v, separators=(',', ':')) for v in value) + '\n]\n'
    else:
        text = '{\n' + ',\n'.join(json.dumps(k) + ':' + json.dumps(v, separators=(',', ':')) for k, v in value.items()) + '\n}\n'
    file.write_text(text)
    print(f'{file.name}: {len(text):,} bytes')


def write_safetensors(folder):
    """One tensor of every type that weights come in, as the safetensors library writes them, and their values as numbers."""
    from safetensors.torch import save_file
    base = torch.tensor([[0.0, -1.5, 2.25], [3.0, 65504.0, -0.0078125]])
    tensors = {'f32': base.clone(), 'f64': base.double() / 3, 'f16': base.half(), 'bf16': torch.tensor([1.0, -2.5, 3.140625]).bfloat16(),
               'i64': torch.tensor([0, -1, 2**40]), 'i32': torch.tensor([[7], [-8]], dtype=torch.int32), 'u8': torch.arange(5, dtype=torch.uint8),
               'bool': torch.tensor([True, False]), 'scalar': torch.tensor(12, dtype=torch.int64), 'empty': torch.zeros(0, 3),
               'ünïcode.weight': torch.tensor([0.5])}
    save_file(tensors, folder / 'dtypes.safetensors', metadata={'format': 'pt'})
    codes = {torch.float32: 'F32', torch.float64: 'F64', torch.float16: 'F16', torch.bfloat16: 'BF16', torch.int64: 'I64', torch.int32: 'I32',
             torch.uint8: 'U8', torch.bool: 'BOOL'}
    write(folder / 'dtypes.json', {n: {'dtype': codes[t.dtype], 'shape': list(t.shape), 'values': t.flatten().tolist()} for n, t in tensors.items()})


def worst(a, b, floor=1e-12):
    """The largest relative difference of two lists of numbers."""
    return max(abs(x - y) / max(abs(x), floor) for x, y in zip(a, b))


def report_tolerances():
    """How far other correct ways of computing the same (channels_last, fused optimizers) are from the golden values."""
    for arch in ARCHS[1:]:
        a, b = forward_values(arch), forward_values(arch, channels_last=True)
        logits = max(abs(x - y) for key in ('eval_logits', 'train_logits') for x, y in zip(a[key], b[key]))
        gradients, buffers = (worst([v[1] for v in a[key].values()], [v[1] for v in b[key].values()]) for key in ('gradients', 'buffers_after'))
        print(f'forward {arch:9} logits (absolute) {logits:.1e}  gradients (abs-sum, relative) {gradients:.1e}  buffers {buffers:.1e}')
    for arch in STATE_AFTER:
        for name in OPTIMIZERS:
            a, b = train(arch, name, 0.1, 1.0), train(arch, name, 0.1, 1.0, channels_last=True, fused=True)
            sums = worst([digest(t)[1] for t in a[2].values()], [digest(t)[1] for t in b[2].values()])
            entry = max(float((t.double() - b[2][n].double()).abs().max()) for n, t in a[2].items())
            print(f'{arch:9} {name:14} losses {worst(a[0], b[0]):.1e}  norms {worst(a[1], b[1]):.1e}  '
                  f'weights: abs-sum (relative) {sums:.1e}  entry (absolute) {entry:.1e}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', nargs='?', type=pathlib.Path, default=pathlib.Path(__file__).parent / 'training')
    parser.add_argument('--tolerances', action='store_true', help='write nothing; print how far channels_last and fused optimizers are from these values')
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.tolerances:
        return report_tolerances()
    options.folder.mkdir(parents=True, exist_ok=True)
    write(options.folder / 'state_dicts.json', {a: [[n, list(t.shape)] for n, t in build(a)[0].state_dict().items()] for a in ARCHS})
    write(options.folder / 'forward.json', {a: forward_values(a) for a in ARCHS})
    write(options.folder / 'steps.json', step_cases())
    write(options.folder / 'steps_bf16.json', bf16_cases())
    write_safetensors(options.folder)


if __name__ == '__main__':
    main()
