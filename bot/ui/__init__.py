"""From views to messages: presenters make panels, layout draws them for Discord."""
