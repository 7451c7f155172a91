"""Writes tests/train/metrics.json: scikit-learn's metrics.

    python tests/golden/make_metrics.py          (needs torch 2.15, scikit-learn 1.9.1)

Of each case a CPU generator seeded with 5 gives first the targets, then randn for the outputs. Classes: randint(`occurring`, (N,)), outputs
randn((N, K)) + 1.5 * one_hot; the class `never` has 100 less. Labels: randint(2, (N, K)) as float, the label `never` always 0; outputs randn((N, K)) +
targets - 0.5. Numbers: 1000 + randn((N, K)) * (1 … K), outputs those + 0.3 * randn((N, K)). Tokens: randint(V, (N, T)), the `ignored` places (flat) -100; outputs
randn((N, T, V)) + one_hot of the targets. `round`: outputs are rounded to halves, for equal scores.
"""
import json
import pathlib
import warnings

import numpy as np
import sklearn.metrics as sk
import torch

CASES = [
    {"task": "classes", "sizes": [300, 7], "occurring": 7},
    {"task": "classes", "sizes": [200, 8], "occurring": 6, "never": 7},
    {"task": "classes", "sizes": [150, 2], "occurring": 2},
    {"task": "classes", "sizes": [150, 2], "occurring": 2, "round": True},
    {"task": "labels", "sizes": [200, 5]},
    {"task": "labels", "sizes": [200, 5], "never": 2, "round": True},
    {"task": "numbers", "sizes": [120, 1]},
    {"task": "numbers", "sizes": [120, 3]},
    {"task": "tokens", "sizes": [5, 6, 9], "ignored": [0, 7, 8, 29]},
]


def ranking(name, truths, scores):
    """One value a column; None where there is none."""
    function = {"auroc": sk.roc_auc_score, "average_precision": sk.average_precision_score}[name]
    out = []
    for k in range(truths.shape[1]):
        some, all_ = truths[:, k].any(), truths[:, k].all()
        out.append(float(function(truths[:, k], scores[:, k])) if some and not (name == "auroc" and all_) else None)
    return out


def macro(values):
    return float(np.mean([value for value in values if value is not None]))


def per_class(truths, guesses, scores):
    precision, recall, f1, support = sk.precision_recall_fscore_support(truths, guesses, average=None, zero_division=0, labels=range(truths.shape[1]))
    table = {"samples": support, "precision": precision, "recall": recall, "f1": f1}
    columns = {name: [float(v) for v in values] for name, values in table.items()}
    return columns | {name: ranking(name, truths, scores) for name in ("auroc", "average_precision")}


def classes(case, generator):
    n, k = case["sizes"]
    targets = torch.randint(case["occurring"], (n,), generator=generator)
    outputs = torch.randn((n, k), generator=generator) + 1.5 * torch.nn.functional.one_hot(targets, k)
    if "never" in case:
        outputs[:, case["never"]] -= 100
    if case.get("round"):
        outputs = (outputs * 2).round() / 2
    scores, guesses, truth = torch.softmax(outputs.double(), 1).numpy(), outputs.argmax(1).numpy(), targets.numpy()
    truths = np.eye(k, dtype=int)[truth]
    columns = per_class(truths, np.eye(k, dtype=int)[guesses], scores)
    values = {"accuracy": sk.accuracy_score(truth, guesses), "f1_macro": sk.f1_score(truth, guesses, average="macro", zero_division=0),
              "f1_weighted": sk.f1_score(truth, guesses, average="weighted", zero_division=0)}
    if k > 5:
        values["top5"] = sk.top_k_accuracy_score(truth, scores, k=5, labels=range(k))
    if k == 2:
        values |= {"auroc": sk.roc_auc_score(truth, scores[:, 1]), "average_precision": sk.average_precision_score(truth, scores[:, 1])}
    else:
        values |= {"auroc": macro(columns["auroc"]), "average_precision": macro(columns["average_precision"])}
        if case["occurring"] == k:
            assert abs(values["auroc"] - sk.roc_auc_score(truth, scores, multi_class="ovr")) < 1e-12
            assert abs(values["average_precision"] - sk.average_precision_score(truth, scores)) < 1e-12
    return values, columns, sk.confusion_matrix(truth, guesses, labels=range(k)).tolist()


def labels(case, generator):
    n, k = case["sizes"]
    targets = torch.randint(2, (n, k), generator=generator).float()
    if "never" in case:
        targets[:, case["never"]] = 0
    outputs = torch.randn((n, k), generator=generator) + targets - 0.5
    if case.get("round"):
        outputs = (outputs * 2).round() / 2
    truths, guesses, scores = targets.int().numpy(), (outputs > 0).int().numpy(), outputs.double().numpy()
    columns = per_class(truths, guesses, scores)
    values = {"accuracy": sk.accuracy_score(truths.ravel(), guesses.ravel()), "exact_match": sk.accuracy_score(truths, guesses),
              "f1_macro": sk.f1_score(truths, guesses, average="macro", zero_division=0), "f1_weighted": sk.f1_score(truths, guesses, average="weighted", zero_division=0),
              "auroc": macro(columns["auroc"]), "average_precision": macro(columns["average_precision"])}
    if "never" not in case:
        assert abs(values["auroc"] - sk.roc_auc_score(truths, scores)) < 1e-12
        assert abs(values["average_precision"] - sk.average_precision_score(truths, scores)) < 1e-12
    return values, columns, []


def numbers(case, generator):
    n, k = case["sizes"]
    targets = 1000 + torch.randn((n, k), generator=generator) * torch.arange(1, k + 1)
    outputs = targets + 0.3 * torch.randn((n, k), generator=generator)
    functions = {"mae": sk.mean_absolute_error, "rmse": sk.root_mean_squared_error, "r2": sk.r2_score}
    truths, guesses = targets.double().numpy(), outputs.double().numpy()
    columns = {name: [float(v) for v in function(truths, guesses, multioutput="raw_values")] for name, function in functions.items()}
    return {name: function(truths, guesses) for name, function in functions.items()}, columns, []


def tokens(case, generator):
    n, t, v = case["sizes"]
    targets = torch.randint(v, (n, t), generator=generator)
    outputs = torch.randn((n, t, v), generator=generator) + torch.nn.functional.one_hot(targets, v)
    targets.view(-1)[case["ignored"]] = -100
    counts = targets != -100
    loss = torch.nn.functional.cross_entropy(outputs.double().flatten(0, 1), targets.flatten())
    return {"accuracy": sk.accuracy_score(targets[counts], outputs.argmax(-1)[counts]), "perplexity": loss.exp().item()}, {}, []


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    return value if value is None or isinstance(value, int) else float(f"{value:.12g}")


def run(case):
    values, columns, confusion = globals()[case["task"]](case, torch.Generator().manual_seed(5))
    return case | {"values": rounded(values), "per_class": rounded(columns), "confusion": confusion}


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    target = pathlib.Path(__file__).resolve().parent.parent / "train" / "metrics.json"
    target.write_text("[\n" + ",\n".join(json.dumps(run(case), separators=(",", ":")) for case in CASES) + "]\n")


if __name__ == "__main__":
    main()
