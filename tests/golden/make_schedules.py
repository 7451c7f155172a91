"""Writes tests/schedule/golden_step_lr.json: the learning rates that torch.optim.lr_scheduler.StepLR gives.

    python3 tests/golden/make_schedules.py          (needs torch 2.15)
"""
import json
import pathlib

import torch

CASES = [
    {"lr": 0.1, "step_size": 30, "gamma": 0.1, "epochs": 90},
    {"lr": 0.01, "step_size": 7, "gamma": 0.5, "epochs": 90},
    {"lr": 0.3, "step_size": 1, "gamma": 0.97, "epochs": 90},
]


def rates(case):
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], lr=case["lr"], momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=case["step_size"], gamma=case["gamma"])
    values = []
    for _ in range(case["epochs"]):
        values.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return values


def main():
    target = pathlib.Path(__file__).resolve().parent.parent / "schedule" / "golden_step_lr.json"
    cases = [dict(case, rates=rates(case)) for case in CASES]
    target.write_text(json.dumps({"torch": torch.__version__.split("+")[0], "cases": cases}, indent=1) + "\n")


if __name__ == "__main__":
    main()
