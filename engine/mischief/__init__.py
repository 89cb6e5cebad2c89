"""Disney Stitch: Merry Mischief! Card Game."""

from engine.mischief.rules import Mischief

__all__ = ["Mischief"]
