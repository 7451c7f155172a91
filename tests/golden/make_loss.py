"""Writes tests/train/loss.json: torch's losses with their mean reduction, and the gradients of the outputs.

    python tests/golden/make_loss.py          (needs torch 2.15)

Of each case a CPU generator seeded with 3 gives first the outputs, randn(sizes), then the targets: of classes randint(K, (N,)) and, where `mix` is
not 1, the partners' the same; of tokens randint(V, (N, T)), where the `ignored` ones (flat) become -100; of labels randint(2, (N, K)) as float; of
numbers randn((N, K)). The loss of a mixed batch is mix * loss(targets) + (1 - mix) * loss(partners).
"""
import json
import pathlib

import torch
import torch.nn.functional as F

CLASSES, TOKENS, LABELS, NUMBERS = "classes", "tokens", "labels", "numbers"
WEIGHTS = [0.5, 2.0, 1.0, 0.25, 3.0]
CASES = [
    {"task": CLASSES, "loss": "cross_entropy", "sizes": [6, 5]},
    {"task": CLASSES, "loss": "cross_entropy", "sizes": [6, 5], "smoothing": 0.1},
    {"task": CLASSES, "loss": "cross_entropy", "sizes": [6, 5], "weights": WEIGHTS},
    {"task": CLASSES, "loss": "cross_entropy", "sizes": [6, 5], "weights": WEIGHTS, "smoothing": 0.2},
    {"task": CLASSES, "loss": "cross_entropy", "sizes": [6, 5], "mix": 0.3},
    {"task": CLASSES, "loss": "cross_entropy", "sizes": [6, 5], "mix": 0.3, "weights": WEIGHTS, "smoothing": 0.1},
    {"task": LABELS, "loss": "bce_with_logits", "sizes": [6, 4]},
    {"task": NUMBERS, "loss": "mse", "sizes": [6, 3]},
    {"task": NUMBERS, "loss": "l1", "sizes": [6, 3]},
    {"task": NUMBERS, "loss": "huber", "sizes": [6, 3], "delta": 1.0},
    {"task": NUMBERS, "loss": "huber", "sizes": [6, 3], "delta": 0.3},
    {"task": TOKENS, "loss": "cross_entropy", "sizes": [3, 4, 7]},
    {"task": TOKENS, "loss": "cross_entropy", "sizes": [3, 4, 7], "ignored": [0, 5, 8, 9, 10, 11], "smoothing": 0.1},
]


def run(case):
    generator = torch.Generator().manual_seed(3)
    sizes = case["sizes"]
    outputs = torch.randn(sizes, generator=generator).requires_grad_()
    weights = torch.tensor(case["weights"]) if "weights" in case else None
    smoothing = case.get("smoothing", 0.0)
    if case["task"] == CLASSES:
        targets = torch.randint(sizes[1], (sizes[0],), generator=generator)
        loss = F.cross_entropy(outputs, targets, weight=weights, label_smoothing=smoothing)
        mix = case.get("mix", 1)
        if mix != 1:
            partners = torch.randint(sizes[1], (sizes[0],), generator=generator)
            loss = mix * loss + (1 - mix) * F.cross_entropy(outputs, partners, weight=weights, label_smoothing=smoothing)
    elif case["task"] == TOKENS:
        targets = torch.randint(sizes[2], sizes[:2], generator=generator)
        targets.view(-1)[case.get("ignored", [])] = -100
        loss = F.cross_entropy(outputs.flatten(0, 1), targets.flatten(), label_smoothing=smoothing)
    elif case["task"] == LABELS:
        loss = F.binary_cross_entropy_with_logits(outputs, torch.randint(2, sizes, generator=generator).float())
    else:
        targets = torch.randn(sizes, generator=generator)
        loss = {"mse": F.mse_loss, "l1": F.l1_loss, "huber": lambda a, b: F.huber_loss(a, b, delta=case["delta"])}[case["loss"]](outputs, targets)
    loss.backward()
    return case | {"value": float(f"{loss.item():.9g}"), "gradient": [float(f"{v:.9g}") for v in outputs.grad.flatten().tolist()]}


def main():
    torch.set_num_threads(1)
    target = pathlib.Path(__file__).resolve().parent.parent / "train" / "loss.json"
    target.write_text("[\n" + ",\n".join(json.dumps(run(case), separators=(",", ":")) for case in CASES) + "]\n")


if __name__ == "__main__":
    main()
