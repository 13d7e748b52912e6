"""The networks that the program carries, loaded into the modules that the docs print: outputs that tests/library/pytorch.rs compares with ours.

    pip install torch safetensors numpy && python load_networks.py > load_networks.json

Inputs follow formulas that are written down in tests/library/pytorch.rs a second time.
"""

import json
import pathlib
import re

import numpy
import torch
from safetensors.torch import load_file

ROOT = pathlib.Path(__file__).parents[2]
BOARDS = 3


def module(page):
    """The first class of the Python code of a page."""
    code = re.search(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.S)[1]
    names = {}
    exec(code[: code.index("\n\n\nnetwork = ")], names)
    return next(value for name, value in names.items() if name in ("DualNetwork", "QNetwork"))


def loaded(network, name):
    network.load_state_dict(load_file(ROOT / "assets" / "networks" / f"{name}.safetensors"), strict=True)
    return network.eval().double()


def numbers(count, seed):
    """Some numbers between -1 and 1."""
    i = numpy.arange(count, dtype=numpy.int64)
    return ((i * 48271 + seed * 16807 + 11) * 69621 % 2147483647) / 1073741823.5 - 1.0


def dual(name, planes, height, width, ways, seed):
    network = loaded(module("alphazero.md")(planes, height, width, ways), name)
    # Ours: square by square, board by board, plane by plane.
    x = torch.tensor((numbers(height * width * BOARDS * planes, seed) > 0.7).astype(float))
    logits, values = network(x.reshape(height, width, BOARDS, planes).permute(2, 3, 0, 1))
    return {"logits": logits[:, ::7].flatten().tolist(), "values": values.flatten().tolist()}


def dense(name, seed):
    network = loaded(module("hasami.md")(), name)
    x = torch.tensor(numbers(BOARDS * 121, seed)).reshape(BOARDS, 121).mul(1.5).trunc()
    return {"values": network(x)[:, ::37].flatten().tolist()}


torch.set_num_threads(1)
with torch.no_grad():
    result = {
        "dobutsu": dual("dobutsu", 22, 4, 3, 11, 5000),
        "kyoto": dual("kyoto", 34, 5, 5, 42, 6000),
        "hasami": dense("hasami", 7000),
    }
print(json.dumps(result))
