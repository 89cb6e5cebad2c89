"""What developers run by hand: measurements. Nothing here is part of the bot."""
