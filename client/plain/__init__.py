"""Plain lines: the client for pipes, for small terminals and for screen readers."""
