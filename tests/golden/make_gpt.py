#!/usr/bin/env python3
"""Golden values of the language model, from PyTorch: python make_gpt.py. Writes models/gpt.json beside this script.

Needs torch 2.15. Float64, one thread. Entry k of the state dictionary is drawn from the generator with seed k, uniformly from -1 to 1: matrices times 0.1,
weights of norms 1 plus a tenth of it, biases a tenth of it. Tokens are drawn from the generator with seed 1."""
import hashlib
import json
import pathlib

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCABULARY, CONTEXT, LAYERS, WIDTH, HEADS, TEXTS = 256, 32, 2, 64, 2, 3


class Gpt(nn.Module):
    """GPT-2's shape: learned positions, norms first, GELU by tanh, tied head."""

    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(nn.ModuleDict(dict(
            ln_1=nn.LayerNorm(WIDTH), qkv=nn.Linear(WIDTH, 3 * WIDTH), proj=nn.Linear(WIDTH, WIDTH),
            ln_2=nn.LayerNorm(WIDTH), fc=nn.Linear(WIDTH, 4 * WIDTH), out=nn.Linear(4 * WIDTH, WIDTH))) for _ in range(LAYERS))
        self.ln_f = nn.LayerNorm(WIDTH)

    def forward(self, ids):
        n, t = ids.shape
        x = self.wte(ids) + self.wpe(torch.arange(t))
        for b in self.blocks:
            q, k, v = (z.view(n, t, HEADS, -1).transpose(1, 2) for z in b.qkv(b.ln_1(x)).split(WIDTH, 2))
            x = x + b.proj(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(n, t, WIDTH))
            x = x + b.out(F.gelu(b.fc(b.ln_2(x)), approximate='tanh'))
        return F.linear(self.ln_f(x), self.wte.weight)


def draw(seed, shape):
    return torch.empty(shape).uniform_(-1, 1, generator=torch.Generator().manual_seed(seed))


def fill(model):
    with torch.no_grad():
        for k, (name, tensor) in enumerate(model.state_dict().items()):
            values = draw(k, tensor.shape) * 0.1
            tensor.copy_(values + 1 if tensor.dim() == 1 and name.endswith('weight') else values)


def short(values):
    return [float(f'{float(v):.9g}') for v in values]


def main():
    torch.set_num_threads(1)
    model = Gpt()
    fill(model)
    model.double()
    ids = torch.randint(VOCABULARY, (TEXTS, CONTEXT + 1), generator=torch.Generator().manual_seed(1))
    inputs, targets = ids[:, :-1], ids[:, 1:]
    logits = model(inputs)
    loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
    loss.backward()
    with torch.no_grad():
        shorter = model(inputs[:, :20])
        state = ''.join(f'{k} {",".join(map(str, v.shape))}\n' for k, v in model.state_dict().items())
        result = {'state_sha256': hashlib.sha256(state.encode()).hexdigest(), 'parameters': sum(p.numel() for p in model.parameters()),
                  'logits': short(logits[:, ::8, ::32].flatten()), 'shorter': short(shorter[:, ::5, ::32].flatten()), 'loss': float(loss),
                  # norm of each, and its product with numbers drawn from the generator with seed k
                  'gradients': [short((p.grad.norm(), p.grad.flatten() @ draw(k, (p.numel(),)).double())) for k, p in enumerate(model.parameters())]}
    target = pathlib.Path(__file__).parent / 'models' / 'gpt.json'
    target.write_text('{\n' + ',\n'.join(f' {json.dumps(k)}: {json.dumps(v)}' for k, v in result.items()) + '\n}\n')


if __name__ == '__main__':
    main()
