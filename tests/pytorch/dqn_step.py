"""Three training steps of the report's network, made with PyTorch: numbers that tests/library/nets.rs compares with ours.

    pip install torch && python dqn_step.py > dqn_step.json

Weights, boards, moves and rewards follow formulas that are written down in tests/library/nets.rs a second time, so that only results need
to be kept.
"""

import json

import torch

W = 11


def number(i, seed):
    """Some number between -1 and 1."""
    return ((i * 48271 + seed * 16807 + 11) * 69621 % 2147483647) / 1073741823.5 - 1.0


def tensor(shape, bound, seed):
    count = 1
    for n in shape:
        count *= n
    return torch.tensor([number(i, seed) * bound for i in range(count)], dtype=torch.float32).reshape(shape)


def network(outputs, seed):
    sizes = [121, 128, 128, 128, outputs]
    layers = []
    for k in range(4):
        layer = torch.nn.Linear(sizes[k], sizes[k + 1])
        bound = 1.0 / sizes[k] ** 0.5
        with torch.no_grad():
            layer.weight.copy_(tensor((sizes[k + 1], sizes[k]), bound, seed + 2 * k))
            layer.bias.copy_(tensor((sizes[k + 1],), bound, seed + 2 * k + 1))
        layers += [layer, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def cell(square):
    """Square 0 is a1, 80 is i9; cells are counted from the top left of the board with its border."""
    return (8 - square // 9 + 1) * W + square % 9 + 1


def squares(start, step, not_in=()):
    found = []
    k = 0
    while len(found) < 9:
        square = (start + k * step) % 81
        k += 1
        if square not in found and square not in not_in:
            found.append(square)
    return found


def board(own, other):
    x = torch.zeros(121)
    for square in own:
        x[cell(square)] = 1.0
    for square in other:
        x[cell(square)] = -1.0
    return x


def targets_from(square, taken):
    found = []
    for step in ((-1, 0), (1, 0), (0, 1), (0, -1)):
        file, rank = square % 9 + step[0], square // 9 + step[1]
        while 0 <= file < 9 and 0 <= rank < 9 and rank * 9 + file not in taken:
            found.append(rank * 9 + file)
            file, rank = file + step[0], rank + step[1]
    return found


ALONG = sorted(
    cell(a) * 121 + cell(b) for a in range(81) for b in range(81) if a != b and (a % 9 == b % 9 or a // 9 == b // 9)
)
PLACE = {pair: place for place, pair in enumerate(ALONG)}


def output(kind, a, b):
    pair = cell(a) * 121 + cell(b)
    return pair if kind == "pairs" else PLACE[pair]


def batch():
    examples = []
    for e in range(96):
        own = squares(e * 7, 11)
        other = squares(e * 5 + 40, 13, own)
        move = (own[e % 9], own[e % 9] // 9 * 9 + (own[e % 9] % 9 + 1 + e % 8) % 9)
        next_own = squares(e * 3 + 1, 17)
        next_other = squares(e * 2 + 30, 19, next_own)
        examples.append((own, other, move, 10 * number(e, 99), next_own, next_other, e % 7 == 0))
    return examples


def steps(kind, double):
    outputs = 14641 if kind == "pairs" else len(ALONG)
    main, target = network(outputs, 100), network(outputs, 200)
    adam = torch.optim.Adam(main.parameters(), lr=0.001)
    examples = batch()
    x = torch.stack([board(e[0], e[1]) for e in examples])
    y = torch.stack([board(e[4], e[5]) for e in examples])
    chosen = torch.tensor([output(kind, *e[2]) for e in examples])
    rewards = torch.tensor([e[3] for e in examples])
    done = torch.tensor([float(e[6]) for e in examples])
    losses = []
    for _ in range(3):
        with torch.no_grad():
            told = target(y)
            if kind == "pairs":
                highest = told.max(1)[0]
            else:
                by = main(y) if double else told
                highest = torch.zeros(len(examples))
                for row, e in enumerate(examples):
                    taken = set(e[4]) | set(e[5])
                    legal = [output(kind, a, b) for a in e[4] for b in targets_from(a, taken)]
                    highest[row] = told[row][max(legal, key=lambda n: by[row][n])]
            goal = rewards + 0.99 * highest * (1 - done)
        loss = torch.nn.functional.mse_loss(main(x).gather(1, chosen.unsqueeze(1)).squeeze(1), goal)
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    weights = []
    for parameter in main.parameters():
        flat = parameter.detach().flatten().double()
        places = [len(flat) * k // 7 for k in range(7)]
        weights.append({"sum": flat.sum().item(), "squares": (flat * flat).sum().item(), "some": [flat[p].item() for p in places]})
    chosen_rows = [main[6].weight[c].detach().double().sum().item() for c in chosen[:8]]
    return {"losses": losses, "weights": weights, "chosen": chosen_rows}


torch.set_num_threads(1)
print(json.dumps({"pairs": steps("pairs", False), "moves": steps("moves", True)}, indent=1))
