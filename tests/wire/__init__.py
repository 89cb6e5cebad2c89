"""A loopback Discord that an unmodified bot process connects to, and the tests played on it."""
