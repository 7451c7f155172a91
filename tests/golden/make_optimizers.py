"""Writes tests/optim/golden.json: 20 steps of torch's optimizers in float32.

    python tests/golden/make_optimizers.py          (needs torch 2.15)

Parameters `conv` (2, 3, 2, 2), `norm` (4), `wide` (3, 5), `tall` (6, 3); element i (row-major) of each starts at 0.05 * i - 0.2. The gradient of
step s is cos(3 * p + s) of the parameter p itself, so that an error goes on to grow. A case has `type` (the product's id), `params` (what
differs from the product's defaults), and per parameter its values after the first and after the last step. Lion is no optimizer of torch: it is
written out below from the paper's algorithm 2. Muon is torch.optim.Muon for the matrices with AdamW for the others.

`groups`: the same with groups of parameters as GROUPS has them (lr times lr_factor; weight_decay in place of the optimizer's; frozen ones left out).
"""
import json
import pathlib

import torch

STEPS = 20
SHAPES = {"conv": (2, 3, 2, 2), "norm": (4,), "wide": (3, 5), "tall": (6, 3)}


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, {"lr": lr, "betas": betas, "weight_decay": weight_decay})

    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                m = self.state[p].setdefault("exp_avg", torch.zeros_like(p))
                c = beta1 * m + (1 - beta1) * p.grad
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.sub_(group["lr"] * c.sign())
                m.mul_(beta2).add_((1 - beta2) * p.grad)


class Muon:
    def __init__(self, params, lr, weight_decay=0.1, betas=(0.9, 0.999), **options):
        options = {"adjust_lr_fn": "match_rms_adamw"} | options
        def matrix(p):
            return (p["params"][0] if isinstance(p, dict) else p).dim() == 2
        others = [p for p in params if not matrix(p)]
        self.parts = [torch.optim.Muon([p for p in params if matrix(p)], lr=lr, weight_decay=weight_decay, **options),
                      torch.optim.AdamW(others, lr=lr, weight_decay=weight_decay, betas=betas)]

    def step(self):
        for part in self.parts:
            part.step()


def adafactor(params, eps=(2.0**-23, 1e-3), **options):
    return torch.optim.Adafactor(params, eps=tuple(eps), **options)


MAKERS = {
    "sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "nadam": torch.optim.NAdam, "radam": torch.optim.RAdam,
    "rmsprop": torch.optim.RMSprop, "adagrad": torch.optim.Adagrad, "adafactor": adafactor, "lion": Lion, "muon": Muon,
}

CASES = [
    ("sgd", {"lr": 0.01, "momentum": 0.9}),
    ("sgd", {"lr": 0.05, "momentum": 0.8, "nesterov": True, "weight_decay": 0.01}),
    ("sgd", {"lr": 0.05, "momentum": 0.9, "dampening": 0.2}),
    ("adam", {"lr": 0.01}),
    ("adam", {"lr": 0.01, "weight_decay": 0.1, "amsgrad": True, "betas": [0.8, 0.95], "eps": 1e-6}),
    ("adamw", {"lr": 0.01}),
    ("adamw", {"lr": 0.02, "weight_decay": 0.2, "amsgrad": True}),
    ("nadam", {"lr": 0.002}),
    ("nadam", {"lr": 0.01, "weight_decay": 0.1, "momentum_decay": 0.02, "betas": [0.8, 0.95]}),
    ("nadam", {"lr": 0.01, "weight_decay": 0.1, "decoupled_weight_decay": True}),
    ("radam", {"lr": 0.01}),
    ("radam", {"lr": 0.02, "weight_decay": 0.1, "betas": [0.8, 0.9]}),
    ("radam", {"lr": 0.01, "weight_decay": 0.1, "decoupled_weight_decay": True}),
    ("rmsprop", {"lr": 0.01}),
    ("rmsprop", {"lr": 0.005, "momentum": 0.9, "centered": True, "weight_decay": 0.05, "alpha": 0.9, "eps": 1e-4}),
    ("adagrad", {"lr": 0.01}),
    ("adagrad", {"lr": 0.1, "lr_decay": 0.05, "weight_decay": 0.02, "initial_accumulator_value": 0.1}),
    ("adafactor", {"lr": 0.01}),
    ("adafactor", {"lr": 0.3, "weight_decay": 0.1, "beta2_decay": -0.6, "d": 1.2, "eps": [1e-5, 1e-2]}),
    ("lion", {"lr": 0.001}),
    ("lion", {"lr": 0.01, "weight_decay": 0.5, "betas": [0.8, 0.95]}),
    ("muon", {"lr": 0.001}),
    ("muon", {"lr": 0.02, "adjust_lr_fn": "original", "nesterov": False, "weight_decay": 0.01, "momentum": 0.9, "ns_steps": 4}),
    ("muon", {"lr": 0.01, "adjust_lr_fn": "spectral_unclamped"}),
]


