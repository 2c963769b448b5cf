"""Positions for PyTorch.

    from torch.utils.data import DataLoader
    from sgf_stream.torch import PositionDataset

    dataset = PositionDataset("games/", shuffle=65_536, seed=1, symmetries="random", most_per_game=8)
    for epoch in range(10):
        dataset.set_epoch(epoch)
        for batch in DataLoader(dataset, batch_size=None, num_workers=2):
            logits = model(batch["planes"].float())
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from ._options import Paths
from ._positions import positions

#: The columns of a batch that become tensors. `key` has the bits of the unsigned number.
COLUMNS = (
    "turn",
    "next_move",
    "result",
    "score",
    "komi",
    "handicap",
    "black_rank",
    "white_rank",
    "move_number",
    "key",
    "file",
    "offset",
)


class PositionDataset(IterableDataset[dict[str, torch.Tensor]]):
    """Batches of positions as dictionaries of tensors. Use it with `DataLoader(dataset, batch_size=None)`.

    The settings are those of `sgf_stream.positions`. Each worker of the loader reads its own shard; with a `shard` of your own, for
    several machines, each worker reads a part of it.
    """

    def __init__(self, paths: Paths, **settings: Any) -> None:
        self.paths = paths
        self.settings = settings
        # In memory that workers share, so that `set_epoch` reaches those that live on (`persistent_workers`).
        self.epoch = torch.tensor(settings.get("epoch", 0), dtype=torch.int64).share_memory_()
        # Wrong settings are errors here, and not in the first worker.
        positions((), **{**settings, "state": None})

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch of the next iteration: another order, and other random choices. Call it before `iter(loader)`.

        It reaches all workers of loaders, also with `persistent_workers=True`.
        """
        self.epoch.fill_(epoch)

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        worker = get_worker_info()
        id, workers = (0, 1) if worker is None else (worker.id, worker.num_workers)
        index, count = self.settings.get("shard", (0, 1))
        shard = (index * workers + id, count * workers)
        for batch in positions(self.paths, **{**self.settings, "shard": shard, "epoch": int(self.epoch)}):
            tensors = {"planes": torch.from_numpy(batch.planes)}
            for name in COLUMNS:
                column = getattr(batch, name)
                if name in ("key", "offset"):
                    column = column.view("int64")
                elif name in ("next_move", "file"):
                    column = column.astype("int64")  # what loss functions and indexing expect
                tensors[name] = torch.from_numpy(column)
            yield tensors
