#!/usr/bin/env python3
"""Keeps of a run's events what its verdict needs: slim.py RUN [EVERY] > recorded.jsonl, of the steps every n-th

good.jsonl: the practice recipe, 15 epochs. overfit.jsonl: digits, nine tenths held out, an mlp of [512, 512], adamw 0.003 without decay, 40 epochs; EVERY 4.
broken.jsonl: the practice recipe with plain sgd at 1e5, 4 epochs."""
import json
import sys

KEEP = {
    "run_started": ["steps_total", "epochs"],
    "step": ["loss", "lr", "step_ms", "data_wait_ms"],
    "eval": ["split", "loss", "metrics", "samples"],
    "device": ["device"],
    "checkpoint": ["path"],
}


def short(value):
    return float(f"{value:.6g}") if isinstance(value, float) else value


start = None
every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
for line in open(sys.argv[1] + "/events.jsonl"):
    event = json.loads(line)
    if event["type"] not in KEEP:
        continue
    if event["type"] == "step" and event["step"] % every:
        continue
    start = start or event["time"]
    slim = {"type": event["type"], "seq": event["seq"], "time": round(1000 + event["time"] - start, 3)}
    slim |= {key: event[key] for key in ("step", "epoch") if key in event}
    for key in KEEP[event["type"]]:
        if key == "metrics":
            slim[key] = {"accuracy": short(event[key]["accuracy"])}
        elif key in event:
            slim[key] = short(event[key])
    print(json.dumps(slim, separators=(",", ":")))
