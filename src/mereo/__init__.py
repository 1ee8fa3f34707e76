"""mereo: worlds made of parts, and questions about them whose every reasoning step is known."""

__version__ = "0.1.0"
