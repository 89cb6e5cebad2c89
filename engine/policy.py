"""Who decides for a seat that no person plays, from what a person in that seat would see."""

from __future__ import annotations

from typing import Protocol, TypeVar

from engine.chance import Chance

A = TypeVar("A")
V_contra = TypeVar("V_contra", contravariant=True)


class Policy(Protocol[V_contra, A]):
    """Picks one of `legal` from the seat's view; the same view and chance give the same action."""

    def __call__(self, view: V_contra, legal: tuple[A, ...], chance: Chance, /) -> A: ...


def at_random(view: object, legal: tuple[A, ...], chance: Chance) -> A:
    """Any legal action, each as likely as any other."""
    del view
    return chance.pick(legal)
