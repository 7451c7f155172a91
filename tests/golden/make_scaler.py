"""Writes tests/optim/scaler.json (torch.amp.GradScaler over 500 steps with planted infinities) and tests/optim/ema.json (the moving average of
torch.optim.swa_utils).

    python tests/golden/make_scaler.py          (needs torch 2.15)

Scaler: SGD, lr 0.05, on p = (1, -2, 3); the gradient of step s is sin(p + s), times the scale; in the steps of `planted` its second value becomes
infinite, in every other one of them not a number. `scales` holds [step, scale] wherever the scale changed, the scale being that after the step;
`skipped` the steps that left p as it was; `last` is p in the end.

EMA: p as above, SGD with lr 0.1 and the same gradient for 30 steps, decay 0.9 and 0.99; the average after steps 1, 2, 10 and 30.
"""
import json
import pathlib
import random

import torch
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

STEPS = 500
HERE = pathlib.Path(__file__).resolve().parent.parent / "optim"


def start():
    module = torch.nn.Module()
    module.p = torch.nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
    return module


def scaler_case(planted, **options):
    module = start()
    p = module.p
    optimizer = torch.optim.SGD([p], lr=0.05)
    scaler = torch.amp.GradScaler("cpu", **options)
    scales, skipped, last_scale = [], [], scaler.get_scale()
    for step in range(STEPS):
        with torch.no_grad():
            p.grad = torch.sin(p + step) * scaler.scale(torch.ones(()))
            if step in planted:
                p.grad[1] = float("inf") if planted.index(step) % 2 == 0 else float("nan")
        before = p.detach().clone()
        scaler.step(optimizer)
        scaler.update()
        if torch.equal(before, p.detach()):
            skipped.append(step)
        if scaler.get_scale() != last_scale:
            last_scale = scaler.get_scale()
            scales.append([step, last_scale])
    return {"options": options, "planted": planted, "scales": scales, "skipped": skipped, "last": [float(f"{v:.9g}") for v in p.tolist()]}


def ema_case(decay):
    module = start()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    average = AveragedModel(module, multi_avg_fn=get_ema_multi_avg_fn(decay))
    values = {}
    for step in range(30):
        module.p.grad = torch.sin(module.p.detach() + step)
        optimizer.step()
        average.update_parameters(module)
        if step + 1 in (1, 2, 10, 30):
            values[step + 1] = [float(f"{v:.9g}") for v in average.module.p.tolist()]
    return {"decay": decay, "values": values}


def main():
    torch.set_num_threads(1)
    draw = random.Random(7)
    planted = sorted(draw.sample(range(STEPS), 60))
    cases = [scaler_case([0, 1, 2]), scaler_case(planted, init_scale=1024.0, growth_interval=7),
             scaler_case(planted[::6], init_scale=3.0, growth_factor=1.5, backoff_factor=0.25, growth_interval=20),
             scaler_case([250], init_scale=2.0**120, growth_interval=1)]
    (HERE / "scaler.json").write_text("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "]\n")
    (HERE / "ema.json").write_text("[\n" + ",\n".join(json.dumps(ema_case(decay), separators=(",", ":")) for decay in (0.9, 0.99)) + "]\n")


if __name__ == "__main__":
    main()
