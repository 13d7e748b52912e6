"""One training step of the Kyoto Shogi paper's whole network, made with PyTorch: numbers that tests/library/dual.rs compares with ours.

    pip install torch numpy && python dual_step.py > dual_step.json

Weights, boards and targets follow formulas that are written down in tests/library/dual.rs a second time, so that only results need to be
kept. In double precision, so that all rounding in the comparison is ours. Numbers are in our order: a convolution has for each of nine steps and each input a row of outputs.
"""

import json

import numpy
import torch

PLANES, FILTERS, BLOCKS, SQUARES, ACTIONS, ROWS = 34, 128, 16, 25, 1050, 12
RATE, L2 = 0.001, 0.0005
EVERY = 40009  # of the learned numbers this one, and every further one by as much, is kept


def numbers(count, bound, seed):
    i = numpy.arange(count, dtype=numpy.int64)
    return (((i * 48271 + seed * 16807 + 11) * 69621 % 2147483647) / 1073741823.5 - 1.0) * bound


def parts():
    """Name, shape in our order and numbers of everything that is learned."""
    for k in range(2 * BLOCKS + 1):
        inputs = PLANES if k == 0 else FILTERS
        yield "conv", (3, 3, inputs, FILTERS), numbers(9 * inputs * FILTERS, (6 / (9 * inputs)) ** 0.5, 3 * k)
        yield "scale", (FILTERS,), 1 + numbers(FILTERS, 0.2, 3 * k + 1)
        yield "shift", (FILTERS,), numbers(FILTERS, 0.2, 3 * k + 2)
    yield "dense", (FILTERS, ACTIONS), numbers(FILTERS * ACTIONS, (6 / FILTERS) ** 0.5, 1000)
    yield "bias", (ACTIONS,), numbers(ACTIONS, 0.1, 1001)
    yield "dense", (FILTERS, 1), numbers(FILTERS, (6 / FILTERS) ** 0.5, 1002)
    yield "bias", (1,), numbers(1, 0.1, 1003)


learned = [(kind, torch.tensor(n.reshape(shape), dtype=torch.float64, requires_grad=True)) for kind, shape, n in parts()]
layers = 2 * BLOCKS + 1
means = [torch.tensor(numbers(FILTERS, 0.3, 2000 + k), dtype=torch.float64) for k in range(layers)]
variances = [torch.tensor(1 + numbers(FILTERS, 0.5, 3000 + k), dtype=torch.float64) for k in range(layers)]
# Ours: square by square, row by row, plane by plane. PyTorch's: row, plane, line, column.
boards = torch.tensor((numbers(SQUARES * ROWS * PLANES, 1, 4000) > 0.5).astype(float))
boards = boards.reshape(5, 5, ROWS, PLANES).permute(2, 3, 0, 1)
policy = torch.zeros(ROWS, ACTIONS, dtype=torch.float64)
for row in range(ROWS):
    for k in range(3):
        policy[row, (row * 97 + k * 131) % ACTIONS] = [0.5, 0.3, 0.2][k]
values = torch.tensor([[1.0, 0.0, -1.0][row % 3] for row in range(ROWS)], dtype=torch.float64)


def network(training):
    tensors = iter(learned)

    def layer(x, k):
        weights, scale, shift = (next(tensors)[1] for _ in range(3))
        x = torch.nn.functional.conv2d(x, weights.permute(3, 2, 0, 1), padding=1)
        return torch.nn.functional.batch_norm(x, means[k], variances[k], scale, shift, training, 0.05, 1e-3)

    x = torch.relu(layer(boards, 0))
    for block in range(BLOCKS):
        inner = torch.relu(layer(x, 2 * block + 1))
        x = torch.relu(layer(inner, 2 * block + 2) + x)
    pooled = x.mean((2, 3))
    (_, weights), (_, bias), (_, by_value), (_, value_bias) = (next(tensors) for _ in range(4))
    return pooled @ weights + bias, torch.tanh(pooled @ by_value + value_bias)[:, 0]


def flat(tensors):
    return torch.cat([t.detach().reshape(-1) for t in tensors])


with torch.no_grad():
    logits, played = network(False)
result = {"logits": logits[:, ::97].reshape(-1).tolist(), "values": played.tolist()}
logits, said = network(True)
policy_loss = -(policy * torch.log_softmax(logits, 1)).sum(1).mean()
value_loss = ((said - values) ** 2).mean()
weights_loss = L2 * sum((t**2).sum() for kind, t in learned if kind in ("conv", "dense"))
optimizer = torch.optim.Adam([t for _, t in learned], lr=RATE)
(policy_loss + value_loss + weights_loss).backward()
result["losses"] = [policy_loss.item(), value_loss.item(), weights_loss.item()]
result["gradient"] = flat(t.grad for _, t in learned)[::EVERY].tolist()
optimizer.step()
result["numbers"] = flat(t for _, t in learned)[::EVERY].tolist()
result["running"] = flat(means + variances)[::97].tolist()
print(json.dumps(result))
