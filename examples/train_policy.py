"""Train a small policy network on games of Go: filter, split, train, compare with guessing.

    pip install ./crates/sgf-python torch
    python examples/train_policy.py games/ --seconds 60

The network sees the stones, the last moves, chains with few liberties and the ko, and predicts the next move. The games are filtered on
their facts, split so that no copy of a game is in both halves, and read while the network trains: the time that it waits for them is
printed.
"""

from __future__ import annotations

import argparse
import time

import torch
from torch import nn
from torch.utils.data import DataLoader

import sgf_stream
from sgf_stream.torch import PositionDataset


class Policy(nn.Module):
    """Some convolutions, and a number for each point of the board; passes are not predicted."""

    def __init__(self, planes: int, channels: int, layers: int) -> None:
        super().__init__()
        body: list[nn.Module] = [nn.Conv2d(planes, channels, 5, padding=2), nn.ReLU()]
        for _ in range(layers - 1):
            body += [nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU()]
        self.body = nn.Sequential(*body, nn.Conv2d(channels, 1, 1), nn.Flatten())

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.body(planes)
        return logits


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("paths", nargs="+", help="files, directories or archives")
    arguments.add_argument("--seconds", type=float, default=60, help="how long to train (default: 60)")
    arguments.add_argument("--workers", type=int, default=1, help="processes that read games (default: 1)")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    torch.manual_seed(options.seed)

    # Games of people that were not handicapped, with a move or more; what a file does not record counts as it is.
    settings = {
        "where": ["handicap_real=0", "black_is_bot!=1", "white_is_bot!=1"],
        "seed": options.seed,
        "most_per_game": 32,
    }
    train = PositionDataset(
        options.paths, part=(0.0, 0.9), batch=128, shuffle=16_384, symmetries="random", **settings
    )
    planes = len(sgf_stream.planes())
    model = Policy(planes, channels=32, layers=4)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    loss_of = nn.CrossEntropyLoss()

    start = time.monotonic()
    waited = trained = 0.0
    positions, epoch, loss = 0, 0, torch.tensor(0.0)
    while trained + waited < options.seconds:
        train.set_epoch(epoch)
        batches = iter(DataLoader(train, batch_size=None, num_workers=options.workers))
        seen = positions
        while trained + waited < options.seconds:
            asked = time.monotonic()
            batch = next(batches, None)
            got = time.monotonic()
            waited += got - asked
            if batch is None:
                break
            moves = batch["next_move"]
            is_move = moves < 361
            loss = loss_of(model(batch["planes"][is_move].float()), moves[is_move])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            positions += len(moves)
            trained += time.monotonic() - got
        if positions == seen:
            raise SystemExit("no position of a 19x19 game fulfills the conditions")
        epoch += 1
    total = time.monotonic() - start

    # The test half, and the move that is most frequent in it, which is the best constant guess.
    reader = sgf_stream.positions(options.paths, part=(0.9, 1.0), batch=512, **settings)
    count = right = among_five = 0
    free = 0.0
    frequency = torch.zeros(361, dtype=torch.int64)
    with torch.no_grad():
        for test in reader:
            moves = torch.from_numpy(test.next_move.astype("int64"))
            seen_planes = torch.from_numpy(test.planes)
            is_move = moves < 361
            moves, seen_planes = moves[is_move], seen_planes[is_move]
            best = model(seen_planes.float()).topk(5).indices
            right += int((best[:, 0] == moves).sum())
            among_five += int((best == moves[:, None]).sum())
            frequency += torch.bincount(moves, minlength=361)
            # Own and opponent's stones are the planes 1 and 2.
            empty = 361 - seen_planes[:, 1:3].sum(dim=(1, 2, 3))
            free += float((1.0 / empty.double()).sum())
            count += len(moves)
    if count == 0:
        raise SystemExit("no game is in the test half; take more games")

    print(f"trained on {positions} positions in {total:.0f} s ({epoch} epochs), last loss {float(loss):.2f}")
    print(f"waited for positions: {100 * waited / (waited + trained):.1f} % of the time")
    print(f"test: {count} positions of {reader.counts['used']} games")
    print(f"  the network's move was played:    {100 * right / count:5.1f} %")
    print(f"  ... or was among its best five:   {100 * among_five / count:5.1f} %")
    print(f"  the most frequent point:          {100 * int(frequency.max()) / count:5.1f} %")
    print(f"  guessing an empty point:          {100 * free / count:5.1f} %")


if __name__ == "__main__":
    main()
