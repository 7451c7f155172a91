#!/usr/bin/env python3
"""Golden values of networks that are written as lists of layers: python make_layers.py writes layers.json. Torch 2.15.0, float32, one CPU thread.

Weights are filled as make_training.py does, pictures and labels drawn as there. For each network: the list as a recipe has it, the names and shapes of its
state, logits in evaluation, and of one training step (cross-entropy, mean) the loss, the sums of the gradients' magnitudes and of the buffers afterwards.

TorchScript modules beside them, in weights/: script.pt (trainable), script_seven.pt (for another number of classes), and three that cannot be trained as they were: traced in
evaluation mode with batch norm (script_traced.pt) and without (script_plain_traced.pt, which loses nothing), and frozen (script_frozen.pt)."""
import json
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F

from make_training import fill

HERE = pathlib.Path(__file__).parent


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(3, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 8, 3, padding=1, bias=False)
        self.gate = nn.Conv2d(8, 8, 1)
        self.wide = nn.Conv2d(16, 12, 3, padding=2, dilation=2, groups=4)
        self.head = nn.Linear(48 + 48, 10)

    def forward(self, x):
        c1 = self.c1(x)
        total = F.elu(self.c2(torch.relu(c1))) + c1
        gated = torch.sigmoid(self.gate(F.adaptive_avg_pool2d(total, 1))) * total
        wide = F.hardswish(F.leaky_relu(self.wide(torch.cat([gated, c1], 1)), 0.2))
        small = F.adaptive_max_pool2d(torch.tanh(wide), 2)
        return self.head(torch.cat([small.flatten(1), F.adaptive_avg_pool2d(wide, 2).flatten(1)], 1))


NETWORKS = {
    'sequence': (
        nn.Sequential(nn.Conv2d(3, 6, 5, padding=2), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(3, 2, 1), nn.Conv2d(6, 8, 3, stride=2, groups=2, bias=False),
                      nn.GroupNorm(4, 8), nn.GELU(), nn.AvgPool2d(2, 1), nn.Flatten(), nn.Linear(32, 16), nn.BatchNorm1d(16), nn.SiLU(), nn.LayerNorm(16), nn.Dropout(0.0), nn.Linear(16, 10)),
        [{'type': 'conv2d', 'out': 6, 'kernel': 5, 'padding': 2}, {'type': 'batch_norm2d'}, {'type': 'relu'}, {'type': 'max_pool2d', 'kernel': 3, 'stride': 2, 'padding': 1},
         {'type': 'conv2d', 'out': 8, 'kernel': 3, 'stride': 2, 'groups': 2, 'bias': False}, {'type': 'group_norm', 'groups': 4}, {'type': 'gelu'}, {'type': 'avg_pool2d', 'kernel': 2, 'stride': 1},
         {'type': 'flatten'}, {'type': 'linear', 'out': 16}, {'type': 'batch_norm1d'}, {'type': 'silu'}, {'type': 'layer_norm'}, {'type': 'dropout', 'p': 0.0}, {'type': 'linear'}]),
    'residual': (
        Residual(),
        [{'type': 'conv2d', 'name': 'c1', 'out': 8, 'padding': 1}, {'type': 'relu'}, {'type': 'conv2d', 'name': 'c2', 'out': 8, 'padding': 1, 'bias': False}, {'type': 'elu'},
         {'type': 'add', 'name': 'total', 'from': ['c1']}, {'type': 'adaptive_avg_pool2d'}, {'type': 'conv2d', 'name': 'gate', 'out': 8, 'kernel': 1}, {'type': 'sigmoid'},
         {'type': 'multiply', 'from': ['total']}, {'type': 'concat', 'from': ['c1']}, {'type': 'conv2d', 'name': 'wide', 'out': 12, 'padding': 2, 'dilation': 2, 'groups': 4},
         {'type': 'leaky_relu', 'slope': 0.2}, {'type': 'hardswish', 'name': 'shared'}, {'type': 'tanh'}, {'type': 'adaptive_max_pool2d', 'size': 2}, {'type': 'flatten', 'name': 'largest'},
         {'type': 'adaptive_avg_pool2d', 'size': 2, 'input': 'shared'}, {'type': 'flatten', 'name': 'means'}, {'type': 'concat', 'input': 'largest', 'from': ['means']},
         {'type': 'linear', 'name': 'head'}]),
}


class Scripted(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.drop = nn.Dropout(0.0)
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        return self.head(self.drop(torch.relu(self.norm(self.conv(x))).mean((2, 3))))


def data(count=4):
    generator = torch.Generator().manual_seed(1)
    images = torch.randn(count, 3, 16, 16, generator=generator)
    return images, torch.randint(0, 10, (count,), generator=generator)


def total(tensor):
    return float(f'{tensor.detach().double().abs().sum().item():.12g}')


def values(model):
    """What both sides compute."""
    fill(model)
    images, labels = data()
    model.eval()
    with torch.no_grad():
        logits = model(images).flatten().tolist()
    model.train()
    loss = F.cross_entropy(model(images), labels)
    loss.backward()
    return {'state': [[name, list(t.shape)] for name, t in model.state_dict().items()], 'logits': logits, 'loss': loss.item(),
            'gradients': {name: total(p.grad) for name, p in model.named_parameters()}, 'buffers': {name: total(b) for name, b in model.named_buffers()}}


def scripts():
    folder = HERE / 'weights'
    model = Scripted()
    fill(model)
    torch.jit.script(model).save(folder / 'script.pt')
    out = values(Scripted())
    images, _ = data()
    model.eval()
    torch.jit.trace(model, images).save(folder / 'script_traced.pt')
    torch.jit.freeze(torch.jit.script(model)).save(folder / 'script_frozen.pt')
    torch.jit.trace(nn.Sequential(nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(12, 10)).eval(), images).save(folder / 'script_plain_traced.pt')
    torch.jit.script(nn.Sequential(nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(12, 7))).save(folder / 'script_seven.pt')
    return out


if __name__ == '__main__':
    torch.set_num_threads(1)
    out = {name: {'layers': layers, **values(model)} for name, (model, layers) in NETWORKS.items()}
    out['script'] = scripts()
    (HERE / 'layers.json').write_text(json.dumps(out, indent=1) + '\n')
