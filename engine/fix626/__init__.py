"""The Fix for 626."""

from engine.fix626.rules import Fix626

__all__ = ["Fix626"]
