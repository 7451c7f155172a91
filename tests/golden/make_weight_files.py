#!/usr/bin/env python3
"""Small weight files of every kind that the reader meets, sound and hostile: python make_weight_files.py. Written with torch 2.15.0.

weights/*.pt and weights.json (name: shape and numbers of each tensor in the sound ones). The hostile ones create the file "marker" in the folder of whoever
unpickles them with pickle.load; a reader that accepts tensors alone never does."""
import collections
import io
import json
import os
import pathlib
import pickle
import zipfile

import torch

HERE = pathlib.Path(__file__).parent / 'weights'


class Hostile:
    """Runs a command while it is unpickled."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def tensors():
    base = torch.arange(24, dtype=torch.float32)
    return collections.OrderedDict([
        ('conv.weight', base.reshape(2, 3, 2, 2) / 8),
        ('conv.bias', torch.tensor([0.5, -1.5])),
        ('turned', base.reshape(4, 6).t()),
        ('part', base[5:11:2]),
        ('half', torch.tensor([1.5, -2.25], dtype=torch.float16)),
        ('brain', torch.tensor([1.5, -2.25], dtype=torch.bfloat16)),
        ('double', torch.tensor([[1e-3]], dtype=torch.float64)),
        ('count', torch.tensor(7)),
        ('flags', torch.tensor([True, False])),
        ('empty', torch.empty(0, 3)),
    ])


def described(state):
    return {name: {'shape': list(t.shape), 'values': t.to(torch.float64).flatten().tolist()} for name, t in state.items()}


def replace_pickle(archive, content):
    """The zip file again, with another data.pkl."""
    out = io.BytesIO()
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(out, 'w') as new:
        for item in old.infolist():
            new.writestr(item.filename, content if item.filename.endswith('data.pkl') else old.read(item))
    archive.write_bytes(out.getvalue())


def sound():
    state = tensors()
    torch.save(state, HERE / 'zip.pt')
    torch.save(state, HERE / 'old.pt', _use_new_zipfile_serialization=False)
    torch.save(state, HERE / 'protocol4.pt', pickle_protocol=4)
    torch.save({'epoch': 3, 'state_dict': state, 'note': 'trained at night', 'rate': 0.1, 'best': None, 'seen': [1, (2, 3)]}, HERE / 'nested.pt')
    torch.save({'model': {'state_dict': state}}, HERE / 'nested_twice.pt')
    torch.save({'module.' + name: t for name, t in state.items()}, HERE / 'parallel.pt')
    # An optimizer beside the weights: its numbers stand between theirs in the old format.
    layer = torch.nn.Linear(2, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        layer.bias.copy_(torch.tensor([5.0, 6.0]))
    optimizer = torch.optim.Adam(layer.parameters())
    layer(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    both = {'optimizer': optimizer.state_dict(), 'model': layer.state_dict()}
    torch.save(both, HERE / 'trained_old.pt', _use_new_zipfile_serialization=False)
    parameters = {name: torch.nn.Parameter(p.detach()) for name, p in layer.named_parameters()}
    torch.save(parameters, HERE / 'parameters.pt')
    plain, trained = described(state), described(layer.state_dict())
    files = dict.fromkeys(['zip.pt', 'old.pt', 'protocol4.pt', 'nested.pt', 'nested_twice.pt', 'parallel.pt'], plain)
    files |= {'trained_old.pt': trained, 'parameters.pt': trained}
    (HERE / 'weights.json').write_text(json.dumps(files, indent=1) + '\n')


def hostile():
    command = 'touch marker'
    inside = {'fc.weight': torch.ones(2), 'x': Hostile(os.system, command)}
    torch.save(inside, HERE / 'hostile_system.pt')
    torch.save(inside, HERE / 'hostile_old.pt', _use_new_zipfile_serialization=False)
    torch.save({'x': Hostile(eval, "open('marker', 'w')")}, HERE / 'hostile_eval.pt')
    torch.save({'x': Hostile(eval, "open('marker', 'w')")}, HERE / 'hostile_eval4.pt', pickle_protocol=4)
    torch.save(torch.nn.Linear(2, 2), HERE / 'whole_module.pt')
    # Calls by instructions that PyTorch never writes: INST and OBJ, and the state of an object.
    torch.save({'a': torch.ones(1)}, HERE / 'hostile_inst.pt')
    replace_pickle(HERE / 'hostile_inst.pt', b"(S'touch marker'\nios\nsystem\n.")
    torch.save({'a': torch.ones(1)}, HERE / 'hostile_obj.pt')
    replace_pickle(HERE / 'hostile_obj.pt', b"(cos\nsystem\nS'touch marker'\no.")
    # A tensor that reaches beyond its numbers; one whose size overflows; a storage that announces more numbers than there are.
    for name, offset, sizes, strides, count in [('beyond', 3, (2,), (1,), 4), ('overflow', 0, (1 << 40, 1 << 40), (0, 0), 4), ('short', 0, (8,), (1,), 8), ('huge_stride', 0, (3,), (1 << 62,), 4)]:
        torch.save({'a': torch.ones(4)}, HERE / f'hostile_{name}.pt')
        out = io.BytesIO()
        pickler = pickle._Pickler(out, 2)

        class Storage:
            pass

        class Rebuilt:
            def __reduce__(self):
                return torch._utils._rebuild_tensor_v2, (Storage(), offset, sizes, strides, False, collections.OrderedDict())

        pickler.persistent_id = lambda value: ('storage', torch.FloatStorage, '0', 'cpu', count) if isinstance(value, Storage) else None
        pickler.dump({'a': Rebuilt()})
        replace_pickle(HERE / f'hostile_{name}.pt', out.getvalue())
    # Small instructions that make a list hold itself.
    torch.save({'a': torch.ones(1)}, HERE / 'circle.pt')
    replace_pickle(HERE / 'circle.pt', b'\x80\x02]q\x00h\x00a.')
    # The oldest format was a tar archive.
    (HERE / 'tar.pth').write_bytes(b'sys_info'.ljust(257, b'\0') + b'ustar\0' + bytes(249))


def digits():
    """For an mlp with eight hidden units on the digits; each number, none of them 0, follows from its place. And one whose head is for seven classes."""
    def filled(classes):
        model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 8), torch.nn.ReLU(), torch.nn.Linear(8, classes))
        with torch.no_grad():
            for p in model.parameters():
                p.copy_((torch.arange(p.numel()) % 16 * 2 - 15).reshape(p.shape) / 64)
        return model.state_dict()

    torch.save(filled(10), HERE / 'mlp.pt')
    torch.save(filled(10), HERE / 'mlp_old.pt', _use_new_zipfile_serialization=False)
    torch.save(filled(7), HERE / 'mlp_seven.pt')


if __name__ == '__main__':
    HERE.mkdir(exist_ok=True)
    sound()
    digits()
    hostile()