GROUPS = {"conv": {"lr_factor": 1}, "norm": {"lr_factor": 0.5, "weight_decay": 0.0}, "wide": {"lr_factor": 0.1, "weight_decay": 0.2}, "tall": {"frozen": True}}
GROUP_CASES = [
    ("sgd", {"lr": 0.05, "momentum": 0.9, "weight_decay": 0.01}),
    ("adam", {"lr": 0.01, "weight_decay": 0.05}),
    ("adamw", {"lr": 0.01, "weight_decay": 0.1}),
    ("nadam", {"lr": 0.01, "weight_decay": 0.1}),
    ("radam", {"lr": 0.01, "weight_decay": 0.1}),
    ("rmsprop", {"lr": 0.005, "momentum": 0.9, "weight_decay": 0.05}),
    ("adagrad", {"lr": 0.1, "weight_decay": 0.02}),
    ("adafactor", {"lr": 0.3, "weight_decay": 0.1}),
    ("lion", {"lr": 0.01, "weight_decay": 0.5}),
    ("muon", {"lr": 0.01, "weight_decay": 0.1}),
]


def values(params):
    return {name: [float(f"{v:.9g}") for v in p.flatten().tolist()] for name, p in params.items()}


def grouped(params, options):
    groups = []
    for name, p in params.items():
        rule = GROUPS[name]
        if not rule.get("frozen"):
            groups.append({"params": [p], "lr": options["lr"] * rule["lr_factor"], "weight_decay": rule.get("weight_decay", options["weight_decay"])})
    return groups


@torch.no_grad()
def run(name, options, in_groups=False):
    params = {key: (0.05 * torch.arange(torch.Size(shape).numel()) - 0.2).view(shape).requires_grad_() for key, shape in SHAPES.items()}
    torch_options = {key: tuple(value) if key == "betas" else value for key, value in options.items()}
    optimizer = MAKERS[name](grouped(params, options) if in_groups else list(params.values()), **torch_options)
    case = {"type": name, "params": options}
    for step in range(STEPS):
        for p in params.values():
            p.grad = torch.cos(p * 3 + step)
        optimizer.step()
        if step == 0:
            case["first"] = values(params)
    return case | {"last": values(params)}


def main():
    torch.set_num_threads(1)
    target = pathlib.Path(__file__).resolve().parent.parent / "optim" / "golden.json"
    cases = ",\n".join(json.dumps(run(*case), separators=(",", ":")) for case in CASES)
    groups = ",\n".join(json.dumps(run(*case, in_groups=True), separators=(",", ":")) for case in GROUP_CASES)
    target.write_text('{"torch":' + json.dumps(torch.__version__.split("+")[0]) + ',"steps":' + str(STEPS) + ',"cases":[\n' + cases + '],"groups":[\n' + groups + "]}\n")


if __name__ == "__main__":
    main()
