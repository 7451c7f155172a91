"""Writes table.csv and table.json: a table with gaps, and what NumPy makes of it.

The first 12 of the 16 rows train. Numbers: (x - mean) / std over the training rows (numpy.nanmean, numpy.nanstd: of the population; 1 where a column never
varies), gaps 0. Categories: one column for each that training has, in the order of their bytes; gaps and others all zeros.
"""
import json
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
TRAIN = 12

rng = np.random.default_rng(7)
age = [None if i in (3, 13) else round(float(v), 3) for i, v in enumerate(rng.normal(40, 12, 16))]
income = [None if i in (5,) else round(float(v), 2) for i, v in enumerate(rng.normal(5e6, 1, 16))]  # large, with little variation
colour = [None if i in (2, 14) else ["red", "green", "blue", "Red"][int(v)] for i, v in enumerate(rng.integers(0, 4, 16))]
colour[15] = "violet"  # not in training
same = [0.1] * 16
label = [["no", "yes"][int(v)] for v in rng.integers(0, 2, 16)]

text = lambda value: "" if value is None else str(value)
rows = ["age,income,colour,same,label"]
rows += [",".join(map(text, row)) for row in zip(age, income, colour, same, label)]
(HERE / "table.csv").write_text("\n".join(rows) + "\n")


def numbers(column):
    values = np.array([np.nan if v is None else v for v in column], dtype=np.float32).astype(np.float64)
    mean, std = np.nanmean(values[:TRAIN]), np.nanstd(values[:TRAIN])
    std = std if std > 1e-12 * abs(mean) else 1.0
    return mean, std, np.nan_to_num((values - mean) / std, nan=0.0)[:, None]


columns, encoded = {}, []
for name, column in (("age", age), ("income", income), ("colour", colour), ("same", same)):
    if name == "colour":
        known = sorted({v for v in column[:TRAIN] if v is not None}, key=lambda v: v.encode())
        columns[name] = known
        encoded.append(np.array([[float(v == k) for k in known] for v in column]))
    else:
        mean, std, values = numbers(column)
        columns[name] = [mean, std]
        encoded.append(values)
encoded = np.concatenate(encoded, axis=1).astype(np.float32)
json.dump({"columns": columns, "encoded": [[float(v) for v in row] for row in encoded]}, open(HERE / "table.json", "w"), indent=None, separators=(",", ":"))
