"""Randomness as a stream of numbers fixed by (seed, seq): the same on every machine and Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")

_SPAN = 1 << 64


class Chance:
    """One action's randomness.

    `seq` is that action's number in its match (0 is the setup), so a retry after a failed write
    draws the same numbers and a replay needs only the seed and the actions. Number k of the stream
    is the first eight bytes, big endian, of SHA-256(seed + seq as 8 bytes + k as 8 bytes).
    """

    __slots__ = ("_drawn", "_key")

    def __init__(self, seed: bytes, seq: int) -> None:
        self._key = seed + seq.to_bytes(8, "big")
        self._drawn = 0

    def below(self, n: int) -> int:
        """A number in range(n), unbiased (values past the last multiple of n are drawn again)."""
        if n <= 0:
            raise ValueError(f"nothing below {n}")
        while True:
            digest = sha256(self._key + self._drawn.to_bytes(8, "big")).digest()
            self._drawn += 1
            value = int.from_bytes(digest[:8], "big")
            # The first test spares almost every number the second one's long division.
            if value < _SPAN - n or value < _SPAN - _SPAN % n:
                return value % n

    def pick(self, items: Sequence[T]) -> T:
        """One of `items`, each as likely as any other."""
        return items[self.below(len(items))]

    def shuffle(self, items: Iterable[T]) -> tuple[T, ...]:
        """`items` in a random order (Fisher-Yates from the end)."""
        deck = list(items)
        for i in range(len(deck) - 1, 0, -1):
            j = self.below(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return tuple(deck)
