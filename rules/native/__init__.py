"""Support for compiled boards: detection, and access to their fields."""
