"""Slash commands: thin, one file a game; what they do is in bot/."""
