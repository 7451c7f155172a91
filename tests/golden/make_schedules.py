"""Writes tests/schedule/golden.json: the learning rates that torch's own schedulers give, step() called once a unit.

    python tests/golden/make_schedules.py          (needs torch 2.15)

A case has `type` (the product's id), `lr`, the scheduler's keys in `params`, `units` done, every how many of them a rate is stored, and the
rates; one_cycle its momentum too; reduce_on_plateau the values it was told, one a unit. inverse_sqrt is no scheduler of torch: it is
LambdaLR with the formula in common use behind a warm-up, 1 / sqrt((t + timescale) / timescale).
"""
import json
import math
import pathlib
import random

import torch
from torch.optim import lr_scheduler as torch_schedules

EXACT = {"step": torch_schedules.StepLR, "multistep": torch_schedules.MultiStepLR, "exponential": torch_schedules.ExponentialLR}
CLOSED = {
    "cosine": torch_schedules.CosineAnnealingLR,
    "cosine_restarts": torch_schedules.CosineAnnealingWarmRestarts,
    "polynomial": torch_schedules.PolynomialLR,
    "linear": torch_schedules.LinearLR,
    "one_cycle": torch_schedules.OneCycleLR,
    "inverse_sqrt": lambda optimizer, timescale: torch_schedules.LambdaLR(optimizer, lambda t: 1 / math.sqrt((t + timescale) / timescale)),
}

CASES = [
    ("step", 0.1, {"step_size": 30, "gamma": 0.1}, 90, 1),
    ("step", 0.01, {"step_size": 7, "gamma": 0.5}, 90, 1),
    ("step", 0.3, {"step_size": 1, "gamma": 0.97}, 90, 1),
    ("multistep", 0.1, {"milestones": [30, 60, 80], "gamma": 0.1}, 90, 1),
    ("multistep", 0.3, {"milestones": [20, 7, 20, 31], "gamma": 0.3}, 40, 1),
    ("exponential", 0.1, {"gamma": 0.95}, 90, 1),
    ("exponential", 0.001, {"gamma": 1.02}, 60, 1),
    ("cosine", 0.1, {"T_max": 60}, 60, 1),
    ("cosine", 0.3, {"T_max": 10, "eta_min": 0.02}, 45, 1),
    ("cosine_restarts", 0.1, {"T_0": 10}, 45, 1),
    ("cosine_restarts", 0.2, {"T_0": 5, "T_mult": 2, "eta_min": 0.001}, 90, 1),
    ("polynomial", 0.1, {"total_iters": 50}, 60, 1),
    ("polynomial", 0.1, {"total_iters": 40, "power": 0.9}, 40, 1),
    ("linear", 0.1, {"start_factor": 1.0, "end_factor": 0.0, "total_iters": 50}, 50, 1),
    ("linear", 0.1, {"start_factor": 0.25, "end_factor": 1.0, "total_iters": 8}, 20, 1),
    ("one_cycle", 0.1, {"max_lr": 0.1, "total_steps": 1000}, 1000, 9),
    ("one_cycle", 0.5, {"max_lr": 0.02, "total_steps": 77, "pct_start": 0.4, "anneal_strategy": "linear", "three_phase": True,
                        "div_factor": 10.0, "final_div_factor": 100.0, "base_momentum": 0.8, "max_momentum": 0.9}, 77, 2),
    ("one_cycle", 0.1, {"max_lr": 0.1, "total_steps": 50, "cycle_momentum": False}, 50, 1),
    ("inverse_sqrt", 0.1, {"timescale": 16}, 60, 1),
]

PLATEAUS = [
    (0.1, {"patience": 3, "factor": 0.5}),
    (0.1, {"mode": "max", "patience": 2, "cooldown": 4, "threshold": 0.02, "threshold_mode": "abs"}),
    (0.1, {"mode": "max", "patience": 1, "threshold": 0.01, "factor": 0.3, "min_lr": 0.002}),
    (0.01, {"patience": 0, "factor": 0.1, "threshold": 0.05, "threshold_mode": "abs", "eps": 1e-5}),
]


def optimizer_with(lr):
    return torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=lr, momentum=0.9)


def short(value):
    return float(f"{value:.14g}")


def curve(name, lr, params, units, every):
    optimizer = optimizer_with(lr)
    scheduler = (EXACT | CLOSED)[name](optimizer, **params)
    group, rates, momenta = optimizer.param_groups[0], [], []
    for unit in range(units):
        if unit % every == 0 or unit == units - 1:
            rates.append(group["lr"] if name in EXACT else short(group["lr"]))
            momenta.append(short(group["momentum"]))
        optimizer.step()
        if unit < units - 1:
            scheduler.step()
    case = {"type": name, "lr": lr, "params": params, "units": units, "every": every, "exact": name in EXACT, "rates": rates}
    return case | ({"momenta": momenta} if name == "one_cycle" else {})


def plateau(lr, params, noise):
    optimizer = optimizer_with(lr)
    scheduler = torch_schedules.ReduceLROnPlateau(optimizer, **params)
    rising = params.get("mode") == "max"
    told, rates = [], []
    for unit in range(60):
        rates.append(optimizer.param_groups[0]["lr"])
        value = 0.4 + 0.5 * math.exp(-unit / 12) + noise.uniform(-0.04, 0.04)
        told.append(round(1.3 - value if rising else value, 4))
        optimizer.step()
        scheduler.step(told[-1])
    return {"lr": lr, "params": params, "told": told, "rates": rates}


def main():
    target = pathlib.Path(__file__).resolve().parent.parent / "schedule" / "golden.json"
    noise = random.Random(1)
    lines = ['{"torch": ' + json.dumps(torch.__version__.split("+")[0]) + ', "cases": [']
    lines.append(",\n".join(json.dumps(curve(*case)) for case in CASES) + "],\n\"plateaus\": [")
    lines.append(",\n".join(json.dumps(plateau(lr, params, noise)) for lr, params in PLATEAUS) + "]}")
    target.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
