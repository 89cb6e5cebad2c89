"""Stitches: build a monster, and take the Abomination to pieces together."""

from engine.stitches.rules import Stitches

__all__ = ["Stitches"]
